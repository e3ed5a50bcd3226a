"""gRPC's tree with repositories that let a real Bazel 4.2.3 analyse it, not only load it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tests.oracle.query_language_world import STUBS
from tests.support.files import write_files
from tests.support.parts import need_repository
from tests.support.trees import GRPC

PATTERNS = (
    "//:all",
    "//bazel/...",
    "//src/core/...",
    "//src/cpp/...",
    "//src/proto/...",
    "//src/compiler/...",
    "//src/python/...",
    *(
        f"//test/core/{name}/..."
        for name in ("address_utils", "channel", "gpr", "gprpp", "json", "promise", "security")
    ),
)
"""What is asked about: not the 17,000 tests of one macro, nor what is built for Apple's systems."""

_PUBLIC = 'visibility = ["//visibility:public"]'


class _Kinds(Mapping[str, str]):
    """The rules of targets, by the names that gRPC knows them by."""

    def __getitem__(self, label: str) -> str:
        repository, _, name = label.partition(":")
        if name in ("protoc", "protoc-gen-upb", "cython_binary"):
            return "cc_binary"
        if name.endswith("_proto") and repository.startswith(("@com_google_", "@envoy_api")):
            return "proto_library"
        if repository.startswith(("@com_github_twisted", "@com_github_yaml")) or "python" in name:
            return "py_library"
        raise KeyError(label)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def lay_out(tree: Path, folder: Path) -> tuple[str, ...]:
    """Writes the repositories; returns the flags for both sides."""
    requirements = sorted(
        {
            name
            for path in tree.rglob("BUILD*")
            for name in re.findall(r'requirement\("([^"]+)', path.read_text())
        }
    )
    stubs = replace(
        GRPC.stubs,
        kinds=_Kinds(),
        own=GRPC.stubs.own | STUBS.keys(),
        files={
            **GRPC.stubs.files,
            ("rules_proto", "proto/native.bzl"): "NativeProtoInfo = ProtoInfo\n",
            ("rules_proto", "proto/defs.bzl"): (
                'load(":native.bzl", "NativeProtoInfo")\n'
                "ProtoInfo = NativeProtoInfo\nproto_library = native.proto_library\n"
            ),
            ("upb", "bazel/upb_proto_library.bzl"): (
                "def upb_proto_library(name, deps, visibility = None, **kwargs):\n"
                "    native.cc_library(name = name, data = deps, visibility = visibility)\n\n"
                "upb_proto_reflection_library = upb_proto_library\n"
            ),
            ("pypi", "BUILD"): f"[py_library(name = n, {_PUBLIC}) for n in {requirements}]\n",
        },
    )
    flags = stubs.lay_out(tree, folder)
    protobuf = folder / "com_google_protobuf"
    known = "well_known_type_protos"
    text = (protobuf / "BUILD").read_text().replace(f'cc_library(name = "{known}"', "# ")
    text += f'filegroup(name = "{known}", srcs = ["any.proto"], {_PUBLIC})\n'
    text += f'proto_lang_toolchain(name = "cc_toolchain", command_line = "x", {_PUBLIC})\n'
    write_files(protobuf, {"BUILD": text, "any.proto": ""})
    for name, files in STUBS.items():
        write_files(folder / name, {"WORKSPACE": f'workspace(name = "{name}")\n', **files})
    coverage = folder / "remote_coverage_tools/BUILD"
    coverage.write_text(f'{coverage.read_text()}filegroup(name = "lcov_merger", {_PUBLIC})\n')
    skylib = need_repository("bazel_skylib")
    return (
        *flags,
        *(f"--override_repository={name}={folder / name}" for name in STUBS),
        f"--override_repository=bazel_skylib={skylib}",
    )
