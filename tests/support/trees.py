"""The real trees of which Bazel 4.2.3 is asked for every fact, and the stubs that they need."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.support.parts import need_repository, need_tree
from tests.support.stub_repositories import StubbedTree

# What comes with Bazel, or what it makes on the machine.
_BAZELS_OWN = frozenset(
    {
        "_builtins",
        "bazel_skylib",
        "bazel_tools",
        "local_config_cc",
        "local_config_cc_toolchains",
        "local_config_platform",
        "local_config_sh",
        "platforms",
    }
)

# Rules that 4.2.3 has natively and that trees load from Starlark repositories.
_NATIVE = frozenset(
    f"{language}_{kind}"
    for language, kinds in {
        "cc": ("binary", "import", "library", "proto_library", "test", "toolchain"),
        "java": ("binary", "import", "library", "plugin", "proto_library", "runtime", "test"),
        "objc": ("library",),
        "proto": ("lang_toolchain", "library"),
    }.items()
    for kind in kinds
) | {"cc_toolchain_suite", "java_toolchain"}


@dataclass(frozen=True)
class RealTree:
    """A source tree among the installed parts, and the repositories that it is given."""

    name: str
    stubs: StubbedTree
    targets: int
    """The least of them that are compared; likewise `edges`."""
    edges: int
    apart: frozenset[str] = frozenset()
    """Packages that cannot be compared."""

    def find(self) -> Path:
        return need_tree(self.name)

    def lay_out(self, folder: Path) -> tuple[str, ...]:
        """Writes the stubs; returns the flags for both sides."""
        skylib = need_repository("bazel_skylib")
        flags = self.stubs.lay_out(self.find(), folder)
        return (*flags, f"--override_repository=bazel_skylib={skylib}")


GRPC = RealTree(
    "grpc",
    StubbedTree(
        own=_BAZELS_OWN | {"binder_transport_android_helper", "com_github_grpc_grpc"},
        native=_NATIVE,
        idle=frozenset(
            {
                "android_workspace",
                "api_dependencies",
                "apple_rules_dependencies",
                "apple_support_dependencies",
                "custom_exec_properties",
                "gazelle_dependencies",
                "go_register_toolchains",
                "go_rules_dependencies",
                "go_third_party",
                "new_pod_repository",
                "pip_install",
                "protobuf_deps",
                "rbe_autoconfig",
                "rules_fuzzing_dependencies",
                "rules_fuzzing_init",
                "swift_rules_dependencies",
                "switched_rules_by_language",
                "upb_deps",
            }
        ),
        rewritten=((r'"(absl/[\w/:]+)"', r'"@com_google_absl//\1"'),),
        files={
            (
                "bazel_toolchains",
                "rules/exec_properties/exec_properties.bzl",
            ): """
def create_rbe_exec_properties_dict(**kwargs):
    return {}

def custom_exec_properties(**kwargs):
    pass
""",
            (
                "bazel_toolchains",
                "rules/environments.bzl",
            ): "def clang_env():\n    return {}\n",
            (
                "grpc_python_dependencies",
                "requirements.bzl",
            ): 'def requirement(name):\n    return "@pypi//:" + name\n',
        },
    ),
    targets=46913,
    edges=108000,
)

BAZEL = RealTree(
    "bazel",
    StubbedTree(
        own=_BAZELS_OWN | {"googleapis", "io_bazel", "local_jdk", "remoteapis", "rules_python"},
        native=_NATIVE,
        idle=frozenset(
            {
                "grpc_deps",
                "grpc_extra_deps",
                "node_repositories",
                "rbe_autoconfig",
                "register_local_rc_exe_toolchains",
                "rules_pkg_dependencies",
                "rules_sass_dependencies",
                "sass_repositories",
                "stardoc_repositories",
            }
        ),
    ),
    targets=15000,
    edges=35000,
    apart=frozenset(
        {
            # Debian's Bazel has no Android rules, so that it refuses this one.
            "//examples/android/java/bazel",
            # Loads a file of @bazel_tools that bazelscope has no model of.
            "//src/test/res",
        }
    ),
)
