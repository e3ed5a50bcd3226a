"""The second run: what is taken from the cache, and what makes it be evaluated again."""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.base.label import PackageId
from bazelscope.kept.kept_files import KeptFiles
from bazelscope.kept.pack import Pack
from bazelscope.loading.cache.file_stamps import FileStamps
from bazelscope.loading.cache.package_codec import encode_package
from bazelscope.loading.evaluation.build_files.package_evaluation import PackageEvaluator
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage, Rule
from bazelscope.loading.tree.contents import ABSENT, DIRECTORY
from bazelscope.loading.tree.disk import MachineDisk, Stamp
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

FILES = {
    "WORKSPACE": 'workspace(name = "w")\n',
    ".bazelignore": "ignored\n",
    "p/BUILD": """
        load(":m.bzl", "m", "thing")
        package(default_visibility = ["//visibility:public"])
        m("f")
        thing(name = "t", dep = ":f")
        genrule(name = "g", outs = ["o"], cmd = select({":c": "x", "//conditions:default": "y"}))
        filegroup(name = "bad", nonsense = 1)
    """,
    "p/m.bzl": """
        load("//q:n.bzl", "N")

        thing = rule(
            implementation = print,
            attrs = {"dep": attr.label(cfg = "host"), "_tool": attr.label(default = "//q:tool")},
        )

        def m(name):
            native.filegroup(name = name, srcs = native.glob(["**/*.txt"]), tags = N)
    """,
    "q/BUILD": "",
    "q/n.bzl": 'N = ["n"]\n',
    "p/a.txt": "",
    "p/sub/b.txt": "",
}


class Runs:
    """Runs of one workspace, each by a new loader, as separate processes would make them."""

    def __init__(self, root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.cache = cache
        self.evaluated: list[str] = []
        evaluate = PackageEvaluator.evaluate

        def counted(evaluator: PackageEvaluator, file: object) -> object:
            self.evaluated.append(file.id.package)  # type: ignore[attr-defined]
            return evaluate(evaluator, file)  # type: ignore[arg-type]

        monkeypatch.setattr(PackageEvaluator, "evaluate", counted)

    def run(self, **options: object) -> Package:
        """Loads `//p` and saves; `evaluated` then says whether it was evaluated."""
        self.evaluated.clear()
        made = LoadingOptions("4.2.3", **options)  # type: ignore[arg-type]
        package = self._load(made)
        assert isinstance(package, Package)
        return package

    def load(self, *names: str) -> list[str]:
        """Loads packages and saves; returns those that were evaluated."""
        self.evaluated.clear()
        loader = Loader(Workspace.open(self.root), LoadingOptions("4.2.3"), self.cache)
        for name in names:
            assert isinstance(loader.package(PackageId("", name)), Package)
        loader.save()
        return list(self.evaluated)

    def digest(self) -> bytes | None:
        """Returns the hash of all that there is to know of `//p`, and saves."""
        self.evaluated.clear()
        loader = Loader(Workspace.open(self.root), LoadingOptions("4.2.3"), self.cache)
        digest = loader.package_digest(PackageId("", "p"))
        loader.save()
        return digest

    def refused(self) -> NoSuchPackage:
        """Likewise, where `//p` cannot be loaded."""
        package = self._load(LoadingOptions("4.2.3"))
        assert isinstance(package, NoSuchPackage)
        return package

    def _load(self, options: LoadingOptions) -> object:
        loader = Loader(Workspace.open(self.root), options, self.cache)
        package = loader.package(PackageId("", "p"))
        loader.save()
        return package


def evaluated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> Runs:
    """A workspace of one package, `p`, of which a first run has kept what it evaluated."""
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    write_files(tmp_path / "w", files)
    made = Runs(tmp_path / "w", tmp_path / "cache", monkeypatch)
    made.run()
    assert made.evaluated == ["p"]
    return made


@pytest.fixture
def runs(write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    made = Runs(write(FILES), tmp_path / "cache", monkeypatch)
    made.run()
    assert made.evaluated == ["p"]
    return made


def test_the_second_run_evaluates_nothing_and_says_the_same(runs: Runs) -> None:
    first = runs.run(max_steps=12345)  # not part of what a package depends on
    assert runs.evaluated == []
    loader = Loader(Workspace.open(runs.root), LoadingOptions("4.2.3"), None)
    fresh = loader.package(PackageId("", "p"))
    assert isinstance(fresh, Package)
    assert first.diagnostics == fresh.diagnostics != ()
    assert first.loads == fresh.loads
    assert first.default_visibility == fresh.default_visibility
    assert list(first.targets) == list(fresh.targets)
    for name, target in fresh.targets.items():
        cached = first.targets[name]
        if hasattr(target, "attributes") and hasattr(cached, "attributes"):
            assert dict(cached.attributes) == dict(target.attributes)
            assert cached.rule_class == target.rule_class
            assert cached.call_stack == target.call_stack
            assert (cached.outputs, cached.generator_name) == (
                target.outputs,
                target.generator_name,
            )
        else:
            assert cached == target


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("p/BUILD", 'filegroup(name = "f")\n'),
        ("p/m.bzl", "def m(name):\n    pass\nthing = m\n"),
        ("q/n.bzl", 'N = ["changed"]\n'),
        ("p/sub/new.txt", ""),
        ("p/sub/BUILD", ""),
        ("p/BUILD.bazel", ""),
        ("WORKSPACE", 'workspace(name = "other")\n'),
        (".bazelignore", "p/sub\n"),
    ],
)
def test_a_change_is_seen(runs: Runs, path: str, text: str) -> None:
    (runs.root / path).write_text(text)
    runs.run()
    assert runs.evaluated == ["p"]
    runs.run()
    assert runs.evaluated == []


