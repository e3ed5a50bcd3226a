"""The targets of a question whose project files (PROJECT.scl) count for its flags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, TargetPattern, parse_pattern
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.loading.project_files import project_file_of, projects_of

if TYPE_CHECKING:
    from bazelscope.api.line_in_force import LineInForce
    from bazelscope.loading.loader import Loader


def project_labels(line: LineInForce, flags: ResolvedFlags) -> tuple[Label, ...]:
    """Returns the targets that a line with `flags` builds: those of its patterns, of an expression
    of cquery and its universe, or else the first that the question names, by label or short name.
    Nothing where no project file belongs to one of them."""
    loader = line.loader
    typed: Sequence[str] = [target.text for target in flags.targets]
    if line.line.command == "cquery":
        scope = flags.values.get("universe_scope")
        typed = scope.values if scope is not None else tuple(_literals(line, line.asked[-1:]))
    elif not typed:
        for word in line.asked:
            if word.startswith("-"):
                continue
            if word.startswith((":", "@")) or "//" in word:
                typed = (word,)
                break
            named = loader.find_targets(word)
            if named:
                return named if len(named) == 1 and projects_of(loader, named)[0] else ()
    return _expanded(line, list(_patterns(line, typed)))


def _expanded(line: LineInForce, patterns: Sequence[TargetPattern]) -> tuple[Label, ...]:
    if not any(_has_project(line.loader, pattern) for pattern in patterns):
        return ()
    labels: dict[Label, None] = {}
    for pattern in patterns:
        for label in line.loader.expand(pattern).labels:
            labels.pop(label, None)
            if not pattern.excluded:
                labels[label] = None
    return tuple(labels)


def _patterns(line: LineInForce, texts: Sequence[str]) -> Iterator[TargetPattern]:
    for text in texts:
        try:
            yield parse_pattern(text, line.directory_package, line.loader.table.pattern_names)
        except LabelError:
            continue


def _has_project(loader: Loader, pattern: TargetPattern) -> bool:
    base = pattern.label.package_id
    packages = loader.packages_below(base) if pattern.recursive else (base,)
    return any(project_file_of(loader, package) is not None for package in packages)


def _literals(line: LineInForce, expressions: Sequence[str]) -> Iterator[str]:
    """The target patterns in questions of cquery; none of what is no question."""
    from bazelscope.query.language.query_parser import QueryError, parse
    from bazelscope.query.language.query_syntax import patterns_of
    from bazelscope.query.language.signatures import Command

    for text in expressions:
        try:
            expression = parse(text, Command.CQUERY, line.workspace.version[0])
        except QueryError:
            continue
        yield from (one.text for one in patterns_of(expression))
