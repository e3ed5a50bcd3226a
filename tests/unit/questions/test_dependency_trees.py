"""`deps --tree` and `rdeps --tree`: guides, marks and conditions as `cargo tree` has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    "end.txt": "",
    "BUILD": """
_OTHER = "//conditions:default"
config_setting(name = "fast", define_values = {"fast": "1"})
filegroup(name = "top", srcs = [":left", ":right"])
filegroup(name = "left", srcs = [":low"])
filegroup(name = "right", srcs = [":low"] + select({":fast": [":speed"], _OTHER: []}))
filegroup(name = "low", srcs = [":end"])
filegroup(name = "end", srcs = ["end.txt"])
filegroup(name = "speed")
""",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


def ask(capsys: pytest.CaptureFixture[str], root: Path, *words: str) -> str:
    options = ["-w", str(root), "--no-cache", "--bazel-version", "4.2.3"]
    assert main([*words, *options]) == 0
    return capsys.readouterr().out


def test_a_tree_marks_what_was_shown_and_says_conditions(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = ask(capsys, root, "deps", "//:top", "--tree", "--levels", "9")
    assert text.partition("\n\n")[2] == (
        "//:top\n"
        "├── //:left  srcs  BUILD:4\n"
        "│   └── //:low  srcs  BUILD:5\n"
        "│       └── //:end  srcs  BUILD:7\n"
        "│           └── //:end.txt  srcs  BUILD:8\n"
        "└── //:right  srcs  BUILD:4\n"
        "    ├── //:low  srcs  BUILD:6  (*)\n"
        "    └── //:speed  srcs if //:fast (--define=fast=1)  BUILD:6\n"
        "(*) what is below it is shown further up\n"
    )


def test_levels_end_a_tree_and_say_how_much_is_below(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = ask(capsys, root, "deps", "//:top", "--tree", "--levels", "1")
    assert "├── //:left  srcs  BUILD:4  +1\n└── //:right  srcs  BUILD:4  +2\n" in text
    assert "+1, +2 ...: how many more stand below it" in text
    assert "(*)" not in text


def test_under_flags_a_tree_has_the_branches_that_are_taken(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "//:speed" not in ask(capsys, root, "deps", "//:top", "--tree", "--configured")
    text = ask(capsys, root, "deps", "//:top", "--tree", "--define=fast=1")
    assert "    └── //:speed  srcs if //:fast (--define=fast=1)  BUILD:6\n" in text


@pytest.mark.parametrize("flags", [[], ["--configured"]])
def test_what_depends_on_a_target_is_a_tree_upwards(
    root: Path, capsys: pytest.CaptureFixture[str], flags: list[str]
) -> None:
    text = ask(capsys, root, "rdeps", "//:end", "//:top", "--tree", *flags)
    assert text.partition("\n\n")[2] == (
        "//:end\n"
        "└── //:low  srcs  BUILD:7\n"
        "    ├── //:left  srcs  BUILD:5\n"
        "    │   └── //:top  srcs  BUILD:4\n"
        "    └── //:right  srcs  BUILD:6\n"
        "        └── //:top  srcs  BUILD:4\n"
    )


def test_a_tree_is_in_the_json_too_and_levels_limit_both(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = ask(capsys, root, "deps", "//:top", "--tree", "--format", "json", "--levels", "2")
    document = json.loads(text)
    rows = [(row["depth"], row["node"]["label"], row["hidden"]) for row in document["tree"]]
    assert rows == [
        (0, "//:top", 0), (1, "//:left", 0), (2, "//:low", 1),
        (1, "//:right", 0), (2, "//:low", 1), (2, "//:speed", 0),
    ]  # fmt: skip
    assert {one["distance"] for one in document["dependencies"]} == {1, 2}
    assert document["total"] == 7


def test_long_answers_are_lines_of_json(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = json.loads(ask(capsys, root, "deps", "//:top", "--format", "json"))
    head, *lines = map(
        json.loads, ask(capsys, root, "deps", "//:top", "--format", "jsonl").splitlines()
    )
    assert lines == whole.pop("dependencies")
    assert head == whole


def test_an_answer_without_a_long_list_is_one_line(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = ask(capsys, root, "flag", "define", "--define=a=1", "--format", "jsonl").splitlines()
    assert json.loads(line)["answer"] == "flag"


def test_what_depends_on_nothing_and_what_nothing_depends_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = 'filegroup(name = "top", srcs = ["x"])'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": build, "x": ""})
    for words, told in (
        (("deps", "//:x"), "//:x depends on nothing through any branch."),
        (("rdeps", "//:top"), "Nothing of this workspace depends on //:top under any flags."),
        (("deps", "//:top"), "//:top depends on 1 target through any branch."),
    ):
        main([*words, "-w", str(tmp_path), "--no-cache"])
        assert capsys.readouterr().out.startswith(told)


def test_a_list_that_nobody_reads_is_begun(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = "".join(f'filegroup(name = "f{n}")\n' for n in range(1400))
    top = f'filegroup(name = "top", srcs = [":f%d" % n for n in range(1400)])\n{files}'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": top})
    told = ask(capsys, tmp_path, "deps", "//:top")
    assert "1,400 targets through any branch, 1,400 of them directly." in told
    assert "and 1,100 more (--full)" in told
    assert told.count("//:f") == 300
    assert ask(capsys, tmp_path, "deps", "//:top", "--full").count("//:f") == 1400
