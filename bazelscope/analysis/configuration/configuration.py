"""A configuration: the value of every flag that a target is analysed under.

The top-level configuration is what rc files and the command line amount to, over the
defaults of that Bazel version and host. The execution configuration and Starlark
transitions are the same flags with some replaced. Bazel: `BuildOptions`, `HostTransition`,
`ExecutionTransitionFactory`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType

from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_boolean
from bazelscope.base.label import Label, parse_option_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.flag_catalog import Catalog, FlagDefinition
from bazelscope.bazel.hosts import Host
from bazelscope.bazel.native_options import (
    exec_sources,
    exec_value,
    exec_values,
    hidden_default,
    is_kept_for_exec,
    options_made_of,
)
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import Define, FlagValue, ResolvedFlags


class ConfigurationKind(enum.Enum):
    TARGET = "target"
    EXEC = "exec"
    """Of an execution platform: `cfg = "exec"`."""
    HOST = "host"
    """Of the machine that Bazel runs on, until Bazel 6: `cfg = "host"`. There is one only,
    which comes from the command line, and no transition leads out of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Configuration:
    """Flag values of one configured target. Equal configurations have equal `key`s.

    `changes` are native options and `starlark_changes` build settings that a transition
    replaced, with their new values; `before_exec` are the native ones that were replaced
    before the configuration became one of the execution platform, `execution_platform`, which
    is None for the host's. `affected`,
    `explicit_defaults` and `fragment` only tell configurations apart: see `starlark_options`.
    """

    flags: ResolvedFlags
    catalog: Catalog
    host: Host
    kind: ConfigurationKind = ConfigurationKind.TARGET
    changes: Mapping[str, FlagValue] = field(default_factory=dict)
    starlark_changes: Mapping[Label, FlagValue] = field(default_factory=dict)
    before_exec: Mapping[str, FlagValue] = field(default_factory=dict)
    execution_platform: Label | None = None
    affected: frozenset[str] = frozenset()
    explicit_defaults: frozenset[Label] = frozenset()
    set_before_exec: frozenset[Label] = frozenset()
    """The build settings whose value is older than the execution configuration; of use since
    8.0.0, where some lose it there: see `build_settings.is_lost`."""
    fragment: tuple[tuple[str, object], ...] = ()
    _starlark: Mapping[Label, FlagValue] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of repositories as the command line writes them."""
    key: tuple[object, ...] = field(init=False)
    """What distinguishes this configuration from others of the same command line."""
    is_top: bool = field(init=False)
    """Whether no transition has replaced a value that it did not have already."""

    def __post_init__(self) -> None:
        native: list[tuple[str, tuple[str, ...]]] = []
        if self.changes or self.before_exec:
            plain = replace(self, changes={}, before_exec={})
            names = {*self.changes, *self.before_exec}
            for name in sorted(names | options_made_of(names)):
                value = self.value(name).values
                if value != plain.value(name).values:
                    native.append((name, value))
        settings = sorted((name, value.values) for name, value in self.starlark_changes.items())
        told_apart: tuple[object, ...] = (self.affected, self.explicit_defaults, self.fragment)
        platform = self.execution_platform
        older = sorted(self.set_before_exec.intersection(self.starlark_changes))
        if older:
            told_apart = (*told_apart, tuple(older))
        key = (self.kind.value, platform, tuple(native), tuple(settings), *told_apart)
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "is_top", not native and not settings)

    @classmethod
    def of(
        cls,
        flags: ResolvedFlags,
        catalog: Catalog,
        typed_names: Mapping[str, str] = MappingProxyType({}),
    ) -> Configuration:
        """The top-level configuration of a command line whose build settings have been looked
        up (see `settings_by_label`), where repositories have these names."""
        given = flags.settings or {}
        return cls(flags, catalog, Host.parse(flags.host), _starlark=given, names=typed_names)

    @property
    def bazel_version(self) -> str:
        return self.flags.bazel_version

    @property
    def release(self) -> Release:
        return self.catalog.release

    def definition(self, name: str) -> FlagDefinition | None:
        """What the catalog says about the option `name`; None if this Bazel has none such."""
        known = self.catalog.find(name, "build")
        return known if known is not None and known.name == name else None

    def value(self, name: str) -> FlagValue:
        """The value of the native option `name`, default included.

        An option that this Bazel does not know has no values.
        """
        changed = self.changes.get(name)
        if changed is not None:
            return changed
        if self.kind is not ConfigurationKind.TARGET:
            return self._exec_value(name)
        return self._top_value(name)

    def is_on(self, name: str, default: bool = False) -> bool:
        """Whether a boolean option is on; `default` where a Bazel has none of that name."""
        if self.definition(name) is None:
            return default
        try:
            return parse_boolean(self.value(name).value or str(default))
        except ValueTypeError:
            return default

    def label(self, text: str) -> Label:
        """The label that an option names. Raises `LabelError`."""
        return parse_option_label(text, self.names)

    def define(self, name: str) -> Define | None:
        """The `--define` of that name in force; defines reach every configuration.

        No transition may set them, but a platform mapping may.
        """
        mapped = self.changes.get("define") or self.before_exec.get("define")
        if mapped is None:
            return self.flags.defines.get(name)
        for instance in reversed(mapped.instances):
            key, _, value = (instance.value or "").partition("=")
            if key == name:
                return Define(name, value, instance, ())
        return None

    def starlark_value(self, flag: Label) -> FlagValue | None:
        """What the command line or a transition set a build setting to; None for neither."""
        return self.starlark_changes.get(flag) or self._starlark.get(flag)

    def starlark_flags(self) -> frozenset[Label]:
        """The build settings that the command line or a transition sets."""
        return frozenset({*self._starlark, *self.starlark_changes})

    def exec(self, platform: Label | None = None) -> Configuration:
        """The configuration of tools that run on an execution platform, the host's if None.

        It is another one after other transitions, even where its options are the same:
        Bazel's `affected by starlark transition` stays (4.2.3; in 2.1.0 it does not).
        Bazel: `ExecutionTransitionFactory`.
        """
        if self.kind is ConfigurationKind.HOST:
            return self
        is_made = self.kind is ConfigurationKind.EXEC and not self.changes
        older = self.starlark_flags() if self.release.exec_resets_build_settings else frozenset()
        is_made = is_made and older == self.set_before_exec
        stays = self.release.exec_keeps_transitions
        if is_made and platform == self.execution_platform:
            return self
        return replace(
            self,
            kind=ConfigurationKind.EXEC,
            changes={},
            before_exec={**self.before_exec, **self.changes},
            set_before_exec=older,
            execution_platform=platform,
            affected=self.affected if stays else frozenset(),
            fragment=self.fragment if stays else (),
        )

    def of_host(self) -> Configuration:
        """The host configuration that belongs to this top-level one, or what took its place
        in Bazel 6. Bazel: `HostTransition`."""
        if not self.release.host_configuration:
            return self.exec()
        return replace(
            self,
            kind=ConfigurationKind.HOST,
            changes={},
            starlark_changes={},
            before_exec=self.changes,
            execution_platform=None,
            affected=frozenset(),
            explicit_defaults=frozenset(),
            fragment=(),
        )

    @property
    def is_final(self) -> bool:
        """Whether no transition leads out of it. Bazel: `TransitionResolver`."""
        return self.kind is ConfigurationKind.HOST

    def with_changes(
        self, native: Mapping[str, FlagValue], starlark: Mapping[Label, FlagValue]
    ) -> Configuration:
        """The configuration after a Starlark transition that sets these."""
        return replace(
            self,
            changes={**self.changes, **native},
            starlark_changes={**self.starlark_changes, **starlark},
            set_before_exec=self.set_before_exec.difference(starlark),
        )

    def _is_set(self, name: str) -> bool:
        value = self._top_value(name).value
        return value is not None and value.lower() in ("1", "true", "yes", "t", "y")

    def _top_value(self, name: str) -> FlagValue:
        value = self.before_exec.get(name) or self.flags.values.get(name)
        if value is not None and not (name in _AUTO_CPU and value.value == ""):
            return value
        return self.default(name)

    def default(self, name: str) -> FlagValue:
        """The value of the option `name` where nothing sets it."""
        if name in _AUTO_CPU:
            return FlagValue(name, (self.host.default_cpu(self.release),), ())
        definition = self.definition(name)
        if definition is None or definition.default is None:
            hidden = hidden_default(definition, self.release) if definition is not None else None
            return FlagValue(name, (hidden,) if hidden is not None else (), ())
        if definition.repeats and definition.default == "":
            return FlagValue(name, (), ())
        return FlagValue(name, (definition.default,), ())

    def _exec_value(self, name: str) -> FlagValue:
        fixed = exec_value(name)
        if name == "platforms" and self.execution_platform is not None:
            fixed = str(self.execution_platform)
        if fixed is not None:
            return FlagValue(name, (fixed,), ())
        sources = self.exec_sources(name)
        host, release = self.host.os, self.release
        for source in sources:
            value = self._top_value(source)
            if value.values or source in self.flags.values or source in self.before_exec:
                values = exec_values(name, value.values, host, release)
                return FlagValue(name, values, value.instances, value.overridden)
        besides = exec_values(name, (), host, release)
        if besides:
            return FlagValue(name, besides, ())
        if sources != ("host_features",) and is_kept_for_exec(name, release):
            return self._top_value(name)
        return self.default(name)

    def exec_sources(self, name: str) -> tuple[str, ...]:
        """The options whose value `name` takes in the execution configuration, best first."""
        if name == "features" and self._takes_host_features():
            return ("host_features",)
        if name == "compiler" and self.release.compiler_follows_crosstool:
            # Bazel: `CppOptions.getNormalized`.
            has_own = bool(self._top_value("host_crosstool_top").value)
            return ("host_compiler",) if has_own else ("compiler",)
        return exec_sources(name, self.release)

    def _takes_host_features(self) -> bool:
        """Bazel: `CoreOptions.useHostFeatures`, since 6.1.0, the default since 7.0.0."""
        if self.release.host_features_flag_is_on:
            return self.release.host_features or self._is_set(_USE_HOST_FEATURES)
        return _USE_HOST_FEATURES in self.flags.values and self._is_set(_USE_HOST_FEATURES)


_USE_HOST_FEATURES = "incompatible_use_host_features"
_AUTO_CPU = frozenset({"cpu", "host_cpu"})
