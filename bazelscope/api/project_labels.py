"""The targets of a question whose project files (PROJECT.scl) count for its flags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, TargetPattern, parse_pattern
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.loading.project_files import project_file_of, projects_of

if TYPE_CHECKING:
    from bazelscope.loading.loader import Loader


def project_labels(
    loader: Loader, flags: ResolvedFlags, directory: PackageId, asked: Sequence[str]
) -> tuple[Label, ...]:
    """Returns the targets that a line with `flags` builds: those of its patterns, relative to the
    package `directory`, of an expression of cquery or its universe, or else the first that the
    words `asked` name, by label or short name. Nothing where no project file belongs to one."""
    typed: Sequence[str] = [target.text for target in flags.targets]
    if flags.command == "cquery":
        scope = flags.values.get("universe_scope")
        typed = tuple(_literals(asked[-1:], flags)) if scope is None else scope.values
    elif not typed:
        for word in asked:
            if word.startswith("-"):
                continue
            if word.startswith((":", "@")) or "//" in word:
                typed = (word,)
                break
            named = loader.find_targets(word)
            if named:
                return named if len(named) == 1 and projects_of(loader, named)[0] else ()
    return _expanded(loader, list(_patterns(loader, directory, typed)))


def _expanded(loader: Loader, patterns: Sequence[TargetPattern]) -> tuple[Label, ...]:
    if not any(_has_project(loader, pattern) for pattern in patterns):
        return ()
    labels: dict[Label, None] = {}
    for pattern in patterns:
        for label in loader.expand(pattern).labels:
            labels.pop(label, None)
            if not pattern.excluded:
                labels[label] = None
    return tuple(labels)


def _patterns(
    loader: Loader, directory: PackageId, texts: Sequence[str]
) -> Iterator[TargetPattern]:
    for text in texts:
        try:
            yield parse_pattern(text, directory, loader.table.pattern_names)
        except LabelError:
            continue


def _has_project(loader: Loader, pattern: TargetPattern) -> bool:
    base = pattern.label.package_id
    packages = loader.trees.packages_below(base) if pattern.recursive else (base,)
    return any(project_file_of(loader, package) is not None for package in packages)


def _literals(expressions: Sequence[str], flags: ResolvedFlags) -> Iterator[str]:
    """The target patterns in questions of cquery; none of what is no question."""
    from bazelscope.query.language.query_parser import QueryError, parse
    from bazelscope.query.language.query_syntax import patterns_of
    from bazelscope.query.language.signatures import Command

    for text in expressions:
        try:
            expression = parse(text, Command.CQUERY, flags.bazel_version)
        except QueryError:
            continue
        yield from (one.text for one in patterns_of(expression))
