"""Names as people type them: in a directory of the workspace, as shells complete them, or with a
slip of the pen."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3",
    "BUILD": 'filegroup(name = "lib", srcs = ["//src:lib"])',
    "src/BUILD": """\
filegroup(name = "lib", srcs = ["one.cc", "//src/deep:two.cc"])
exports_files(["one.cc"])
""",
    "src/one.cc": "",
    "src/deep/BUILD": 'exports_files(["two.cc"])',
    "src/deep/two.cc": "",
}


def _said(capfd: pytest.CaptureFixture[str], directory: Path, *words: str) -> str:
    main([*words, "-w", str(directory), "--no-cache"])
    out, err = capfd.readouterr()
    return " ".join(f"{out} {err}".split())


@pytest.mark.parametrize(
    ("directory", "name", "meant"),
    (
        ("src", ":lib", "//src:lib"),
        ("src", "lib", "//src:lib"),
        ("", ":lib", "//:lib"),
        ("src", "./one.cc", "//src:one.cc"),
        ("src/deep", "../one.cc", "//src:one.cc"),
        ("src", "deep/two.cc", "//src/deep:two.cc"),
        ("src", "deep:two.cc", "//src/deep:two.cc"),
        ("", "./src/one.cc", "//src:one.cc"),
        ("src", "src/deep/two.cc", "//src/deep:two.cc"),  # A short name, as in the root.
    ),
)
def test_a_name_means_what_it_means_where_the_line_stands(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, directory: str, name: str, meant: str
) -> None:
    write_files(tmp_path, _FILES)
    assert _said(capfd, tmp_path / directory, "deps", name).startswith(f"{meant} depends on")
    assert f" on {meant} under " in _said(capfd, tmp_path / directory, "rdeps", name)


def test_both_ends_of_a_path_are_read_where_the_line_stands(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_files(tmp_path, _FILES)
    assert _said(capfd, tmp_path / "src", "path", ":lib", "one.cc").startswith(
        "//src:lib filegroup"
    )
    file = str(tmp_path / "src/one.cc")
    assert _said(capfd, tmp_path, "path", "//:lib", file).startswith("//:lib filegroup")


@pytest.mark.parametrize("question", ("deps", "explain"))
@pytest.mark.parametrize(
    ("name", "meant"),
    (
        ("//src:lib/", "did you mean //src:lib?"),
        ("//scr:lib", "did you mean //src:lib?"),
        ("src/ome.cc", "did you mean //src:one.cc?"),
        ("//src:deep/two.cc", "did you mean //src/deep:two.cc?"),
        ("src", "//src is a package: `bazelscope query //src:all` lists its targets"),
        ("src/", "//src is a package: `bazelscope query //src:all` lists its targets"),
        ("//src/", "//src is a package: `bazelscope query //src:all` lists its targets"),
        ("//src", "//src is a package: `bazelscope query //src:all` lists its targets"),
    ),
)
def test_a_slip_of_the_pen_is_told_with_what_was_meant(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, question: str, name: str, meant: str
) -> None:
    write_files(tmp_path, _FILES)
    assert meant in _said(capfd, tmp_path, question, name)


@pytest.mark.parametrize("question", ("deps", "explain", "query", "cquery"))
def test_a_label_of_another_package_is_told_with_where_its_name_is(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, question: str
) -> None:
    write_files(
        tmp_path, {**_FILES, "wrong/BUILD": "", "far/off/BUILD": 'filegroup(name = "only")'}
    )
    told = _said(capfd, tmp_path, question, "//wrong:only").replace("`", "")
    assert "did you mean //far/off:only?" in told


@pytest.mark.parametrize(
    ("expression", "hint"),
    (
        ("only", "did you mean `//far/off:only`?"),
        ("deps(//src)", "`//src:all` stands for all targets of that package"),
        ("far/off", "`//far/off:all` stands for all targets of that package"),
        ("lib", ""),
        ("nowhere", ""),
    ),
)
def test_a_query_of_a_short_name_is_told_with_its_label(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, expression: str, hint: str
) -> None:
    write_files(tmp_path, {**_FILES, "far/off/BUILD": 'filegroup(name = "only")'})
    told = _said(capfd, tmp_path, "query", expression)
    assert told.endswith(hint)
    assert ("hint" in told) == bool(hint)


@pytest.mark.parametrize("name", ("//src:lib", ":lib"))
def test_why_of_a_target_tells_of_that_target(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    write_files(tmp_path, _FILES)
    said = _said(capfd, tmp_path / "src", "why", name)
    assert "//src:lib target: filegroup src/BUILD:1" in said
    assert "nothing known in this build uses it" not in said


_MODULES = {
    ".bazelversion": "8.3.1",
    "MODULE.bazel": """\
module(name = "house", repo_name = "home")
bazel_dep(name = "abseil-cpp", version = "20240722.0")
bazel_dep(name = "protobuf", version = "29.0", repo_name = "com_google_protobuf")
""",
    "BUILD": 'filegroup(name = "lib", srcs = ["@com_google_protobuf//:a", "@abseil-cpp//:b"])',
}


@pytest.mark.parametrize(
    ("words", "meant"),
    (
        (("path", "//:lib", "absl"), "did you mean @abseil-cpp?"),
        (("path", "//:lib", "@absl"), "did you mean @abseil-cpp?"),
        (("rdeps", "@com_google_absl"), "did you mean @abseil-cpp?"),
        (("repos", "absl"), "did you mean @abseil-cpp?"),
        (("when", "//:lib", "@protobuf"), "did you mean @com_google_protobuf?"),
        (("deps", "@protobuf//:a"), "did you mean @com_google_protobuf//:a?"),
        (("explain", "@protobuf//:a"), "did you mean @com_google_protobuf//:a?"),
        (("deps", "@house//:lib"), "did you mean //:lib?"),
    ),
)
def test_a_repository_that_is_called_otherwise_here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...], meant: str
) -> None:
    write_files(tmp_path, _MODULES)
    assert meant in _said(capfd, tmp_path, *words)


@pytest.mark.parametrize(
    ("release", "built", "queried"),
    [
        ("0.26.1", "@foo//:y", "@foo//:y"),
        ("2.1.0", "//:y", "@foo//:y"),
        ("4.2.3", "//:y", "@foo//:y"),
        ("6.0.0", "//:y", "//:y"),
    ],
)
def test_the_name_of_the_workspace_in_a_pattern(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, release: str, built: str, queried: str
) -> None:
    # Measured: what 2.1.0 and 4.2.3 build and query. `@lib//:x` lets `//:y` in as `@foo//:y`.
    files = {
        "w/WORKSPACE": """\
workspace(name = "foo")
local_repository(name = "lib", path = "../lib")
""",
        "w/BUILD": 'filegroup(name = "y", srcs = ["@lib//:x"])\n',
        "lib/WORKSPACE": "",
        "lib/BUILD": 'filegroup(name = "x", visibility = ["@foo//:__pkg__"])\n',
    }
    write_files(tmp_path, files)
    root = tmp_path / "w"
    for pattern in ("@foo//:y", "@foo//..."):
        assert "refuse" not in _said(capfd, root, "explain", pattern, "--bazel-version", release)
        told = _said(capfd, root, "cquery", pattern, "--bazel-version", release)
        assert told.startswith(f"{built} (")
        told = _said(capfd, root, "query", pattern, "--bazel-version", release)
        assert told.split() == [queried]
    assert f"{built} filegroup" in _said(
        capfd, root, "path", "@foo//:y", "@lib//:x", "--bazel-version", release
    )
