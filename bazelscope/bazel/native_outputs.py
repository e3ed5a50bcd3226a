"""The implicit outputs of native rules: generated files that no attribute names.

Measured with `bazel query --output=label_kind` on 0.24.1, 2.1.0 and 4.2.3. `%{name}` stands for
the rule's name with its directories.
"""

from __future__ import annotations

from collections.abc import Mapping

_JAVA_BINARY = (
    *("%{name}.jar", "%{name}-src.jar", "%{name}_deploy.jar", "%{name}_deploy-src.jar"),
)
_JAVA_LIBRARY = ("lib%{name}.jar", "lib%{name}-src.jar")

_OUTPUTS: Mapping[str, tuple[str, ...]] = {
    "android_binary": ("%{name}.apk", "%{name}_unsigned.apk", "%{name}_deploy.jar"),
    "android_library": (*_JAVA_LIBRARY, "%{name}.aar"),
    "android_local_test": ("%{name}.jar", "%{name}-src.jar", "%{name}_deploy.jar"),
    "apple_binary": ("%{name}_lipobin",),
    "apple_static_library": ("%{name}_lipo.a",),
    "cc_binary": ("%{name}.stripped", "%{name}.dwp"),
    "cc_test": ("%{name}.dwp",),
    "j2objc_library": ("%{name}_fully_linked.a",),
    "java_binary": _JAVA_BINARY,
    "java_library": _JAVA_LIBRARY,
    "java_plugin": _JAVA_LIBRARY,
    "java_test": _JAVA_BINARY,
    "objc_library": ("%{name}_fully_linked.a",),
}


_ANDROID_RESOURCES = frozenset(
    {
        *("assets", "assets_dir", "exports_manifest", "inline_constants"),
        *("local_resource_files", "manifest", "resource_files"),
    }
)

_CONDITIONAL: Mapping[str, tuple[tuple[frozenset[str], tuple[str, ...]], ...]] = {
    "android_binary": (
        (frozenset({"proguard_specs"}), ("%{name}_proguard.jar", "%{name}_proguard.config")),
    ),
    "android_library": (
        (_ANDROID_RESOURCES, ("%{name}.srcjar", "%{name}_symbols/R.txt", "%{name}_resources.jar")),
    ),
}


def native_outputs(rule: str) -> tuple[str, ...]:
    """The output templates of a native rule; the same in all three measured versions."""
    return _OUTPUTS.get(rule, ())


def conditional_outputs(rule: str) -> tuple[tuple[frozenset[str], tuple[str, ...]], ...]:
    """Further templates, each with the attributes of which one must be set."""
    return _CONDITIONAL.get(rule, ())