@pytest.mark.parametrize(("value", "is_same"), [("1", True), ("0", False)])
def test_a_package_that_comes_out_as_it_was_is_what_it_was(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, value: str, is_same: bool
) -> None:
    file = runs.root / "p/BUILD"
    file.write_text('genrule(name = "g", outs = ["o"], cmd = "", executable = 1)\n')
    before = runs.digest()

    def otherwise(*given: object) -> bytes:
        return marshal.dumps(marshal.loads(encode_package(*given)), 2)  # type: ignore[arg-type]

    monkeypatch.setattr("bazelscope.loading.cache.package_cache.encode_package", otherwise)
    file.write_text(file.read_text().replace("= 1", f"= {value}") + "edited = 1\n")
    assert (runs.digest() == before) is is_same
    assert runs.evaluated == ["p"]


def test_a_removed_file_is_seen(runs: Runs) -> None:
    (runs.root / "p/sub/b.txt").unlink()
    assert "sub/b.txt" not in runs.run().targets
    assert runs.evaluated == ["p"]


def test_a_file_that_appears_is_seen(runs: Runs) -> None:
    (runs.root / "q/n.bzl").unlink()
    assert "cannot load '//q:n.bzl': no such file" in runs.refused().message
    (runs.root / "q/n.bzl").write_text('N = ["back"]\n')
    runs.run()
    assert runs.evaluated == ["p"]


def test_an_edit_leaves_what_was_kept_beside_a_file_in_doubt(runs: Runs) -> None:
    write_files(
        runs.root,
        {
            "WORKSPACE": 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
            'http_archive(name = "gone", url = "https://example.com/gone.zip")\n',
            "d.bzl": 'load("@gone//:x.bzl", "x")\nD = ["d"] if x else []\n',
            "d/BUILD": 'load("//:d.bzl", "D")\nfilegroup(name = "d", tags = D)\n',
            "BUILD": "",
        },
    )
    runs.load("p", "d")
    (runs.root / "p/BUILD").write_text('filegroup(name = "new")\n')
    assert runs.load("p") == ["p"]
    assert runs.load("p", "d") == []


@pytest.mark.parametrize(
    "options",
    [
        {"disallow_empty_glob": True},
        {"deleted_packages": frozenset({"elsewhere"})},
        {"output_base": "/nowhere"},
        {"override_repositories": {"a": "/nowhere"}},
    ],
    ids=lambda options: next(iter(options)),
)
def test_options_are_part_of_the_key(runs: Runs, options: dict[str, object]) -> None:
    runs.run(**options)
    assert runs.evaluated == ["p"]
    runs.run()
    assert runs.evaluated == []


@pytest.mark.parametrize("position", [3, 40, 200, -5])
def test_damage_is_no_harm(runs: Runs, position: int) -> None:
    (file,) = (runs.cache / "packages").glob("*.packages")
    content = bytearray(file.read_bytes())
    content[position] ^= 0xFF
    file.write_bytes(content)
    assert "f" in runs.run().targets


def test_a_package_is_evaluated_again_where_a_class_of_its_rules_is_damaged(runs: Runs) -> None:
    (file,) = (runs.cache / "packages").glob("*.packages")
    content = bytearray(file.read_bytes())
    content[content.index(b"_tool")] ^= 0xFF
    file.write_bytes(content)
    targets = runs.run().targets
    assert runs.evaluated == ["p"]
    rule = targets["t"]
    assert isinstance(rule, Rule) and "_tool" in rule.rule_class.attributes


