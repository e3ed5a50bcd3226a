"""Findings about variables of the environment that no repository rule reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bazelscope.base.source import SourceFile
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule

_SHORTEST = 5
_OPTIONS = ("repo_env", "action_env")


def variable_findings(facts: WorkspaceFacts) -> Iterator[Finding]:
    """Variables that only rules read which nobody calls, and slips of those that rules read."""
    rules = dict(_rules(facts))
    called = {name: rule for name, rule in rules.items() if _is_called(facts, rule)}
    read = {variable for rule in called.values() for variable in rule.environ}
    idle: dict[str, list[RepositoryRule]] = {}
    for name, rule in rules.items():
        for variable in rule.environ if name not in called else ():
            if variable not in read:
                idle.setdefault(variable, []).append(rule)
    for variable, readers in sorted(idle.items()):
        yield from _read_by_nobody(facts, variable, readers)
    yield from _slips(facts, read | set(idle))


def _rules(facts: WorkspaceFacts) -> Iterator[tuple[str, RepositoryRule]]:
    """The repository rules of the workspace's own `.bzl` files."""
    for source in facts.texts.starlark:
        if not source.path.endswith(".bzl") or "repository_rule(" not in source.text:
            continue
        for name, value in facts.globals_of(source.path).items():
            if isinstance(value, RepositoryRule) and _is_defined_in(value, source.path):
                yield name, value


def _is_defined_in(rule: RepositoryRule, path: str) -> bool:
    return bool(rule.defined_at) and rule.defined_at[0].location.path == path


def _is_called(facts: WorkspaceFacts, rule: RepositoryRule) -> bool:
    name = re.escape(rule.name)
    if not rule.name:
        return True
    call = re.compile(rf"(?<![\w]){name}\s*\(|\b\w+\s*=\s*{name}\b|[(,]\s*{name}\s*[,)]")
    return any(
        rule.name in source.text
        and any(not _is_definition(source, match) for match in call.finditer(source.text))
        for source in facts.texts.starlark
    )


def _is_definition(source: SourceFile, match: re.Match[str]) -> bool:
    """Whether a match stands in a comment or docstring's example, and calls nothing."""
    place = source.location(match.start())
    before = source.line(place.line)[: place.column - 1].lstrip()
    return before.startswith("#") or source.text.count('"""', 0, match.start()) % 2 == 1


def _read_by_nobody(
    facts: WorkspaceFacts, variable: str, readers: list[RepositoryRule]
) -> Iterator[Finding]:
    if len(variable) < _SHORTEST:
        return
    places = [
        (source, offset)
        for source, offset in facts.texts.places(variable)
        if source.path.endswith("bazelrc")
    ]
    causes = tuple(
        FindingCause(f"`{rule.name}` reads it", facts.span(rule.defined_at[0].location))
        for rule in readers
    )
    names = " and ".join(f"`{rule.name}`" for rule in readers)
    for source, offset in places[:1]:
        span = source.span(offset, offset + len(variable))
        message = f"`{variable}` has no effect: only {names} reads it, which nobody calls"
        remedy = f"delete this mention, or call {names} in WORKSPACE"
        yield CODES["BZS311"].at(span, variable, message, remedy, causes)


def _slips(facts: WorkspaceFacts, read: set[str]) -> Iterator[Finding]:
    for section in facts.rc.sections:
        for option in section.options:
            if option.definition.name not in _OPTIONS:
                continue
            variable = (option.instance.value or "").partition("=")[0]
            if variable in read or len(variable) < _SHORTEST:
                continue
            near = [name for name in sorted(read) if _is_slip(variable, name)]
            others = [
                source
                for source, _ in facts.texts.places(variable)
                if not source.path.endswith("bazelrc")
            ]
            if near and not others:
                message = f"no repository rule reads `{variable}`, and nothing else mentions it"
                span = option.instance.span
                remedy = f"did you mean `{near[0]}`?"
                yield CODES["BZS310"].at(span, variable, message, remedy)


def _is_slip(written: str, meant: str) -> bool:
    """Whether one letter is missing, added, wrong, or two have changed places. Names that differ
    by more may be others."""
    start = 0
    while start < min(len(written), len(meant)) and written[start] == meant[start]:
        start += 1
    one, other = written[start:], meant[start:]
    swapped = len(one) > 1 and one[1] + one[0] + one[2:] == other
    return bool(one or other) and (
        swapped or one[1:] == other or one == other[1:] or one[1:] == other[1:]
    )
