"""The attributes of every rule of TensorFlow 1.14.0, beside what real Bazel 0.24.1 recorded.

The answers (`../shared/oracle`) were made from `query --output=build` and `--output=xml` on
`//...:all`; what bazelscope writes is read in the same way, in the same order. Those attributes
were recorded that name targets, and the ones that matter to a build.
"""

from __future__ import annotations

import ast
import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.query.formats.written import ask_query
from tests.support.ours import share_packages
from tests.support.parts import need_sibling, need_tensorflow
from tests.support.query_output import differences

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

BAZEL = "0.24.1"
_RULES = 9954
_VALUES = 36298
_HEAD = re.compile(r"(?m)^# .*:\d+:\d+$")
_RECORDED = frozenset(
    {
        *("actual", "additional_linker_inputs", "alwayslink", "constraint_values", "data"),
        *("define_values", "deps", "exports", "flag_values", "hdrs", "implementation_deps"),
        *("linkstatic", "main", "out", "outs", "plugins", "proto", "resources", "runtime_deps"),
        *("src", "srcs", "tags", "testonly", "tests", "textual_hdrs", "tools", "values"),
        "visibility",
    }
)

Fact = tuple[str, str, str]
"""A rule, what of it, and its value as JSON."""
_Ours = Callable[[str, Iterable[str]], str]


@pytest.fixture(scope="module")
def answers() -> Path:
    return need_sibling("BAZELSCOPE_SHARED", "shared") / "oracle" / "tf-1.14.0"


def _recorded(answers: Path, form: str) -> list[dict[str, object]]:
    lines = gzip.decompress((answers / f"rules.{form}.jsonl.gz").read_bytes()).splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def ours() -> _Ours:
    """What bazelscope writes in a form under some flags. Both forms are of packages that are
    evaluated once."""
    tree = need_tensorflow("1.14")
    workspace = Workspace.open(tree, bazel_version=BAZEL)
    loaded: list[ConfiguredWorkspace] = []

    def written(form: str, flags: Iterable[str]) -> str:
        words = (*flags, f"--output={form}", "//...:all")
        asked = workspace.configure(words, command="query")
        share_packages(asked, loaded)
        world, package = asked.world, asked.directory_package
        return ask_query(world, asked.envelope_of_flags, "//...:all", str(tree), package).text()

    return written


def _world() -> list[str]:
    return (need_sibling("BAZELSCOPE_ORACLE", "oracle") / "flags.txt").read_text().split()


def _rules_of_xml(text: str) -> Iterator[dict[str, object]]:
    for rule in ElementTree.fromstring(text.replace('version="1.1"', 'version="1.0"', 1)):
        found: dict[str, object] = {"name": rule.get("name"), "class": rule.get("class")}
        attributes: dict[str, object] = {}
        inputs, outputs = [], []
        for child in rule:
            name = child.get("name", "")
            if child.tag == "rule-input":
                inputs.append(name)
            elif child.tag == "rule-output":
                outputs.append(name)
            elif name in ("generator_name", "generator_function"):
                found[name] = child.get("value")
            elif name in _RECORDED:
                attributes[name] = _value_of_xml(child)
        yield {**found, "attrs": attributes, "inputs": inputs, "outputs": outputs}


def _value_of_xml(element: ElementTree.Element) -> object:
    if element.tag == "list":
        return [item.get("value") for item in element]
    if element.tag == "dict":
        return {pair[0].get("value"): pair[1].get("value") for pair in element}
    return element.get("value")


def _rules_of_build(text: str) -> Iterator[dict[str, object]]:
    for block in _HEAD.split(text)[1:]:
        (statement,) = ast.parse(block.strip()).body
        assert isinstance(statement, ast.Expr)
        call = statement.value
        assert isinstance(call, ast.Call)
        found: dict[str, object] = {"class": ast.unparse(call.func)}
        attributes: dict[str, object] = {}
        for keyword in call.keywords:
            if keyword.arg == "name":
                found["name"] = _value_of_build(keyword.value)
            elif keyword.arg in _RECORDED:
                attributes[keyword.arg] = _value_of_build(keyword.value)
        yield {**found, "attrs": attributes} if attributes else found


