"""The repositories and binds that Bazel itself defines around a WORKSPACE file.

Asked of every minor release from 0.24 to 2.1 and of 4.2.3 (`query //external:*` in an empty
workspace; what a Debian's 4.2.3 leaves out, Android, is from its source). From 5 on they are what
the releases' sources and the records of their fetches (`resolved.bzl`) have in common, so there a
name with a model counts as possibly defined. Where its JDKs were not measured, a name like theirs
does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.facts.fact import Fact, between, since, tables, until
from bazelscope.bazel.release import Release

OF_BAZEL = "builtin"
"""What stands for the rule of a repository that Bazel itself defines."""

_EVERYWHERE = (
    *("bazel_tools", "local_config_cc", "local_config_platform", "local_config_sh"),
    *("local_config_xcode", "local_jdk"),
)
_BY_RELEASE: Mapping[str, Fact] = {
    "android_tools": between((0, 25), (8,)),
    "host_platform": since(7, 1),
    "internal_platforms_do_not_use": since(7),
    "local_config_cc_toolchains": since(0, 27),
    "platforms": since(0, 28),
    "remote_coverage_tools": since(0, 26),
    "remote_java_tools": until(0, 25) | since(5),
    "remote_java_tools_darwin": between((0, 25), (6,)),
    "remote_java_tools_darwin_arm64": since(7),
    "remote_java_tools_darwin_x86_64": since(7),
    "remote_java_tools_linux": since(0, 25),
    "remote_java_tools_windows": since(0, 25),
    "rules_cc": since(0, 29),
    "rules_java": since(0, 29),
    "rules_java_builtin": since(7),
    "rules_proto": since(1),
    "rules_python": since(7),
}
_LIKE_BAZELS_OWN = lazy_pattern(
    r"remotejdk\d+_|remote_jdk\d+_|remote_java_tools|host_platform$|.*_toolchain_config_repo$"
)
_JDKS = "JDKs since "
_CC_BIND = {"cc_toolchain": "@local_config_cc//:toolchain"}

REPOSITORY_RULES: Mapping[str, Fact | None] = {
    "android_ndk_repository": Release.native_android_repositories,
    "android_sdk_repository": Release.native_android_repositories,
    "git_repository": Release.native_archive_rules,
    "http_archive": Release.native_archive_rules,
    "http_file": Release.native_archive_rules,
    "http_jar": Release.native_archive_rules,
    "local_config_platform": Release.native_android_repositories,
    "local_repository": None,
    "maven_jar": Release.native_maven_rules,
    "maven_server": Release.native_maven_rules,
    "new_git_repository": Release.native_archive_rules,
    "new_http_archive": Release.native_archive_rules,
    "new_local_repository": None,
}
"""The native repository rules of any release, and in which there are (None: in all)."""


@dataclass(frozen=True, slots=True)
class BuiltinRepositories:
    """What one Bazel version defines: before the file (`prefix`) and after it."""

    prefix_repositories: tuple[str, ...]
    prefix_binds: dict[str, str]
    suffix_repositories: tuple[str, ...]
    suffix_binds: dict[str, str]
    remaps_main_repository: bool
    """`@NAME//x` is `//x` in the workspace of that name (`--incompatible_remap_main_repo`)."""
    reads_workspace_bazel: bool
    """`WORKSPACE.bazel` goes before `WORKSPACE`."""
    strict_names: bool
    is_measured: bool
    has_measured_jdks: bool

    def may_define(self, name: str, has_model: bool) -> bool:
        """Whether a name that is none of these may be Bazel's own all the same."""
        is_like = not self.has_measured_jdks and _LIKE_BAZELS_OWN.match(name) is not None
        return is_like or (has_model and not self.is_measured)


def builtin_repositories(release: Release) -> BuiltinRepositories:
    """What Bazel of that release defines by itself."""
    known = tables("builtin_repositories")
    jdks_since = {
        Release.of(title.removeprefix(_JDKS)).numbers: known[title]
        for title in known
        if title.startswith(_JDKS)
    }
    oldest = min(jdks_since)
    measured = max((first for first in jdks_since if first <= release.numbers), default=oldest)
    prefix = ("bazel_tools",) if measured > oldest else ("bazel_tools", "local_config_platform")
    with_android = _binds("Android") if release.android_binds else {}
    if release.android_binds_empty:
        empty = with_android["databinding_annotation_processor"]
        with_android |= {f"android_{kit}_for_testing": empty for kit in ("ndk", "sdk")}
    if release.android_d8_bind:
        with_android["android/d8_jar_import"] = with_android["android/dx_jar_import"]
    jdks = [
        f"{jdk}_{system}" for jdk, systems in jdks_since[measured].items() for system in systems
    ]
    names = {*_EVERYWHERE, *jdks}
    names |= {name for name, fact in _BY_RELEASE.items() if fact.holds(release)}
    if release.jdk_toolchain_repositories:
        names |= {f"{jdk}_toolchain_config_repo" for jdk in jdks}
    return BuiltinRepositories(
        prefix,
        {**with_android, **_CC_BIND},
        tuple(sorted(names - set(prefix))),
        _binds("the JDK") if release.jdk_binds else {},
        remaps_main_repository=release.remaps_main_repository,
        reads_workspace_bazel=release.reads_workspace_bazel,
        strict_names=release.strict_repository_names,
        is_measured=release.builtin_repositories_measured,
        has_measured_jdks=release.jdk_repositories_measured,
    )


def _binds(whose: str) -> dict[str, str]:
    return {
        name: label
        for name, (label,) in tables("builtin_repositories")[f"binds of {whose}"].items()
    }


def without_workspace(builtin: BuiltinRepositories) -> BuiltinRepositories:
    """What is left where Bazel reads no WORKSPACE file: modules declare what they need."""
    own = tuple(name for name in builtin.suffix_repositories if name.startswith("local_config_"))
    return replace(builtin, prefix_binds={}, suffix_binds={}, suffix_repositories=own)


def own_readers_of(variable: str) -> tuple[str, ...]:
    """The repositories of Bazel's own whose rules read a variable of the environment."""
    read = tables("builtin_repositories")["variables"]
    return tuple(name for name, variables in read.items() if variable in variables)