def test_below_a_directory_that_is_not_there_nothing_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    stamp = MachineDisk.stamp

    def counted(disk: MachineDisk, path: str) -> Stamp:
        looked.append(path)
        return stamp(disk, path)

    monkeypatch.setattr(MachineDisk, "stamp", counted)
    paths = [f"{tmp_path}/{path}" for path in ("gone", "gone/a", "gone/a/b")]
    stamps = FileStamps()
    assert all(stamps.holds((DIRECTORY, path, ABSENT)) for path in paths)
    assert set(looked) == {paths[0]}
    (tmp_path / "gone" / "a").mkdir(parents=True)
    assert [FileStamps().holds((DIRECTORY, path, ABSENT)) for path in paths] == [False, False, True]


def test_many_stamps_tell_what_one_after_the_other_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    table = Pack(KeptFiles(tmp_path / "kept"), "one", 1 << 20).table("stamps")
    first = FileStamps(table)
    inputs = [first.of(f"{tmp_path}/{name}") for name in ("a", "b", "gone")]
    (tmp_path / "b").write_text("other")
    assert FileStamps(table).are_as_stamped([*inputs, ("x", "file", "r", "p", b"")]) == [
        *(True, False, False, False)
    ]
    assert [FileStamps(table).holds(input) for input in inputs] == [True, False, True]
    assert FileStamps().are_as_stamped(inputs) == [False] * 3


def test_a_file_that_others_can_write_is_not_read(runs: Runs) -> None:
    (file,) = (runs.cache / "packages").glob("*.packages")
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    file.chmod(0o666)
    runs.run()
    assert runs.evaluated == ["p"]


def test_what_changed_just_now_is_not_kept(
    write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 3_600_000_000_000)
    made = Runs(write(FILES), tmp_path / "cache", monkeypatch)
    made.run()
    made.run()
    assert made.evaluated == ["p"]


def _anew(root: Path) -> None:
    """Writes every file again with what it holds, as a checkout does."""
    for path in [one for one in root.rglob("*") if one.is_file()]:
        content = path.read_bytes()
        path.unlink()
        path.write_bytes(content)


@pytest.mark.parametrize("what", ["touch", "checkout"])
def test_content_decides(runs: Runs, what: str) -> None:
    if what == "touch":
        for path in runs.root.rglob("*"):
            path.touch()
    else:
        _anew(runs.root)
    runs.run()
    assert runs.evaluated == []


def test_a_stamp_is_renewed(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    _anew(runs.root)
    runs.run()
    read: list[str] = []

    actual = MachineDisk.read

    def noted(disk: MachineDisk, path: str, shown: str) -> bytes:
        read.append(path)
        return actual(disk, path, shown)

    monkeypatch.setattr(MachineDisk, "read", noted)
    runs.run()
    assert runs.evaluated == []
    assert [path for path in read if Path(path).exists()] == []


def test_the_same_size_and_time(runs: Runs) -> None:
    path = runs.root / "q/n.bzl"
    before = path.stat()
    path.write_text('N = ["m"]\n')
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    runs.run()
    assert runs.evaluated == ["p"]


def test_a_file_is_added_and_the_time_of_its_folder_put_back(runs: Runs) -> None:
    folder = runs.root / "p/sub"
    before = folder.stat()
    (folder / "new.txt").write_text("")
    os.utime(folder, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "sub/new.txt" in runs.run().targets


def test_a_link_is_switched_between_folders_of_one_time(runs: Runs) -> None:
    time = 1_600_000_000_000_000_000
    for release in ("r1", "r2"):
        (runs.root / release).mkdir()
        (runs.root / release / f"{release}.txt").write_text("")
        for path in (runs.root / release / f"{release}.txt", runs.root / release):
            os.utime(path, ns=(time, time))
    link = runs.root / "p/current"
    link.symlink_to("../r1")
    assert "current/r1.txt" in runs.run().targets
    link.unlink()
    link.symlink_to("../r2")
    assert "current/r2.txt" in runs.run().targets


def test_what_just_changed_is_not_believed(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 10**12)
    for letter in "abc":  # in one tick, of one size
        (runs.root / "q/n.bzl").write_text(f'N = ["{letter}"]\n')
        runs.run()
        assert runs.evaluated == ["p"]
