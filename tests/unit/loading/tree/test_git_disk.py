"""The files of commits and of the index, read where they are, beside a checkout of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.errors import LoadingError, UsageError
from bazelscope.loading.tree.disk import MACHINE, Disk, EntryKind
from bazelscope.loading.tree.git_states import INDEX, WORK_TREE, GitStates
from tests.support.files import write_files
from tests.support.repositories import Repository

FILES = {
    "WORKSPACE": "",
    ".gitignore": "made*\n/out/\n",
    "a/BUILD": 'filegroup(name = "all", srcs = glob(["**"]))',
    "a/one.txt": "1",
    "a/d/two.txt": "2",
    "real/b/BUILD": 'filegroup(name = "b")',
}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = tmp_path / "r"
    write_files(root, FILES)
    (root / "link").symlink_to("real/b")
    (root / "chain").symlink_to("link")
    (root / "away").symlink_to("/nowhere/at/all")
    (root / "round").symlink_to("round")
    return Repository(root)


def shown(disk: Disk, root: Path) -> dict[str, object]:
    """All that a disk tells of a tree."""
    found: dict[str, object] = {}
    pending = [str(root)]
    while pending:
        directory = pending.pop()
        for entry in disk.entries(directory):
            path = f"{directory}/{entry.name}"
            if entry.name == ".git":
                continue
            kind, real = disk.kind(path), disk.real_path(path)
            content = disk.read(path, path) if kind is EntryKind.FILE else None
            found[path] = (entry, kind, real, content)
            if entry.is_link:
                found[f"{path}@"] = disk.link(path)
            elif entry.kind is EntryKind.DIRECTORY:
                pending.append(path)
    return found


@pytest.mark.parametrize("state", ["HEAD", INDEX])
def test_a_state_shows_what_a_checkout_shows(repository: Repository, state: str) -> None:
    repository.commit()
    disk = GitStates(repository.root).disk(state)
    expected = shown(MACHINE, repository.root)
    assert shown(disk, repository.root) == expected
    assert len(expected) == 18
    write_files(repository.root, {"a/one.txt": "other", "a/new.txt": "", "c/BUILD": ""})
    (repository.root / "a/d/two.txt").unlink()
    assert shown(GitStates(repository.root).disk(state), repository.root) == expected


def test_what_git_ignores_is_there_in_every_state(repository: Repository) -> None:
    repository.commit()
    write_files(repository.root, {"a/made.txt": "m", "out/x/y.txt": "y", "untracked": ""})
    disk = GitStates(repository.root).disk("HEAD")
    root = repository.root
    assert disk.read(f"{root}/a/made.txt", "") == b"m"
    assert [entry.name for entry in disk.entries(f"{root}/out/x")] == ["y.txt"]
    assert "made.txt" in [entry.name for entry in disk.entries(f"{root}/a")]
    assert disk.kind(f"{root}/untracked") is None
    with pytest.raises(LoadingError, match="no such file"):
        disk.read(f"{root}/untracked", "untracked")


def test_stamps_change_with_content_and_with_nothing_else(repository: Repository) -> None:
    repository.commit()
    first = GitStates(repository.root).disk("HEAD")
    write_files(repository.root, {"a/d/two.txt": "other"})
    repository.commit()
    second = GitStates(repository.root).disk("HEAD")
    root = repository.root
    same = [f"{root}/a/one.txt", f"{root}/real", f"{root}/link"]
    assert [first.stamp(path) for path in same] == [second.stamp(path) for path in same]
    for path in (f"{root}/a/d/two.txt", f"{root}/a", str(root)):
        assert first.stamp(path) != second.stamp(path)
    assert first.stamp(f"{root}/none") == () == first.stamp(f"{root}/round")


def test_a_workspace_below_the_top_and_behind_a_link(tmp_path: Path) -> None:
    write_files(tmp_path / "r", {f"w/{name}": text for name, text in FILES.items()})
    repository = Repository(tmp_path / "r")
    repository.commit()
    (tmp_path / "shortcut").symlink_to("r/w")
    (tmp_path / "r/w/a/one.txt").unlink()
    workspace = Workspace.open(tmp_path / "shortcut")
    disk = GitStates(workspace.root).disk("HEAD")
    found = workspace.on(disk).configure().query("deps(//a:all)").targets
    assert "//a:one.txt" in [str(target.label) for target in found]


def test_both_states_share_a_cache_and_neither_stands_for_the_other(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit()
    write_files(repository.root, {"a/new.txt": ""})
    (repository.root / "a/one.txt").unlink()
    expected = {"HEAD": ["d/two.txt", "one.txt"], WORK_TREE: ["d/two.txt", "new.txt"]}
    for _ in range(2):
        for state, names in expected.items():
            opened = Workspace.open(repository.root, cache_dir=tmp_path / "cache")
            line = opened.on(GitStates(opened.root).disk(state)).configure()
            found = [target.label.name for target in line.query("deps(//a:all)").targets]
            assert sorted(set(found) - {"all"}) == ["BUILD", *names]
            line.save()


def test_ten_thousand_folders_in_one_another(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    (tmp_path / "WORKSPACE").touch()
    repository.commit()
    disk = GitStates(tmp_path).disk("HEAD")
    assert disk.kind(f"{tmp_path}/{'d/' * 10_000}x") is None


def test_bad_repositories(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is in no git repository"):
        GitStates(tmp_path)
    repository = Repository(tmp_path / "empty")
    with pytest.raises(UsageError, match="git knows no revision `HEAD` here"):
        GitStates(repository.root).disk("HEAD")
    (tmp_path / "empty/f").touch()
    repository.commit()
    with pytest.raises(UsageError, match="git knows no revision `none` here"):
        GitStates(repository.root).disk("none")
    (tmp_path / "empty/.git/HEAD").write_text("rubbish")
    with pytest.raises(UsageError, match="git"):
        GitStates(repository.root).disk("HEAD")


def test_the_repository_is_not_written_to(repository: Repository) -> None:
    repository.commit()
    (repository.root / "a/one.txt").write_text("later")
    before = _stamps(repository.root)
    states = GitStates(repository.root)
    for state in ("HEAD", INDEX):
        shown(states.disk(state), repository.root)
    assert states.candidates("HEAD", WORK_TREE) == {"a/one.txt"}
    assert _stamps(repository.root) == before


def _stamps(root: Path) -> dict[str, int]:
    return {
        path: os.lstat(path).st_mtime_ns
        for folder, _, files in os.walk(root)
        for path in [folder, *(f"{folder}/{name}" for name in files)]
    }


def test_another_commit_of_a_submodule(repository: Repository) -> None:
    import pygit2

    def point_at(commit: str) -> None:
        mode = pygit2.enums.FileMode.COMMIT
        repository.git.index.add(pygit2.IndexEntry("sub", pygit2.Oid(hex=commit), mode))
        repository.git.index.write()

    write_files(repository.root, {"sub/file.txt": "s"})
    repository.commit()
    repository.git.index.remove("sub/file.txt")
    point_at("1" * 40)
    states = GitStates(repository.root)
    assert states.submodules("HEAD", INDEX)["sub"][1] == "1" * 12
    # What the submodule holds is as it lies there.
    assert states.disk(INDEX).read(f"{repository.root}/sub/file.txt", "") == b"s"
