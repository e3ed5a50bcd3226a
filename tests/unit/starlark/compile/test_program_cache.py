"""The cache of programs: what is found, what is not trusted, what is written anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.base.errors import StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.starlark import FileKind, ProgramCache, Thread
from bazelscope.starlark.compile import program as program_module
from tests.unit.starlark.starlark_programs import no_load, predeclared

NAMES = frozenset(predeclared())
SOURCE = SourceFile("a.bzl", 'load("b", "c")\ndef f(x):\n    return x + 1\ny = f(2)\n')


@pytest.fixture
def cache(tmp_path: Path) -> ProgramCache:
    return ProgramCache(tmp_path / "programs")


def entries(cache: ProgramCache) -> list[Path]:
    return sorted(
        path
        for path in cache.directory.rglob("*")
        if path.is_file() and path.parent.name != "tables"
    )


def load(
    cache: ProgramCache, source: SourceFile = SOURCE, kind: FileKind = FileKind.BZL
) -> starlark.Program:
    """Loads a program, and writes what was compiled for it."""
    found = starlark.load_program(source, kind, NAMES, cache)
    cache.save()
    return found


def reopened(cache: ProgramCache) -> ProgramCache:
    """What the next run sees."""
    return ProgramCache(cache.directory)


def is_kept(cache: ProgramCache, source: SourceFile = SOURCE) -> bool:
    return reopened(cache).get(source, FileKind.BZL, NAMES) is not None


def no_compiler(*arguments: object) -> starlark.Program:
    raise AssertionError("compiled again")


def test_a_program_is_compiled_once(cache: ProgramCache, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load(cache)
    monkeypatch.setattr(program_module, "compile_program", no_compiler)
    assert load(cache) == first
    second = load(reopened(cache))
    assert second == first
    assert second.loads[0].location == (SOURCE.path, 1, 1)
    module = starlark.execute(
        second, predeclared(), lambda statement: starlark.Module("b", {"c": 1}, {}), Thread()
    )
    assert module.globals["y"] == 3
    assert starlark.definition(module.globals["f"]).location == (SOURCE.path, 2, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "kind", "names"),
    [
        (SourceFile("a.bzl", SOURCE.text + "\n"), FileKind.BZL, NAMES),
        (SourceFile("b.bzl", SOURCE.text), FileKind.BZL, NAMES),
        (SOURCE, FileKind.PLAIN, NAMES),
        (SOURCE, FileKind.BZL, NAMES | {"more"}),
    ],
    ids=["text", "path", "kind", "names"],
)
def test_what_a_program_depends_on(
    cache: ProgramCache, source: SourceFile, kind: FileKind, names: frozenset[str]
) -> None:
    load(cache)
    assert reopened(cache).get(source, kind, names) is None
    assert is_kept(cache)


def test_a_file_with_an_error_is_not_kept(cache: ProgramCache) -> None:
    with pytest.raises(StarlarkError):
        load(cache, SourceFile("a.bzl", "x = "))
    assert entries(cache) == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:10],
        lambda data: data[:-1],
        lambda data: data[:-20] + b"?" * 20,
        lambda data: b"something else",
        lambda data: data.replace(b"bazelscope-", b"bazelscope-0", 1),
    ],
    ids=["empty", "head", "truncated", "changed", "foreign", "version"],
)
def test_a_damaged_entry_is_rewritten(cache: ProgramCache, damage: object) -> None:
    load(cache)
    (entry,) = entries(cache)
    sound = entry.read_bytes()
    entry.write_bytes(damage(sound))  # type: ignore[operator]
    assert not is_kept(cache)
    load(reopened(cache))
    assert entry.read_bytes() == sound


def test_a_damaged_program_leaves_the_others(cache: ProgramCache) -> None:
    other = SourceFile("b.bzl", "x = 1\n")
    load(cache, other)
    load(cache)  # What was compiled last stands first.
    (entry,) = entries(cache)
    data = entry.read_bytes()
    entry.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert (is_kept(cache), is_kept(cache, other)) == (True, False)
    load(reopened(cache), other)
    assert (is_kept(cache), is_kept(cache, other)) == (True, True)


def test_projects_have_a_file_each_and_the_latest_are_kept(tmp_path: Path) -> None:
    for number in range(30):
        load(ProgramCache(tmp_path, f"project {number}"))
    found = sorted(tmp_path.iterdir())
    assert len([path for path in found if path.is_file()]) == 24
    assert ProgramCache(tmp_path, "project 29").get(SOURCE, FileKind.BZL, NAMES) is not None


def test_what_is_too_much_is_not_kept(cache: ProgramCache, monkeypatch: pytest.MonkeyPatch) -> None:
    load(cache)
    (entry,) = entries(cache)
    monkeypatch.setattr("bazelscope.starlark.compile.program_cache._LARGEST", entry.stat().st_size)
    more = [SourceFile(f"{i}.bzl", SOURCE.text) for i in range(4)]
    for source in more:
        load(reopened(cache), source)
    assert entries(cache) == [entry]
    assert [is_kept(cache, source) for source in (SOURCE, *more)] == [
        False,
        False,
        False,
        False,
        True,
    ]


def test_what_a_killed_process_left_is_removed(cache: ProgramCache) -> None:
    load(cache)
    (entry,) = entries(cache)
    left, being_written = entry.with_suffix(".1.tmp"), entry.with_suffix(".2.tmp")
    for path in (left, being_written):
        path.write_bytes(b"half")
    os.utime(left, (0, 0))
    load(cache, SourceFile("b.bzl", "x = 1\n"))
    assert entries(cache) == [entry, being_written]


def test_a_sound_checksum_over_nonsense_is_a_miss(cache: ProgramCache) -> None:
    import hashlib
    import marshal

    load(cache)
    (entry,) = entries(cache)
    start = entry.read_bytes().index(b"\n") + 1
    magic = entry.read_bytes()[:start]
    for payload in (b"nonsense", marshal.dumps(5), marshal.dumps((1, 2))):
        length = len(payload).to_bytes(8, "little")
        entry.write_bytes(magic + hashlib.sha256(payload).digest() + length + payload)
        assert not is_kept(cache)


def test_the_cache_is_private(cache: ProgramCache) -> None:
    load(cache)
    assert cache.directory.stat().st_mode & 0o777 == 0o700
    (entry,) = entries(cache)
    assert entry.stat().st_mode & 0o777 == 0o600
    assert entry.parent.stat().st_mode & 0o777 == 0o700


def test_an_entry_that_others_may_write_is_not_read(cache: ProgramCache) -> None:
    load(cache)
    (entry,) = entries(cache)
    entry.chmod(0o622)
    assert not is_kept(cache)
    load(reopened(cache))
    assert entry.stat().st_mode & 0o777 == 0o600


def test_an_entry_that_is_a_link_is_not_followed(cache: ProgramCache, tmp_path: Path) -> None:
    load(cache)
    (entry,) = entries(cache)
    elsewhere = tmp_path / "elsewhere"
    entry.rename(elsewhere)
    entry.symlink_to(elsewhere)
    assert not is_kept(cache)
    load(reopened(cache))
    assert not entry.is_symlink()


def test_a_directory_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    cache = ProgramCache(shared)
    assert cache.problem is not None
    assert "writable by others" in cache.problem
    load(cache)
    assert list(shared.iterdir()) == []


@pytest.mark.skipif(
    getattr(os, "geteuid", int)() != 0 or os.name == "nt", reason="only root can give files away"
)
def test_a_directory_of_another_user_is_not_used(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir(mode=0o700)
    os.chown(foreign, 12345, 12345)
    cache = ProgramCache(foreign)
    assert cache.problem is not None
    assert "belongs to another user" in cache.problem


def test_a_directory_that_is_a_link_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert ProgramCache(tmp_path / "link").problem is not None


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = ProgramCache(tmp_path / "file" / "programs")
    assert cache.problem is not None
    assert load(cache).globals == ("f", "y")


def test_two_processes_share_a_cache(cache: ProgramCache) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from bazelscope import starlark\n"
        "from bazelscope.base.source import SourceFile\n"
        "cache = starlark.ProgramCache(Path(sys.argv[1]))\n"
        "for i in range(60):\n"
        "    source = SourceFile('f.bzl', 'x = %d' % (i % 6))\n"
        "    starlark.load_program(source, starlark.FileKind.BZL, frozenset(), cache)\n"
        "    cache.save()\n"
    )
    command = [sys.executable, "-c", script, str(cache.directory)]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(entries(cache)) == 1
    source = SourceFile("f.bzl", "x = 3")
    found = reopened(cache).get(source, FileKind.BZL, frozenset())
    assert found is not None
    assert starlark.execute(found, {}, no_load, Thread()).globals == {"x": 3}
