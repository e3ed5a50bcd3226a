"""What one file keeps: what is found again, what two runs write at once, what is not believed."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from bazelscope.kept.kept_files import KeptFiles, default_cache_dir
from bazelscope.kept.pack import Input, Pack


def pack(folder: Path, largest: int = 1 << 20) -> Pack:
    return Pack(KeptFiles(folder), "one", largest)


def test_what_two_runs_write_is_merged(tmp_path: Path) -> None:
    first, second = pack(tmp_path), pack(tmp_path)
    first.put("a", b"1")
    second.put("b", b"2", (("f", "path", b"digest"),))
    first.save()
    second.save()
    after = pack(tmp_path)
    assert (after.get("a"), after.get("b")) == (b"1", b"2")
    assert after.inputs("b") == (("f", "path", b"digest"),)


def _save_own(folder: str, number: int) -> None:
    own = pack(Path(folder))
    for entry in range(20):
        own.put(f"{number}-{entry}", b"x" * number)
        own.save()


def test_processes_that_save_at_once_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    runs = [context.Process(target=_save_own, args=(str(tmp_path), n)) for n in (1, 2, 3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    after = pack(tmp_path)
    missing = [(n, e) for n in (1, 2, 3) for e in range(20) if after.get(f"{n}-{e}") != b"x" * n]
    assert missing == []


def test_rows_of_tables_are_merged(tmp_path: Path) -> None:
    first, second = pack(tmp_path), pack(tmp_path)
    one, other = first.table("t"), second.table("t")
    one.put("a", (1,))
    one.put("both", (1,))
    other.put("b", (2,))
    other.put("both", None)
    first.save()
    second.save()
    after = pack(tmp_path).table("t")
    assert [after.get(name) for name in ("a", "b", "both")] == [(1,), (2,), None]


def test_an_entry_holds_as_long_as_its_inputs(tmp_path: Path) -> None:
    own = pack(tmp_path)
    own.put("a", b"1", (("f", "x"),))
    own.save()
    again = pack(tmp_path)
    assert again.get("a", lambda item: item == ("f", "x")) == b"1"
    assert again.get("a", lambda item: False) is None
    assert again.get("a") is None  # dropped
    again.put("b", b"2")
    again.save()
    assert pack(tmp_path).get("a") is None


def test_what_was_saved_is_read_without_opening_it_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = pack(tmp_path)
    own.put("a", b"1")
    own.save()
    own.put("b", b"2")
    own.save()
    assert (own.get("a"), own.get("b")) == (b"1", b"2")
    monkeypatch.setattr(KeptFiles, "write", lambda *_: False)  # The disk is full.
    own.put("c", b"3")
    own.save()
    assert (own.get("a"), own.get("b"), own.get("c")) == (b"1", b"2", None)


def test_what_another_run_writes_after_a_save_harms_nothing(tmp_path: Path) -> None:
    own, other = pack(tmp_path), pack(tmp_path)
    own.put("a", b"1")
    own.save()
    other.put("b", b"22")
    other.save()
    assert own.get("a") in (b"1", None)
    own.put("c", b"3")
    own.save()
    after = pack(tmp_path)
    assert (after.get("b"), after.get("c")) == (b"22", b"3")


def test_inputs_of_many_entries_are_looked_at_once(tmp_path: Path) -> None:
    own = pack(tmp_path)
    for name in ("a", "b", "c"):
        own.put(name, name.encode(), (("f", "shared", b"1"), ("f", name, b"2")))
    own.save()
    looked: list[str] = []

    def hold(inputs: list[Input]) -> list[bool]:
        looked.extend(path for _, path, _ in inputs)
        return [path != "c" for _, path, _ in inputs]

    own.look_at(["a", "b", "c", "none"], hold)
    assert sorted(looked) == ["a", "b", "c", "shared"]
    assert [own.is_held(name) for name in ("a", "b", "c")] == [True, True, False]
    assert list(own.held(["c", "b", "none"])) == [("b", own.digest("b"))]
    own.look_at(["a", "c"], hold)
    assert looked[4:] == ["c"]


def test_a_file_under_another_name_is_none(tmp_path: Path) -> None:
    files = KeptFiles(tmp_path)
    for name in ("one", "two"):
        own = Pack(files, name, 1 << 20)
        own.put("a", name.encode())
        own.save()
    one, two = (tmp_path / "one").read_bytes(), (tmp_path / "two").read_bytes()
    (tmp_path / "one").write_bytes(two)
    (tmp_path / "two").write_bytes(one)
    assert [Pack(files, name, 1 << 20).get("a") for name in ("one", "two")] == [None, None]


@pytest.mark.parametrize("at", [0, 20, 60, 120, -1])
def test_a_damaged_entry_is_none(tmp_path: Path, at: int) -> None:
    own = pack(tmp_path)
    own.put("a", b"1" * 100)
    own.save()
    content = bytearray((tmp_path / "one").read_bytes())
    content[at] ^= 1
    (tmp_path / "one").write_bytes(content)
    assert pack(tmp_path).get("a") is None


def test_what_is_too_much_goes_first(tmp_path: Path) -> None:
    for name in ("old", "new"):
        own = pack(tmp_path, 150)
        own.put(name, b"x" * 100)
        own.save()
    after = pack(tmp_path)
    assert after.get("old") is None
    assert after.get("new") == b"x" * 100


def test_the_cache_is_where_platformdirs_says(monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    for value in (None, "", " ", "/somewhere/else"):
        if value is None:
            monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        else:
            monkeypatch.setenv("XDG_CACHE_HOME", value)
        told = platformdirs.user_cache_dir("bazelscope", appauthor=False)
        assert default_cache_dir() == told
