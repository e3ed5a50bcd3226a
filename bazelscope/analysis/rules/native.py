"""What targets that no Starlark implements provide: files, and rules of Bazel's own.

Known are the files of some (`native_files`), and which of Bazel's providers the most common rules
have. The rest is unknown by name. Measured on 4.2.3; Bazel: `FileConfiguredTarget`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from itertools import chain

from bazelscope import starlark
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.rules.files import FileValue, file_in
from bazelscope.analysis.rules.native_files import HANDED_ON, SCRIPTS, Files, NativeFiles
from bazelscope.analysis.rules.provided import (
    DefaultParts,
    Implemented,
    OutputGroups,
    Runfiles,
    collected_runfiles,
    files_of,
    flat_files,
    not_modelled,
)
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown, all_known
from bazelscope.bazel.apple_transitions import XCODE_CONFIG
from bazelscope.loading.evaluation.builtins.measured_members import MeasuredInstance
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.depsets import depset
from bazelscope.loading.evaluation.values.structs import OpaqueInstance, OpaqueProvider
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.packages.targets import Rule

HOST_XCODES = tuple(
    Label("bazel_tools", package, "host_xcodes") for package in ("tools/cpp", "tools/objc")
)
_LIBRARY_ENDINGS = (
    *(".a", ".lib", ".lo", ".dll", ".dylib", ".so", ".wasm", ".dll.a", ".ifso", ".tbd"),
    ".if.lib",
)
"""What the files of a cc_library may end in. Bazel: `ArtifactCategory`."""
_PROGRAM_ENDINGS = (".exe", ".pdb", ".wasm")
_SHARED_ENDINGS = (".dll", ".if.lib", ".lib")
"""What files of a cc_binary end in besides, and with `linkshared` on Windows."""

_INSTRUMENTED = "InstrumentedFilesInfo"
_GROUPS = "OutputGroupInfo"
_PROVIDED: Mapping[str, tuple[str, ...]] = {
    "filegroup": (_INSTRUMENTED, _GROUPS),
    "genrule": (_GROUPS,),
    "sh_binary": (_INSTRUMENTED, _GROUPS),
    "sh_library": (_INSTRUMENTED, _GROUPS),
    "config_setting": (_GROUPS,),
    "constraint_setting": ("ConstraintSettingInfo", _GROUPS),
    "constraint_value": ("ConstraintValueInfo", _GROUPS),
    "platform": ("PlatformInfo", _GROUPS),
}
"""All that rules have whose providers are few."""
_SURE: Mapping[str, tuple[str, ...]] = {
    "cc_binary": ("CcInfo", _INSTRUMENTED, _GROUPS),
    "cc_library": ("CcInfo", _INSTRUMENTED, _GROUPS),
    "cc_import": ("CcInfo", _GROUPS),
    "java_binary": ("JavaInfo", _GROUPS),
    "java_library": ("JavaInfo", _GROUPS),
    "py_binary": ("PyInfo", "PyRuntimeInfo", _INSTRUMENTED, _GROUPS),
    "py_library": ("PyInfo", _INSTRUMENTED, _GROUPS),
}
"""What rules have among others."""
_WELL_KNOWN = frozenset({"CcInfo", "JavaInfo", "ProtoInfo", "PyInfo", "ToolchainInfo"})
_ALONE: Mapping[str, str] = {
    **dict.fromkeys(("cc_binary", "cc_import", "cc_library", "cc_proto_library"), "CcInfo"),
    **dict.fromkeys(("py_binary", "py_library", "py_test"), "PyInfo"),
    "proto_library": "ProtoInfo",
    **dict.fromkeys(("action_listener", "extra_action", "genquery", "sh_test", "test_suite"), ""),
    **dict.fromkeys(("toolchain", "toolchain_type"), ""),
}
"""Which of the well-known providers rules have, and no other. Measured: 0.24.1, 2.1.0, 4.2.3."""


class NativeTargets:
    """Makes what such targets provide, for one loader."""

    def __init__(self, context: EvaluationContext) -> None:
        self._context = context

    def value(self, unknown: Unknown, what: str = "") -> UnknownValue:
        """The Starlark value of what is unknown."""
        return UnknownValue(unknown, what or unknown.subject, self._context)

    def _instance(self, unknown: Unknown, what: str, provider: str) -> UnknownValue:
        """An instance of a provider of Bazel's own."""
        if provider == _GROUPS:
            return self.value(unknown, what)
        return MeasuredInstance(unknown, what, self._context, provider)

    def unknown(self, label: Label, unknown: Unknown, is_native: bool = False) -> Implemented:
        """A target of which nothing is known but the label."""
        value = self.value(unknown, str(label))
        default = DefaultParts(value, value, value, value)
        return Implemented(label, default, others=unknown, is_native=is_native)

    def of_xcodes(self, label: Label) -> Implemented:
        """What `--xcode_version_config` names where there is no Xcode. Bazel: `XcodeConfig`."""
        unknown = Unknown(Reason.NEEDS_ANALYSIS, str(label), "Bazel computes it")

        told = {f"{XCODE_CONFIG}.xcode_version": None, f"{XCODE_CONFIG}.availability": "unknown"}

        def member(name: str) -> object:
            if name in told:
                return starlark.Builtin(name.partition(".")[2], lambda: told[name])
            return self.value(unknown, name)

        config = OpaqueInstance(OpaqueProvider(XCODE_CONFIG, member), member)
        made = self.unknown(label, unknown, is_native=True)
        return replace(made, providers={XCODE_CONFIG: config})

    def of_file(self, label: Label, file: FileValue, is_source: bool) -> Implemented:
        """A file is its own executable, and has no runfiles."""
        nothing = Runfiles(self._context, depset())
        written = self._context.label_style(label)
        shown = f"<{'input' if is_source else 'output'} file target {written}>"
        others = not_modelled(f"{label}: providers")
        providers: dict[Hashable, object] = {} if is_source else {_INSTRUMENTED: others}
        return Implemented(
            label,
            DefaultParts(depset([file]), file, nothing, nothing),
            {key: self.value(others, str(key)) for key in providers},
            is_native=True,
            outputs=() if is_source else (file,),
            shown=shown,
            is_file=True,
        )

    def of_rule(
        self, built: NativeFiles, targets: Callable[[str], list[Implemented] | Unknown]
    ) -> Implemented:
        """A rule of Bazel's own; `targets` gives the targets in one of its attributes."""
        rule, root = built.rule, built.named_root
        name, label = rule.rule_class.name, rule.label
        files, program = built.files()
        detail = f"what {name} rules provide is computed by Bazel"
        unknown = Unknown(Reason.NEEDS_ANALYSIS, str(label), detail, rule.location)
        runfiles: object = self.value(unknown, "runfiles")
        if isinstance(files, Unknown):
            made: object = self.value(files, f"{label}.files")
        else:
            made = depset(files)
            hands_on = name == "filegroup" and not rule.given("output_group")
            below = targets("srcs") if hands_on else []
            if below and isinstance(below, list):
                made = depset(transitive=[one.default.files for one in below])
        executable: object = program
        if isinstance(program, Unknown):
            executable = self.value(program, f"{label}.executable")
        default_runfiles = data_runfiles = runfiles
        if name in ("genrule", "config_setting"):
            default_runfiles = Runfiles(self._context, depset())
            data_runfiles = Runfiles(self._context, made)
        elif name in HANDED_ON or name in SCRIPTS:
            default_runfiles = self._collected(targets, None if name == "filegroup" else made)
            data_runfiles = default_runfiles
            if name == "filegroup":
                data_runfiles = self._collected(
                    lambda one: targets(one) if one == "data" else [], made
                )
        known = _PROVIDED.get(name)
        listed = known if known is not None else _SURE.get(name, ())
        others = not_modelled(f"{label}: providers", detail)
        lacks: frozenset[str] = frozenset()
        if name in _ALONE and not self._context.release.rules_in_starlark:
            lacks = _WELL_KNOWN - {_ALONE[name]}
        return Implemented(
            label,
            DefaultParts(made, executable, default_runfiles, data_runfiles),
            {key: self._instance(unknown, f"{label}[{key}]", key) for key in listed},
            others=None if known is not None else others,
            is_native=True,
            lacks=lacks,
            outputs=tuple(file_in(root, output, label) for output in rule.outputs),
            rule_class=name,
            endings=_endings(rule),
        )

    def _collected(
        self, targets: Callable[[str], list[Implemented] | Unknown], files: object
    ) -> object:
        """`files`, and what dependencies need when they run."""
        runfiles = collected_runfiles(self._context, targets, is_data=False)
        if isinstance(runfiles, Unknown):
            return self.value(runfiles, "runfiles")
        if isinstance(files, UnknownValue):
            return files.derive("runfiles")
        below = [*([] if files is None else [files]), *(one.files for one in runfiles)]
        links = next((one.links for one in runfiles if one.links is not None), None)
        return Runfiles(self._context, depset(order="postorder", transitive=below), links)


