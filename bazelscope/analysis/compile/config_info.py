"""A workspace's own C++ toolchain, read off what its `cc_toolchain_config` returns.

Bazel: `CcModule.ccToolchainConfigInfoFromStarlark`. What of it cannot be told is an unknown word in
its place; the rest of the line stays known.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from bazelscope import starlark
from bazelscope.analysis.compile import toolchain as cc
from bazelscope.analysis.compile.bazels_features import bazels_actions, with_bazels_features
from bazelscope.analysis.compile.flag_places import FlagPlaces
from bazelscope.analysis.compile.words import FromToolchain
from bazelscope.analysis.rules.files import FileValue
from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.structs import Struct
from bazelscope.loading.evaluation.values.symbolic_values import SelectValue, UnknownValue

_GUARDS: tuple[tuple[str, cc.Test], ...] = (
    ("expand_if_available", "available"),
    ("expand_if_not_available", "not available"),
    ("expand_if_true", "true"),
    ("expand_if_false", "false"),
)
_TOOLS = {"CC": "gcc", "AR": "ar", "LD": "ld", "NM": "nm", "OBJCOPY": "objcopy", "STRIP": "strip"}

_NEEDED_TOOLS = ("ar", "cpp", "gcc", "gcov", "ld", "nm", "objdump", "strip")
"""Bazel: `CppConfiguration.Tool`, without those that few toolchains have."""


def toolchain_of_config(
    info: Struct,
    label: Label,
    directory: str,
    location: Location | None,
    places: FlagPlaces,
    release: Release,
) -> cc.Toolchain | Unknown:
    """The toolchain that an instance of `CcToolchainConfigInfo` describes. `label` is the
    `cc_toolchain`, relative to whose `directory` its tools lie; `location` is the target that
    configures it, `places` knows where flags are written. `Unknown` for one that the release
    refuses."""
    fields = info.fields
    is_mac = _text(fields.get("target_libc")) == "macosx"
    paths = dict(_tool_paths(fields.get("tool_paths"), directory))
    lacking = next((name for name in _NEEDED_TOOLS if name not in paths), None)
    if paths and lacking and release.cc_needs_every_tool:
        detail = f"Tool path for '{lacking}' is missing"
        return Unknown(Reason.FAILED, str(label), detail, location)
    missing = Unknown(Reason.FAILED, "the tools of the toolchain", "it has no such tool_path")
    none = cc.Tool("...", unknown=missing)
    features = tuple(_features(fields.get("features"), places))
    own = tuple(_actions(fields.get("action_configs"), directory, places))
    names = {one.feature.name for one in own}
    has_legacy = all(one.name != "no_legacy_features" for one in features)
    if has_legacy and names and not release.cc_own_actions_replace_bazels:
        detail = f"Invalid toolchain configuration: multiple action configs for '{min(names)}'"
        return Unknown(Reason.FAILED, str(label), detail, location)
    compiler, archiver = paths.get("gcc", none), paths.get("ar", none)
    added = bazels_actions(names, compiler, archiver) if has_legacy else ()
    known = {name: tool.path for name, tool in paths.items() if tool.unknown is None}
    make_variables = {name: known[tool] for name, tool in _TOOLS.items() if tool in known}
    make_variables |= {
        "C_COMPILER": _text(fields.get("compiler")),
        "ABI": _text(fields.get("abi_version")),
        "GLIBC_VERSION": _text(fields.get("abi_libc_version")),
        "CROSSTOOLTOP": directory,
        **dict(_pairs(fields.get("make_variables"), "name", "value")),
    }
    return cc.Toolchain(
        str(label),
        _text(fields.get("compiler")),
        with_bazels_features(features, is_mac, release.cc_own_coverage_is_all),
        compiler.path,
        compiler.path,
        archiver.path,
        actions=(*added, *own),
        location=location,
        sysroot=_text(fields.get("builtin_sysroot")),
        names=_names(fields.get("artifact_name_patterns")),
        make_variables=make_variables,
        identifier=_text(fields.get("toolchain_identifier")),
    )


# ---- Plain values


def _elements(value: object) -> Iterator[object]:
    """The elements of a list; an unknown one for what cannot be told of it."""
    if isinstance(value, SelectValue):
        for part in value.parts:
            yield from _elements(part)
    elif isinstance(value, UnknownValue):
        yield value
    elif value is not None and not isinstance(value, str):
        yield from starlark.iterate(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in _elements(value) if isinstance(one, str))


def _unknown_of(value: object) -> Unknown | None:
    return value.as_unknown() if isinstance(value, UnknownValue) else None


def _field(value: object, name: str) -> object:
    """A field of a record of `cc_toolchain_config_lib.bzl`; None for one that is not there."""
    return value.fields.get(name) if isinstance(value, Struct) else None


def _pairs(value: object, name: str, other: str) -> Iterator[tuple[str, str]]:
    for one in _elements(value):
        yield _text(_field(one, name)), _text(_field(one, other))


def _names(value: object) -> cc.FileNames:
    """How files are named: Bazel's own names, but for those that a toolchain changes."""
    given = {
        _text(_field(one, "category_name")): (
            _text(_field(one, "prefix")),
            _text(_field(one, "extension")),
        )
        for one in _elements(value)
    }
    return cc.FileNames.of(given)


# ---- Tools and actions


def _tool_paths(value: object, directory: str) -> Iterator[tuple[str, cc.Tool]]:
    for one in _elements(value):
        yield _text(_field(one, "name")), _tool(_field(one, "path"), directory)