def _value_of_build(node: ast.expr) -> object:
    """A value with its selects: `{"select": ...}`, and `{"concat": ...}` for sums."""
    if isinstance(node, ast.Call) and isinstance(branches := node.args[0], ast.Dict):
        keys = [ast.literal_eval(key) for key in branches.keys if key is not None]
        values = [_value_of_build(value) for value in branches.values]
        return {"select": dict(zip(keys, values, strict=True))}
    if isinstance(node, ast.BinOp):
        left = _value_of_build(node.left)
        parts = left["concat"] if isinstance(left, dict) and "concat" in left else [left]
        return {"concat": [*parts, _value_of_build(node.right)]}
    return ast.literal_eval(node)


def _facts(rules: Iterable[dict[str, object]], labels: Iterable[object]) -> list[Fact]:
    """Every attribute, and everything else that was recorded, of every rule."""
    facts = []
    for label, rule in zip(labels, rules, strict=True):
        attributes = rule.get("attrs")
        assert attributes is None or isinstance(attributes, dict)
        told = {
            **rule,
            **{f"attribute {name}": value for name, value in (attributes or {}).items()},
        }
        told.pop("attrs", None)
        facts += [
            (str(label), what, json.dumps(value, sort_keys=True)) for what, value in told.items()
        ]
    return facts


# Rules of archives that nothing but their download tells: what class the macro makes, which
# tools and outputs it adds.
_DOWNLOADED = frozenset({"docker_toolchain_autoconfig_", "closure_proto_library"})


def _count_values(facts: Iterable[Fact]) -> int:
    return sum(what.startswith("attribute ") for _, what, _ in facts)


def test_values_with_their_selects(answers: Path, ours: _Ours) -> None:
    labels = [rule["name"] for rule in _recorded(answers, "xml")]
    wanted = _facts(_recorded(answers, "build"), labels)
    found = _facts(list(_rules_of_build(ours("build", _world()))), labels)
    assert (len(labels), _count_values(wanted)) == (_RULES, _VALUES)
    assert not (difference := differences(found, wanted)), difference


def test_values_of_all_branches_inputs_and_outputs(answers: Path, ours: _Ours) -> None:
    recorded = _recorded(answers, "xml")
    rules = list(_rules_of_xml(ours("xml", _world())))
    assert [rule["name"] for rule in rules] == [rule["name"] for rule in recorded]
    wanted = _facts(recorded, [rule["name"] for rule in recorded])
    found = _facts(rules, [rule["name"] for rule in rules])
    assert (len(recorded), _count_values(wanted)) == (_RULES, _VALUES)
    assert not (difference := differences(found, wanted)), difference


@pytest.mark.parametrize("form", ["build", "xml"])
def test_the_tree_alone(answers: Path, ours: _Ours, form: str) -> None:
    """Without any external repository every value is the same."""
    labels = [rule["name"] for rule in _recorded(answers, "xml")]
    recorded = _recorded(answers, form)
    read = _rules_of_xml if form == "xml" else _rules_of_build
    kept = [rule["class"] not in _DOWNLOADED for rule in recorded]
    rules = list(read(ours(form, ())))
    wanted = _facts(recorded, labels)
    found = _facts(rules, labels)
    assert not (difference := differences(_values(found), _values(wanted))), difference
    names = {label for label, keep in zip(labels, kept, strict=True) if keep}
    assert len(labels) - len(names) == 8
    wanted = [fact for fact in wanted if fact[0] in names]
    found = [fact for fact in found if fact[0] in names]
    assert not (difference := differences(found, wanted)), difference


def _values(facts: Iterable[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact[1].startswith("attribute ")]
