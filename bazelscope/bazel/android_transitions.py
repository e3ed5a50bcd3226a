"""The transition that Bazel itself makes for Android: what goes into an `android_binary` is built
once for each cpu of `--fat_apk_cpu`, or for each platform of `--android_platforms`, with the
toolchain and the C++ options of Android.

Bazel: `AndroidSplitTransition`, alike in 0.24.1 to 7; whether platforms decide, says a flag since
6. What is native no more in 8 has a transition of `rules_android`.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.bazel.apple_transitions import Read, Texts
from bazelscope.bazel.attribute_types import AttributeType

MULTI_CPU = "android_common.multi_cpu_configuration"
_DISTINGUISHER = "Android configuration distinguisher"
"""An option that no command line can set; it tells that this was applied."""
_SPLIT_ATTRIBUTES = frozenset({"$cc_toolchain_split", "deps"})
_BY_PLATFORMS = "incompatible_enable_android_toolchain_resolution"
_CROSSTOOL_TOP = "android_crosstool_top"
OUTPUTS = (
    *("cpu", "android_cpu", "fat_apk_cpu", "android_platforms", "platforms"),
    *("crosstool_top", "compiler", "grte_top", "dynamic_mode", _DISTINGUISHER),
)
"""The options that it may set."""


def is_split(rule: str, attribute: str, kind: AttributeType) -> bool:
    """Whether what a native rule names in an attribute is built for several cpus."""
    is_label = kind in (AttributeType.LABEL, AttributeType.LABEL_LIST)
    return rule == "android_binary" and is_label and attribute in _SPLIT_ATTRIBUTES


def split(read: Read, attributes: Mapping[str, object]) -> tuple[Mapping[str, Texts], ...]:
    """What each configuration is set to. Bazel: `AndroidSplitTransition.split`."""
    if _is_true(read(_BY_PLATFORMS)):
        return _for_platforms(read)
    cpus = sorted(set(_listed(read("fat_apk_cpu"))))
    of_android = {
        "compiler": read("android_compiler"),
        "grte_top": read("android_grte_top"),
        "dynamic_mode": read("android_dynamic_mode"),
        "platforms": (),
        _DISTINGUISHER: ("android",),
    }
    top = read(_CROSSTOOL_TOP)
    if top:
        of_android["crosstool_top"] = top
    if cpus:
        return tuple(
            {"fat_apk_cpu": (), "android_cpu": (cpu,), "cpu": (cpu,), **of_android} for cpu in cpus
        )
    cpu = read("android_cpu")
    if not any(cpu) or not top or top == read("crosstool_top"):
        return ({},)
    return ({"cpu": cpu, **of_android},)


def _for_platforms(read: Read) -> tuple[Mapping[str, Texts], ...]:
    platforms = _listed(read("android_platforms")) or _listed(read("platforms"))[:1]
    common = {
        "fat_apk_cpu": (),
        "android_platforms": (),
        "compiler": read("android_compiler"),
        "dynamic_mode": read("android_dynamic_mode"),
        _DISTINGUISHER: ("android",),
    }
    made = [{"platforms": (platform,), **common} for platform in sorted(set(platforms))]
    return tuple(made) or (common,)


def _listed(values: Texts) -> list[str]:
    return [part for text in values for part in text.split(",") if part]


def _is_true(values: Texts) -> bool:
    return bool(values) and values[-1] in ("true", "1", "yes")
