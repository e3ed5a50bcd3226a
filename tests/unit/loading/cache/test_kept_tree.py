"""What is kept of a tree is what a walk would find, whatever happened in between."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.kept.kept_files import KeptFiles
from bazelscope.kept.pack import Pack
from bazelscope.loading.cache.kept_tree import KeptTree, Outline
from bazelscope.loading.cache.package_index import PackageIndex
from bazelscope.loading.tree.workspace_files import FileTree, Listing

SETTLING = 0.06


class Unseen(FileTree):
    """A tree that nobody may look into: what it is asked for must be known already."""

    def listing(self, directory: str) -> Listing:
        if directory:
            raise AssertionError(f"listed {directory}")
        return super().listing(directory)

    def read_bytes(self, path: str) -> bytes:
        raise AssertionError(f"read {path}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for package in ("a", "a/b", "c"):
        (root / package).mkdir(parents=True)
        (root / package / "BUILD").write_text(f"""f(name = "{package}", x = 'y"z', t = "it's")""")
    (root / "d" / "e").mkdir(parents=True)
    time.sleep(SETTLING)
    return root


def pack(root: Path) -> Pack:
    """What earlier runs have kept."""
    return Pack(KeptFiles(root.parent / "kept"), "tree", 1 << 20)


def keep(root: Path) -> None:
    tree = FileTree(root)
    own = pack(root)
    kept = KeptTree(tree, own)
    PackageIndex(tree, kept=kept).packages_below("")
    for package in ("a", "a/b", "c"):
        kept.quotes(f"{package}/BUILD", "a")
    own.save()


def packages(tree: FileTree, kept: Pack | None) -> list[str]:
    return PackageIndex(tree, kept=KeptTree(tree, kept)).packages_below("")


def test_a_tree_that_is_as_it_was_is_not_walked_again(root: Path) -> None:
    assert packages(FileTree(root), None) == ["a", "a/b", "c"]
    keep(root)
    unseen = Unseen(root)
    assert packages(unseen, pack(root)) == ["a", "a/b", "c"]
    kept = KeptTree(unseen, pack(root))
    assert kept.outline("d") == Outline(None, ("e",))
    assert [kept.quotes(f"{p}/BUILD", "a/b") for p in ("a", "a/b", "c")] == [False, True, False]


def a_package_more(root: Path) -> None:
    (root / "d" / "e" / "BUILD.bazel").write_text("")


def a_package_less(root: Path) -> None:
    (root / "a" / "BUILD").unlink()


def a_directory_less(root: Path) -> None:
    (root / "c" / "BUILD").unlink()
    (root / "c").rmdir()


def another_directory(root: Path) -> None:
    (root / "c").rename(root / "gone")
    (root / "d").rename(root / "c")


def a_file_for_a_directory(root: Path) -> None:
    a_directory_less(root)
    (root / "c").write_text("")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (a_package_more, ["a", "a/b", "c", "d/e"]),
        (a_package_less, ["a/b", "c"]),
        (a_directory_less, ["a", "a/b"]),
        (another_directory, ["a", "a/b", "gone"]),
        (a_file_for_a_directory, ["a", "a/b"]),
    ],
)
def test_changes_are_seen(root: Path, change: Callable[[Path], None], expected: list[str]) -> None:
    keep(root)
    change(root)
    assert packages(FileTree(root), None) == expected
    assert packages(FileTree(root), pack(root)) == expected


def test_a_link_is_followed_each_time(root: Path) -> None:
    link = root / "d" / "link"
    link.symlink_to("../nowhere")
    time.sleep(SETTLING)
    keep(root)
    assert packages(FileTree(root), pack(root)) == ["a", "a/b", "c"]
    (root / "nowhere").mkdir()
    (root / "nowhere" / "BUILD").write_text("")
    assert packages(FileTree(root), pack(root)) == [
        "a", "a/b", "c", "d/link", "nowhere",
    ]  # fmt: skip


def test_what_changed_only_just_now_is_not_kept(root: Path) -> None:
    (root / "d" / "f").mkdir()
    (root / "c" / "BUILD").write_text('f(name = "new")')
    own = pack(root)
    kept = KeptTree(FileTree(root), own)
    assert kept.outline("d") == Outline(None, ("e", "f"))
    assert kept.quotes("c/BUILD", "new")
    own.save()
    again = KeptTree(Unseen(root), pack(root))
    with pytest.raises(AssertionError, match="listed d"):
        again.outline("d")
    with pytest.raises(AssertionError, match="read c/BUILD"):
        again.quotes("c/BUILD", "new")


def test_what_changed_since_it_was_listed_is_not_kept(root: Path) -> None:
    tree = FileTree(root)
    tree.listing("d")
    (root / "d" / "f").mkdir()
    time.sleep(SETTLING)
    own = pack(root)
    kept = KeptTree(tree, own)
    kept.outline("d")
    own.save()
    assert KeptTree(FileTree(root), pack(root)).outline("d").directories == ("e", "f")


def test_the_words_of_a_changed_file_are_read_again(root: Path) -> None:
    keep(root)
    time_before = (root / "c" / "BUILD").stat()
    (root / "c" / "BUILD").write_text('f(name = "new")')
    os.utime(root / "c" / "BUILD", ns=(time_before.st_atime_ns, time_before.st_mtime_ns))
    (root / "a" / "BUILD").unlink()
    kept = KeptTree(FileTree(root), pack(root))
    assert kept.quotes("c/BUILD", "new")
    assert not kept.quotes("c/BUILD", "c")
    assert kept.quotes("a/BUILD", "a") is None


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("c", True),
        ("y", False),
        ('y"z', True),
        ("it's", True),
        ("\ud800", False),  # half a character, as JSON may have it
        ("z', t = ", True),  # between two quotes, though no Bazel would read it so
        ("nothing", False),
        ("", False),
        ("c" * 300, False),
    ],
)
def test_which_words_a_file_quotes(root: Path, word: str, expected: bool, cached: bool) -> None:
    kept = KeptTree(FileTree(root), pack(root) if cached else None)
    assert kept.quotes("c/BUILD", word) is expected


def test_a_damaged_cache_is_none(root: Path) -> None:
    keep(root)
    for path in (root.parent / "kept").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    assert packages(FileTree(root), pack(root)) == ["a", "a/b", "c"]


def test_a_file_out_of_the_tree_quotes_nothing(root: Path) -> None:
    (root.parent / "secret").write_text('"c"')
    (root / "BUILD").symlink_to("../secret")
    time.sleep(SETTLING)
    kept = KeptTree(FileTree(root), pack(root))
    assert kept.quotes("BUILD", "c") is None
