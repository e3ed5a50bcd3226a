"""The cache of programs: what is found, what is not trusted, what is written anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.errors import StarlarkError
from bazelscope.source import SourceFile
from bazelscope.starlark import FileKind, ProgramCache, Thread
from bazelscope.starlark import program as program_module

from .starlark_programs import no_load, predeclared

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
    return starlark.load_program(source, kind, NAMES, cache)


def no_compiler(*arguments: object) -> starlark.Program:
    raise AssertionError("compiled again")


def test_a_program_is_compiled_once(cache: ProgramCache, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load(cache)
    monkeypatch.setattr(program_module, "compile_program", no_compiler)
    second = load(cache)
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
    assert cache.get(source, kind, names) is None
    assert cache.get(SOURCE, FileKind.BZL, NAMES) is not None


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
        lambda data: data + b"x",
        lambda data: data[:-20] + b"?" * 20,
        lambda data: b"something else",
        lambda data: data[:60].replace(b"1", b"0") + data[60:],
    ],
    ids=["empty", "head", "truncated", "longer", "changed", "foreign", "version"],
)
def test_a_damaged_entry_is_rewritten(cache: ProgramCache, damage: object) -> None:
    load(cache)
    (entry,) = entries(cache)
    sound = entry.read_bytes()
    entry.write_bytes(damage(sound))  # type: ignore[operator]
    assert cache.get(SOURCE, FileKind.BZL, NAMES) is None
    load(cache)
    assert entry.read_bytes() == sound


def test_a_sound_checksum_over_nonsense_is_a_miss(cache: ProgramCache) -> None:
    import hashlib
    import marshal

    load(cache)
    (entry,) = entries(cache)
    start = entry.read_bytes().index(b"\n") + 1
    magic = entry.read_bytes()[:start]
    for payload in (b"nonsense", marshal.dumps(5), marshal.dumps((1, 2))):
        entry.write_bytes(magic + hashlib.sha256(payload).digest() + payload)
        assert cache.get(SOURCE, FileKind.BZL, NAMES) is None


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
    assert cache.get(SOURCE, FileKind.BZL, NAMES) is None
    load(cache)
    assert entry.stat().st_mode & 0o777 == 0o600


def test_an_entry_that_is_a_link_is_not_followed(cache: ProgramCache, tmp_path: Path) -> None:
    load(cache)
    (entry,) = entries(cache)
    elsewhere = tmp_path / "elsewhere"
    entry.rename(elsewhere)
    entry.symlink_to(elsewhere)
    assert cache.get(SOURCE, FileKind.BZL, NAMES) is None
    load(cache)
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


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
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


def test_warming_compiles_what_is_missing(cache: ProgramCache) -> None:
    good = [SourceFile(f"{i}.bzl", f"x = {i}\n" + "# filler\n" * 6000) for i in range(12)]
    broken = SourceFile("broken.bzl", "x = (")
    jobs = [(source, FileKind.BZL, NAMES) for source in [*good, broken]]
    assert starlark.warm(jobs, cache, workers=2) == 12
    assert len(entries(cache)) == 12
    assert starlark.warm(jobs, cache, workers=2) == 0
    assert cache.get(good[7], FileKind.BZL, NAMES) == starlark.load_program(
        good[7], FileKind.BZL, NAMES
    )


def test_two_processes_share_a_cache(cache: ProgramCache) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from bazelscope import starlark\n"
        "from bazelscope.source import SourceFile\n"
        "cache = starlark.ProgramCache(Path(sys.argv[1]))\n"
        "for i in range(60):\n"
        "    source = SourceFile('f.bzl', 'x = %d' % (i % 6))\n"
        "    starlark.load_program(source, starlark.FileKind.BZL, frozenset(), cache)\n"
    )
    command = [sys.executable, "-c", script, str(cache.directory)]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(entries(cache)) == 6
    source = SourceFile("f.bzl", "x = 3")
    found = cache.get(source, FileKind.BZL, frozenset())
    assert found is not None
    assert starlark.execute(found, {}, no_load, Thread()).globals == {"x": 3}


def test_the_parsers_tables_are_kept(cache: ProgramCache) -> None:
    from bazelscope.starlark import tables

    assert cache.tables() is None
    built = tables.build()
    cache.put_tables(built)
    assert cache.tables() == built
