"""The module `apple_common`, as far as rules look at it where there is no Xcode.

Bazel: `AppleStarlarkCommon`.
"""

from __future__ import annotations

from collections.abc import Callable

from bazelscope import starlark
from bazelscope.bazel.apple_transitions import SPLIT, XCODE_CONFIG
from bazelscope.loading.evaluation.rules.rule_values import NamedTransition
from bazelscope.loading.evaluation.values.structs import Namespace, OpaqueProvider

_OF_TARGETS = ("APPLE_SDK_VERSION_OVERRIDE", "APPLE_SDK_PLATFORM")


def apple_common(unmodelled: Callable[[str], object]) -> Namespace:
    """The module; `unmodelled` makes what stands for a member that is not here."""

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
    }
    return Namespace("apple_common", members, unmodelled)
