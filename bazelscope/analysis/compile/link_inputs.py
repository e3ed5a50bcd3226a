"""What a link takes: objects, archives and shared libraries, each as the variable that a toolchain
expands. Bazel: `LibrariesToLinkCollector`, `CcLinkingContext`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bazelscope.analysis.compile.action_lines import CcActions
from bazelscope.analysis.compile.cc_context import LINKING
from bazelscope.analysis.compile.link_names import (
    library_path,
    mangled,
    program_path,
    solib_directory,
)
from bazelscope.analysis.compile.proto_libraries import PROTO_LIBRARY, is_native
from bazelscope.analysis.compile.setting import Setting
from bazelscope.analysis.compile.source_files import (
    ARCHIVES,
    is_shared_library,
    library_identifier,
    may_have_objects,
    ready_objects,
)
from bazelscope.analysis.compile.words import FromBazel, FromDependency, Word
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Rule


class LinkInputs:
    """What configured targets bring to a link, and the paths of what is made of them."""

    def __init__(self, actions: CcActions) -> None:
        self._actions = actions

    def of(
        self,
        setting: Setting,
        library: ConfiguredNode,
        wants_pic: bool,
        is_dynamic: bool,
        is_shared: bool,
    ) -> Iterator[Mapping[str, object]]:
        """What a library brings to a link: files that were made before come first. `is_shared`
        says whether a shared library is linked, `is_dynamic` whether with shared libraries."""
        origin = FromDependency(library.label, self._actions.contexts.path(setting.node, library))
        unknown = self._why_unknown(library)
        if unknown is not None:
            yield link_input("object_file", Word("...", origin, unknown))
            return
        rule = self._actions.graph.target(library)
        if isinstance(rule, Rule) and rule.rule_class.name == "cc_import":
            yield from self._imported(library, origin, is_dynamic)
        if not self._actions.compiles(library):
            return
        own = self._actions.setting(library)
        yield from self._ready_of_library(library, origin, is_shared, is_dynamic)
        if not self.has_objects(library):
            return
        if is_dynamic and self.has_shared(library):
            yield self._dynamic(library)
            return
        is_pic = own.makes_pic and (wants_pic or not own.makes_other)
        always = own.words.flag("alwayslink")
        objects = [Word(path, origin) for path in self._object_paths(library, is_pic)]
        has_groups = (
            setting.configuration.is_on("start_end_lib")
            and "supports_start_end_lib" in setting.enabled
        )
        if not has_groups:
            yield link_input("static_library", Word(self.archive_path(own, is_pic), origin), always)
        elif always:
            for one in objects:
                yield link_input("object_file", one, True)
        else:
            group = link_input("object_file_group", Word("", origin))
            yield {**group, "object_files": tuple(objects)}

    def ready_of_program(
        self, program: ConfiguredNode, origin: FromDependency
    ) -> Iterator[Mapping[str, object]]:
        """Archives and shared libraries among the sources of a program."""
        for path in self._source_paths(program):
            if path.endswith(ARCHIVES):
                yield link_input("static_library", Word(path, origin), path.endswith(".lo"))
            elif is_shared_library(path):
                yield self._shared_file(program, path, origin)

    def _ready_of_library(
        self, library: ConfiguredNode, origin: FromDependency, is_shared: bool, is_dynamic: bool
    ) -> Iterator[Mapping[str, object]]:
        """One file of each library among the sources of a `cc_library`. Bazel:
        `CcLibrary.convertPrecompiledLibrariesToLibraryToLink`."""
        paths = self._source_paths(library)
        archives = [path for path in paths if path.endswith(ARCHIVES)]
        # Those that are linked whole come behind the others.
        archives.sort(key=lambda path: path.endswith(".lo"))
        static, pic, shared = (
            {library_identifier(path): path for path in files}
            for files in (
                [path for path in archives if not path.endswith((".pic.a", ".pic.lo"))],
                [path for path in archives if path.endswith((".pic.a", ".pic.lo"))],
                [path for path in paths if is_shared_library(path)],
            )
        )
        is_forced = self._actions.setting(library).configuration.is_on("force_pic")
        for name in dict.fromkeys((*static, *pic, *shared)):
            first, second = (pic, static) if is_shared or is_forced else (static, pic)
            archive = first.get(name) or second.get(name)
            if name in shared and (is_dynamic or archive is None):
                yield self._shared_file(library, shared[name], origin)
            elif archive is not None:
                always = static.get(name, archive).endswith(".lo")
                yield link_input("static_library", Word(archive, origin), always)

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
            if unknown is not None:
                yield link_input("object_file", Word("...", origin, unknown))
            elif uses_shared:
                yield self._shared_file(library, path, origin)
            else:
                yield link_input("static_library", Word(path, origin), always)

    def _files(self, node: ConfiguredNode, name: str) -> Iterator[tuple[str, Unknown | None]]:
        graph = self._actions.graph
        for edge in graph.edges_of(node, name):
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
        release = self._actions.graph.configuration.release
        directory = solib_directory(library.label, path, release)
        if not is_shared_library(path):
            own = self._actions.setting(library)
            folder = f"{own.directory}/bin/_solib_{own.configuration.value('cpu').value}"
            made = link_input("interface_library", Word(f"{folder}/{directory}/{name}", origin))
            return {**made, "directory": Word(directory, origin), "file": path}
        stem, so, version = name.partition(".so")
        is_whole = not so or bool(version)
        is_whole = is_whole or (release.cc_links_by_whole_name and not name.startswith("lib"))
        kind = "versioned_dynamic_library" if is_whole else "dynamic_library"
        word = Word(name if is_whole else stem.removeprefix("lib"), origin)
        return {**link_input(kind, word), "directory": Word(directory, origin), "file": path}

    def _why_unknown(self, library: ConfiguredNode) -> Unknown | None:
        """Why it cannot be told what a dependency brings."""
        context = self._actions.contexts.of(library)
        return next((one.unknown for one in context.unknowns if one.target is library), None)

    def has_shared(self, node: ConfiguredNode) -> bool:
        """Whether a target makes a shared library of its objects."""
        setting = self._actions.setting(node)
        if "supports_dynamic_linker" not in setting.enabled or not self.has_objects(node):
            return False
        if not is_native(setting.rule, PROTO_LIBRARY):
            edges = self._actions.graph.edges_of(node, "srcs")
            if not any(may_have_objects(edge.edge.target) for edge in edges):
                return False
        return not setting.words.flag("linkstatic")

    def _dynamic(self, library: ConfiguredNode) -> Mapping[str, object]:
        own = self._actions.setting(library)
        path = self.shared_path(own).removeprefix(f"{own.directory}/bin/")
        origin = FromDependency(library.label, ())
        made = link_input("dynamic_library", Word(mangled(path.removesuffix(".so")), origin))
        return {**made, "directory": Word("", origin)}

    def objects(
        self, node: ConfiguredNode, is_pic: bool, origin: FromBazel
    ) -> Iterator[Mapping[str, object]]:
        """The object files of a target."""
        for path in self._object_paths(node, is_pic):
            yield link_input("object_file", Word(path, origin))

    def has_objects(self, node: ConfiguredNode) -> bool:
        """Whether a library has something to make an archive of."""
        return bool(self._names(node)) or bool(ready_objects(self._source_paths(node), True))

    @memoized
    def _names(self, node: ConfiguredNode) -> tuple[str, ...]:
        """What the objects of a target are called, without ending."""
        sources, _ = self._actions.sources(node)
        return tuple(source.object_name for source in sources)

    @memoized
    def _source_paths(self, node: ConfiguredNode) -> tuple[str, ...]:
        """The files of `srcs`; what is not known of them is said where sources are compiled."""
        found = self._files(node, "srcs")
        return tuple(dict.fromkeys(path for path, unknown in found if unknown is None))

    def _object_paths(self, node: ConfiguredNode, is_pic: bool) -> list[str]:
        """The objects among the sources, then those that are compiled."""
        setting = self._actions.setting(node)
        is_program = setting.rule.rule_class.name in LINKING
        ready = ready_objects(self._source_paths(node), is_pic or not is_program)
        folder = f"{setting.objects}/{setting.rule.label.name}"
        last = setting.toolchain.names.object
        ending = f".pic{last}" if is_pic else last
        return [*ready, *(f"{folder}/{name}{ending}" for name in self._names(node))]

    def archive_path(self, setting: Setting, is_pic: bool) -> str:
        """Where the archive of a library is written."""
        names = setting.toolchain.names
        ending = names.archive_always if setting.words.flag("alwayslink") else names.archive
        if is_pic and setting.makes_other:
            ending = f".pic{ending}"
        return f"{library_path(setting, names.archive_prefix)}{ending}"

    def shared_path(self, setting: Setting) -> str:
        """Where the shared library of a library is written."""
        names = setting.toolchain.names
        return f"{library_path(setting, names.library_prefix)}{names.library}"


def as_whole(inputs: Iterable[Mapping[str, object]]) -> Iterator[Mapping[str, object]]:
    """Each object and archive by itself, to be linked whether it is used or not."""
    for one in inputs:
        objects = one.get("object_files")
        if isinstance(objects, tuple):
            yield from (link_input("object_file", word, True) for word in objects)
        elif isinstance(name := one.get("name"), Word) and isinstance(kind := one["type"], Word):
            whole = kind.text in ("object_file", "static_library")
            yield {**one, **link_input(kind.text, name, whole)}


def link_input(type_: str, name: Word, always: bool = False) -> Mapping[str, object]:
    """One element of the variable `libraries_to_link`."""
    whole = Word("1" if always else "0", name.origin)
    return {"type": Word(type_, name.origin), "name": name, "is_whole_archive": whole}


def once(inputs: Iterable[Mapping[str, object]]) -> Iterator[Mapping[str, object]]:
    """Each archive and each shared library where it comes first."""
    met: set[object] = set()
    for one in inputs:
        name, kind = one["name"], one["type"]
        if isinstance(name, Word) and isinstance(kind, Word) and kind.text.endswith("library"):
            key = (name.text, one.get("directory"), one.get("file"))
            if key in met:
                continue
            met.add(key)
        yield one
