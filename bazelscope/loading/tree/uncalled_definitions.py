"""Finds in the workspace's `.bzl` files what would define a repository, were it called."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property

from bazelscope.base import budget
from bazelscope.base.errors import LoadingError
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile
from bazelscope.loading.tree.workspace_files import Workspace

_MOST_DIRECTORIES = 5_000
_DEFINES = lazy_pattern(
    r"""(?:^def\s+(?P<function>\w+)\(
    |^[ \t]+[\w.]*(?:archive|repository|http_file|http_jar|maybe)\(\s*
      (?:[\w.]+,\s*)?name\s*=\s*["'](?P<name>[\w.+-]+)["'])""",
    re.MULTILINE | re.VERBOSE,
)


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
        if name not in self._by_name:
            return ""
        function, place = self._by_name[name]
        if reads_workspace:
            return f"call what defines it: {function}(), at {place}"
        return f"define it in MODULE.bazel, as {function}() does at {place}"

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[str, str]]:
        """The function that would define each repository, and the place in it."""
        found: dict[str, tuple[str, str]] = {}
        for source in self._starlark_files():
            function = ""
            for match in _DEFINES.finditer(source.text):
                if match["function"]:
                    function = match["function"]
                elif function:
                    line = source.text.count("\n", 0, match.start()) + 1
                    found.setdefault(match["name"], (function, f"{source.path}:{line}"))
        return found

    def _starlark_files(self) -> Iterator[SourceFile]:
        """The `.bzl` files of the workspace, those near the root first."""
        tree = self._workspace
        ignored = set(tree.ignored_directories())
        directories = deque([""])
        for _ in range(_MOST_DIRECTORIES):
            if not directories:
                return
            budget.current().check()
            directory = directories.popleft()
            before = f"{directory}/" if directory else ""
            try:
                listing = tree.listing(directory)
            except LoadingError:  # There are too many directories.
                return
            directories.extend(
                path for name in listing.walked if (path := before + name) not in ignored
            )
            for name in listing.entries:
                if not name.endswith(".bzl"):
                    continue
                with suppress(LoadingError):
                    yield tree.read(before + name)
