"""Which options reach the execution (formerly host) configuration, and under what name.

An option that is neither taken from a `--host_` option nor kept has its default there.
Bazel: `FragmentOptions.getHost`, `getExec`.
"""

from __future__ import annotations

from bazelscope.analysis.versions import at_least

# The option of the execution configuration <- the first of these that has a value.
_SOURCES = {
    "cpu": ("host_cpu",),
    "compilation_mode": ("host_compilation_mode",),
    "crosstool_top": ("host_crosstool_top",),
    "compiler": ("host_compiler",),
    "copt": ("host_copt",),
    "cxxopt": ("host_cxxopt",),
    "conlyopt": ("host_conlyopt",),
    "linkopt": ("host_linkopt",),
    "grte_top": ("host_grte_top",),
    "platforms": ("host_platform",),
    "java_toolchain": ("host_java_toolchain",),
    "javabase": ("host_javabase",),
    "javacopt": ("host_javacopt",),
    "javac_jvmopt": ("host_jvmopt",),
    "python_version": ("host_force_python",),
    "swiftcopt": ("host_swiftcopt",),
    "features": ("host_features",),
    "action_env": ("host_action_env",),
    "java_language_version": ("tool_java_language_version",),
    "java_runtime_version": ("tool_java_runtime_version",),
}
# These got a host option of their own only later; before, they fell back to the default
# (`features`) or were shared with the target configuration (`action_env`).
_SINCE = {
    "features": (5, 0),
    "action_env": (5, 0),
}
_KEPT = frozenset(
    {
        "define",
        "host_cpu",
        "host_compilation_mode",
        "host_crosstool_top",
        "host_compiler",
        "host_copt",
        "host_cxxopt",
        "host_conlyopt",
        "host_linkopt",
        "host_platform",
        "host_java_toolchain",
        "host_javabase",
        "host_action_env",
        "host_features",
        "host_swiftcopt",
        "extra_execution_platforms",
        "extra_toolchains",
        "platform_mappings",
        "enforce_constraints",
        "check_visibility",
        "check_licenses",
        "stamp_binaries",
        "experimental_strict_java_deps",
        "strict_java_deps",
    }
)


def exec_sources(name: str, bazel_version: str) -> tuple[str, ...]:
    """The options whose value `name` takes in the execution configuration, best first."""
    since = _SINCE.get(name)
    if since is not None and not at_least(bazel_version, *since):
        return ()
    sources = _SOURCES.get(name, ())
    if name == "crosstool_top":
        return (*sources, "crosstool_top")
    return sources


def is_kept_for_exec(name: str, bazel_version: str) -> bool:
    """Whether the option has the same value in the execution configuration."""
    if name == "action_env":
        return not at_least(bazel_version, 5)
    return name in _KEPT or name.startswith(("incompatible_", "experimental_"))
