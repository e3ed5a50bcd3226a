"""What only `.bzl` files find predeclared: providers, modules of functions, `rule`, `Label`.

What bazelscope does not model (the members of `cc_common`, say, which only rule implementations
use) is there as an unknown value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.unknown import Reason
from bazelscope.bazel.android_transitions import MULTI_CPU
from bazelscope.loading.evaluation.builtins.apple_module import apple_common
from bazelscope.loading.evaluation.evaluation_context import GLOBALS, EvaluationContext
from bazelscope.loading.evaluation.rules.analysis_tests import testing_members
from bazelscope.loading.evaluation.rules.attr_module import LateBoundDefault, attr_module
from bazelscope.loading.evaluation.rules.config_module import config_module
from bazelscope.loading.evaluation.rules.rule_makers import rule_makers
from bazelscope.loading.evaluation.rules.rule_values import NamedTransition
from bazelscope.loading.evaluation.rules.toolchain_types import toolchain_type
from bazelscope.loading.evaluation.values import load_visibility, structs, symbolic_values
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import (
    DefaultInfo,
    Namespace,
    OpaqueProvider,
    Provider,
)
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_PROVIDERS = (
    *("Actions", "AnalysisFailureInfo", "AnalysisTestResultInfo", "AndroidIdeInfo", "ApkInfo"),
    *("CcInfo", "CcLauncherInfo", "CcSharedLibraryHintInfo", "CcSharedLibraryInfo"),
    *("CcToolchainConfigInfo", "DebugPackageInfo", "DefaultInfo", "ExecutionInfo"),
    *("FeatureFlagInfo", "FilesToRunProvider", "InstrumentedFilesInfo", "JavaInfo"),
    *("JavaPluginInfo", "JavaRuntimeInfo", "JavaToolchainInfo", "LicenseInfo", "LicensesInfo"),
    *("MaterializedDepsInfo", "ObjcInfo", "OutputGroupInfo", "PackageSpecificationInfo"),
    *("ProtoInfo", "PyCcLinkParamsProvider", "PyInfo", "PyRuntimeInfo", "RunEnvironmentInfo"),
    *("StaticallyLinkedMarkerProvider", "ToolchainInfo"),
)

_PLAIN = frozenset(
    {
        *("CcToolchainConfigInfo", "FeatureFlagInfo", "OutputGroupInfo"),
        *("RunEnvironmentInfo", "ToolchainInfo"),
    }
)
"""Those that hold what they are given, and nothing else."""

_OF_ANDROID = (
    *("AndroidApplicationResourceInfo", "AndroidAssetsInfo", "AndroidBinaryData"),
    *("AndroidCcLinkParamsInfo", "AndroidDeviceBrokerInfo", "AndroidFeatureFlagSet"),
    *("AndroidIdeInfo", "AndroidIdlInfo", "AndroidInstrumentationInfo", "AndroidLibraryAarInfo"),
    *("AndroidLibraryResourceClassJarProvider", "AndroidManifestInfo", "AndroidNativeLibsInfo"),
    *("AndroidPreDexJarInfo", "AndroidProguardInfo", "AndroidResourcesInfo", "AndroidSdkInfo"),
    *("ApkInfo", "DataBindingV2Info", "ProguardMappingInfo"),
)
"""Providers behind `--experimental_google_legacy_api`. Bazel: `AndroidBootstrap`."""
_OF_PLATFORMS = ("ConstraintSettingInfo", "ConstraintValueInfo", "PlatformInfo")
"""Providers that are members of `platform_common`."""
_PROTO_COMMON = "proto_common_do_not_use"
_PROTO_TOOLCHAINS = "INCOMPATIBLE_ENABLE_PROTO_TOOLCHAIN_RESOLUTION"
_NAMESPACES = (
    "android_common",
    "apple_common",
    "cc_common",
    "cc_internal",
    "cc_proto_aspect",
    "cmd_helper",
    "config_common",
    "coverage_common",
    "java_common",
    "java_proto_common",
    "platform_common",
    "proto",
    "proto_common",
    _PROTO_COMMON,
    "py_internal",
    "testing",
)


class BzlGlobals:
    """The values, bound to one evaluation context."""

    def __init__(self, context: EvaluationContext) -> None:
        self._context = context
        have_methods = context.release.structs_have_methods
        self._structs = structs.Struct if have_methods else structs.BareStruct

    def table(self) -> dict[str, object]:
        """Every value by its Starlark name, for this Bazel version."""
        context = self._context

        made: dict[str, object] = {}

        def unmodelled(name: str) -> object:
            from bazelscope.loading.evaluation.builtins.measured_members import measured_member

            if name not in made:
                made[name] = measured_member(context, name)
            return made[name]

        names: dict[str, object] = {name: Namespace(name, {}, unmodelled) for name in _NAMESPACES}
        names.update(
            (name, Provider(name) if name in _PLAIN else OpaqueProvider(name, unmodelled))
            for name in _PROVIDERS
        )
        if context.release.google_legacy_api and context.release.guards_android_providers:
            names.update((name, OpaqueProvider(name, unmodelled)) for name in _OF_ANDROID)
        names["DefaultInfo"] = DefaultInfo("DefaultInfo")
        variables = Provider("TemplateVariableInfo", lambda vars: {"variables": vars})
        for provider in (variables, *names.values()):
            if isinstance(provider, Provider):
                provider.check = self._check_of(provider.name)
        of_platforms = {name: OpaqueProvider(name, unmodelled) for name in _OF_PLATFORMS}
        for provider in of_platforms.values():
            if provider.name != "PlatformInfo":  # A flag lets that be called.
                provider.check = self._check_of(provider.name)
        if not context.release.platform_providers:
            of_platforms = {}
        names["platform_common"] = Namespace(
            "platform_common",
            {
                "ToolchainInfo": names["ToolchainInfo"],
                "TemplateVariableInfo": variables,
                **of_platforms,
            },
            None if not context.release.platform_providers else unmodelled,
        )
        names["config_common"] = Namespace(
            "config_common",
            {
                "toolchain_type": toolchain_type(context),
                "FeatureFlagInfo": names["FeatureFlagInfo"],
            },
            unmodelled,
        )
        names["apple_common"] = apple_common(context, unmodelled)
        several = {MULTI_CPU.rpartition(".")[2]: NamedTransition(MULTI_CPU)}
        names["android_common"] = Namespace("android_common", several, unmodelled)
        if context.release.proto_toolchain_flag:
            told = {_PROTO_TOOLCHAINS: context.release.proto_toolchains}
            names[_PROTO_COMMON] = Namespace(_PROTO_COMMON, told, unmodelled)
        names["java_common"] = Namespace(
            "java_common", {"internal_DO_NOT_USE": self._internals_of_java(unmodelled)}, unmodelled
        )
        config_info = names["CcToolchainConfigInfo"]
        assert isinstance(config_info, Provider)
        make_config_info = _without_context(config_info)
        names["cc_common"] = Namespace(
            "cc_common",
            {
                "CcToolchainInfo": Provider("CcToolchainInfo"),
                "create_cc_toolchain_config_info": self._measured(
                    "cc_common", "create_cc_toolchain_config_info", make_config_info
                ),
            },
            unmodelled,
        )
        functions: dict[str, Callable[..., object]] = {
            **rule_makers(context),
            "Label": self._label,
            "configuration_field": self._configuration_field,
            "provider": self._provider,
            "struct": structs.struct_of(self._structs),
            **self._visibility(),
        }
        names.update(
            (name, context.checked(GLOBALS, name, call)) for name, call in functions.items()
        )
        names["config"] = config_module(context)
        names["testing"] = Namespace("testing", testing_members(context), unmodelled)
        for module in names.values():
            if isinstance(module, Namespace):
                module.listed = lambda name: context.builtins.members(name, with_hidden=False)
        names["attr"] = attr_module(context)
        if context.release.dormant_labels and context.release.materializer_rules:
            names["materializer_rule"] = context.unknown(Reason.NOT_MODELLED, "materializer_rule")
        return names

    def _check_of(self, name: str) -> Callable[[tuple[object, ...], Mapping[str, object]], None]:
        def check(arguments: tuple[object, ...], given: Mapping[str, object]) -> None:
            from bazelscope.loading.evaluation.builtins.measured_members import check_provider

            check_provider(self._context, name, arguments, given)

        return check

    def _measured(
        self, module: str, name: str, function: Callable[..., object]
    ) -> starlark.Builtin:
        """A function of a module that refuses what it does not take."""

        def call(*arguments: object, **given: object) -> object:
            from bazelscope.loading.evaluation.builtins.measured_members import measured_call

            return measured_call(self._context, module, name, function, arguments, given)

        return starlark.Builtin(name, call)

    def _internals_of_java(self, unmodelled: Callable[[str], object]) -> starlark.Builtin:
        """`java_common.internal_DO_NOT_USE`, which files of rules_java call when they are loaded
        to see whether a flag is on. Bazel: `JavaStarlarkCommon.googleLegacyApiEnabled`."""
        is_on = self._context.release.google_legacy_api
        asked = starlark.Builtin("google_legacy_api_enabled", lambda: is_on)
        name = "java_common.internal_DO_NOT_USE()"
        internals = Namespace(name, {"google_legacy_api_enabled": asked}, unmodelled)
        return starlark.Builtin("internal_DO_NOT_USE", lambda: internals)

    def _visibility(self) -> dict[str, Callable[..., object]]:
        exists = self._context.release.has_load_visibility
        return {"visibility": self._declare_visibility} if exists else {}

    def _declare_visibility(self, value: object) -> None:
        if len(starlark.call_stack()) > 1:
            starlark.fail_with("load visibility may only be set at the top level")
        if self._context.release.bzl_visibility:
            context = self._context
            load_visibility.declare(
                context.load_visibility, value, context.release, context.mapping_of
            )

    def _label(self, input: Any, **_: object) -> object:
        if type(input) is not str:
            if isinstance(input, LabelValue | UnknownValue):
                return input
            if isinstance(input, symbolic_values.SelectValue) and not input.has_select:
                return input.in_place_of("Label({})")
            if not isinstance(input, str):
                starlark.fail_with(starlark.wrong_type("Label", "input", input, "string"))
        if not (input.startswith(("//", "@")) or self._context.release.labels_may_be_relative):
            starlark.fail_with(f"Illegal absolute label syntax: {input}")
        starlark.charge(1 + (len(input) >> 5))
        try:
            return self._context.label(input)
        except LabelError as error:
            raise starlark.fail_with(error.diagnostic.message) from error

    def _provider(
        self, doc: object = "", *, fields: object = None, init: Any = None, **_: object
    ) -> object:
        if not isinstance(doc, str | UnknownValue) and doc is not None:
            starlark.fail_with(starlark.wrong_type("provider", "doc", doc, "string"))
        from bazelscope.loading.evaluation.rules.maker_checks import check_fields

        check_fields(fields)
        known = fields if isinstance(fields, list | tuple | dict) else None
        names = None if known is None else frozenset(n for n in known if isinstance(n, str))
        provider = Provider(init=init, fields=names, kind=self._structs)
        if init is not None:
            return (provider, starlark.Builtin("raw", provider.raw))
        return provider

    def _configuration_field(self, fragment: Any, name: Any) -> object:
        return LateBoundDefault(str(fragment), str(name))


def _without_context(provider: Provider) -> Callable[..., object]:
    """A function that makes an instance of its arguments, which may begin with `ctx`."""

    def make(ctx: object = None, **fields: object) -> object:
        return provider(**fields)

    return make
