"""The configured graph of TensorFlow 1.14.0, beside what real cquery 0.24.1 answered about it.

There is no difference: every label in every configuration, every attribute, every
config_setting. A number in a test is how much was compared.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.conditions.match_result import Match, NoMatch
from bazelscope.analysis.conditions.select_choice import resolve_value
from bazelscope.analysis.graph.aliases import cquery_label
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.api import ConfiguredWorkspace
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.bazel.attribute_types import Attribute, AttributeType, DictValue
from bazelscope.loading.packages.targets import Rule
from bazelscope.query import query_answer
from bazelscope.query.language.attribute_values import conditions_of
from bazelscope.query.query_options import QueryOptions
from tests.oracle import tensorflow_1_14 as tensorflow
from tests.support.query_output import differences

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

_ROOT = PackageId("", "")
_HOST = {"exec": "host"}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def graph_of(asked: ConfiguredWorkspace) -> ConfiguredGraph:
    graph = TargetGraph(asked.world.loader, tensorflow.BAZEL)
    return ConfiguredGraph(graph, asked.world.configuration)


def closure(graph: ConfiguredGraph) -> list[ConfiguredNode]:
    return list(graph.deps([label(tensorflow.TARGET)]))


def label(text: str) -> Label:
    return parse_label(text, _ROOT)


def kind(node: ConfiguredNode) -> str:
    return _HOST.get(node.description, node.description)


COUNTS = {
    "base": 16781,
    "opt": 16781,
    "mkl": 16868,
    "mkl_opt": 16868,
    "mkl_oss_opt": 16865,
    "monolithic": 16792,
    "noaws_nogcp": 16251,
    "v2": 14878,
    "dbg": 16781,
    "cuda": 17895,
}


@pytest.mark.parametrize("variant", tensorflow.VARIANTS)
def test_labels(variant: str, cache: Path) -> None:
    asked = tensorflow.configured(tensorflow.VARIANTS[variant], cache, cuda=variant == "cuda")
    graph = graph_of(asked)
    found = {f"{cquery_label(graph, node)}\t{kind(node)}" for node in closure(graph)}
    asked.save()
    wanted = set(tensorflow.lines(f"cquery.{variant}.labels.txt"))
    difference = differences(found, wanted)
    assert not difference, difference
    assert len(wanted) == COUNTS[variant]


# The attributes that were recorded, where they are set explicitly.
_RECORDED = frozenset(
    (
        *("actual", "additional_linker_inputs", "alwayslink", "constraint_values", "copts"),
        *("data", "define_values", "defines", "deps", "exports", "flag_values", "hdrs"),
        *("includes", "linkopts", "linkstatic", "local_defines", "outs", "proto"),
        *("runtime_deps", "src", "srcs", "tags", "testonly", "textual_hdrs", "tools", "values"),
    )
)
_TRISTATE = {1: "true", 0: "false", -1: "auto"}


def written(value: object, type: AttributeType) -> object:
    """A value as the record has it."""
    if isinstance(value, Label):
        return str(value)
    if isinstance(value, tuple):
        return [written(item, AttributeType.UNKNOWN) for item in value]
    if isinstance(value, DictValue):
        return {str(key): written(item, AttributeType.UNKNOWN) for key, item in value.items}
    if type in (AttributeType.BOOLEAN, AttributeType.TRISTATE) and isinstance(value, int):
        return _TRISTATE[int(value)]
    return str(value)


def described(graph: ConfiguredGraph, node: ConfiguredNode, rule: Rule) -> str:
    def resolved(attribute: Attribute) -> object:
        conditions = graph.conditions(node.configuration)
        return written(resolve_value(attribute.value, conditions).value, attribute.type)

    attributes = {
        attribute.name: resolved(attribute)
        for attribute in rule.attributes.values()
        if attribute.is_explicit and attribute.name in _RECORDED
    }
    edges = graph.graph.edges(rule.label)
    inputs = {str(edge.target) for edge in edges if edge.kind is not EdgeKind.PACKAGE_GROUP}
    # Starlark rules have no `$config_dependencies` in 0.24.1.
    keys = [] if rule.rule_class.defined_at else [str(key) for key in conditions_of(rule)]
    return as_text(str(rule.label), rule.rule_class.name, attributes, inputs, keys)


def as_text(
    name: str, rule_class: str, attributes: object, inputs: set[str], keys: list[str]
) -> str:
    fields = [name, rule_class, attributes, sorted(inputs), sorted(keys)]
    return json.dumps(fields, sort_keys=True)


@pytest.mark.parametrize(("variant", "rules"), [("base", 5657), ("mkl_opt", 5707)])
def test_attributes(variant: str, rules: int, cache: Path) -> None:
    """Every attribute, with the chosen branches of its selects, of every configured rule."""
    asked = tensorflow.configured(tensorflow.VARIANTS[variant], cache)
    graph = graph_of(asked)
    found = Counter(
        (kind(node), described(graph, node, target))
        for node in closure(graph)
        if isinstance(target := graph.target(node), Rule)
    )
    recorded = tensorflow.rows(f"cquery.{variant}.rules.jsonl")
    top = next(row["config"] for row in recorded if row["name"] == tensorflow.TARGET)
    wanted = Counter(
        (
            "target" if row["config"] == top else "host",
            as_text(
                row["name"], row["class"], row["attrs"], set(row["inputs"]), row["select_keys"]
            ),
        )
        for row in recorded
    )
    difference = differences((found - wanted).elements(), (wanted - found).elements(), limit=8)
    assert not difference, difference
    assert wanted.total() == rules


def test_settings(cache: Path) -> None:
    """Which of 115 config_settings hold under each of 19 command lines."""
    recorded = json.loads((tensorflow.answers() / "config_settings.json").read_text())
    compared = 0
    wrong: list[str] = []
    for variant in recorded["variants"].values():
        asked = tensorflow.configured(tuple(variant["flags"].split()), cache, "build")
        assert not variant["not_evaluated"]
        for name in recorded["config_settings"]:
            match = asked.world.conditions.match(label(name))
            assert isinstance(match, Match | NoMatch), (name, match)
            compared += 1
            if isinstance(match, Match) != (name in variant["matched"]):
                wrong.append(f"{variant['flags']}: {name}")
    assert not wrong
    assert compared == 19 * 115


_PATH = re.compile(
    r"## (?P<command>c?query)(?: \[(?P<flags>.*)\])?: somepath\(T, (?P<target>.*)\)\n"
    r"(?P<path>(?:[/@].*\n)*)"
)


def test_paths(cache: Path) -> None:
    """A path of ours is one by Bazel's own edges, and there is one exactly where Bazel has."""
    edges = {
        (source, target)
        for source, target, _ in (
            line.split("\t") for line in tensorflow.lines("pip_package.deps.noimplicit.edges.tsv")
        )
    }
    recorded = (tensorflow.answers() / "paths.txt").read_text()
    asked: dict[tuple[str, str], ConfiguredWorkspace] = {}
    compared: Counter[str] = Counter()
    for match in _PATH.finditer(recorded):
        command, flags = match["command"], match["flags"] or ""
        if (command, flags) not in asked:
            words = ("--keep_going", "--noimplicit_deps", *flags.split())
            asked[command, flags] = tensorflow.configured(words, cache, command)
        path = somepath(asked[command, flags], match["target"])
        assert bool(path) == bool(match["path"]), match[0]
        compared["paths" if path else "none"] += 1
        if path:
            assert (path[0], path[-1]) == (tensorflow.TARGET, match["target"])
            steps = set(itertools.pairwise(path))
            assert steps <= edges, f"{match[0]}: {steps - edges}"
    assert compared.total() == recorded.count("## ") == 33


def somepath(asked: ConfiguredWorkspace, target: str) -> list[str]:
    """The targets on a path to `target`, by their own names: cquery 0.24.1 prints an alias
    under that of its target."""
    settings = QueryOptions(asked.world.flags.values).settings(tensorflow.BAZEL, _ROOT)
    expression = f'somepath("{tensorflow.TARGET}", "{target}")'
    if asked.setup.command == "query":
        found = query_answer.query(asked.world, expression, settings)
        return [str(label) for label in found.nodes]
    configured = query_answer.cquery(asked.world, expression, settings)
    return [str(node.label) for node in configured.nodes]