def _tool(path: object, directory: str, conditions: tuple[cc.WithFeatures, ...] = ()) -> cc.Tool:
    unknown = _unknown_of(path)
    if isinstance(path, FileValue):
        inside = path.path
        unknown = inside if isinstance(inside, Unknown) else None
        return cc.Tool("..." if isinstance(inside, Unknown) else inside, conditions, unknown)
    if unknown is not None or not isinstance(path, str):
        why = unknown or Unknown(Reason.NEEDS_ANALYSIS, "a tool of the toolchain")
        return cc.Tool("...", conditions, why)
    # A path is relative to the package of the cc_toolchain, if it is not absolute.
    return cc.Tool(posixpath.normpath(posixpath.join(directory, path)), conditions)


def _actions(value: object, directory: str, places: FlagPlaces) -> Iterator[cc.ActionConfig]:
    for one in _elements(value):
        name = _text(_field(one, "action_name"))
        if not name:
            continue
        given = _field(one, "flag_sets")
        sets = tuple(_flag_sets(given, frozenset({name}), name, places))
        feature = cc.Feature(
            name, sets, _field(one, "enabled") is True, _texts(_field(one, "implies")), is_own=True
        )
        tools = []
        for tool in _elements(_field(one, "tools")):
            path = _field(tool, "tool") or _field(tool, "path")
            tools.append(_tool(path, directory, _with_features(_field(tool, "with_features"))))
        yield cc.ActionConfig(feature, tuple(tools))


# ---- Features


def _features(value: object, places: FlagPlaces) -> Iterator[cc.Feature]:
    for one in _elements(value):
        unknown = _unknown_of(one)
        if unknown is not None:
            flags = cc.FlagSet(cc.ALL_ACTIONS, (cc.hole(unknown),))
            yield cc.Feature("", (flags,), enabled=True, is_own=True)
        elif isinstance(one, Struct):
            yield _feature(one, places)


def _feature(value: Struct, places: FlagPlaces) -> cc.Feature:
    enabled = value.fields.get("enabled")
    name = _text(value.fields.get("name"))
    return cc.Feature(
        name,
        tuple(_flag_sets(value.fields.get("flag_sets"), None, name, places)),
        enabled is True,
        _texts(value.fields.get("implies")),
        tuple(
            frozenset(_texts(_field(one, "features")))
            for one in _elements(value.fields.get("requires"))
        ),
        _texts(value.fields.get("provides")),
        tuple(_variables(value.fields.get("env_sets"))),
        is_own=True,
    )


def _flag_sets(
    value: object, actions: frozenset[str] | None, feature: str, places: FlagPlaces
) -> Iterator[cc.FlagSet]:
    for one in _elements(value):
        unknown = _unknown_of(one)
        if unknown is not None:
            yield cc.FlagSet(actions or cc.ALL_ACTIONS, (cc.hole(unknown),))
            continue
        given = actions or frozenset(_texts(_field(one, "actions")))
        wanted = _with_features(_field(one, "with_features"))
        shown = cc.when_of(wanted)

        def origin(flag: str, shown: str = shown) -> FromToolchain | None:
            place = places.find(feature, flag)
            return None if place is None else FromToolchain(feature, shown, place)

        groups = tuple(_groups(_field(one, "flag_groups"), origin))
        yield cc.FlagSet(given, groups, wanted, shown)


def _with_features(value: object) -> tuple[cc.WithFeatures, ...]:
    return tuple(
        cc.WithFeatures(
            frozenset(_texts(_field(one, "features"))),
            frozenset(_texts(_field(one, "not_features"))),
        )
        for one in _elements(value)
    )


_Origins = Callable[[str], FromToolchain | None]


def _groups(value: object, origin: _Origins) -> Iterator[cc.FlagGroup]:
    for one in _elements(value):
        unknown = _unknown_of(one)
        if unknown is not None:
            yield cc.hole(unknown)
            continue
        guards = [
            cc.Guard(test, text) for name, test in _GUARDS if (text := _text(_field(one, name)))
        ]
        equal = _field(one, "expand_if_equal")
        if equal is not None:
            guards.append(
                cc.Guard("equal", _text(_field(equal, "name")), _text(_field(equal, "value")))
            )
        flags = list(_elements(_field(one, "flags")))
        inner = [*_flags(flags, origin), *_groups(_field(one, "flag_groups"), origin)]
        iterated = _text(_field(one, "iterate_over"))
        if any(isinstance(flag, str) and "%{" in flag for flag in flags):
            # These are there for the value of a variable: none has a place of its own.
            texts = tuple(flag for part in inner for flag in part.flags)
            yield cc.FlagGroup(texts, (), iterated, tuple(guards))
        else:
            yield cc.FlagGroup((), tuple(inner), iterated, tuple(guards))


def _flags(flags: Iterable[object], origin: _Origins) -> Iterator[cc.FlagGroup]:
    """The flags of a group, each with its place, or with why it cannot be told."""
    for flag in flags:
        unknown = _unknown_of(flag)
        if unknown is not None:
            yield cc.hole(unknown)
        elif isinstance(flag, str):
            yield cc.FlagGroup((flag,), origin=origin(flag))


def _variables(value: object) -> Iterator[cc.VariableSet]:
    for one in _elements(value):
        yield cc.VariableSet(
            frozenset(_texts(_field(one, "actions"))),
            tuple(_pairs(_field(one, "env_entries"), "key", "value")),
            _with_features(_field(one, "with_features")),
        )
