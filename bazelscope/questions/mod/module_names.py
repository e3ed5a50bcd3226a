"""Which modules, repositories or extensions the words of a `mod` line mean.

Bazel: `ModuleArg`, `ExtensionArg`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.nearest import nearest
from bazelscope.bazel.release import Release
from bazelscope.loading.modules.extension_repositories import ExtensionRepositories
from bazelscope.loading.modules.module_file_checks import repository_name_problem
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey
from bazelscope.loading.modules.module_repositories import Extension, ModuleRepositories
from bazelscope.loading.modules.module_versions import normalized, version_problem


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


def check_module_word(word: str, release: Release) -> None:
    """Raises `NoSuchModuleError` for what no module can be called. Bazel: `ModuleArgConverter`."""
    problem = None
    if word.startswith("@@"):
        try:
            check_canonical_name(word[2:], release)
        except NoSuchModuleError as error:
            problem = error.problem
    elif word.startswith("@"):
        problem = repository_name_problem(word[1:], release)
    elif "@" in word:
        version = word.partition("@")[2]
        problem = "use _ for the empty version"
        if version:
            problem = version_problem(version) if version != "_" else None
    if problem is not None:
        raise NoSuchModuleError(f"invalid argument '{word}': {problem}")


def check_extension_word(word: str, release: Release) -> None:
    """Raises `NoSuchModuleError` for what no extension can be called. Bazel:
    `ExtensionArgConverter`."""
    slash = word.find("/")
    if slash < 0:
        raise NoSuchModuleError(f"Invalid argument {word}: missing .bzl label")
    if word.find("%") < slash:
        raise NoSuchModuleError(f"Invalid argument {word}: missing extension name")
    if not _is_root(word[:slash]):
        check_module_word(word[:slash], release)


def _is_root(word: str) -> bool:
    return word.lower() == "<root>" or word in ("//", "@", "")


@dataclass(frozen=True)
class ModuleWords:
    """Reads words; apparent names are those that `base` sees. Raises `NoSuchModuleError`."""

    repositories: ModuleRepositories
    extensions: ExtensionRepositories
    includes_unused: bool
    release: Release
    base: ModuleKey = ROOT
    knows_unused: bool = True
    """Whether of a module that is not used it is said how to include it."""

    @property
    def of_used_modules(self) -> ModuleWords:
        """These words, as they call no module that is not used."""
        return replace(self, includes_unused=False, knows_unused=False)

    def modules(self, words: Sequence[str]) -> tuple[ModuleKey, ...]:
        """All modules that the words mean, in the order of the words."""
        keys = [key for word in words for key in self.module(word)]
        return tuple(dict.fromkeys(keys))

    def module(self, word: str) -> tuple[ModuleKey, ...]:
        """`<root>`, `name`, `name@version`, `@apparent` or `@@canonical`."""
        resolution = self.repositories.resolution
        graph = resolution.discovered if self.includes_unused else resolution.selected
        if _is_root(word):
            return (ROOT,)
        check_module_word(word, self.release)
        if word.startswith("@"):
            near: tuple[str, ...] = ()
            try:
                module = self.repositories.modules.get(self.repository(word))
            except NoSuchModuleError as error:
                module, near = None, error.suggestions
            unused = self._unused(word[1:]) if self.includes_unused else ()
            if module is None and unused:
                return unused
            if module is None:
                kind = "canonical" if word.startswith("@@") else "apparent"
                raise NoSuchModuleError(
                    f"No module with the {kind} repo name {word} exists in the dependency graph",
                    near,
                )
            return tuple(dict.fromkeys((module.key, *unused)))
        name, at, version = word.partition("@")
        root = self.repositories.root.file
        if root is not None and name == root.name and (not at or version in ("_", root.version)):
            return (ROOT,)
        version = "" if version == "_" else normalized(version)
        keys = tuple(
            key for key in graph if key.name == name and (not at or key.version == version)
        )
        if keys:
            return keys
        raise NoSuchModuleError(self._problem(word, name, at), self._near(name))

    def _unused(self, apparent: str) -> tuple[ModuleKey, ...]:
        """The version that the base module asks for by that name, if another one is selected."""
        resolution = self.repositories.resolution
        edges = resolution.selected[self.base].edges
        asked = (edge.asked for edge in edges if edge.written.repository == apparent)
        return tuple(key for key in asked if key in resolution.discovered)

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
            if word.startswith("@@"):
                check_module_word(word, self.release)
            if canonical in self.repositories.canonical:
                return self.repositories.canonical[canonical]
            raise NoSuchModuleError(
                f"No module with the canonical repo name @@{canonical} exists in the dependency"
                " graph",
                tuple(f"@@{name}" for name in self.near_repositories(canonical)),
            )
        module = self.repositories.by_key[self.base]
        names = self.repositories.mapping_of(module, {})
        apparent = word[1:]
        if apparent:
            check_module_word(word, self.release)
        if apparent not in names:
            near = nearest(apparent, sorted(name for name in names if name))
            is_main = not module.canonical
            owner = "main repository" if is_main else f"repository '@@{module.canonical}'"
            raise NoSuchModuleError(
                f"No repo visible as {apparent} from @{owner}", tuple(f"@{name}" for name in near)
            )
        return names[apparent]

    def near_repositories(self, name: str) -> tuple[str, ...]:
        """The canonical names of repositories that are much like a name."""
        return tuple(nearest(name, sorted(self.repositories.canonical)))

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
        same = tuple(extension for extension in known if extension.name == word)
        if same:
            return same
        try:
            check_extension_word(word, self.release)
        except NoSuchModuleError as error:
            near = tuple(nearest(word, sorted({one.name for one in known})))
            raise NoSuchModuleError(error.problem, near if "/" not in word else ()) from None
        slash, percent = word.find("/"), word.find("%")
        module, path, name = word[:slash], word[slash:percent], word[percent + 1 :]
        keys = self.of_used_modules.module(module)
        if len(keys) != 1:
            raise NoSuchModuleError(
                f"Module {module}, as part of the extension specifier, should represent exactly one"
                f" module version. Choose one of: [{', '.join(map(str, keys))}]."
            )
        file = _label_in_repository(path)
        host = self.repositories.by_key[keys[0]]
        extensions = tuple(
            extension
            for extension in known
            if extension.host.key == keys[0]
            and extension.name == name
            and extension.file.path == file.path
        )
        if not extensions:
            shown = f"@@{host.canonical}//{file.package}:{file.name}%{name}"
            raise NoSuchModuleError(f"No extension {shown} exists in the dependency graph")
        return extensions


def _label_in_repository(text: str) -> Label:
    """The file that `//package:name` is. Raises `NoSuchModuleError`."""
    is_absolute = text.startswith("//")
    lead = "" if is_absolute else "//" if ":" in text else "//:"
    try:
        return parse_label(lead + text, PackageId("", ""))
    except LabelError as error:
        raise NoSuchModuleError(f"bad label format in {text}: {error.reason}") from None
