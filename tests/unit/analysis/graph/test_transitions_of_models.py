"""Rules of modelled repositories that are built for a platform which they name themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "MODULE.bazel": 'bazel_dep(name = "rules_rust", version = "0.61.0")\n'
    'bazel_dep(name = "rules_go", version = "0.55.1")\n'
    'bazel_dep(name = "platforms", version = "1.0.0")\n',
    "BUILD": """\
load("@rules_go//go:def.bzl", "go_binary", "go_test")
load(
    "@rules_rust//rust:defs.bzl",
    "rust_binary", "rust_library", "rust_shared_library", "rust_static_library", "rust_test",
)
platform(name = "there", constraint_values = ["@platforms//os:windows", "@platforms//cpu:x86_64"])
[
    kind(
        name = name,
        platform = "//:there",
        srcs = ["a.rs"],
        target_compatible_with = ["@platforms//os:windows"],
        data = [":which"],
    )
    for name, kind in [
        ("binary", rust_binary),
        ("shared", rust_shared_library),
        ("static", rust_static_library),
        ("test", rust_test),
    ]
]
rust_binary(name = "here", srcs = ["a.rs"], data = [":which"])
[
    kind(name = name, goos = "windows", goarch = "amd64", srcs = ["a.go"], data = [":which"])
    for name, kind in [("go_binary", go_binary), ("go_test", go_test)]
]
go_binary(name = "go_here", srcs = ["a.go"], data = [":which"])
filegroup(name = "which", srcs = select({
    "@platforms//os:windows": [":is_windows"],
    "//conditions:default": [":is_other"],
}))
filegroup(name = "is_windows")
filegroup(name = "is_other")
""",
}


@pytest.mark.parametrize(
    ("target", "taken"),
    [
        *((name, "is_windows") for name in ("binary", "shared", "static", "test")),
        *((name, "is_windows") for name in ("go_binary", "go_test")),
        *((name, "is_other") for name in ("here", "go_here")),
    ],
)
def test_what_they_need_is_built_for_it(
    target: str, taken: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Seen on monogon: what is compatible with the platform of a rust_binary was told not to be."""
    write_files(tmp_path, {**_FILES, ".bazelversion": "8.1.0"})
    line = ["cquery", f"filter(is_, deps(//:{target}))", "-w", str(tmp_path), "--no-cache"]
    main([*line, "--host=linux", "--output=label"])
    assert [word.split()[0] for word in capfd.readouterr().out.splitlines()] == [f"//:{taken}"]
