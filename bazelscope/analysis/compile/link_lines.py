"""The command lines of the actions that link programs and make libraries, word by word.

Bazel: `CppLinkActionBuilder`, `CcLinkingContext`. Order and words were measured by `aquery`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping

from bazelscope.analysis.compile.action_lines import CcActions
from bazelscope.analysis.compile.cc_context import LINKING
from bazelscope.analysis.compile.flag_expansion import expand
from bazelscope.analysis.compile.gaps import gaps_in_words, links_of_shared_libraries, linkstamp_of
from bazelscope.analysis.compile.link_names import (
    library_path,
    mangled,
    program_path,
    solib_directory,
)
from bazelscope.analysis.compile.option_effects import Stripping, stripping
from bazelscope.analysis.compile.option_words import linkopt_words
from bazelscope.analysis.compile.setting import Setting, has_fission
from bazelscope.analysis.compile.source_files import ARCHIVES, is_shared_library
from bazelscope.analysis.compile.toolchain import (
    LINK_DYNAMIC,
    LINK_EXECUTABLE,
    LINK_NODEPS_DYNAMIC,
    LINK_STATIC,
    Action,
)
from bazelscope.analysis.compile.words import FromBazel, FromDependency, Word
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.edges import EdgeKind
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import Rule

_REMOVED = "incompatible_remove_legacy_whole_archive"


@dataclass(frozen=True, slots=True)
class Link:
    """One action that makes a library or a program: the words of its command line, the tool
    first."""

    output: str
    words: tuple[Word, ...]


class CcLinks:
    """The link actions of configured targets."""

    def __init__(self, actions: CcActions) -> None:
        self._actions = actions
        self._objects: dict[ConfiguredNode, tuple[str, ...]] = {}

    def of(self, node: ConfiguredNode) -> tuple[Link, ...]:
        """The actions of a rule in Bazel's order; none for what links nothing."""
        if not self._actions.compiles(node):
            return ()
        setting = self._actions.setting(node)
        if setting.rule.rule_class.name in LINKING:
            return (self._program(setting),)
        return tuple(self._library(setting))

    # ---- Libraries

    def _library(self, setting: Setting) -> Iterator[Link]:
        names = self._names(setting.node)
        if not names:
            return
        for is_pic in (False, True):
            if setting.makes_pic if is_pic else setting.makes_other:
                yield self._archive(setting, is_pic)
        if self._has_shared(setting.node):
            yield self._shared_library(setting)

    def _archive(self, setting: Setting, is_pic: bool) -> Link:
        output = self._archive_path(setting, is_pic)
        made = FromBazel("output")
        own = FromBazel("its objects")
        variables: dict[str, object] = {
            "output_execpath": Word(output, made),
            "libraries_to_link": tuple(self._object_files(setting.node, is_pic, own)),
            "user_link_flags": (),
            **_always(setting),
        }
        words = expand(setting.toolchain, setting.enabled, LINK_STATIC, variables)
        return Link(output, (setting.toolchain.tool(LINK_STATIC, setting.enabled), *words))

    def _shared_library(self, setting: Setting) -> Link:
        """It has the library's own objects and linkopts alone."""
        output = self._shared_path(setting)
        objects = self._object_files(setting.node, setting.makes_pic, FromBazel("its objects"))
        flags = [*self._linkopts(setting.node, setting.node)]
        flags += linkopt_words(setting.configuration)
        return self._link(setting, LINK_NODEPS_DYNAMIC, output, tuple(objects), tuple(flags))

    def _has_shared(self, node: ConfiguredNode) -> bool:
        setting = self._actions.setting(node)
        if "supports_dynamic_linker" not in setting.enabled or not self._names(node):
            return False
        return not setting.words.flag("linkstatic")

    # ---- Programs

    def _program(self, setting: Setting) -> Link:
        node, words = setting.node, setting.words
        is_shared = words.flag("linkshared")
        wants_pic = setting.makes_pic and (is_shared or not setting.makes_other)
        output = program_path(setting)
        libraries = self._libraries(node)
        is_dynamic = self._is_dynamic(setting)
        inputs = list(self._object_files(node, wants_pic, FromBazel("its objects")))
        inputs += self._ready(node, FromDependency(node.label, ()))
        for taken in self._actions.graph.taken(node):
            if taken.edge.attribute == "dynamic_deps":
                unknown = links_of_shared_libraries(taken.edge.target)
                word = Word("...", FromDependency(taken.edge.target, ()), unknown)
                inputs.append(_input("object_file", word))
        for one in libraries:
            inputs += self._inputs(setting, one, wants_pic, is_dynamic)
        flags = [*self._linkopts(node, node)]
        for one in self._with_linkopts(node, libraries):
            flags += self._linkopts(node, one)
        flags += linkopt_words(setting.configuration)
        action = LINK_DYNAMIC if is_shared else LINK_EXECUTABLE
        return self._link(setting, action, output, tuple(_once(inputs)), tuple(flags))

    def _links_whole_archives(self, setting: Setting) -> bool:
        """Whether a shared library has all objects of what it links statically. Bazel:
        `CppLinkActionBuilder.needWholeArchive`."""
        removed = setting.configuration.flags.values.get(_REMOVED)
        is_old = setting.configuration.release.cc_links_whole_archives
        if removed is not None and removed.instances:
            is_old = removed.value in ("0", "false", "no", "n", "f")
        return is_old and not self._is_dynamic(setting) and setting.is_on("legacy_whole_archive")

    def _is_dynamic(self, setting: Setting) -> bool:
        """Whether shared libraries are linked where there are some. Bazel:
        `CcBinary.getLinkStaticness`."""
        mode = (setting.configuration.value("dynamic_mode").value or "default").lower()
        if mode in ("fully", "off"):
            return mode == "fully"
        return not setting.words.flag("linkstatic", setting.rule.rule_class.name == "cc_binary")

    def _libraries(self, node: ConfiguredNode) -> tuple[ConfiguredNode, ...]:
        """The libraries below a program, dependents before dependencies, each where it comes
        last."""
        contexts = self._actions.contexts
        found: dict[ConfiguredNode, None] = {}
        stack = [(node, False)]
        entered: set[ConfiguredNode] = set()
        while stack:
            top, is_left = stack.pop()
            if is_left:
                found[top] = None
            elif top not in entered:
                entered.add(top)
                stack.append((top, True))
                # The last of them is looked at first.
                below = contexts.linked(top) if top is node else contexts.dependencies(top)
                stack += [(one, False) for one in below]
        found.pop(node)
        return tuple(reversed(found))

    def _with_linkopts(
        self, node: ConfiguredNode, libraries: tuple[ConfiguredNode, ...]
    ) -> tuple[ConfiguredNode, ...]:
        """The libraries in the order of their linkopts. Before 1.0 these make a set of their own,
        in which a library without any stands for the only one that it depends on. Measured."""
        if not self._actions.graph.configuration.release.cc_linkopts_apart:
            return tuple(one for one in libraries if self._actions.compiles(one))
        known: dict[ConfiguredNode, _Set] = {}
        for one in reversed(libraries):
            own = self._actions.compiles(one) and bool(
                self._actions.words_of(one).words("linkopts")
            )
            below = [known[dep] for dep in self._actions.contexts.dependencies(one) if dep in known]
            known[one] = _joined(one, own, below)
        below = [known[dep] for dep in self._actions.contexts.linked(node) if dep in known]
        return _joined(node, False, below)[1]

    # ---- Inputs

    def _inputs(
        self, setting: Setting, library: ConfiguredNode, wants_pic: bool, is_dynamic: bool
    ) -> Iterator[Mapping[str, object]]:
        """What a library brings to a link: files that were made before come first."""
        origin = FromDependency(library.label, self._actions.contexts.path(setting.node, library))
        unknown = self._why_unknown(library)
        if unknown is not None:
            yield _input("object_file", Word("...", origin, unknown))
            return
        rule = self._actions.graph.target(library)
        if isinstance(rule, Rule) and rule.rule_class.name == "cc_import":
            yield from self._imported(library, origin, is_dynamic)
        if not self._actions.compiles(library):
            return
        own = self._actions.setting(library)
        stamped = linkstamp_of(own.rule)
        if stamped is not None:
            yield _input("object_file", Word("...", origin, stamped))
        yield from self._ready(library, origin)
        if not self._names(library):
            return
        if is_dynamic and self._has_shared(library):
            yield self._dynamic(library)
            return
        is_pic = own.makes_pic and (wants_pic or not own.makes_other)
        always = own.words.flag("alwayslink")
        objects = [Word(path, origin) for path in self._object_paths(library, is_pic)]
        has_groups = setting.is_on("start_end_lib") and "supports_start_end_lib" in setting.enabled
        if not has_groups:
            yield _input("static_library", Word(self._archive_path(own, is_pic), origin), always)
        elif always:
            for one in objects:
                yield _input("object_file", one, True)
        else:
            group = _input("object_file_group", Word("", origin))
            yield {**group, "object_files": tuple(objects)}

    def _ready(
        self, library: ConfiguredNode, origin: FromDependency
    ) -> Iterator[Mapping[str, object]]:
        """Archives, then shared libraries, among the sources."""
        shared = []
        for path, unknown in self._files(library, "srcs"):
            if unknown is not None:
                continue  # It is said where sources are compiled.
            if path.endswith(ARCHIVES):
                yield _input("static_library", Word(path, origin), path.endswith(".lo"))
            elif is_shared_library(path):
                shared.append(path)
        for path in shared:
            yield self._shared_file(library, path, origin)

    def _imported(
        self, library: ConfiguredNode, origin: FromDependency, is_dynamic: bool
    ) -> Iterator[Mapping[str, object]]:
        """The file of a `cc_import` that is linked: a shared library where these are wanted, or
        where there is no other. Bazel: `CcImport`."""
        static = list(self._files(library, "static_library"))
        shared = list(self._files(library, "interface_library"))
        shared = shared or list(self._files(library, "shared_library"))
        always = self._actions.words_of(library).flag("alwayslink")
        uses_shared = bool(shared) and (is_dynamic or not static)
        for path, unknown in shared if uses_shared else static:
            if unknown is None and uses_shared and not is_shared_library(path):
                detail = "how an interface library is linked is not modelled"
                unknown = Unknown(Reason.NOT_MODELLED, path, detail)
            if unknown is not None:
                yield _input("object_file", Word("...", origin, unknown))
            elif uses_shared:
                yield self._shared_file(library, path, origin)
            else:
                yield _input("static_library", Word(path, origin), always)

    def _files(self, node: ConfiguredNode, name: str) -> Iterator[tuple[str, Unknown | None]]:
        graph = self._actions.graph
        for edge in graph.taken(node):
            if edge.edge.attribute != name or edge.edge.kind is not EdgeKind.ATTRIBUTE:
                continue
            made = behind_aliases(graph, edge.target)
            rule = graph.target(made)
            files: tuple[str, ...] | Unknown
            if isinstance(rule, Rule) and rule.rule_class.name in LINKING:
                files = (program_path(self._actions.setting(made)),)
            else:
                files = edge.uncertain or self._actions.files.of(edge.target)
            if isinstance(files, Unknown):
                yield "", files
            else:
                yield from ((path, None) for path in files)

    def _shared_file(
        self, library: ConfiguredNode, path: str, origin: FromDependency
    ) -> Mapping[str, object]:
        """A shared library that was made before: it is found by a link to it, in a folder that has
        its target's name. Bazel: `SolibSymlinkAction`, `LibrariesToLinkCollector`."""
        name = path.rpartition("/")[2]
        directory = solib_directory(library.label, path)
        release = self._actions.graph.configuration.release
        stem, so, version = name.partition(".so")
        is_whole = not so or bool(version)
        is_whole = is_whole or (release.cc_links_by_whole_name and not name.startswith("lib"))
        kind = "versioned_dynamic_library" if is_whole else "dynamic_library"
        word = Word(name if is_whole else stem.removeprefix("lib"), origin)
        return {**_input(kind, word), "directory": Word(directory, origin)}

    def _why_unknown(self, library: ConfiguredNode) -> Unknown | None:
        """Why it cannot be told what a dependency brings."""
        context = self._actions.contexts.of(library)
        return next((one.unknown for one in context.unknowns if one.target is library), None)

    def _dynamic(self, library: ConfiguredNode) -> Mapping[str, object]:
        own = self._actions.setting(library)
        path = self._shared_path(own).removeprefix(f"{own.directory}/bin/")
        origin = FromDependency(library.label, ())
        made = _input("dynamic_library", Word(mangled(path.removesuffix(".so")), origin))
        return {**made, "directory": Word("", origin)}

    def _object_files(
        self, node: ConfiguredNode, is_pic: bool, origin: FromBazel
    ) -> Iterator[Mapping[str, object]]:
        for path in self._object_paths(node, is_pic):
            yield _input("object_file", Word(path, origin))

    def _linkopts(self, node: ConfiguredNode, library: ConfiguredNode) -> Iterator[Word]:
        path = self._actions.contexts.path(node, library)
        for word in self._actions.words_of(library).words("linkopts"):
            yield self._actions.attribute_word(library, "linkopts", word, path)

    # ---- Paths

    def _names(self, node: ConfiguredNode) -> tuple[str, ...]:
        """What the objects of a target are called, without ending."""
        found = self._objects.get(node)
        if found is None:
            sources, _ = self._actions.sources(node)
            found = self._objects[node] = tuple(source.object_name for source in sources)
        return found

    def _object_paths(self, node: ConfiguredNode, is_pic: bool) -> list[str]:
        setting = self._actions.setting(node)
        folder = f"{setting.objects}/{setting.rule.label.name}"
        last = setting.toolchain.names.object
        ending = f".pic{last}" if is_pic else last
        return [f"{folder}/{name}{ending}" for name in self._names(node)]

    def _archive_path(self, setting: Setting, is_pic: bool) -> str:
        names = setting.toolchain.names
        ending = names.archive_always if setting.words.flag("alwayslink") else names.archive
        if is_pic and setting.makes_other:
            ending = f".pic{ending}"
        return f"{library_path(setting, names.archive_prefix)}{ending}"

    def _shared_path(self, setting: Setting) -> str:
        names = setting.toolchain.names
        return f"{library_path(setting, names.library_prefix)}{names.library}"

    # ---- The line

    def _link(
        self,
        setting: Setting,
        action: Action,
        output: str,
        inputs: tuple[Mapping[str, object], ...],
        flags: tuple[Word, ...],
    ) -> Link:
        if action == LINK_DYNAMIC and self._links_whole_archives(setting):
            inputs = tuple(_as_whole(inputs))
        variables: dict[str, object] = {
            "output_execpath": Word(output, FromBazel("output")),
            "libraries_to_link": inputs,
            "user_link_flags": flags,
            **_always(setting),
        }
        configuration = setting.configuration
        if has_fission(setting):
            variables["is_using_fission"] = Word("", FromBazel("fission"))
        found = [one["directory"] for one in inputs if "directory" in one]
        directories = dict.fromkeys(word.text for word in found if isinstance(word, Word))
        if directories:
            solib = f"_solib_{configuration.value('cpu').value}"
            folder = posixpath.dirname(output).removeprefix(f"{setting.directory}/bin").strip("/")
            up = "../" * (folder.count("/") + 1 if folder else 0)
            origin = FromBazel("shared libraries")
            # That of the workspace's own libraries is the first in which programs look.
            variables["runtime_library_search_directories"] = tuple(
                Word(f"{up}{solib}/{one}", origin) for one in sorted(directories, key=bool)
            )
            variables["library_search_directories"] = tuple(
                Word(f"{setting.directory}/bin/{solib}/{one}".rstrip("/"), origin)
                for one in directories
            )
        words = expand(setting.toolchain, setting.enabled, action, variables)
        gaps = gaps_in_words(configuration, setting.enabled)
        unknown = [Word("...", FromBazel("features"), gap) for gap in gaps]
        return Link(output, (setting.toolchain.tool(action, setting.enabled), *unknown, *words))


