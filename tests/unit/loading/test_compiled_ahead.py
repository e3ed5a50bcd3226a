"""What another process compiles while WORKSPACE is evaluated: the answers are those of one."""

from __future__ import annotations

import os
import time
from pathlib import Path
from zlib import crc32

import pytest

from bazelscope.api import Workspace
from bazelscope.loading import compiled_ahead
from bazelscope.loading.cache.kept_tree import KeptTree
from bazelscope.loading.compiled_ahead import CompiledAhead
from bazelscope.loading.tree.workspace_files import Workspace as Files
from bazelscope.starlark.compile import program_cache
from tests.support.files import write_files

FILES = 40


def _write(root: Path) -> None:
    """A WORKSPACE that loads a chain of files, and packages whose files nobody has read by then."""
    chain = [
        f'load("//:c{number + 1}.bzl", after = "value")\nvalue = after + 1\n'
        for number in range(FILES)
    ]
    files = {f"c{number}.bzl": text for number, text in enumerate(chain)}
    files[f"c{FILES}.bzl"] = "value = 0\n"
    files["WORKSPACE"] = 'load("//:c0.bzl", "value")\n'
    files["BUILD"] = 'filegroup(name = "top", srcs = ["//p0:x"])\n'
    files["broken/BUILD"] = "this is no Starlark at all (\n"
    for number in range(FILES):
        after = f'["//p{number + 1}:x"]' if number < FILES - 1 else "[]"
        files[f"p{number}/BUILD"] = f'load(":m.bzl", "m")\nm(name = "x", srcs = {after})\n'
        files[f"p{number}/m.bzl"] = "def m(**kwargs):\n    native.filegroup(**kwargs)\n"
    write_files(root, files)
    # What was written just now might change once more without a trace: it would not be kept.
    time.sleep(0.1)


def _answer(root: Path, cache: Path) -> str:
    workspace = Workspace.open(root, cache_dir=cache, bazel_version="4.2.3")
    line = workspace.configure([])
    answer = repr(line.query("deps(//:top)"))
    line.save()
    return answer


def _wait_for_all(self: CompiledAhead) -> bool:
    """As `take_in`, once the other process is through."""
    if self._process is not None:
        self._process.join(60)
    return TAKE_IN(self)


TAKE_IN = CompiledAhead.take_in


@pytest.fixture
def compiled_here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of what this process compiles, as it does."""
    paths: list[str] = []
    compile_program = program_cache.compile_program

    def noted(source: object, *words: object, **options: object) -> object:
        paths.append(source.path)  # type: ignore[attr-defined]
        return compile_program(source, *words, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(program_cache, "compile_program", noted)
    return paths


def test_what_is_compiled_ahead_is_not_compiled_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled_here: list[str]
) -> None:
    _write(tmp_path / "w")
    monkeypatch.setattr(compiled_ahead, "cores", lambda: 1)
    alone = _answer(tmp_path / "w", tmp_path / "alone")
    assert len(compiled_here) > 3 * FILES
    compiled_here.clear()
    monkeypatch.setattr(compiled_ahead, "cores", lambda: 2)
    monkeypatch.setattr(CompiledAhead, "take_in", _wait_for_all)
    assert _answer(tmp_path / "w", tmp_path / "together") == alone
    # The chain is loaded by WORKSPACE alone, which is compiled here.
    assert not [path for path in compiled_here if "/" in path]
    compiled_here.clear()
    # It is kept as if it had been compiled here.
    (tmp_path / "w/WORKSPACE").write_text("")
    assert _answer(tmp_path / "w", tmp_path / "together") == alone
    assert set(compiled_here) <= {"WORKSPACE"}


def test_small_trees_begin_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr(CompiledAhead, "_begin", begun.append)
    (tmp_path / "w").mkdir()
    (tmp_path / "w/WORKSPACE").write_text("")
    (tmp_path / "w/BUILD").write_text('filegroup(name = "top")\n')
    _answer(tmp_path / "w", tmp_path / "cache")
    assert not begun


def test_the_process_ends_with_the_question(tmp_path: Path) -> None:
    _write(tmp_path / "w")
    workspace = Workspace.open(tmp_path / "w", cache_dir=tmp_path / "c", bazel_version="4.2.3")
    line = workspace.configure([])
    line.query("//:top")
    ahead = line.world.loader.parts._ahead
    assert ahead is not None
    process = ahead._process
    line.save()
    assert ahead._process is None
    # Nor do processes begin one that were forked meanwhile.
    assert line.world.loader.parts.programs is not None
    assert line.world.loader.parts.programs.arriving is None
    assert process is None or not process.is_alive()


def test_half_a_record_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled_here: list[str]
) -> None:
    here = os.getpid()

    def wrong_there(content: bytes) -> int:
        return crc32(content) ^ (os.getpid() != here)

    _write(tmp_path / "w")
    monkeypatch.setattr(CompiledAhead, "take_in", _wait_for_all)
    monkeypatch.setattr(compiled_ahead, "crc32", wrong_there)
    _answer(tmp_path / "w", tmp_path / "cache")
    assert len(compiled_here) > 3 * FILES


def test_files_that_many_load_come_first(tmp_path: Path) -> None:
    _write(tmp_path)
    for number in range(FILES):
        with (tmp_path / f"p{number}/BUILD").open("a") as file:
            file.write('load("//:c40.bzl", "value")\n' + "# long\n" * number)
    (tmp_path / "p7/BUILD").write_text("# very long\n" * 100_000)
    files = Files(tmp_path)
    order = list(compiled_ahead._Files(files, KeptTree(files), ()))
    assert order[0] == ("c40.bzl", False)
    assert ("c39.bzl", False) not in order
    assert ("p7/BUILD", True) not in order
    assert order.index(("p30/BUILD", True)) < order.index(("p3/BUILD", True))


@pytest.mark.parametrize("word", ["//p3:x", "deps(//p3:all) - //broken/...", "p3", "//p3/..."])
def test_files_near_what_was_asked_for_come_first(tmp_path: Path, word: str) -> None:
    _write(tmp_path)
    files = Files(tmp_path)
    order = list(compiled_ahead._Files(files, KeptTree(files), ["-c", "opt", "@x//p9:x", word]))
    near = [file for file in order if file.path != "broken/BUILD"][:4]
    expected = [("p3/BUILD", True), ("p3/m.bzl", False), ("p4/BUILD", True), ("p4/m.bzl", False)]
    assert near == expected
    assert len(order) == len(set(order)) == 2 * FILES + 2


def test_no_file_out_of_the_tree_is_near(tmp_path: Path) -> None:
    _write(tmp_path / "w")
    (tmp_path / "BUILD").write_text("")
    (tmp_path / "w/p0/BUILD").write_text('x = ["//..:x", "///tmp:x", "//../w/p1:x", "//p2"]\n')
    files = Files(tmp_path / "w")
    order = list(compiled_ahead._Files(files, KeptTree(files), ["//p0"]))
    assert [path for path, _ in order[:3]] == ["p0/BUILD", "p2/BUILD", "p2/m.bzl"]
    assert not [path for path, _ in order if ".." in path]
