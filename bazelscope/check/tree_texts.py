"""The texts of a tree besides BUILD files: scripts, documents, settings of CI.

They are searched for names that only people and machines outside of Bazel say: a config, a
variable. What is large, binary or no text is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from bazelscope.base import budget
from bazelscope.base.errors import LoadingError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile
from bazelscope.loading.tree.disk import EntryKind
from bazelscope.loading.tree.workspace_files import Workspace

_LARGEST = 1 << 19
_MOST_FILES = 60_000
_NO_TEXT = lazy_pattern(
    r"\.(a|bin|bz2|c|cc|class|cpp|cu|cxx|dll|exe|gif|go|gz|h|hpp|ico|inc|ipynb|jar|java|jpe?g|js|lib"
    r"|m|mlir|mm|o|pb|pbtxt|pdf|png|proto|pyc|rs|s|scala|so|svg|swift|tar|td|tgz|ts|ttf|wasm|whl"
    r"|woff2?|xz|zip)$",
    re.IGNORECASE,
)
_CONFIG = lazy_pattern(
    r"""--config(?:=|\s+|\\?["'],?\s*\\?["']?)([\w.+-]+)"""
    r"""|\bconfigs?["']?\s*[:=]\s*[\[\"']*([\w.+-]+)"""
)

_STARLARK = lazy_pattern(r"(^|[/.])(BUILD|WORKSPACE|MODULE)(\.\w+)*$|\.(bzl|scl|tpl|bazel)$")
_COMPOSED = lazy_pattern(r"""--config[=\s]+\\?["']?([\w.+-]*)["']?\s*[$%{+<]""")


_BEGUN = lazy_pattern(r"""(?<![\w$.+-])([A-Za-z][\w.+-]*[_.-])["']?\s*[$%{+]""")
"""How a name begins whose end comes from a variable: `ci_${os}`, `"ci_" + os`."""


@dataclass(frozen=True)
class TreeTexts:
    """The texts of a workspace."""

    workspace: Workspace

    @cached_property
    def sources(self) -> tuple[SourceFile, ...]:
        """Every text, by path."""
        return tuple(self._walk())

    def _walk(self) -> Iterator[SourceFile]:
        workspace, count = self.workspace, 0
        folders = [""]
        while folders:
            folder = folders.pop()
            prefix = f"{folder}/" if folder else ""
            for name, kind in workspace.listing(folder).entries.items():
                path = prefix + name
                if kind is EntryKind.DIRECTORY:
                    if name != ".git" and not name.startswith("bazel-"):
                        folders.append(path)
                    continue
                if kind is not EntryKind.FILE or _NO_TEXT.search(name):
                    continue
                count += 1
                budget.current().check()
                if count > _MOST_FILES:
                    return
                try:
                    content = workspace.read_bytes(path)
                except LoadingError:
                    continue
                if len(content) <= _LARGEST and b"\0" not in content[:4096]:
                    yield SourceFile(path, content.decode("utf-8", "replace"))

    def names_config(self, name: str) -> bool:
        """Whether some text names a config: `--config=x`, `configs: [x]`, or the name, or how it
        begins, in a text that puts `--config=$X` together."""
        if name in self._configs:
            return True
        word = re.compile(rf"(?<![\w.+-]){re.escape(name)}(?![\w+-])")
        return any(
            name.startswith(tuple(filter(None, begun)))
            or ("" in begun and word.search(source.text) is not None)
            for source in self.sources
            for begun in (self._composed.get(source.path, ()),)
        )

    @cached_property
    def _configs(self) -> frozenset[str]:
        return frozenset(
            match[1] or match[2]
            for source in self.sources
            if "config" in source.text
            for match in _CONFIG.finditer(source.text)
        )

    @cached_property
    def _composed(self) -> dict[str, list[str]]:
        """By text, how the configs begin that it puts together; empty: whatever it says."""
        by_path: dict[str, list[str]] = {}
        for source in self.sources:
            if "--config" in source.text:
                begun = {match[1] for match in _COMPOSED.finditer(source.text)}
                if "" in begun:
                    begun |= {match[1] for match in _BEGUN.finditer(source.text)}
                by_path[source.path] = sorted(begun)
        return by_path

    @cached_property
    def starlark(self) -> tuple[SourceFile, ...]:
        """The texts that Bazel evaluates, or that a repository rule makes such of."""
        return tuple(source for source in self.sources if _STARLARK.search(source.path))

    def says_in_starlark(self, word: str, besides: frozenset[str]) -> bool:
        """Whether one of these has that word, but for the files `besides`."""
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        return any(
            word in source.text and pattern.search(source.text) is not None
            for source in self.starlark
            if source.path not in besides
        )

    def places(self, word: str) -> Iterator[tuple[SourceFile, int]]:
        """Where texts have that word: the text, and the offset."""
        pattern = re.compile(rf"(?<![\w]){re.escape(word)}(?![\w])")
        for source in self.sources:
            if word in source.text:
                match = pattern.search(source.text)
                if match is not None:
                    yield source, match.start()
