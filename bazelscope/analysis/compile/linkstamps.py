"""Linkstamps: sources of libraries that are compiled for each program which links them.

Bazel: `CppLinkstampCompileHelper`. Words and places were measured by `aquery`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.compile.action_lines import CcActions, Compilation
from bazelscope.analysis.compile.flag_expansion import expand
from bazelscope.analysis.compile.gaps import gaps_in_words
from bazelscope.analysis.compile.link_names import below_root, program_path
from bazelscope.analysis.compile.option_words import copt_words, omitfp_variable, option_words
from bazelscope.analysis.compile.setting import Setting
from bazelscope.analysis.compile.source_files import CcSource
from bazelscope.analysis.compile.toolchain import LINKSTAMP_COMPILE
from bazelscope.analysis.compile.words import FromBazel, FromDependency, Word
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import ConfigurationKind
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import Rule

_STAMPED = ("build-info-nonvolatile.h", "build-info-volatile.h")
_REDACTED = ("build-info-redacted.h",)


@dataclass(frozen=True, slots=True)
class Linkstamp:
    """The source of a linkstamp, and the library that has it."""

    library: ConfiguredNode
    label: Label
    path: str
    unknown: Unknown | None = None
    """Why the source cannot be told."""


class Linkstamps:
    """The linkstamps that programs link, and how these are compiled for them."""

    def __init__(self, actions: CcActions) -> None:
        self._actions = actions

    def of(
        self, node: ConfiguredNode, libraries: tuple[ConfiguredNode, ...]
    ) -> tuple[Linkstamp, ...]:
        """Those of the `libraries` that a program links, each once, in Bazel's order: that of the
        libraries; before 1.0, each where it is met first."""
        graph = self._actions.graph
        if graph.configuration.release.cc_linkopts_apart:
            libraries = tuple(self._as_met(node, frozenset(libraries)))
        found: dict[str, Linkstamp] = {}
        for library in libraries:
            rule = graph.target(library)
            if not isinstance(rule, Rule) or "linkstamp" not in rule.attributes:
                continue
            for label, paths in self._actions.files_of(library, "linkstamp"):
                if isinstance(paths, Unknown):
                    found.setdefault(str(label), Linkstamp(library, label, "", paths))
                    continue
                for path in paths:
                    found.setdefault(path, Linkstamp(library, label, path))
        return tuple(found.values())

    def _as_met(
        self, node: ConfiguredNode, libraries: frozenset[ConfiguredNode]
    ) -> Iterator[ConfiguredNode]:
        met: set[ConfiguredNode] = set()
        waiting = [*reversed(self._actions.contexts.linked(node))]
        while waiting:
            one = waiting.pop()
            if one in met or one not in libraries:
                continue
            met.add(one)
            yield one
            waiting += reversed(self._actions.contexts.dependencies(one))

    def object_of(self, program: Setting, stamp: Linkstamp) -> Word:
        """The object that a program links for a linkstamp."""
        path = self._actions.contexts.path(program.node, stamp.library)
        origin = FromDependency(stamp.library.label, path)
        if stamp.unknown is not None:
            return Word("...", origin, stamp.unknown)
        return Word(self._object_path(program, stamp), origin)

    def _object_path(self, program: Setting, stamp: Linkstamp) -> str:
        folder, _, name = program_path(program).rpartition("/")
        inner = below_root(stamp.path, program.configuration.release)
        head, slash, last = inner.rpartition("/")
        return f"{folder}/_objs/{name}/{head}{slash}{last.rpartition('.')[0] or last}.o"

    def compilation(self, program: Setting, stamp: Linkstamp) -> Compilation:
        """The action that compiles a linkstamp for a program."""
        output = self._object_path(program, stamp)
        configuration, own = program.configuration, FromBazel("linkstamp")
        is_c = stamp.path.endswith(".c")
        options = [
            *copt_words(configuration),
            *option_words(configuration, "conlyopt" if is_c else "cxxopt"),
        ]
        headers = _STAMPED if self._is_stamped(program) else _REDACTED
        variables: dict[str, object] = {
            "source_file": Word(stamp.path, FromBazel("source")),
            "output_file": Word(output, FromBazel("output")),
            "preprocessor_defines": tuple(_defines(program)),
            "includes": tuple(Word(f"{program.directory}/include/{one}", own) for one in headers),
            "include_paths": (Word(".", own),),
            "user_compile_flags": tuple(options),
            **omitfp_variable(configuration),
        }
        is_shared = program.words.flag("linkshared") and program.makes_pic
        if is_shared or configuration.is_on("force_pic"):
            variables["pic"] = Word("", FromBazel("pic"))
        if program.toolchain.sysroot:
            variables["sysroot"] = Word(program.toolchain.sysroot, FromBazel("sysroot"))
        toolchain, enabled = program.toolchain, program.enabled
        words = expand(toolchain, enabled, LINKSTAMP_COMPILE, variables)
        gaps = gaps_in_words(configuration, enabled)
        unknown = (Word("...", FromBazel("features"), gap) for gap in gaps)
        tool = toolchain.tool(LINKSTAMP_COMPILE, enabled)
        source = CcSource(stamp.path, stamp.label, LINKSTAMP_COMPILE, "")
        return Compilation(source, output, (tool, *unknown, *words))

    def _is_stamped(self, program: Setting) -> bool:
        """Whether what a program is told of its build is true. Bazel:
        `AnalysisUtils.isStampingEnabled`."""
        if program.configuration.kind is not ConfigurationKind.TARGET:
            return False
        usual = 0 if program.rule.rule_class.name == "cc_test" else -1
        asked = program.words.value("stamp")
        asked = int(asked) if isinstance(asked, bool | int) else usual
        return asked == 1 or (asked == -1 and program.configuration.is_on("stamp"))


def _defines(program: Setting) -> Iterator[Word]:
    is_covered = program.configuration.is_on("collect_code_coverage")
    identifier = program.toolchain.identifier
    texts = (
        f'G3_BUILD_TARGET="{program_path(program)}"',
        f'G3_TARGET_NAME="{program.rule.label}"',
        f"BUILD_COVERAGE_ENABLED={int(is_covered)}",
        f'GPLATFORM="{identifier}"',
    )
    unknown = None
    if not identifier:
        unknown = Unknown(Reason.NOT_MODELLED, program.toolchain.name, "its identifier")
    is_late = program.configuration.release.cc_last_define_stays
    for text in texts if is_late else texts[::-1]:
        is_platform = text.startswith("GPLATFORM")
        yield Word(text, FromBazel("linkstamp"), unknown if is_platform else None)
