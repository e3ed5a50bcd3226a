"""Repositories that the root module puts in the place of an extension's: what Bazel refuses.

Bazel: `ModuleThreadContext.buildUsage`, whose words these are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import nearest
from bazelscope.base.source import CallStack, Location
from bazelscope.bazel.builtin_modules import BUILTIN_MODULES


@dataclass(frozen=True, slots=True)
class Replacement:
    """What `override_repo` or `inject_repo` puts in a repository's place: a name of the root
    module. `must_exist`: `override_repo`, of a repository that the extension has to make."""

    name: str
    must_exist: bool
    location: Location
    call_stack: CallStack


def invisible_replacements(
    extension: str,
    replaced: Mapping[str, Replacement],
    imported: Collection[str],
    visible: Collection[str],
) -> Iterator[Diagnostic]:
    """What MODULE.bazel alone tells: names that the module does not see, and imports of what it
    injects itself."""
    for overridden, one in replaced.items():
        if one.name not in visible and one.name not in BUILTIN_MODULES:
            near = nearest(one.name, sorted(visible))
            hint = f" (did you mean '{near[0]}'?)" if near else ""
            yield _refused(
                one,
                f"The repo exported as '{overridden}' by module extension '{extension}' is"
                f" overridden with '{one.name}', but no repo is visible under this name{hint}",
            )
        elif overridden in imported and not one.must_exist:
            yield _refused(
                one,
                f"Cannot import repo '{overridden}' that has been injected into module extension"
                f" '{extension}' at {one.location}. Please refer to @{one.name} directly.",
            )


def replaced_twice(
    uses: Iterable[tuple[str, Mapping[str, Replacement], Mapping[str, str]]],
) -> Iterator[Diagnostic]:
    """The first replacement by a repository that is itself replaced. Of each use of an extension:
    its name, what it replaces, and what it imports by which name."""
    mine: dict[str, tuple[str, str, Replacement]] = {}
    overridden: dict[str, Replacement] = {}
    for extension, replaced, imported in uses:
        for original, one in replaced.items():
            mine[one.name] = extension, original, one
            if original in imported:
                overridden[imported[original]] = one
    for name, (extension, original, one) in mine.items():
        if name in overridden:
            by = overridden[name]
            yield _refused(
                one,
                f"The repo '{name}' used as an override for '{original}' in module extension"
                f" '{extension}' is itself overridden with '{by.name}' at {by.location},"
                " which is not supported.",
            )
            return


def _refused(one: Replacement, message: str) -> Diagnostic:
    place = one.location
    return Diagnostic("replaced-repository", message, place.span, call_stack=one.call_stack)
