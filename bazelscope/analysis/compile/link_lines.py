"""The command lines of the actions that link programs and make libraries, word by word.

Bazel: `CppLinkActionBuilder`, `CcLinkingContext`. Order and words were measured by `aquery`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping

from bazelscope.analysis.compile.action_lines import CcActions, Compilation
from bazelscope.analysis.compile.cc_context import LINKING, is_cc
from bazelscope.analysis.compile.flag_expansion import expand
from bazelscope.analysis.compile.gaps import gaps_in_words, links_of_shared_libraries
from bazelscope.analysis.compile.link_inputs import LinkInputs, as_whole, link_input, once
from bazelscope.analysis.compile.link_names import program_path
from bazelscope.analysis.compile.linkstamps import Linkstamps
from bazelscope.analysis.compile.option_effects import Stripping, stripping
from bazelscope.analysis.compile.option_words import linkopt_words
from bazelscope.analysis.compile.setting import Setting, has_fission
from bazelscope.analysis.compile.toolchain import (
    LINK_DYNAMIC,
    LINK_EXECUTABLE,
    LINK_NODEPS_DYNAMIC,
    LINK_STATIC,
    Action,
)
from bazelscope.analysis.compile.words import FromBazel, FromDependency, Word
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.base.graph_walk import post_order
from bazelscope.base.lazy_dataclass import dataclass

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
        self._inputs = LinkInputs(actions)
        self._stamps = Linkstamps(actions)

    def of(self, node: ConfiguredNode) -> tuple[Link, ...]:
        """The actions of a rule in Bazel's order; none for what links nothing."""
        if not self._actions.compiles(node):
            return ()
        setting = self._actions.setting(node)
        if setting.rule.rule_class.name in LINKING:
            return (self._program(setting),)
        return tuple(self._library(setting))

    def linkstamps(self, node: ConfiguredNode) -> tuple[Compilation, ...]:
        """The actions that compile the linkstamps of its libraries for a program."""
        if not is_cc(self._actions.graph.target(node), LINKING):
            return ()
        setting = self._actions.setting(node)
        stamps = self._stamps.of(node, self._libraries(node))
        return tuple(self._stamps.compilation(setting, one) for one in stamps if not one.unknown)

    # ---- Libraries

    def _library(self, setting: Setting) -> Iterator[Link]:
        if not self._inputs.has_objects(setting.node):
            return
        for is_pic in (False, True):
            if setting.makes_pic if is_pic else setting.makes_other:
                yield self._archive(setting, is_pic)
        if self._inputs.has_shared(setting.node):
            yield self._shared_library(setting)

    def _archive(self, setting: Setting, is_pic: bool) -> Link:
        output = self._inputs.archive_path(setting, is_pic)
        made = FromBazel("output")
        own = FromBazel("its objects")
        variables: dict[str, object] = {
            "output_execpath": Word(output, made),
            "libraries_to_link": tuple(self._inputs.objects(setting.node, is_pic, own)),
            "user_link_flags": (),
            **_always(setting),
        }
        words = expand(setting.toolchain, setting.enabled, LINK_STATIC, variables)
        return Link(output, (setting.toolchain.tool(LINK_STATIC, setting.enabled), *words))

    def _shared_library(self, setting: Setting) -> Link:
        """It has the library's own objects and linkopts alone."""
        output = self._inputs.shared_path(setting)
        objects = self._inputs.objects(setting.node, setting.makes_pic, FromBazel("its objects"))
        flags = [*self._linkopts(setting.node, setting.node)]
        flags += linkopt_words(setting.configuration)
        return self._link(setting, LINK_NODEPS_DYNAMIC, output, tuple(objects), tuple(flags))

    # ---- Programs

    def _program(self, setting: Setting) -> Link:
        node, words = setting.node, setting.words
        is_shared = words.flag("linkshared")
        wants_pic = setting.makes_pic and (is_shared or not setting.makes_other)
        output = program_path(setting)
        libraries = self._libraries(node)
        is_dynamic = setting.links_dynamically
        inputs = list(self._inputs.objects(node, wants_pic, FromBazel("its objects")))
        for stamp in self._stamps.of(node, libraries):
            inputs.append(link_input("object_file", self._stamps.object_of(setting, stamp)))
        inputs += self._inputs.ready_of_program(node, FromDependency(node.label, ()))
        for taken in self._actions.graph.taken(node):
            if taken.edge.attribute == "dynamic_deps":
                unknown = links_of_shared_libraries(taken.edge.target)
                word = Word("...", FromDependency(taken.edge.target, ()), unknown)
                inputs.append(link_input("object_file", word))
        old = setting.configuration.release.cc_shared_takes_pic_archives
        takes_pic = wants_pic or (is_shared and old)
        of_libraries = {
            one: list(self._inputs.of(setting, one, takes_pic, is_dynamic, is_shared))
            for one in libraries
        }
        for one in self._in_sets(node, libraries, lambda one: bool(of_libraries[one])):
            inputs += of_libraries[one]
        flags = [*self._linkopts(node, node)]
        for one in self._in_sets(node, libraries, self._has_linkopts):
            flags += self._linkopts(node, one)
        flags += linkopt_words(setting.configuration)
        action = LINK_DYNAMIC if is_shared else LINK_EXECUTABLE
        return self._link(setting, action, output, tuple(once(inputs)), tuple(flags))

    def _links_whole_archives(self, setting: Setting) -> bool:
        """Whether a shared library has all objects of what it links statically. Bazel:
        `CppLinkActionBuilder.needWholeArchive`."""
        removed = setting.configuration.flags.values.get(_REMOVED)
        is_old = setting.configuration.release.cc_links_whole_archives
        if removed is not None and removed.instances:
            is_old = removed.value in ("0", "false", "no", "n", "f")
        return (
            is_old
            and not setting.links_dynamically
            and setting.configuration.is_on("legacy_whole_archive")
        )

    def _libraries(self, node: ConfiguredNode) -> tuple[ConfiguredNode, ...]:
        """The libraries below a program, dependents before dependencies, each where it comes
        last."""
        contexts = self._actions.contexts

        def below(top: ConfiguredNode) -> Iterator[ConfiguredNode]:
            # The last of them is looked at first.
            return reversed(contexts.linked(top) if top is node else contexts.dependencies(top))

        return tuple(post_order([node], below)[-2::-1])

    def _has_linkopts(self, library: ConfiguredNode) -> bool:
        return self._actions.compiles(library) and bool(
            self._actions.words_of(library).words("linkopts")
        )

    def _in_sets(
        self,
        node: ConfiguredNode,
        libraries: tuple[ConfiguredNode, ...],
        has_own: Callable[[ConfiguredNode], bool],
    ) -> tuple[ConfiguredNode, ...]:
        """The libraries that have something of their own, in the order of that. Before 1.0 files
        and linkopts each make a set of their own, in which a library without any stands for the
        only one that it depends on. Measured."""
        if not self._actions.graph.configuration.release.cc_linkopts_apart:
            return tuple(one for one in libraries if has_own(one))
        known: dict[ConfiguredNode, _Set] = {}
        for one in reversed(libraries):
            below = [known[dep] for dep in self._actions.contexts.dependencies(one) if dep in known]
            known[one] = _joined(one, has_own(one), below)
        below = [known[dep] for dep in self._actions.contexts.linked(node) if dep in known]
        return _joined(node, False, below)[1]

    def _linkopts(self, node: ConfiguredNode, library: ConfiguredNode) -> Iterator[Word]:
        path = self._actions.contexts.path(node, library)
        for word in self._actions.words_of(library).words("linkopts"):
            yield self._actions.attribute_word(library, "linkopts", word, path)

    # ---- The line

    def _link(
        self,
        setting: Setting,
        action: Action,
        output: str,
        inputs: tuple[Mapping[str, object], ...],
        flags: tuple[Word, ...],
    ) -> Link:
        is_shared = action == LINK_DYNAMIC or any(word.text == "-shared" for word in flags)
        if action != LINK_NODEPS_DYNAMIC and is_shared and self._links_whole_archives(setting):
            inputs = tuple(as_whole(inputs))
        variables: dict[str, object] = {
            "output_execpath": Word(output, FromBazel("output")),
            "libraries_to_link": inputs,
            "user_link_flags": flags,
            **_always(setting),
        }
        configuration = setting.configuration
        if has_fission(setting):
            variables["is_using_fission"] = Word("", FromBazel("fission"))
        folders = [one["directory"] for one in inputs if "directory" in one]
        directories = dict.fromkeys(word.text for word in folders if isinstance(word, Word))
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
    variables: dict[str, object] = {
        "is_cc_test": Word("1" if is_test else "0", FromBazel("test")),
        "runtime_library_search_directories": (),
        "library_search_directories": (),
        "linkstamp_paths": (),
    }
    if stripping(setting.configuration) in (Stripping.ALWAYS, Stripping.FASTBUILD):
        variables["strip_debug_symbols"] = Word("", FromBazel("strip"))
    if setting.configuration.is_on("force_pic"):
        variables["force_pic"] = Word("", FromBazel("pic"))
    if setting.toolchain.sysroot:
        variables["sysroot"] = Word(setting.toolchain.sysroot, FromBazel("sysroot"))
    return variables


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
