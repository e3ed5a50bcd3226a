"""Which modules, repositories or extensions the words of a `mod` line mean.

Bazel: `ModuleArg`, `ExtensionArg`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.nearest import nearest
from bazelscope.bazel.release import Release
from bazelscope.loading.modules.extension_repositories import ExtensionRepositories
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey
from bazelscope.loading.modules.module_repositories import Extension, ModuleRepositories


class NoSuchModuleError(Exception):
    """A word that means nothing here; `suggestions` are what may have been meant."""

    def __init__(self, problem: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(problem)
        self.problem = problem
        self.suggestions = suggestions


_CANONICAL_NAME = lazy_pattern(r"[\w.~+-]*\Z")
_USED_ONLY = " (Note that unused modules cannot be used here)"


@contextmanager
def told_of(what: str, is_used_only: bool = False) -> Iterator[None]:
    """Says of what is wrong in there where it stands. Bazel: `ModCommand`."""
    try:
        yield
    except NoSuchModuleError as error:
        note = _USED_ONLY if is_used_only else ""
        raise NoSuchModuleError(f"In {what}: {error.problem}{note}", error.suggestions) from None


def check_canonical_name(name: str, release: Release) -> None:
    """Raises `NoSuchModuleError` for a name that no repository can have. Bazel:
    `RepositoryName.validate`."""
    if not _CANONICAL_NAME.match(name):
        last = "'+'" if release.plus_in_names else "'~' and must not start with '~'"
        raise NoSuchModuleError(
            f"invalid repository name '{name}': repo names may contain only A-Z, a-z, 0-9, '-',"
            f" '_', '.' and {last}"
        )


@dataclass(frozen=True)
class ModuleWords:
    """Reads words; apparent names are those that `base` sees. Raises `NoSuchModuleError`."""

    repositories: ModuleRepositories
    extensions: ExtensionRepositories
    includes_unused: bool
    base: ModuleKey = ROOT
    knows_unused: bool = True
    """Whether of a module that is not used it is said how to include it."""

    def modules(self, words: Sequence[str]) -> tuple[ModuleKey, ...]:
        """All modules that the words mean, in the order of the words."""
        keys = [key for word in words for key in self.module(word)]
        return tuple(dict.fromkeys(keys))

    def module(self, word: str) -> tuple[ModuleKey, ...]:
        """`<root>`, `name`, `name@version`, `@apparent` or `@@canonical`."""
        resolution = self.repositories.resolution
        graph = resolution.discovered if self.includes_unused else resolution.selected
        if word in ("<root>", "//", ""):
            return (ROOT,)
        if word.startswith("@"):
            near: tuple[str, ...] = ()
            try:
                module = self.repositories.modules.get(self.repository(word))
            except NoSuchModuleError as error:
                module, near = None, error.suggestions
            if module is None:
                kind = "canonical" if word.startswith("@@") else "apparent"
                raise NoSuchModuleError(
                    f"No module with the {kind} repo name {word} exists in the dependency graph",
                    near,
                )
            return (module.key,)
        name, at, version = word.partition("@")
        root = self.repositories.root.file
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
        resolution = self.repositories.resolution
        every = [key for key in resolution.discovered if key.name == name]
        there = [key for key in every if self.includes_unused or key in resolution.selected]
        unused = "is unused as a result of module resolution. Use the --include_unused flag"
        if not every or not at:
            why = "does not exist in the dependency graph."
            if every and self.knows_unused:
                why = f"{unused} to include it."
            return f"Module {name} {why}"
        if word in map(str, every) and self.knows_unused:
            return f"Module version {word} {unused} to include it."
        versions = ", ".join(str(key) for key in there)
        return f"Module version {word} does not exist, available versions: [{versions}]."

    def _near(self, name: str) -> tuple[str, ...]:
        names = sorted({key.name for key in self.repositories.resolution.selected if key.name})
        return tuple(nearest(name, names))

    def repository(self, word: str) -> str:
        """`@apparent` or `@@canonical`, by the name used here; canonical names need no `@`."""
        if not word.startswith("@") or word.startswith("@@"):
            canonical = word.removeprefix("@@")
            if canonical in self.repositories.canonical:
                return self.repositories.canonical[canonical]
            raise NoSuchModuleError(
                f"No module with the canonical repo name @@{canonical} exists in the dependency"
                " graph",
                tuple(
                    f"@@{name}" for name in nearest(canonical, sorted(self.repositories.canonical))
                ),
            )
        module = next(one for one in self.repositories.modules.values() if one.key == self.base)
        names = self.repositories.mapping_of(module, {})
        apparent = word[1:]
        if apparent not in names:
            near = nearest(apparent, sorted(name for name in names if name))
            is_main = not module.canonical
            owner = "main repository" if is_main else f"repository '@@{module.canonical}'"
            raise NoSuchModuleError(
                f"No repo visible as {apparent} from @{owner}", tuple(f"@{name}" for name in near)
            )
        return names[apparent]

    def only_module(self, word: str) -> ModuleKey:
        """The one module that `--base_module` names."""
        keys = self.module(word)
        if len(keys) > 1:
            raise NoSuchModuleError(
                "The --base_module option can only specify exactly one module version, choose one"
                f" of: {', '.join(map(str, keys))}."
            )
        return keys[0]

    def extension(self, word: str) -> tuple[Extension, ...]:
        """`MODULE//file.bzl%name`, where the module is a word as `module` takes it."""
        known = self.extensions.every
        where, _, name = word.partition("%")
        module, slashes, path = where.partition("//")
        if not slashes:
            same = [extension for extension in known if extension.name == word]
            if same:
                return tuple(same)
            lacks = "extension name" if "/" in word else ".bzl label"
            raise NoSuchModuleError(
                f"Invalid argument {word}: missing {lacks}",
                tuple(nearest(word, sorted({one.name for one in known}))),
            )
        is_root = module.strip("@") == ""
        hosts = (self.repositories.root.key,) if is_root else self.module(module)
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
            host = next(m for m in self.repositories.modules.values() if m.key == hosts[0])
            shown = f"@@{host.canonical}//{package}:{file or package.rpartition('/')[2]}%{name}"
            raise NoSuchModuleError(f"No extension {shown} exists in the dependency graph")
        return tuple(extensions)
