"""A kept answer is printed again as long as all that it rests on is as it was, and no longer."""

from __future__ import annotations

import io
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bazelscope.base import looks
from bazelscope.cli import entry, kept_answers, said
from bazelscope.loading.tree import contents
from bazelscope.loading.tree.disk import Disk

_SETTLING = 0.06


class Runs:
    """Runs of one question in one workspace, below which nothing else is asked."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root / "main"
        self.cache = root / "cache"
        self.home = root / "home"
        self.answered = 0
        self.noted: looks.Looks | None = None
        self._patch = monkeypatch
        monkeypatch.setenv("HOME", str(self.home))
        for name, text in {
            "main/WORKSPACE": "",
            "main/.bazelrc": "build:mkl --define=mkl=1\n",
            "main/.bazelversion": "6.5.0\n",
            "main/lib/defs.bzl": 'def make(name):\n    native.filegroup(name = name + "_a")\n',
            "main/lib/BUILD": "",
            "main/p/BUILD": (
                'load("//lib:defs.bzl", "make")\nmake("x")\n'
                'filegroup(name = "y", srcs = glob(["**/*.txt"]) + [":x_a", "//q:z"])\n'
            ),
            "main/p/a.txt": "",
            "main/p/deep/b.txt": "",
            "main/q/BUILD": 'filegroup(name = "z")\n',
            "main/other/BUILD": 'filegroup(name = "z")\n',
            "home/.hushlogin": "",
        }.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (self.root / "current").symlink_to("q")
        monkeypatch.chdir(self.root)
        time.sleep(_SETTLING)

    def ask(self, *words: str, kept: bool = True) -> tuple[int, bytes, bytes]:
        streams = io.BytesIO(), io.BytesIO()
        before = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = (io.TextIOWrapper(one, write_through=True) for one in streams)
        cache = ("--cache-dir", str(self.cache)) if kept else ("--no-cache",)
        try:
            code = kept_answers.run([*words, *cache], self._main, entry.cannot_write)
        finally:
            for one in (sys.stdout, sys.stderr):
                one.flush()
                one.detach()
            sys.stdout, sys.stderr = before
        return code, streams[0].getvalue(), streams[1].getvalue()

    def _main(self, words: Sequence[str]) -> int:
        self.answered += 1
        self.noted = looks.current
        return entry.main(words)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    return Runs(tmp_path, monkeypatch)


QUESTIONS = (
    ("query", "deps(//p:y)"),
    ("query", "//...:*"),
    ("query", "//nowhere"),
    ("cquery", "deps(//p:y)", "--config=mkl"),
    ("path", "y", "z"),
    ("path", "//p:y", "//q:z", "--format=json"),
    ("deps", "//p:y"),
    ("explain", "--config=mkl", "//p:y"),
    ("flag", "define", "--config=mkl"),
)


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_a_second_run_prints_what_the_first_has_printed(
    runs: Runs, question: tuple[str, ...]
) -> None:
    first = runs.ask(*question)
    assert first == runs.ask(*question, kept=False)
    runs.answered = 0
    assert runs.ask(*question) == first
    assert runs.answered == 0


def _write(path: str, text: str) -> Callable[[Runs], None]:
    def change(runs: Runs) -> None:
        (runs.root / path).write_text(text)

    return change


def _same_size_and_time(runs: Runs) -> None:
    path = runs.root / "q/BUILD"
    before = path.stat()
    path.write_text('filegroup(name = "w")\n')
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _another_release(runs: Runs) -> None:
    (runs.root / "current").unlink()
    (runs.root / "current").symlink_to("other")


def _a_link_in_the_place_of(runs: Runs) -> None:
    (runs.root / "q").rename(runs.root / "moved")
    (runs.root / "q").symlink_to("moved")


def _a_link_out(runs: Runs) -> None:
    shutil.move(runs.root / "q/BUILD", runs.home / "BUILD")
    (runs.root / "q/BUILD").symlink_to(runs.home / "BUILD")


CHANGES: dict[str, Callable[[Runs], None]] = {
    "a BUILD file": _write("q/BUILD", 'filegroup(name = "v")\n'),
    "one of the same size and time": _same_size_and_time,
    "a macro": _write("lib/defs.bzl", 'def make(name):\n    native.filegroup(name = "b")\n'),
    "a file that a glob meets": _write("p/deep/c.txt", ""),
    "a package in a glob's way": _write("p/deep/BUILD", ""),
    "a new BUILD file that goes first": _write("q/BUILD.bazel", 'filegroup(name = "u")\n'),
    "a new package": _write("lib/new.bzl", "") or _write("BUILD", 'filegroup(name = "t")\n'),
    "an rc file": _write(".bazelrc", "build:mkl --define=mkl=2\n"),
    "a user's rc file": lambda runs: (runs.home / ".bazelrc").write_text("build -c opt\n") and None,
    "the release": _write(".bazelversion", "4.2.3\n"),
    "what is ignored": _write(".bazelignore", "q\n"),
    "repositories": _write("WORKSPACE", 'local_repository(name = "r", path = "other")\n'),
    "modules": _write("MODULE.bazel", ""),
    "a link": _another_release,
    "a link to the same directory": _a_link_in_the_place_of,
    "a link out of the workspace": _a_link_out,
    "a package less": lambda runs: shutil.rmtree(runs.root / "q"),
    "a workspace inside": _write("q/WORKSPACE", ""),
}


@pytest.mark.parametrize("name", CHANGES)
def test_after_a_change_answers_are_those_of_no_cache(runs: Runs, name: str) -> None:
    for question in QUESTIONS:
        runs.ask(*question)
    CHANGES[name](runs)
    for _ in range(2):
        for question in QUESTIONS:
            assert runs.ask(*question) == runs.ask(*question, kept=False), question


@pytest.mark.parametrize("name", ["a BUILD file", "a macro", "an rc file", "a link"])
def test_what_was_changed_back_is_as_it_was(runs: Runs, name: str, tmp_path: Path) -> None:
    question = ("query", "//...:*")
    before = runs.ask(*question)
    shutil.copytree(runs.root, tmp_path / "copy", symlinks=True)
    CHANGES[name](runs)
    runs.ask(*question)
    shutil.rmtree(runs.root)
    shutil.copytree(tmp_path / "copy", runs.root, symlinks=True)
    os.chdir(runs.root)
    assert runs.ask(*question) == before


def test_a_touch_is_no_change_and_is_looked_into_once(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = ("query", "deps(//p:y)")
    first = runs.ask(*question)
    for path in runs.root.rglob("*"):
        os.utime(path)
    time.sleep(_SETTLING)
    runs.answered = 0
    assert runs.ask(*question) == first
    assert runs.answered == 0
    monkeypatch.setattr(kept_answers, "_looked_into", lambda *given: None)
    assert runs.ask(*question) == first
    assert runs.answered == 0


def test_what_was_written_anew_as_it_was_is_no_change(runs: Runs) -> None:
    question = ("query", "//...:*")
    first = runs.ask(*question)
    for name in ("WORKSPACE", "q/BUILD", "p/BUILD"):  # The root holds a link, too.
        path = runs.root / name
        text = path.read_text()
        path.unlink()
        path.write_text(text)
    time.sleep(_SETTLING)
    runs.answered = 0
    assert runs.ask(*question) == first
    assert runs.answered == 0
    for end in ("other", "q"):
        (runs.root / "current").unlink()
        (runs.root / "current").symlink_to(end)
        assert runs.ask(*question) == runs.ask(*question, kept=False)


def test_of_many_paths_another_question_hashes_none_again(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_answers, "_FEW", 1)
    runs.ask("query", "//p:*")
    hashed: list[str] = []
    digest = contents.content_digest

    def counted(disk: Disk, kind: str, path: str) -> tuple[bytes, bool]:
        hashed.append(path)
        return digest(disk, kind, path)

    monkeypatch.setattr(contents, "content_digest", counted)
    runs.ask("query", "//p:y")
    assert hashed == []


def test_what_is_written_in_the_tick_of_a_run_is_not_believed(runs: Runs) -> None:
    question = ("query", "//q:*")
    path = runs.root / "q/BUILD"
    for letter in "abcdefgh":
        path.write_text(f'filegroup(name = "{letter}")\n')
        assert f"//q:{letter}" in runs.ask(*question)[1].decode()


def test_a_change_while_a_run_looks_leaves_no_answer(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = ("query", "//q:*")
    listening = said.listening

    def changed(heard: said.Said, answer: Callable[[], int]) -> int:
        code = listening(heard, answer)
        (runs.root / "q/BUILD").write_text('filegroup(name = "w")\n')
        return code

    monkeypatch.setattr(said, "listening", changed)
    assert b"//q:z" in runs.ask(*question)[1]
    monkeypatch.undo()
    os.chdir(runs.root)
    assert b"//q:w" in runs.ask(*question)[1]


def test_another_environment_or_folder_is_another_question(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = ("query", "//...:*")
    runs.ask(*question)
    runs.answered = 0
    monkeypatch.setenv("OLDPWD", "/elsewhere")
    runs.ask(*question)
    assert runs.answered == 0
    monkeypatch.setenv("SOMETHING", "else")
    runs.ask(*question)
    monkeypatch.chdir(runs.root / "p")
    runs.ask(*question)
    assert runs.answered == 2


def test_other_code_gives_other_answers(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    question = ("query", "//...:*")
    runs.ask(*question)
    runs.answered = 0
    monkeypatch.setattr(kept_answers, "_code", lambda: ["a later version"])
    runs.ask(*question)
    assert runs.answered == 1


@pytest.mark.parametrize("cut", [1, 50, 500])
def test_damage_is_no_harm(runs: Runs, cut: int) -> None:
    question = ("query", "deps(//p:y)")
    first = runs.ask(*question)
    (file,) = (runs.cache / "answers").iterdir()
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    file.write_bytes(content[: len(content) - cut])
    assert runs.ask(*question) == first


def test_an_answer_that_was_cut_short_is_not_kept(runs: Runs) -> None:
    (runs.root / "q/BUILD").write_text(
        "def f(n):\n    pass\n[f(x) for x in range(10)]\nfilegroup(name = 'z')\n"
    )
    question = ("query", "//p:*", "--max-seconds=1")
    main = runs._main

    def cut(words: Sequence[str]) -> int:
        code = main(words)
        assert looks.current is not None
        looks.current.is_whole = False
        return code

    runs._main = cut  # type: ignore[method-assign]
    runs.ask(*question)
    runs.answered = 0
    runs.ask(*question)
    assert runs.answered == 1


def test_whatever_is_opened_was_noted(runs: Runs) -> None:
    """An open that nobody noted would make an answer stale without anybody seeing it."""
    opened: set[str] = set()
    is_on = True

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_on and event in ("open", "os.scandir", "os.listdir"):
            opened.add(os.fspath(arguments[0]) if isinstance(arguments[0], str | Path) else "")

    sys.addaudithook(hook)
    try:
        for question in QUESTIONS:
            opened.clear()
            runs.ask(*question)
            places = (str(runs.root), str(runs.home), "/etc/bazel")
            read = {path for path in opened if path.startswith(places)}
            assert runs.noted is not None
            assert read
            assert read <= runs.noted.stamps.keys() | runs.noted.ways.keys()
    finally:
        is_on = False
