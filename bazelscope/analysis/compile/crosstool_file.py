"""The toolchain of a CROSSTOOL file: where releases up to 0.25 find the flags of a `cc_toolchain`
without `toolchain_config`.

The file is a text of the protocol message `CrosstoolRelease`. Bazel: `CToolchainSelectionUtils`,
`CcToolchainConfigInfo.fromToolchain`, `CppToolchainInfo.addLegacyFeatures`; what the fields from
before there were features come to was measured on 0.24.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bazelscope.analysis.compile import toolchain as cc
from bazelscope.analysis.compile.bazels_features import CPP, OMITFP, SHARED
from bazelscope.analysis.compile.config_info import toolchain_of_config
from bazelscope.analysis.compile.crosstool_text import Message, message
from bazelscope.analysis.compile.flag_places import FlagPlaces
from bazelscope.analysis.compile.toolchain import group
from bazelscope.analysis.compile.words import FromToolchain
from bazelscope.base.label import Label
from bazelscope.base.source import Location, SourceFile
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.structs import Struct

FILE = "CROSSTOOL"
_SWITCHES = {"needsPic": cc.NEEDS_PIC, "supports_start_end_lib": "supports_start_end_lib"}
_FISSION = "per_object_debug_info"
_GUARDS = ("expand_if_true", "expand_if_false")


def chosen_toolchain(text: str, identifier: str, cpu: str, compiler: str) -> Message | None:
    """The toolchain of that identifier, or for both the cpu and the compiler: what the attributes
    of the `cc_toolchain` say. None where the file has no such, or they do not say enough."""
    for one in message(text).messages("toolchain"):
        is_fit = (one.text("target_cpu"), one.text("compiler")) == (cpu, compiler)
        if one.text("toolchain_identifier") == identifier if identifier else is_fit:
            return one
    return None


def toolchain_of_file(
    chosen: Message, label: Label, directory: str, file: SourceFile, mode: str, release: Release
) -> cc.Toolchain | Unknown:
    """The toolchain that a message `toolchain` describes, of the `cc_toolchain` of that label in
    that directory, under a compilation mode."""
    location = Location(file.path, chosen.line, 1)
    info = _info(chosen)
    made = toolchain_of_config(info, label, directory, location, FlagPlaces(file), release)
    if isinstance(made, Unknown):
        return made
    sets = {
        "legacy_compile_flags": tuple(_compile_sets(chosen, file.path, mode)),
        "unfiltered_compile_flags": tuple(
            _flags(chosen, "unfiltered_cxx_flag", cc.ALL_COMPILE, file.path)
        ),
        "legacy_link_flags": tuple(_link_sets(chosen, file.path, mode)),
    }
    features = tuple(
        one if one.is_own or one.name not in sets else replace(one, flag_sets=sets[one.name])
        for one in made.features
    )
    if chosen.text("supports_fission") == "true":
        features = tuple(
            replace(one, enabled=True) if one.name == _FISSION else one for one in features
        )
    return replace(made, features=(*features, *_heeded(chosen)))


# ---- What stood there before there were features


def _flags(
    message: Message,
    name: str,
    actions: frozenset[cc.Action],
    path: str,
    shown: str = "",
    wanted: tuple[cc.WithFeatures, ...] = (),
) -> Iterator[cc.FlagSet]:
    """The flags of a field for some actions; `shown` says under what they count."""
    groups = tuple(
        group(text, origin=FromToolchain(name, shown, Location(path, line, 1)))
        for text, line in message.lines_of(name)
    )
    if groups:
        yield cc.FlagSet(actions, groups, wanted, shown)


_FIELDS = ("toolchain_identifier", "target_libc", "compiler", "abi_version", "abi_libc_version")


def _of_mode(
    chosen: Message, name: str, actions: frozenset[cc.Action], path: str, mode: str
) -> Iterator[cc.FlagSet]:
    """They go by the compilation mode, whatever features of its name are enabled."""
    for one in chosen.messages("compilation_mode_flags"):
        if one.text("mode").lower() == mode:
            yield from _flags(one, name, actions, path, mode)


def _compile_sets(chosen: Message, path: str, mode: str) -> Iterator[cc.FlagSet]:
    for name, actions in (("compiler_flag", cc.ALL_COMPILE), ("cxx_flag", CPP)):
        yield from _flags(chosen, name, actions, path)
        yield from _of_mode(chosen, name, actions, path, mode)
        if name == "compiler_flag":
            yield cc.FlagSet(cc.ALL_COMPILE, (OMITFP,))


def _link_sets(chosen: Message, path: str, mode: str) -> Iterator[cc.FlagSet]:
    yield from _flags(chosen, "linker_flag", cc.ALL_LINK, path)
    yield from _of_mode(chosen, "linker_flag", cc.ALL_LINK, path, mode)
    program = frozenset({cc.LINK_EXECUTABLE})
    for one in chosen.messages("linking_mode_flags"):
        kind = one.text("mode")
        if kind in cc.LINKING_MODES:
            named = (cc.WithFeatures(frozenset({kind})),)
            yield from _flags(one, "linker_flag", program, path, cc.LINKING_MODES[kind], named)
        if kind == "DYNAMIC":
            yield from _flags(one, "linker_flag", SHARED, path)
    only = frozenset({cc.LINK_DYNAMIC})
    yield from _flags(chosen, "dynamic_library_linker_flag", only, path)


def _heeded(chosen: Message) -> Iterator[cc.Feature]:
    """Features without flags: what Bazel asks of a toolchain, and how a program is linked."""
    for field, name in _SWITCHES.items():
        if chosen.text(field) == "true":
            yield cc.Feature(name, enabled=True)
    modes = [one.text("mode") for one in chosen.messages("linking_mode_flags")]
    if "DYNAMIC" in modes or chosen.texts("dynamic_library_linker_flag"):
        yield cc.Feature("supports_dynamic_linker", enabled=True)
    # Sets of flags do not see these by the names of later features: measured with 0.24.1.
    for name in cc.LINKING_MODES:
        yield cc.Feature(name)


# ---- The fields as `cc_toolchain_config` gives them


def _info(chosen: Message) -> Struct:
    return Struct(
        {
            **{name: chosen.text(name) for name in _FIELDS},
            "builtin_sysroot": chosen.text("builtin_sysroot"),
            "tool_paths": _records(chosen, "tool_path", "name", "path"),
            "make_variables": _records(chosen, "make_variable", "name", "value"),
            "artifact_name_patterns": _records(
                chosen, "artifact_name_pattern", "category_name", "prefix", "extension"
            ),
            "features": tuple(_feature(one) for one in chosen.messages("feature")),
            "action_configs": tuple(_action(one) for one in chosen.messages("action_config")),
        }
    )


def _records(message: Message, name: str, *fields: str) -> tuple[Struct, ...]:
    return tuple(
        Struct({field: one.text(field) for field in fields}) for one in message.messages(name)
    )


def _feature(one: Message) -> Struct:
    return Struct(
        {
            "name": one.text("name"),
            "enabled": one.text("enabled") == "true",
            "flag_sets": tuple(_flag_set(s) for s in one.messages("flag_set")),
            "env_sets": tuple(_env_set(s) for s in one.messages("env_set")),
            "requires": tuple(
                Struct({"features": s.texts("feature")}) for s in one.messages("requires")
            ),
            "implies": one.texts("implies"),
            "provides": one.texts("provides"),
        }
    )


def _action(one: Message) -> Struct:
    tools = tuple(
        Struct({"path": s.text("tool_path"), "with_features": _with_features(s)})
        for s in one.messages("tool")
    )
    name = one.text("action_name") or one.text("config_name")
    return Struct({**_feature(one).fields, "action_name": name, "tools": tools})


def _with_features(one: Message) -> tuple[Struct, ...]:
    return tuple(
        Struct({"features": s.texts("feature"), "not_features": s.texts("not_feature")})
        for s in one.messages("with_feature")
    )


def _env_set(one: Message) -> Struct:
    entries = _records(one, "env_entry", "key", "value")
    wanted = _with_features(one)
    return Struct({"actions": one.texts("action"), "env_entries": entries, "with_features": wanted})


def _flag_set(one: Message) -> Struct:
    groups = (_flag_group(s) for s in one.messages("flag_group"))
    wanted = one.texts("expand_if_all_available")
    return Struct(
        {
            "actions": one.texts("action"),
            "with_features": _with_features(one),
            "flag_groups": tuple(_guarded(s, wanted, "expand_if_available") for s in groups),
        }
    )


def _flag_group(one: Message) -> Struct:
    equal = _records(one, "expand_if_equal", "variable", "value")
    made = Struct(
        {
            "flags": one.texts("flag"),
            "flag_groups": tuple(_flag_group(s) for s in one.messages("flag_group")),
            "iterate_over": one.text("iterate_over"),
            **{name: one.text(name) for name in _GUARDS},
            "expand_if_equal": Struct({**equal[-1].fields, "name": equal[-1].fields["variable"]})
            if equal
            else None,
        }
    )
    made = _guarded(made, one.texts("expand_if_none_available"), "expand_if_not_available")
    return _guarded(made, one.texts("expand_if_all_available"), "expand_if_available")


def _guarded(group: Struct, names: Iterable[str], guard: str) -> Struct:
    """A group of flags that asks the guard of several variables: groups inside one another."""
    for name in names:
        group = Struct({guard: name, "flag_groups": (group,)})
    return group
