"""The transitions that Bazel itself makes for Apple's platforms: which options they set.

Rules of Objective-C are built with the toolchain that `--apple_crosstool_top` names, for the cpu
that Apple's options say; what goes into one binary of several architectures, once for each.

Bazel: `AppleCrosstoolTransition`, `MultiArchSplitTransitionProvider`; the same in 0.24.1, 2.1.0
and 4.2.3, and in `objc_library` of later ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope.bazel.attribute_types import AttributeType

Texts = tuple[str, ...]
Read = Callable[[str], Texts]
"""The values of an option."""
NativeTransition = Callable[[Read, Mapping[str, object]], tuple[Mapping[str, Texts], ...]]
"""From the options, and the attributes of the rule, to what each configuration is set to."""

CROSSTOOL_TRANSITION = "apple_crosstool_transition"
SPLIT = "multi_arch_split"
XCODE_CONFIG = "XcodeVersionConfig"
"""The provider of what `--xcode_version_config` names."""

_DISTINGUISHER = "apple configuration distinguisher"
"""An option that no command line can set; it tells that one of these was applied."""
_SPLIT_RULES = frozenset({"apple_binary", "apple_static_library"})
_OBJC_RULES = _SPLIT_RULES | {"j2objc_library", "objc_library"}
_SPLIT_ATTRIBUTES = frozenset({"$cc_toolchain_child_config", "avoid_deps", "deps"})
_DEFAULT_CPU = {"watchos": "i386"}
_IS_32_BIT = frozenset({"ios_i386", "ios_armv7", "ios_armv7s"})
_OF_CROSSTOOL = ("cpu", "crosstool_top", _DISTINGUISHER, "compiler", "grte_top", "fission")
_OF_CROSSTOOL_ALONE = (*_OF_CROSSTOOL, "platforms")
_OF_SPLIT = (
    *(*_OF_CROSSTOOL_ALONE, "apple_platform_type", "apple_split_cpu", "ios_cpu"),
    *("ios_minimum_os", "macos_minimum_os", "tvos_minimum_os", "watchos_minimum_os"),
)


def rule_transition(rule: str) -> str | None:
    """The transition of a native rule itself."""
    return CROSSTOOL_TRANSITION if rule in _OBJC_RULES else None


def is_split(rule: str, attribute: str, kind: AttributeType) -> bool:
    """Whether what a native rule names in an attribute is built for several architectures."""
    is_label = kind in (AttributeType.LABEL, AttributeType.LABEL_LIST)
    return rule in _SPLIT_RULES and is_label and attribute in _SPLIT_ATTRIBUTES


def outputs_of(name: str) -> Texts:
    """The options that a transition of these may set."""
    return _OF_SPLIT if name == SPLIT else _OF_CROSSTOOL_ALONE


def function_of(name: str) -> NativeTransition:
    """What a transition of these does."""
    return _split if name == SPLIT else _of_objective_c


def _of_objective_c(read: Read, attributes: Mapping[str, object]) -> tuple[Mapping[str, Texts]]:
    if read(_DISTINGUISHER):
        return ({},)
    platform = _first(read, "apple_platform_type", "macos").lower()
    cpu = _first(read, "apple_split_cpu") or _cpus(read, platform)[0]
    return (_with_crosstool(read, _cpu_of(platform, cpu)),)


def _split(read: Read, attributes: Mapping[str, object]) -> tuple[Mapping[str, Texts], ...]:
    platform = str(attributes.get("platform_type") or "")
    least = str(attributes.get("minimum_os_version") or "")
    if platform not in ("ios", "watchos", "tvos", "macos", "catalyst"):
        platform, least = "ios", ""  # Bazel refuses the rule for it later.
    option = f"{'ios' if platform == 'catalyst' else platform}_minimum_os"
    versions = (least,) if least else read(option)
    cpus = _cpus(read, platform)
    if platform == "ios" and versions and _is_eleven(versions[-1]):
        cpus = [cpu for cpu in cpus if _cpu_of(platform, cpu) not in _IS_32_BIT] or cpus
    made: list[Mapping[str, Texts]] = []
    for cpu in sorted(set(cpus)):
        has_cc = _first(read, "experimental_enable_objc_cc_deps", "true") in ("true", "1", "yes")
        made.append(
            {
                **(_with_crosstool(read, _cpu_of(platform, cpu)) if has_cc else {}),
                "apple_platform_type": (platform,),
                "apple_split_cpu": (cpu,),
                "ios_cpu": (cpu,),
                option: versions,
                _DISTINGUISHER: (f"applebin_{platform}",),
            }
        )
    return tuple(made)


def _with_crosstool(read: Read, cpu: str) -> Mapping[str, Texts]:
    top = read("apple_crosstool_top")
    if read("cpu") == (cpu,) and read("crosstool_top") == top:
        return {}
    return {
        "cpu": (cpu,),
        "crosstool_top": top,
        _DISTINGUISHER: ("apl",),
        "compiler": read("apple_compiler"),
        "grte_top": read("apple_grte_top"),
        "fission": ("no",),
        "platforms": (),
    }


def _cpus(read: Read, platform: str) -> list[str]:
    """The architectures that the options ask for, the default one if none."""
    name = "ios_multi_cpus" if platform == "ios" else f"{platform}_cpus"
    given = [cpu for text in read(name) for cpu in text.split(",") if cpu]
    if given:
        return given
    cpu = _first(read, "cpu")
    if platform == "ios" and cpu.startswith("ios_"):
        return [cpu.removeprefix("ios_")]
    if platform == "macos" and _first(read, "host_cpu").endswith(("arm64", "aarch64")):
        return ["arm64"]
    return [_DEFAULT_CPU.get(platform, "x86_64")]


def _cpu_of(platform: str, architecture: str) -> str:
    return f"{'darwin' if platform == 'macos' else platform}_{architecture}"


def _is_eleven(version: str) -> bool:
    major = version.partition(".")[0]
    return major.isdigit() and int(major) >= 11


def _first(read: Read, name: str, default: str = "") -> str:
    values = read(name)
    return values[-1] if values and values[-1] else default
