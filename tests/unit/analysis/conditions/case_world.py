"""A workspace written for one case, and what bazelscope says of its conditions and selects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bazelscope.analysis.conditions.match_result import Match, NoMatch
from bazelscope.analysis.conditions.select_choice import Ambiguous, Chosen, NoBranch, resolve_value
from bazelscope.analysis.refusals.kept_refusals import refusals_of
from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from tests.support.files import write_files

MATCH, NO_MATCH, ERROR = "match", "no match", "error"

FLAGS_BZL = """\
def _impl(ctx):
    return []

string_flag = rule(implementation = _impl, build_setting = config.string(flag = True))
bool_flag = rule(implementation = _impl, build_setting = config.bool(flag = True))
int_flag = rule(implementation = _impl, build_setting = config.int(flag = True))
list_flag = rule(implementation = _impl, build_setting = config.string_list(flag = True))
plain = rule(implementation = _impl)
"""


@dataclass(frozen=True)
class Check:
    """What `label` is under `flags`: for a condition whether it matches; for `label.attr`
    the attribute's value, or `error: ` and a part of the message."""

    flags: str
    label: str
    expected: object


@dataclass(frozen=True)
class Case:
    """One behaviour of Bazel, named after the test of Bazel's that has it as a subject."""

    name: str
    says: str
    files: Mapping[str, str]
    checks: tuple[Check, ...]

    def run(self, root: Path) -> None:
        """Asserts every check in a workspace below `root`."""
        files = {"WORKSPACE": "", "flags.bzl": FLAGS_BZL, "BUILD": "", **self.files}
        write_files(root, files)
        for check in self.checks:
            asked = Workspace.open(root, bazel_version="4.2.3").configure(check.flags.split())
            got = _got(asked, check.label)
            if isinstance(check.expected, str) and check.expected.startswith("error: "):
                assert isinstance(got, str), (check, got)
                assert got.startswith("error: "), (check, got)
                assert check.expected.removeprefix("error: ") in got, (check, got)
            else:
                assert got == check.expected, (check, got)


def _got(asked: ConfiguredWorkspace, text: str) -> object:
    whole, dot, attribute = text.partition(".")
    label = parse_label(whole, PackageId("", ""))
    if not dot:
        result = asked.world.conditions.match(label)
        if isinstance(result, Match):
            return MATCH
        if isinstance(result, NoMatch):
            return NO_MATCH
        return f"error: {result.unknown.detail}"
    package = asked.loader.package(label.package_id)
    if isinstance(package, Package) and package.diagnostics:
        return "error: " + "; ".join(problem.message for problem in package.diagnostics)
    rule = asked.loader.target(label)
    assert isinstance(rule, Rule), rule
    graph = asked.world.configured
    for problem in refusals_of(graph, [graph.top(label)]):
        return f"error: {problem.message}"
    return _value(asked, rule, attribute)


def _value(asked: ConfiguredWorkspace, rule: Rule, name: str) -> object:
    attribute = rule.attribute(name)
    assert attribute is not None, name
    default = rule.rule_class.attributes[name].default
    resolved = resolve_value(attribute.value, asked.world.conditions, default)
    for choice in resolved.choices:
        if isinstance(choice, Ambiguous | NoBranch):
            return f"error: {choice.diagnostic.message}"
        if not isinstance(choice, Chosen):
            return f"error: {choice.unknowns[0].detail}"
    value = resolved.value
    if isinstance(value, tuple) and not isinstance(value, Label):
        return [item.name if isinstance(item, Label) else item for item in value]
    return str(value) if isinstance(value, Label) else value
