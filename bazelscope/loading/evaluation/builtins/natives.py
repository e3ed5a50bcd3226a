"""The names that BUILD, `.bzl` and WORKSPACE files find predeclared, besides the language's.

One dictionary per kind of file, made once per loader. What bazelscope does not model (the
members of `cc_common`, say, which only rule implementations use) is there as an unknown value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.base.label import PackageId, parse_label
from bazelscope.base.memoized import memoized
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Reason
from bazelscope.bazel.builtin_repositories import REPOSITORY_RULES
from bazelscope.bazel.release import Release
from bazelscope.bazel.removed_natives import (
    NO_AUTOLOADS,
    Autoloads,
    how_to_load,
    is_removed_rule,
    is_removed_symbol,
    remains_of,
)
from bazelscope.loading.evaluation.attribute_values.rule_kinds import RuleKind
from bazelscope.loading.evaluation.builtins.bzl_globals import BzlGlobals
from bazelscope.loading.evaluation.builtins.native_functions import NativeFunctions
from bazelscope.loading.evaluation.evaluation_context import GLOBALS, EvaluationContext
from bazelscope.loading.evaluation.values import depsets
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import Namespace
from bazelscope.loading.evaluation.values.symbolic_values import select, select_of


class Predeclared(NamedTuple):
    """What a file finds predeclared, and the names of that."""

    values: dict[str, object]
    names: frozenset[str]

    @staticmethod
    def of(values: dict[str, object]) -> Predeclared:
        return Predeclared(values, frozenset(values))


def _later(release: Release) -> Iterator[str]:
    """Providers that a release has not yet, or not under that name."""
    if not release.has_run_environment_info:
        yield "RunEnvironmentInfo"
    if not release.has_instrumented_files_info:
        yield "InstrumentedFilesInfo"


def dialect_of(release: Release) -> starlark.Dialect:
    """The dialect of Starlark that a release has."""
    return starlark.Dialect(
        is_late=release.late_builtins,
        has_floats=release.has_floats,
        is_old=release.named_builtins,
        lists_methods=release.structs_have_methods,
        binds_prefixes=release.prefixes_bind_to_base,
    )


_OF_BUILD_FILES_ALONE = ("distribs", "environment_group", "licenses")
"""Functions that `native` does not have. Measured: 0.24.1, 2.1.0, 4.2.3."""

_BEHIND_MACROS = ("cc_test", "java_binary", "java_test")


class _Native(Namespace):
    """The module `native`, which has no functions of WORKSPACE files while a BUILD file runs.
    Measured: 0.24.1 to 4.2.3."""

    __slots__ = ("_hidden", "_package")

    def __init__(
        self,
        members: Mapping[str, object],
        hints: Callable[[str], str | None] | None,
        package: Callable[[], object],
        hidden: Collection[str],
    ) -> None:
        super().__init__("native", members, hints=hints)
        self._package = package
        self._hidden = hidden

    def get_attr(self, name: str) -> object:
        if name in self._hidden and self._package() is not None:
            raise AttributeError(name)
        return super().get_attr(name)

    def words_of_missing(self, name: str) -> str | None:
        return f"no native function or rule '{name}'"

    def attr_names(self) -> Iterable[str]:
        hidden = self._hidden if self._package() is not None else ()
        return sorted(name for name in self.members if name not in hidden)


class NativeRule(starlark.Builtin):
    """A function that declares a target of a rule that Bazel brings: of a native one, or in
    `is_starlark` of one that a repository exports in its place. Bazel: `BuiltinRuleFunction`."""

    __slots__ = ("_is_starlark",)
    starlark_type: ClassVar[str] = "rule"

    def __init__(self, name: str, function: Callable[..., object], is_starlark: bool) -> None:
        super().__init__(name, function)
        self._is_starlark = is_starlark

    def to_repr(self) -> str:
        return f"<{'' if self._is_starlark else 'built-in '}rule {self.name}>"


class Natives:
    """The predeclared names of one loader, by kind of file.

    `build` and `bzl` are all that any file may see; `for_build` and `for_bzl` say what those of
    one repository do.
    """

    def __init__(
        self,
        context: EvaluationContext,
        autoloads: Autoloads = NO_AUTOLOADS,
        workspace_directory: str = "",
    ) -> None:
        self._context = context
        self._autoloads = autoloads
        functions = {
            name: starlark.Builtin(name, function)
            for name, function in NativeFunctions(context).table().items()
        }
        rules: dict[str, object] = {name: self._rule(name) for name in sorted(context.rules.names)}
        for name in REPOSITORY_RULES:
            rules.pop(name, None)
        rules.pop("bind", None)
        workspace = self._workspace_functions()
        common: dict[str, object] = {
            **starlark.universe_of(dialect_of(context.release)),
            "select": context.checked(GLOBALS, "select", select_of(context.release)),
            "depset": context.checked(GLOBALS, "depset", depsets.depset_of(context.release)),
        }
        if not context.release.starlark_set:
            # 8.0 has it with --experimental_enable_starlark_set, 8.1 as it is.
            common.pop("set", None)
        self.build: dict[str, object] = {**common, **rules, **functions}
        if not context.release.existing_rules_in_build_files:
            del self.build["existing_rule"], self.build["existing_rules"]
        native_members = {**rules, **functions, **workspace}
        for name in _OF_BUILD_FILES_ALONE:
            native_members.pop(name, None)
        # Old macros compare it as text: "0.24.1" (Bazel leaves out what follows a dash).
        native_members["bazel_version"] = context.release.plain
        self._native_members = native_members
        self._rules, self._only_workspace = rules, workspace
        native = self._native(native_members)
        if context.release.native_in_build_files:
            self.build["native"] = native
        self.bzl: dict[str, object] = {**common, **BzlGlobals(context).table(), "native": native}
        self.workspace_file: dict[str, object] = {
            **common,
            **workspace,
            # Bazel: WorkspaceFactory. Measured: 0.24.1, 2.1.0, 4.2.3.
            "__workspace_dir__": workspace_directory,
            "__embedded_dir__": context.unknown(Reason.NOT_MODELLED, "__embedded_dir__"),
            "DEFAULT_SYSTEM_JAVABASE": context.unknown(
                Reason.NOT_MODELLED, "DEFAULT_SYSTEM_JAVABASE"
            ),
        }

        if context.release.workspace_files_have_values:
            for name in ("existing_rule", "existing_rules", "Label", "struct"):
                self.workspace_file[name] = functions.get(name, self.bzl.get(name))

    def _native(
        self, members: Mapping[str, object], hints: Callable[[str], str | None] | None = None
    ) -> Namespace:
        context = self._context
        hidden = {*self._only_workspace, "bazel_version"}
        return _Native(members, hints, lambda: context.package, hidden)

    def for_build(self, repository: str, is_model: bool = False) -> Predeclared:
        """What BUILD files of a repository see. Models are written for every Bazel."""
        return self._build_for_models if is_model else self._seen_by(repository)[0]

    def for_bzl(self, repository: str, is_model: bool = False) -> Predeclared:
        """What `.bzl` files of a repository see."""
        return self._for_models if is_model else self._seen_by(repository)[1]

    def _seen_by(self, repository: str) -> tuple[Predeclared, Predeclared]:
        """What BUILD files of a repository see, and its `.bzl` files."""
        if not self._context.release.natives_removed:
            return self._everything
        return self._without_removed(not repository)

    @cached_property
    def _everything(self) -> tuple[Predeclared, Predeclared]:
        taken = {*self._autoloads.taken, *_later(self._context.release)}
        if not taken:
            return Predeclared.of(self.build), Predeclared.of(self.bzl)
        build, bzl, members = (
            {name: value for name, value in names.items() if name not in taken}
            for names in (self.build, self.bzl, self._native_members)
        )
        bzl["native"] = self._native(members)
        return Predeclared.of(build), Predeclared.of(bzl)

    @cached_property
    def _for_models(self) -> Predeclared:
        """A model may say of a value that it has none: `not_modelled`."""
        unknown = self._context.unknown(Reason.NOT_MODELLED, "not_modelled", "of a model")
        names = {**self.bzl, **starlark.universe(), "not_modelled": unknown}
        if not self._context.release.starlark_set:
            names.pop("set", None)
        names.pop(starlark.HELPERS_NAME, None)
        return Predeclared.of(names)

    @cached_property
    def _build_for_models(self) -> Predeclared:
        names = {**self.build, **starlark.universe()}
        names.pop(starlark.HELPERS_NAME, None)
        return Predeclared.of(names)

    @memoized
    def _without_removed(self, is_main: bool) -> tuple[Predeclared, Predeclared]:
        back = self._autoloads.of(is_main)
        build, bzl, members = dict(self.build), dict(self.bzl), dict(self._native_members)
        for name in {"distribs", *self._only_workspace}:
            build.pop(name, None)
            members.pop(name, None)
        for name in self._rules:
            if not is_removed_rule(name) or name in back:
                continue
            rest = remains_of(name, self._rule("filegroup"))
            for names in (build, members):
                if rest is not None:
                    names[name] = rest
                else:
                    del names[name]
        for name in self.bzl:
            if is_removed_symbol(name) and name not in back:
                del bzl[name]
        bzl["native"] = self._native(members, how_to_load)
        return Predeclared.of(build), Predeclared.of(bzl)

    def _rule(self, name: str) -> starlark.Builtin:
        context = self._context
        kind: RuleKind | None = None
        is_behind_macro = name in _BEHIND_MACROS and context.release.natives_behind_macros

        def instantiate(*arguments: object, **keywords: object) -> None:
            nonlocal kind
            if kind is None:
                kind = RuleKind.native(context.rules.get(name))
            context.refuse_in_initializer("a rule")
            builder = context.current_package(name)
            if is_behind_macro:
                keywords = dict(completed(name, keywords, context))
            if builder.macros and name == "environment":
                starlark.fail_with(
                    "environment rule can only be instantiated while evaluating a BUILD file or"
                    " legacy macro"
                )
            builder.add_rule(kind, arguments, keywords)

        is_starlark = context.release.natives_removed and is_removed_rule(name)
        return NativeRule(name, instantiate, is_starlark)

    def _workspace_functions(self) -> dict[str, object]:
        context = self._context

        def calls(function: str) -> Any:
            if context.workspace is None:
                starlark.fail_with(
                    f"{function}() can only be called from a WORKSPACE file (or from a macro"
                    " that it calls)"
                )
            return context.workspace

        def repository(name: str) -> Callable[..., object]:
            def define(**keywords: object) -> None:
                calls(name).define_repository(name, keywords, starlark.call_stack())

            return define

        def bind(name: object, actual: object = None, **_: object) -> None:
            calls("bind").bind(name, actual, starlark.call_stack())

        def workspace(name: object = "", **_: object) -> None:
            calls("workspace").set_workspace_name(name, starlark.call_stack())

        def register(what: str) -> Callable[..., object]:
            def call(*patterns: object, **_: object) -> None:
                calls(what).register(what, patterns, starlark.call_stack())

            return call

        functions: dict[str, Callable[..., object]] = {
            "bind": bind,
            "workspace": workspace,
            "register_execution_platforms": register("register_execution_platforms"),
            "register_toolchains": register("register_toolchains"),
        }
        for name, had_by in REPOSITORY_RULES.items():
            if had_by is None or had_by.holds(context.release):
                functions[name] = repository(name)
        return {name: starlark.Builtin(name, call) for name, call in functions.items()}


def completed(
    name: str, keywords: Mapping[str, object], context: EvaluationContext
) -> Mapping[str, object]:
    """The arguments of a rule `name`, with those that come from Bazel."""
    if name == "cc_test":
        if "linkstatic" in keywords:
            return keywords
        windows = _bazels(context, "@platforms//os:windows")
        by_platform = starlark.Dict({windows: True, "//conditions:default": False})
        return {**keywords, "linkstatic": select(by_platform)}
    if keywords.get("create_executable", True) is False:
        return keywords
    if keywords.get("use_launcher", True) is False:
        return {**keywords, "launcher": None}
    if keywords.get("launcher"):
        return keywords
    return {**keywords, "launcher": _bazels(context, "@bazel_tools//tools/jdk:launcher_flag_alias")}


def _bazels(context: EvaluationContext, text: str) -> LabelValue:
    """A label as files of Bazel's own mean it."""
    home = PackageId("bazel_tools", "")
    return context.label_value(parse_label(text, home, context.mapping_of(home.repository)))