def _endings(rule: Rule) -> tuple[str, ...] | None:
    """Returns what the names of the files of a rule of Bazel's own end in, as far as that is known;
    a program is called as its rule, or more."""
    kind = rule.rule_class.name
    if kind == "cc_library":
        return _LIBRARY_ENDINGS
    if kind != "cc_binary":
        return None
    is_program = rule.value("linkshared", False) in (False, 0, None)
    more = () if is_program else _SHARED_ENDINGS
    return (rule.label.name, *_PROGRAM_ENDINGS, *more)


def grouped(targets: Callable[[str], list[Implemented] | Unknown], group: str) -> Files:
    """The files of an output group of the targets in `srcs`. Bazel: `Filegroup.getArtifacts`."""
    below = targets("srcs")
    if isinstance(below, Unknown):
        return below
    each = all_known(files_of_group(one, group) for one in below)
    return each if isinstance(each, Unknown) else tuple(dict.fromkeys(chain.from_iterable(each)))


def files_of_group(target: Implemented, group: str) -> Files:
    """The files of an output group of a target, or why they cannot be told."""
    if target.is_file or (target.is_native and target.rule_class in _PROVIDED):
        return ()
    groups = target.providers.get(_GROUPS)
    if not isinstance(groups, OutputGroups):
        return not_modelled(f"{target.label}: output group {group}")
    return flat_files(groups.fields.get(group, ()))


def handed_on(
    targets: Callable[[str], list[Implemented] | Unknown], names: Iterable[str]
) -> tuple[FileValue, ...] | Unknown:
    """The files of the targets in some attributes, each once."""

    def of(name: str) -> tuple[FileValue, ...] | Unknown:
        below = targets(name)
        return below if isinstance(below, Unknown) else files_of(below)

    each = all_known(map(of, names))
    return each if isinstance(each, Unknown) else tuple(dict.fromkeys(chain.from_iterable(each)))


def lacks_xcode(configuration: Configuration) -> bool:
    """Whether Bazel takes no Xcode into account: there is none but on macOS."""
    names = ("xcode_version", "xcode_version_config")
    return configuration.host.os != "macos" and not any(
        configuration.value(name).instances for name in names
    )
