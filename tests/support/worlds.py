"""The external repositories of the fixtures, laid out without a network, for both sides.

A fixture's archives cannot be downloaded here, but the BUILD files that it lays over them
are its own. Laid out alone, as this module does, they give Bazel a world in which every
label resolves; bazelscope is asked with and without the same `--override_repository`.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.files import write_files
from tests.support.parts import FIXTURES, need_repository


@dataclass(frozen=True)
class ExternalRepository:
    """What stands for one external repository.

    `overlay` is a file of the fixture that becomes the root's BUILD file; `files` are
    written as they are; `copy_of` names an installed repository.
    """

    name: str
    overlay: str | None = None
    files: dict[str, str] = field(default_factory=dict)
    copy_of: str | None = None


@dataclass(frozen=True)
class World:
    """A fixture and what its external repositories hold."""

    fixture: str
    target: str
    """The target of the text that the fixture serves."""
    bazel_version: str
    """The nearest to the release's own Bazel that can be had."""
    repositories: tuple[ExternalRepository, ...]

    @property
    def workspace(self) -> Path:
        return FIXTURES / self.fixture

    def lay_out(self, folder: Path) -> tuple[str, ...]:
        """Writes the repositories under `folder`; returns the flags that put them in force."""
        flags = []
        for repository in self.repositories:
            root = folder / repository.name
            if repository.copy_of is not None:
                shutil.copytree(need_repository(repository.copy_of), root, symlinks=True)
            root.mkdir(parents=True, exist_ok=True)
            if not (root / "WORKSPACE").exists():
                (root / "WORKSPACE").write_text(f'workspace(name = "{repository.name}")\n')
            if repository.overlay is not None:
                shutil.copyfile(self.workspace / repository.overlay, root / "BUILD.bazel")
            write_files(root, repository.files)
            flags.append(f"--override_repository={repository.name}={root}")
        return tuple(flags)


_EXPAND_TEMPLATE = """
def _impl(ctx):
    ctx.actions.expand_template(
        template = ctx.file.template,
        output = ctx.outputs.out,
        substitutions = ctx.attr.substitutions,
    )

expand_template = rule(
    implementation = _impl,
    attrs = {
        "out": attr.output(mandatory = True),
        "substitutions": attr.string_dict(mandatory = True),
        "template": attr.label(mandatory = True, allow_single_file = True),
    },
)
"""


def _wrappers(name: str, folder: str, rules: tuple[str, ...]) -> ExternalRepository:
    """A repository of Starlark rules that hands every call on to the native rule."""
    lines = [f"{rule} = native.{rule}\n" for rule in rules]
    return ExternalRepository(
        name, files={"BUILD": "", f"{folder}/BUILD": "", f"{folder}/defs.bzl": "".join(lines)}
    )


# What Bazel 4 itself loads, whoever declares a C++ library or resolves a toolchain.
_FOR_BAZEL_4 = (
    _wrappers(
        "rules_cc",
        "cc",
        (
            "cc_binary",
            "cc_import",
            "cc_library",
            "cc_test",
            "cc_toolchain",
            "cc_toolchain_suite",
        ),
    ),
    _wrappers(
        "rules_java",
        "java",
        (
            "java_binary",
            "java_import",
            "java_library",
            "java_runtime",
            "java_test",
            "java_toolchain",
        ),
    ),
)

_PIP_PACKAGE = "//tensorflow/tools/pip_package:"

WORLDS = (
    World(
        "tf-2.4-mkl",
        _PIP_PACKAGE + "build_pip_package",
        "4.2.3",
        (
            *_FOR_BAZEL_4,
            ExternalRepository("eigen_archive", overlay="third_party/eigen.BUILD"),
            ExternalRepository("llvm_openmp", overlay="third_party/llvm_openmp/llvm_openmp.BUILD"),
            ExternalRepository("mkl_dnn", overlay="third_party/mkl_dnn/mkldnn.BUILD"),
            ExternalRepository("mkl_dnn_v1", overlay="third_party/mkl_dnn/mkldnn_v1.BUILD"),
            ExternalRepository("speech_commands", overlay="models.BUILD"),
            ExternalRepository("zlib", overlay="third_party/zlib.BUILD"),
            ExternalRepository(
                "boringssl",
                files={
                    "BUILD": 'exports_files(["LICENSE"])\n'
                    'cc_library(name = "ssl", visibility = ["//visibility:public"])\n'
                },
            ),
        ),
    ),
    World(
        "tf-1.14-cuda-debug",
        _PIP_PACKAGE + "build_pip_package",
        "0.24.1",
        (
            ExternalRepository("cub_archive", overlay="third_party/cub.BUILD"),
            ExternalRepository("eigen_archive", overlay="third_party/eigen.BUILD"),
            ExternalRepository("inception_v1", overlay="models.BUILD"),
            ExternalRepository("mkl_dnn", overlay="third_party/mkl_dnn/mkldnn.BUILD"),
            ExternalRepository("mkl_linux", overlay="third_party/mkl/mkl.BUILD"),
            ExternalRepository("nccl_archive", overlay="third_party/nccl/archive.BUILD"),
        ),
    ),
    World(
        "tf-2.4-windows-ampere",
        _PIP_PACKAGE + "build_pip_package",
        "4.2.3",
        (*_FOR_BAZEL_4, ExternalRepository("eigen_archive", overlay="third_party/eigen.BUILD")),
    ),
    World(
        "tf-2.18-cuda-wheel",
        _PIP_PACKAGE + "wheel",
        "4.2.3",
        (
            *_FOR_BAZEL_4,
            ExternalRepository(
                "bazel_skylib",
                copy_of="bazel_skylib",
                # The installed release is older than this rule.
                files={"rules/expand_template.bzl": _EXPAND_TEMPLATE},
            ),
            *(
                ExternalRepository(
                    part,
                    files={
                        "BUILD": 'package(default_visibility = ["//visibility:public"])\n'
                        'cc_library(name = "headers")\n'
                        'cc_library(name = "lib", deps = [":headers"])\n'
                    },
                )
                for part in ("cuda_cublas", "cuda_cudart")
            ),
            ExternalRepository("eigen_archive", overlay="third_party/eigen.BUILD"),
            ExternalRepository(
                "mkl_dnn_acl_compatible", overlay="third_party/mkl_dnn/mkldnn_acl.BUILD"
            ),
            ExternalRepository("onednn", overlay="third_party/mkl_dnn/mkldnn_v1.BUILD"),
        ),
    ),
)
