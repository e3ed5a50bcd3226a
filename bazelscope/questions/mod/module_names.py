"""Which modules, repositories or extensions the words of a `mod` line mean.

Bazel: `ModuleArg`, `ExtensionArg`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import nearest
from bazelscope.loading.modules.extension_repositories import Extension, ExtensionRepositories
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey
from bazelscope.loading.modules.module_repositories import ModuleRepositories


class NoSuchModuleError(Exception):
    """A word that means nothing here; `suggestions` are what may have been meant."""

    def __init__(self, problem: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(problem)
        self.problem = problem
        self.suggestions = suggestions


@dataclass(frozen=True)
class ModuleWords:
    """Reads words; apparent names are those that `base` sees. Raises `NoSuchModuleError`."""

    found: ModuleRepositories
    extensions: ExtensionRepositories
    includes_unused: bool
    base: ModuleKey = ROOT

    def modules(self, words: Sequence[str]) -> tuple[ModuleKey, ...]:
        """All modules that the words mean, in the order of the words."""
        keys = [key for word in words for key in self.module(word)]
        return tuple(dict.fromkeys(keys))

    def module(self, word: str) -> tuple[ModuleKey, ...]:
        """`<root>`, `name`, `name@version`, `@apparent` or `@@canonical`."""
        resolution = self.found.resolution
        graph = resolution.discovered if self.includes_unused else resolution.selected
        if word in ("<root>", "//", ""):
            return (ROOT,)
        if word.startswith("@"):
            repository = self.repository(word)
            module = self.found.modules.get(repository)
            if module is None:
                raise NoSuchModuleError(f"`{word}` is no module, but a module extension makes it")
            return (module.key,)
        name, at, version = word.partition("@")
        root = self.found.root.file
        if root is not None and name == root.name and (not at or version in ("_", root.version)):
            return (ROOT,)
        version = "" if version == "_" else version
        keys = tuple(
            key for key in graph if key.name == name and (not at or key.version == version)
        )
        if keys:
            return keys
        raise NoSuchModuleError(self._problem(word, name, at), self._near(name))

    def _problem(self, word: str, name: str, at: str) -> str:
        resolution = self.found.resolution
        selected = ", ".join(str(key) for key in resolution.versions_of(name))
        if at and selected:
            return f"no module `{word}` is in the module graph: it has {selected}"
        unused = [str(key) for key in resolution.discovered if key.name == name]
        if unused:
            more = ", ".join(unused)
            return f"the module `{name}` is not used; with --include_unused there are {more}"
        return f"no module `{word}` is in the module graph"

    def _near(self, name: str) -> tuple[str, ...]:
        names = sorted({key.name for key in self.found.resolution.selected if key.name})
        return tuple(nearest(name, names))

    def repository(self, word: str) -> str:
        """`@apparent` or `@@canonical`, by the name used here; canonical names need no `@`."""
        if not word.startswith("@") or word.startswith("@@"):
            canonical = word.removeprefix("@@")
            if canonical in self.found.canonical:
                return self.found.canonical[canonical]
            raise NoSuchModuleError(
                f"no repository has the canonical name `{canonical}`",
                tuple(f"@@{name}" for name in nearest(canonical, sorted(self.found.canonical))),
            )
        module = next(one for one in self.found.modules.values() if one.key == self.base)
        names = self.found.mapping_of(module, {})
        apparent = word[1:]
        if apparent not in names:
            near = nearest(apparent, sorted(name for name in names if name))
            raise NoSuchModuleError(
                f"no repository is visible as `{word}` from {self.base}",
                tuple(f"@{name}" for name in near),
            )
        return names[apparent]

    def extension(self, word: str) -> tuple[Extension, ...]:
        """`MODULE//file.bzl%name`, where the module is a word as `module` takes it."""
        known = list(self.extensions.extensions.values())
        where, percent, name = word.rpartition("%")
        module, slashes, path = where.partition("//")
        if not percent or not slashes:
            same = [extensions for extensions in known if extensions.name == word]
            if same:
                return tuple(same)
            raise NoSuchModuleError(
                f"`{word}` is no extension: it is written as MODULE//file.bzl%name",
                tuple(nearest(word, sorted({one.name for one in known}))),
            )
        is_root = module.strip("@") == ""
        hosts = {self.found.root.key} if is_root else set(self.module(module))
        package, _, file = path.partition(":")
        wanted = (f"{package}/{file}" if file else path).lstrip("/")
        extensions = [
            extension
            for extension in known
            if extension.host.key in hosts
            and extension.name == name
            and f"{extension.file.package}/{extension.file.name}".lstrip("/") == wanted
        ]
        if not extensions:
            raise NoSuchModuleError(f"no module uses the extension `{word}`")
        return tuple(extensions)
