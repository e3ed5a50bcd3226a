"""The files that rules of Bazel's own are built to, and their programs.

Known are those of rules that only hand files on, of those whose outputs have fixed names, and of
libraries and programs in C++ that Bazel's own toolchain for Linux makes. Measured: 0.24.1, 2.1.0,
4.2.3; Bazel: `Filegroup`, `GenRule`, `ShBinary`, `CcLibrary`, `CcBinary`, `PyExecutable`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.toolchain_flags import finds_toolchains
from bazelscope.analysis.rules.files import FileRoot, FileValue, file_in
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import Rule

_WITHOUT_FILES = frozenset(
    {
        *("action_listener", "cc_import", "config_setting", "constraint_setting"),
        *("constraint_value", "extra_action", "platform", "test_suite", "toolchain"),
        "toolchain_type",
    }
)
_LIBRARIES = frozenset({"cc_library", "java_library", "proto_library", "py_library"})
"""Rules that are no program, whatever they build."""
HANDED_ON = {"filegroup": ("srcs",), "sh_library": ("srcs", "deps", "data")}
"""Rules that hand on files, and what these need when a program runs."""
_BUILT_OF = {**HANDED_ON, "py_library": ("srcs",)}
"""Rules that are built to the files of other targets, in these attributes."""
SCRIPTS = frozenset({"sh_binary", "sh_test"})
_PROGRAMS_IN_CC = ("cc_binary", "cc_test")
_PROGRAMS_IN_PYTHON = ("py_binary", "py_test")
LOOKED_INTO = frozenset({*_BUILT_OF, *SCRIPTS, *_PROGRAMS_IN_PYTHON, "cc_library"})
"""Rules whose files depend on those of their sources."""
_LINKSTAMP = "linkstamp"
_COMPILED = (".c", ".C", ".cc", ".cpp", ".cxx", ".c++")
_MADE_OF = (
    *_COMPILED,
    *(".S", ".s", ".asm", ".cl", ".cu", ".cppm", ".ixx", ".m", ".mm"),
    *(".o", ".obj", ".lo", ".lo.lib"),
)
"""Endings of what a library in C++ is made of; of headers and other libraries alone, none is."""
_OF_OTHER_LINKS = ("compiler", "cpu", "crosstool_top", "dynamic_mode", "features", "platforms")
"""Options under which a library may have no shared one."""
_PYTHON_ENDINGS = (".py", ".py3")

Files = tuple[FileValue, ...] | Unknown


@dataclass(frozen=True, slots=True)
class NativeFiles:
    """Tells of the files of one rule of Bazel's own."""

    rule: Rule
    root: FileRoot
    """Where what it makes lies, but for the outputs that it is given by name."""
    named_root: FileRoot
    """Where those lie."""
    own: Configuration
    features: tuple[str, ...]
    """What the package says of them."""
    handed_on: Callable[[Iterable[str]], Files]
    """Gives the files of the targets in some attributes."""
    grouped: Callable[[str], Files]
    """Gives the files of an output group of the targets in `srcs`."""

    def files(self) -> tuple[Files, FileValue | Unknown | None]:
        """The files that it is built to, and its program, if it has one."""
        rule = self.rule
        name, label = rule.rule_class.name, rule.label
        program = file_in(self.root, label, label)
        unknown = self._unknown()
        if name in _WITHOUT_FILES:
            return (), None
        if name == "genrule":
            return self._of_genrule()
        if name in _BUILT_OF:
            group = rule.given("output_group") or ""
            if not isinstance(group, str):
                return unknown, unknown
            files = self.grouped(group) if group else self.handed_on(_BUILT_OF[name])
            if isinstance(files, Unknown):
                return files, None if name in _LIBRARIES else files
            return files, files[0] if name == "filegroup" and len(files) == 1 else None
        if name in SCRIPTS:
            sources = self.handed_on(("srcs",))
            return sources if isinstance(sources, Unknown) else (*sources, program), program
        if name == "cc_library":
            return self._of_library(), None
        if name in _LIBRARIES:
            return unknown, None
        if name in _PROGRAMS_IN_CC and (rule.rule_class.is_executable or rule.rule_class.is_test):
            is_usual = self._is_usual() and not self._is_given("linkshared")
            return (program,) if is_usual else unknown, program
        if name in _PROGRAMS_IN_PYTHON:
            return self._of_python(program), program
        return unknown, unknown

    def builds_many(self, sources: Iterable[str]) -> bool:
        """Whether a cc_library of files of these names surely has an archive and a shared
        library."""
        if self.rule.rule_class.name != "cc_library" or not self._is_usual():
            return False
        return not self._has("linkstatic") and any(one.endswith(_COMPILED) for one in sources)

    def _of_genrule(self) -> tuple[Files, FileValue | Unknown | None]:
        rule = self.rule
        without_name = _unknown_in(rule.given("outs"))
        if without_name is not None:
            return without_name, without_name
        outs = tuple(file_in(self.named_root, output, rule.label) for output in rule.outputs)
        value = rule.value("executable", False)
        if value in (False, 0, None):
            return outs, None
        is_program = value in (True, 1) and len(outs) == 1
        return outs, outs[0] if is_program else self._unknown()

    def _of_library(self) -> Files:
        """An archive, with a second one of position independent objects where programs are
        optimised; and a shared library."""
        rule, label = self.rule, self.rule.label
        if self._is_given(_LINKSTAMP):
            return self._unknown()
        sources = self.handed_on(("srcs",)) if self._is_given("srcs") else ()
        if isinstance(sources, Unknown):
            return sources
        if any(one.is_directory for one in sources):
            return self._unknown()
        if not any(one.inside.endswith(_MADE_OF) for one in sources):
            return ()
        alwayslink, linkstatic = rule.value("alwayslink", False), rule.value("linkstatic", False)
        mode = self.own.value("compilation_mode").value
        is_known = all(one is None or isinstance(one, int) for one in (alwayslink, linkstatic))
        if not (is_known and self._is_usual()) or mode is None or "/" in label.name:
            return self._unknown()
        ending = "lo" if alwayslink else "a"
        endings = [ending, *([f"pic.{ending}"] if mode == "opt" else [])]
        endings += [] if linkstatic else ["so"]
        made = (label.sibling(f"lib{label.name}.{one}") for one in endings)
        return tuple(file_in(self.root, one, label) for one in made)

    def _of_python(self, program: FileValue) -> Files:
        """Its sources, and itself; where it is a zip file, another one."""
        own = self.own
        is_usual = own.host.os == "linux" and not own.value("build_python_zip").instances
        if not is_usual or own.release.python_rules_in_starlark:
            return self._unknown()
        sources = self.handed_on(("srcs",))
        if isinstance(sources, Unknown):
            return sources
        if not all(one.inside.endswith(_PYTHON_ENDINGS) for one in sources):
            return self._unknown()
        return (*sources, program)

    def _is_usual(self) -> bool:
        """Whether Bazel's own toolchain for Linux links as it does where nothing is said."""
        own = self.own
        if own.host.os != "linux" or finds_toolchains(own) or self.features:
            return False
        is_otherwise = any(own.value(name).instances for name in _OF_OTHER_LINKS)
        return not (is_otherwise or self._has("features"))

    def _has(self, name: str) -> bool:
        return name in self.rule.attributes

    def _is_given(self, name: str) -> bool:
        return self.rule.given(name) not in (None, "")

    def _unknown(self) -> Unknown:
        rule = self.rule
        detail = f"what {rule.kind} builds is for its implementation to say"
        return Unknown(Reason.NEEDS_ANALYSIS, str(rule.label), detail, rule.location)


def _unknown_in(value: object) -> Unknown | None:
    """What is not known of an attribute, or the first element of it that is not."""
    elements = value if isinstance(value, tuple) else (value,)
    return next((one for one in elements if isinstance(one, Unknown)), None)
