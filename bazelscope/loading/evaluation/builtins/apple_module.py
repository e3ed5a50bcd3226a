"""The module `apple_common`, as far as rules look at it where there is no Xcode.

Bazel: `AppleStarlarkCommon`.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from bazelscope import starlark
from bazelscope.base.unknown import Reason
from bazelscope.bazel.apple_transitions import SPLIT, XCODE_CONFIG
from bazelscope.bazel.value_forms import is_dotted_version
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_values import NamedTransition
from bazelscope.loading.evaluation.values.depsets import Depset
from bazelscope.loading.evaluation.values.structs import Namespace, OpaqueProvider
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_OF_TARGETS = ("APPLE_SDK_VERSION_OVERRIDE", "APPLE_SDK_PLATFORM")
_PLATFORM_TYPES = frozenset({"catalyst", "ios", "macos", "tvos", "visionos", "watchos"})
_PLATFORMS = frozenset({"catalyst", "macos"}) | {
    f"{system}_{kind}"
    for system in ("ios", "tvos", "visionos", "watchos")
    for kind in ("device", "simulator")
}
"""Those of every release. Bazel: `ApplePlatform`."""
_KEYS = frozenset(
    {
        *("cc_library", "define", "direct_dep_providers", "exported_debug_artifacts", "flag"),
        *("include_system", "iquote", "linked_binary", "linkopt", "providers", "source"),
        *("strict_include", "uses_swift"),
    }
)
"""What `new_objc_provider` takes besides the fields of its instances. Bazel: `ObjcProvider`."""
_NO_DEPSETS = frozenset({"direct_dep_providers", "providers", "uses_swift"})


def apple_common(context: EvaluationContext, unmodelled: Callable[[str], object]) -> Namespace:
    """The module; `unmodelled` makes what stands for a member that is not here."""

    def dotted_version(version: object) -> object:
        if isinstance(version, str) and not is_dotted_version(version):
            starlark.fail_with(
                f"Dotted version components must all be of the form, but got {version}"
            )
        return _called(unmodelled("apple_common.dotted_version"), version)

    def new_objc_provider(**given: object) -> object:
        fields = context.builtins.members("ObjcProvider")
        known = _KEYS | (fields or frozenset(given))
        for name, value in given.items() if fields is not None else ():
            if name not in known:
                starlark.fail_with(f"Argument {name} not a recognized key or 'providers'")
            if name not in _NO_DEPSETS and not isinstance(value, Depset | UnknownValue):
                found = starlark.type_of(value)
                starlark.fail_with(f"Value for key {name} must be a set, instead found {found}")
        return _called(unmodelled("apple_common.new_objc_provider"), **given)

    def one_of(name: str, names: Container[str]) -> Namespace:
        def member(name: str) -> object:
            if name.rpartition(".")[2] not in names:
                raise AttributeError(name.rpartition(".")[2])
            return context.unknown(Reason.NOT_MODELLED, name)

        return Namespace(name, {}, member)

    def host_environment(xcode_config: object) -> object:
        ask = getattr(xcode_config, "get_attr", unmodelled)("xcode_version")
        if isinstance(ask, starlark.Builtin) and ask.function() is None:
            return starlark.Dict({})
        return unmodelled("apple_common.apple_host_system_env()")

    def target_environment(xcode_config: object, platform: object) -> object:
        return starlark.Dict({name: unmodelled(name) for name in _OF_TARGETS})

    members: dict[str, object] = {
        "apple_host_system_env": starlark.Builtin("apple_host_system_env", host_environment),
        "target_apple_env": starlark.Builtin("target_apple_env", target_environment),
        SPLIT: NamedTransition(SPLIT),
        XCODE_CONFIG: OpaqueProvider(XCODE_CONFIG, unmodelled),
        "dotted_version": starlark.Builtin("dotted_version", dotted_version),
        "new_objc_provider": starlark.Builtin("new_objc_provider", new_objc_provider),
        "platform": one_of("apple_common.platform", _PLATFORMS),
        "platform_type": one_of("apple_common.platform_type", _PLATFORM_TYPES),
    }
    return Namespace("apple_common", members, unmodelled)


def _called(function: object, *arguments: object, **given: object) -> object:
    assert callable(function)
    return function(*arguments, **given)
