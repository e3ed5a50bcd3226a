"""Finds in the workspace's `.bzl` files what would define a repository, were it called."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cached_property

from bazelscope.base import budget
from bazelscope.base.errors import LoadingError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Location, SourceFile
from bazelscope.loading.tree.workspace_files import Workspace

_MOST_DIRECTORIES = 5_000
_DEFINES = lazy_pattern(
    r"""(?:^def\s+(?P<function>\w+)\(
    |^[ \t]+[\w.]*(?:archive|repository|http_file|http_jar|maybe)\(\s*
      (?:[\w.]+,\s*)?name\s*=\s*["'](?P<name>[\w.+-]+)["'])""",
    re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class UncalledDefinition:
    """A call of a repository rule in a function; `location` is its line."""

    function: str
    location: Location


class UncalledDefinitions:
    """The definitions of repositories that functions of `.bzl` files hold, read once asked for.

    They are found by their text, since nothing evaluates a file that nobody loads: a call of
    something that is named like a repository rule, or of `maybe`, with a `name` first.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def remedy(self, name: str, reads_workspace: bool) -> str:
        """What to do about the repository `name`, which no call defines, where a function
        would; no text where none would."""
        definition = self._by_name.get(name)
        if definition is None:
            return ""
        place = f"{definition.location.path}:{definition.location.line}"
        if reads_workspace:
            return f"call what defines it: {definition.function}(), at {place}"
        return f"define it in MODULE.bazel, as {definition.function}() does at {place}"

    @cached_property
    def _by_name(self) -> Mapping[str, UncalledDefinition]:
        found: dict[str, UncalledDefinition] = {}
        for source in self._starlark_files():
            function = ""
            for match in _DEFINES.finditer(source.text):
                if match["function"]:
                    function = match["function"]
                elif function:
                    line = source.text.count("\n", 0, match.start()) + 1
                    place = Location(source.path, line, 1)
                    found.setdefault(match["name"], UncalledDefinition(function, place))
        return found

    def _starlark_files(self) -> Iterator[SourceFile]:
        """The `.bzl` files that have a repository's name in them, those near the root first."""
        tree = self._workspace
        ignored = set(tree.ignored_directories())
        directories = deque([""])
        for _ in range(_MOST_DIRECTORIES):
            if not directories:
                return
            budget.current().check()
            directory = directories.popleft()
            before = f"{directory}/" if directory else ""
            listing = tree.listing(directory)
            directories.extend(
                path for name in listing.walked if (path := before + name) not in ignored
            )
            for name in listing.entries:
                if not name.endswith(".bzl"):
                    continue
                try:
                    source = tree.read(before + name)
                except LoadingError:
                    continue
                if "name" in source.text:
                    yield source