def _always(setting: Setting) -> dict[str, object]:
    """The variables of every link. Bazel: `LinkBuildVariables`."""
    is_test = setting.rule.rule_class.name == "cc_test"
    found: dict[str, object] = {
        "is_cc_test": Word("1" if is_test else "0", FromBazel("test")),
        "runtime_library_search_directories": (),
        "library_search_directories": (),
        "linkstamp_paths": (),
    }
    if stripping(setting.configuration) in (Stripping.ALWAYS, Stripping.FASTBUILD):
        found["strip_debug_symbols"] = Word("", FromBazel("strip"))
    if setting.is_on("force_pic"):
        found["force_pic"] = Word("", FromBazel("pic"))
    if setting.toolchain.sysroot:
        found["sysroot"] = Word(setting.toolchain.sysroot, FromBazel("sysroot"))
    return found


_Set = tuple[ConfiguredNode, tuple[ConfiguredNode, ...]]
"""Which set it is, and its elements."""


def _joined(node: ConfiguredNode, has_own: bool, below: Iterable[_Set]) -> _Set:
    """The set of a target: itself, then those of its dependencies, each element where it comes
    last, each set where it comes first. Bazel: `NestedSet`, in the order of links."""
    distinct = {name: elements for name, elements in below if elements}
    if not has_own and len(distinct) == 1:
        ((name, elements),) = distinct.items()
        return name, elements
    listed = [one for elements in distinct.values() for one in elements]
    last = tuple(reversed(dict.fromkeys(reversed(listed))))
    return node, ((node, *last) if has_own else last)


def _as_whole(inputs: Iterable[Mapping[str, object]]) -> Iterator[Mapping[str, object]]:
    """Each object and archive by itself, to be linked whether it is used or not."""
    for one in inputs:
        objects = one.get("object_files")
        if isinstance(objects, tuple):
            yield from (_input("object_file", word, True) for word in objects)
        elif isinstance(name := one.get("name"), Word) and isinstance(kind := one["type"], Word):
            whole = kind.text in ("object_file", "static_library")
            yield {**one, **_input(kind.text, name, whole)}


def _input(type_: str, name: Word, always: bool = False) -> Mapping[str, object]:
    whole = Word("1" if always else "0", name.origin)
    return {"type": Word(type_, name.origin), "name": name, "is_whole_archive": whole}


def _once(inputs: Iterable[Mapping[str, object]]) -> Iterator[Mapping[str, object]]:
    """Each archive and each shared library where it comes first."""
    met: set[object] = set()
    for one in inputs:
        name, kind = one["name"], one["type"]
        if isinstance(name, Word) and isinstance(kind, Word) and kind.text.endswith("library"):
            key = (name.text, one.get("directory"))
            if key in met:
                continue
            met.add(key)
        yield one
