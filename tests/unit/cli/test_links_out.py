"""A workspace whose folder is a symbolic link: what is not looked at is said, and `--links-to`
names the folders that may be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.files import write_files


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(
        tmp_path,
        {
            "made/BUILD": "",
            "out/tensorflow/core/BUILD": 'filegroup(name = "x", visibility = ["//:__pkg__"])',
            "w/WORKSPACE": "",
            "w/BUILD": 'filegroup(name = "y", srcs = ["//tensorflow/core:x"])',
        },
    )
    (tmp_path / "w/tensorflow").symlink_to(tmp_path / "out/tensorflow")
    (tmp_path / "w/bazel-out").symlink_to(tmp_path / "made")
    return tmp_path


def _ask(root: Path, *words: str) -> int:
    line = [words[0], "-w", str(root / "w"), "--bazel-version=4.2.3", "--no-cache", *words[1:]]
    return main(line)


def test_a_pattern_says_which_link_it_has_not_followed(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _ask(root, "query", "//...") == 3
    said = capsys.readouterr()
    assert said.out == "//:y\n"
    assert said.err.startswith("warning: `tensorflow` is a symbolic link out of the workspace")
    _ask(root, "explain", "//...")
    said = capsys.readouterr()
    assert "not looked at: `tensorflow` is a symbolic link" in said.out
    assert "behind links out of the workspace, see --links-to" in said.out


def test_an_answer_says_how_to_follow_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _ask(root, "query", "deps(//:y)") == 3
    assert "(--links-to DIR follows)" in capsys.readouterr().err


def test_the_folder_that_is_named_is_read(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = f"--links-to={root / 'out'}"
    assert _ask(root, "query", "deps(//...)", out) == 0
    said = capsys.readouterr()
    assert set(said.out.split()) == {"//:y", "//tensorflow/core:x"}
    assert not said.err
    assert _ask(root, "explain", "//...", out) == 0
    assert "links" not in capsys.readouterr().out


@pytest.mark.parametrize("line", ["import %workspace%/team.rc", "import {out}/team.rc"])
@pytest.mark.parametrize("folder", ["out", ""])
def test_rc_files_of_these_folders_are_read(
    line: str, folder: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(root, {"out/team.rc": "build --copt=-DTEAM\n", "w/.bazelrc": ""})
    (root / "w/.bazelrc").write_text(line.format(out=root / "out") + "\n")
    (root / "w/team.rc").symlink_to(root / "out/team.rc")
    assert _ask(root, "flag", "copt") == 3
    said = capsys.readouterr()
    assert "-DTEAM" not in said.out
    assert "team.rc` was not read: outside the folders that may be read (--links-to" in said.err
    assert _ask(root, "flag", "copt", f"--links-to={root / folder if folder else '/'}") == 0
    assert "--copt=-DTEAM" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("checkout", "is_read"), [(None, True), (".git", True), ("e2e/.git", False)]
)
def test_what_lies_in_the_workspace_around_is_read(
    checkout: str | None, is_read: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As tests of a rule set import what its own rc file has, and link to its files."""
    rules = tmp_path / "rules"
    files = {"MODULE.bazel": "", "shared.rc": "build --copt=-DSHARED\n", "x.bzl": "X = ['-DX']\n"}
    files |= {"e2e/MODULE.bazel": "", "e2e/.bazelrc": "import %workspace%/../shared.rc\n"}
    build = 'load("x.bzl", "X")\nfilegroup(name = "a", tags = X)\n'
    write_files(rules, files | {"e2e/BUILD": build})
    (rules / "e2e/x.bzl").symlink_to(rules / "x.bzl")
    if checkout is not None:
        (rules / checkout).mkdir()
    line = ["-w", str(rules / "e2e"), "--no-cache", "--bazel-version=7.4.1"]
    assert (main(["explain", "//:a", *line]) == 0) is is_read
    said = capsys.readouterr()
    assert ("-DX" in said.out) is is_read
    assert main(["flag", "copt", *line]) == (0 if is_read else 3)
    assert ("-DSHARED" in capsys.readouterr().out) is is_read


def test_a_home_is_no_workspace_around(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    build = 'load("x.bzl", "X")\nfilegroup(name = "a", tags = X)\n'
    files = {"WORKSPACE": "", "x.bzl": "X = ['SECRET']\n", "w/WORKSPACE": "", "w/BUILD": build}
    write_files(tmp_path, files)
    (tmp_path / "w/x.bzl").symlink_to(tmp_path / "x.bzl")
    assert main(["explain", "//:a", "-w", str(tmp_path / "w"), "--no-cache"]) == 3
    assert "SECRET" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("name", ["bazel-bin", "other-bin"])
def test_what_bazel_links_to_is_no_part_of_the_answer(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Under any `--symlink_prefix`."""
    root, built = tmp_path / "w", tmp_path / "base/execroot/__main__/bazel-out/k8-fastbuild/bin"
    write_files(root, {"WORKSPACE": "", "p/BUILD": 'filegroup(name = "x")\n'})
    built.mkdir(parents=True)
    (root / name).symlink_to(built)
    assert main(["query", "//...", "-w", str(root), "--no-cache"]) == 0
    said = capfd.readouterr()
    assert (said.out.strip(), said.err) == ("//p:x", "")


@pytest.mark.parametrize(
    "name",
    [
        *(".bazelversion", ".bazelignore", ".bazelrc", "platform_mappings"),
        *("MODULE.bazel", "WORKSPACE.bazel", "REPO.bazel"),
    ],
)
@pytest.mark.parametrize(
    ("question", "code"),
    [
        *((["explain", "//:y"], 3), (["path", "//:y", "//:z"], 3), (["deps", "//:y"], 3)),
        *((["cquery", "//:y"], 3), (["check"], 3)),
    ],
)
def test_a_file_that_decides_about_the_workspace_is_told_as_not_read(
    name: str, question: list[str], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = 'filegroup(name = "y")\nfilegroup(name = "z")\n'
    write_files(tmp_path, {"w/BUILD": build, "w/MODULE.bazel": "", f"out/{name}": "\n"})
    (tmp_path / "w" / name).unlink(missing_ok=True)
    (tmp_path / "w" / name).symlink_to(Path("..") / "out" / name)
    line = [question[0], "-w", str(tmp_path / "w"), "--no-cache"]
    ends = main([*line, *question[1:]])
    said = capsys.readouterr().err
    assert f"`{name}` was not read" in said or f"cannot read `{name}`" in said
    assert "--links-to DIR" in said
    assert (ends, name) in {(code, name), (1, "REPO.bazel")}
    if question[0] != "path":
        main([*line, f"--links-to={tmp_path / 'out'}", *question[1:]])
        assert not capsys.readouterr().err
