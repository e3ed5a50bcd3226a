"""Which rc files are read, in which order, and what imports do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bazelscope.flags import rc_file_reading
from bazelscope.flags.flag_values import RcStatus, ResolvedFlags
from bazelscope.flags.rc_file_reading import DiskFiles
from bazelscope.flags.request import FlagRequest
from bazelscope.flags.resolve import resolve as resolve_flags
from tests.unit.flags.flag_world import (
    SYSTEM_RC,
    codes,
    errors,
    only,
    place,
    resolve,
    targets,
    texts,
    warnings,
)


def statuses(resolved: ResolvedFlags) -> list[tuple[str, str]]:
    return [(file.path, file.status.value) for file in resolved.rc_files]


EVERYWHERE = {
    SYSTEM_RC: "build --copt=system",
    ".bazelrc": "build --copt=workspace",
    "/h/.bazelrc": "build --copt=home",
    "my.rc": "build --copt=mine",
    "other.rc": "build --copt=other",
}


def test_search_order() -> None:
    resolved = resolve(EVERYWHERE, startup=("--bazelrc=/w/my.rc",))
    assert texts(resolved) == [
        "--copt=system",
        "--copt=workspace",
        "--copt=home",
        "--copt=mine",
    ]


STARTUP = {
    "no system rc": (("--nosystem_rc",), ["workspace", "home"]),
    "no workspace rc": (("--noworkspace_rc",), ["system", "home"]),
    "no home rc": (("--nohome_rc",), ["system", "workspace"]),
    "neither": (("--noworkspace_rc", "--nosystem_rc"), ["home"]),
    "the last switch counts": (("--nohome_rc", "--home_rc"), ["system", "workspace", "home"]),
    "none at all": (("--ignore_all_rc_files",), []),
    "not even the given one": (("--ignore_all_rc_files", "--bazelrc=/w/my.rc"), []),
    "the last ignore counts": (
        ("--ignore_all_rc_files", "--noignore_all_rc_files"),
        ["system", "workspace", "home"],
    ),
    "in two words": (("--nosystem_rc", "--bazelrc", "/w/my.rc"), ["workspace", "home", "mine"]),
    "relative": (("--bazelrc=my.rc",), ["system", "workspace", "home", "mine"]),
    "two files": (
        ("--bazelrc=/w/other.rc", "--bazelrc=/w/my.rc"),
        ["system", "workspace", "home", "other", "mine"],
    ),
    "the null device ends the list": (
        ("--bazelrc=/w/other.rc", "--bazelrc=/dev/null", "--bazelrc=/w/my.rc"),
        ["system", "workspace", "home", "other"],
    ),
    "the same file twice": (
        ("--bazelrc=/w/my.rc", "--bazelrc=/w/../w/my.rc"),
        ["system", "workspace", "home", "mine"],
    ),
    "a file that is read already": (
        ("--bazelrc=/w/.bazelrc",),
        ["system", "workspace", "home"],
    ),
}


@pytest.mark.parametrize(("startup", "expected"), STARTUP.values(), ids=STARTUP.keys())
def test_startup_options_choose_files(startup: tuple[str, ...], expected: list[str]) -> None:
    resolved = resolve(EVERYWHERE, startup=startup)
    assert [text.removeprefix("--copt=") for text in texts(resolved)] == expected
    assert not errors(resolved)


def test_missing_standard_files_are_no_problem() -> None:
    resolved = resolve({})
    assert not resolved.diagnostics
    assert statuses(resolved) == [
        (SYSTEM_RC, "not-found"),
        (".bazelrc", "not-found"),
        ("/h/.bazelrc", "not-found"),
    ]


def test_a_missing_bazelrc_is_an_error() -> None:
    assert errors(resolve("", startup=("--bazelrc=/w/none.rc",))) == ["rc-file-missing"]


def test_the_null_device_counts_as_read() -> None:
    resolved = resolve(
        {}, startup=("--nosystem_rc", "--noworkspace_rc", "--nohome_rc", "--bazelrc=/dev/null")
    )
    assert ("/dev/null", "read") in statuses(resolved)


def test_workspace_and_home_may_be_one() -> None:
    resolved = resolve({".bazelrc": "build --copt=x"}, links={"/h/.bazelrc": "/w/.bazelrc"})
    assert texts(resolved) == ["--copt=x"]


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.0.0"])
def test_old_bazels_read_the_first_bazelrc_only(version: str) -> None:
    resolved = resolve(
        EVERYWHERE, version=version, startup=("--bazelrc=/w/my.rc", "--bazelrc=/w/other.rc")
    )
    assert texts(resolved)[-1] == "--copt=mine"
    assert "bazelrc-ignored" in warnings(resolved)


def test_bazelrc_variable_since_nine() -> None:
    environment = {"BAZELRC": "/w/my.rc,/w/other.rc"}
    startup = ("--bazelrc=/w/.bazelrc",)
    new = resolve(EVERYWHERE, version="9.1.0", environment=environment, startup=startup)
    assert texts(new)[-2:] == ["--copt=mine", "--copt=other"]
    old = resolve(EVERYWHERE, version="8.7.0", environment=environment)
    assert "--copt=mine" not in texts(old)


def test_tools_rc_is_read_by_very_old_bazels_only() -> None:
    rc = {"tools/bazel.rc": "build --copt=tools", ".bazelrc": "build --copt=new"}
    assert texts(resolve(rc, version="0.18.0")) == ["--copt=tools", "--copt=new"]
    new = resolve(rc)
    assert texts(new) == ["--copt=new"]
    assert warnings(new) == ["rc-file-abandoned"]


IMPORTS = {
    "import": ("import %workspace%/a.rc", ["a"]),
    "absolute": ("import /w/a.rc", ["a"]),
    "relative to the working directory": ("import a.rc", ["a"]),
    "then add": ("import %workspace%/a.rc\nbuild --copt=x", ["a", "x"]),
    "after": ("build --copt=x\nimport %workspace%/a.rc", ["x", "a"]),
    "in between": ("build --copt=x\nimport a.rc\nbuild --copt=y", ["x", "a", "y"]),
    "try-import": ("try-import %workspace%/a.rc", ["a"]),
    "try-import then add": ("try-import %workspace%/a.rc\nbuild --copt=x", ["a", "x"]),
    "add then try-import": ("build --copt=x\ntry-import %workspace%/a.rc", ["x", "a"]),
    "quoted": ("'import' \"%workspace%/a.rc\"", ["a"]),
    "nested": ("import b.rc", ["b", "a", "b2"]),
    "diamond": ("import a.rc\nimport b.rc", ["a", "b", "a", "b2"]),
    "twice": ("import a.rc\nimport %workspace%/a.rc", ["a", "a"]),
    "only a section by that name": ("import:x a.rc", []),
    "workspace is a prefix only": ("build --copt=%workspace%/x", ["%workspace%/x"]),
}


@pytest.mark.parametrize(("rc", "expected"), IMPORTS.values(), ids=IMPORTS.keys())
def test_imports(rc: str, expected: list[str]) -> None:
    rest = {
        "a.rc": "build --copt=a",
        "b.rc": "build --copt=b\nimport a.rc\nbuild --copt=b2",
    }
    resolved = resolve({".bazelrc": rc, **rest})
    assert [text.removeprefix("--copt=") for text in texts(resolved)] == expected
    assert not errors(resolved)


BROKEN = {
    "missing import": ("import %workspace%/none.rc", ["import-not-found"]),
    "missing try-import": ("try-import %workspace%/none.rc", []),
    "too many words": ("import a.rc b.rc", ["invalid-import"]),
    "too many words to try": ("try-import a.rc b.rc", ["invalid-import"]),
    "no path": ("import", ["invalid-import"]),
    "itself": ("import /w/.bazelrc", ["import-loop"]),
    "itself by prefix": ("try-import %workspace%/.bazelrc", ["import-loop"]),
    "through others": ("import %workspace%/loop.rc", ["import-loop"]),
    "something that only looks like the prefix": ("import %workspace/a.rc", ["import-not-found"]),
}


@pytest.mark.parametrize(("rc", "expected"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_imports(rc: str, expected: list[str]) -> None:
    rest = {"loop.rc": "import %workspace%/loop2.rc", "loop2.rc": "import %workspace%/loop.rc"}
    assert errors(resolve({".bazelrc": rc, **rest})) == expected


def test_a_loop_is_told_with_its_files() -> None:
    rc = {".bazelrc": "import %workspace%/a.rc", "a.rc": "# x\nimport %workspace%/a.rc"}
    problem = only(resolve(rc), "import-loop")
    assert place(problem) == "a.rc:2:1"
    assert [note.message for note in problem.notes] == ["through `.bazelrc`", "through `a.rc`"]


def test_an_import_that_fails_goes_on_with_the_rest() -> None:
    resolved = resolve("import none.rc\nbuild --copt=x")
    assert texts(resolved) == ["--copt=x"]
    assert place(only(resolved, "import-not-found")) == ".bazelrc:1:1"


def test_a_try_import_forgives_what_fails_further_in() -> None:
    rc = {
        ".bazelrc": "try-import a.rc\nbuild --copt=after",
        "a.rc": "build --copt=a\nimport none.rc\nbuild --copt=skipped",
    }
    resolved = resolve(rc)
    assert texts(resolved) == ["--copt=a", "--copt=after"]
    problem = only(resolved, "import-forgiven")
    assert place(problem) == "a.rc:2:1"
    assert str(problem.notes[0].span) == ".bazelrc:1:1"


def test_what_a_try_import_did_not_find_is_recorded_with_its_line() -> None:
    resolved = resolve("\ntry-import %workspace%/user.rc")
    (file,) = [file for file in resolved.rc_files if file.path == "user.rc"]
    assert file.status is RcStatus.NOT_FOUND
    assert file.imported_at is not None
    assert file.imported_at.start.short == ".bazelrc:2"
    assert warnings(resolved) == ["try-import-not-found"]


DUPLICATES = {
    "imported twice": ("import a.rc\nimport a.rc", ()),
    "by two spellings": ("import a.rc\nimport %workspace%/a.rc", ()),
    "with a needless dot": ("try-import /w/a.rc\ntry-import /w/./a.rc", ()),
    "deep": ("import b.rc\nimport a.rc", ()),
    "imported and given": ("import a.rc", ("--bazelrc=/w/a.rc",)),
    "a standard file imported before its turn": ("import /h/.bazelrc", ()),
}


@pytest.mark.parametrize(("rc", "startup"), DUPLICATES.values(), ids=DUPLICATES.keys())
def test_a_file_read_twice_warns(rc: str, startup: tuple[str, ...]) -> None:
    rest = {"a.rc": "build --copt=a", "b.rc": "import a.rc", "/h/.bazelrc": "build --copt=h"}
    resolved = resolve({".bazelrc": rc, **rest}, startup=startup)
    assert "rc-file-repeated" in warnings(resolved)
    assert not errors(resolved)


def test_a_standard_file_imported_after_its_turn_warns() -> None:
    rc = {SYSTEM_RC: "build --copt=s", ".bazelrc": f"import {SYSTEM_RC}"}
    assert warnings(resolve(rc)) == ["rc-file-repeated"]


CONDITIONS = {
    ">=8.0.0": True,
    ">8.7.0": False,
    "<8.7.1": True,
    "<=8.7.0": True,
    "==8.7.0": True,
    "!=8.7.0": False,
    "==8.7.0-rc1": False,
    "~8": True,
    "~8.7": True,
    "~8.6": False,
    "~8.7.1": False,
    "~9": False,
}


@pytest.mark.parametrize(("condition", "holds"), CONDITIONS.items())
def test_conditional_imports(condition: str, holds: bool) -> None:
    rc = {
        ".bazelrc": f"try-import-if-bazel-version {condition} %workspace%/a.rc",
        "a.rc": "build --copt=a",
    }
    resolved = resolve(rc, version="8.7.0")
    assert texts(resolved) == (["--copt=a"] if holds else [])
    assert not codes(resolved)


@pytest.mark.parametrize("line", [">=8 a.rc", "8.0.0 a.rc", ">= 8.0.0 a.rc", "a.rc", ">=8.0.0"])
def test_malformed_conditional_imports(line: str) -> None:
    resolved = resolve(f"try-import-if-bazel-version {line}", version="8.7.0")
    assert errors(resolved) == ["invalid-import"]


def test_old_bazels_take_a_conditional_import_for_a_section() -> None:
    resolved = resolve("try-import-if-bazel-version >=1.0.0 a.rc", version="7.7.1")
    assert "unknown-command" in warnings(resolved)


def test_imports_that_double_at_each_level_end() -> None:
    rc = {f"{n}.rc": f"import {n + 1}.rc\nimport {n + 1}.rc" for n in range(40)}
    resolved = resolve({".bazelrc": "import 0.rc", **rc, "40.rc": ""})
    assert "import-limit" in errors(resolved)


def test_targets_in_rc_files_are_targets() -> None:
    assert targets(resolve("build //a:b\nbuild:c //c", "--config=c", "//d")) == [
        "//a:b",
        "//d",
        "//c",
    ]


def test_a_disk_file_is_read_and_others_are_not(tmp_path: Path) -> None:
    disk = rc_file_reading.DiskFiles([str(tmp_path)])
    (tmp_path / "a.rc").write_bytes(b"build --copt=\xff")
    content = disk.read(str(tmp_path / "a.rc"))
    assert isinstance(content, rc_file_reading.FileText)
    assert content.text == "build --copt=\udcff"
    assert disk.read(str(tmp_path / "none")) is rc_file_reading.ReadFailure.MISSING
    assert disk.read(str(tmp_path / "a.rc" / "b")) is rc_file_reading.ReadFailure.MISSING
    assert disk.read(str(tmp_path)) is rc_file_reading.ReadFailure.NOT_A_FILE
    assert disk.read("/etc/hostname") is rc_file_reading.ReadFailure.OUTSIDE
    assert disk.read("/dev/null") == rc_file_reading.FileText("", "/dev/null")
    for name in ("bad\0name", "bad\ud800name"):
        assert disk.read(name) is rc_file_reading.ReadFailure.UNREADABLE
        assert disk.canonical(name) is None


def test_a_link_does_not_lead_out_of_the_readable_folders(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret").write_text("build --copt=secret")
    (inside / ".bazelrc").symlink_to(outside / "secret")
    request = FlagRequest(str(inside), system_rc=None)
    resolved = resolve_flags(request, DiskFiles([str(inside)]))
    assert texts(resolved) == []
    assert "file-not-read" in warnings(resolved)


def test_a_file_that_must_be_there_may_define_a_config() -> None:
    config = "--config=there"
    resolved = resolve("import %workspace%/out.rc", config)
    assert (resolved.undefined_configs, errors(resolved)) == ((), ["import-not-found"])
    assert "config-not-told" in warnings(resolved)
    resolved = resolve("", config, startup=("--bazelrc=/w/none.rc",))
    assert (resolved.undefined_configs, errors(resolved)) == ((), ["rc-file-missing"])
    assert errors(resolve("try-import %workspace%/out.rc", config)) == ["undefined-config"]


def test_a_file_that_is_left_out_may_define_a_config(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / ".bazelrc").write_text(
        "import ../out.rc\nbuild --config=there\nbuild:here --config=x\n"
    )
    (tmp_path / "out.rc").write_text("build:there --copt=-DX\n")
    request = FlagRequest(str(inside), ("--config=here",), system_rc=None)
    resolved = resolve_flags(request, DiskFiles([str(inside)]))
    assert (resolved.undefined_configs, errors(resolved)) == ((), [])
    told = [one for one in resolved.diagnostics if one.code == "config-not-told"]
    assert [one.message.split("`")[1] for one in told] == ["there", "x"]
    assert "out.rc` may define it" in told[0].notes[0].message
    resolved = resolve_flags(request, DiskFiles([str(tmp_path)]))
    assert errors(resolved) == ["undefined-config"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".bazelrc")
    request = FlagRequest(str(tmp_path), system_rc=None)
    assert errors(resolve_flags(request, DiskFiles())) == ["rc-file-missing"]
