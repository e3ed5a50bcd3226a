"""`mod tidy`: what Bazel would change in the `use_repo()` calls of the root module."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.questions.mod.answer import ModulesAnswer
from tests.support.files import write_files

_EXTENSION = """
def _repo(ctx):
    ctx.file("BUILD", "")
repo = repository_rule(implementation = _repo)
def _ext(ctx):
    for name in ["a", "b", "c", "d"]:
        repo(name = name)
    return ctx.extension_metadata(
        root_module_direct_deps = DIRECT,
        root_module_direct_dev_deps = DEV,
    )
ext = module_extension(_ext)
"""
_MODULE = """
ext = use_extension("//:ext.bzl", "ext")
use_repo(ext, "b", "c", "gone")
dev = use_extension("//:ext.bzl", "ext", dev_dependency = True)
use_repo(dev, "d")
"""


def _tidy(root: Path, direct: str, dev: str, version: str = "8.1.0") -> ModulesAnswer:
    text = _EXTENSION.replace("DIRECT", direct).replace("DEV", dev)
    files = {"MODULE.bazel": _MODULE, "ext.bzl": text, "BUILD": "", ".bazelversion": version}
    write_files(root, files)
    return Workspace.open(root).configure(command="mod").mod("tidy")


def test_what_is_added_and_taken_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    answer = _tidy(tmp_path, '["a", "c"]', '["b"]')
    ((fixup, is_of_lock_file),) = [(one.fixup, one.is_of_lock_file) for one in answer.fixups]
    assert not is_of_lock_file and not answer.unknowns
    assert fixup.commands == (
        "use_repo_add //:ext.bzl ext a",
        "use_repo_remove //:ext.bzl ext b gone",
        "use_repo_add dev //:ext.bzl ext b",
        "use_repo_remove dev //:ext.bzl ext d",
    )
    assert (fixup.missing, fixup.indirect, fixup.not_made) == (("a",), ("d",), ("gone",))
    assert str(fixup.location) == "MODULE.bazel:2:20"
    assert main(["mod", "tidy", "-w", str(tmp_path), "--no-cache"]) == 0
    out, err = capfd.readouterr()
    assert not err
    told = [" ".join(line.split()) for line in out.splitlines()]
    assert 'add "a": a direct dependency' in told
    assert 'add "b": a direct dependency for development' in told
    assert 'take out "gone": the extension makes no such repository' in told
    assert 'take out "d": no direct dependency for development' in told
    assert any(line.startswith("by hand: buildozer 'use_repo_add //:ext") for line in told)


def test_nothing_is_to_be_changed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for direct, dev in (("None", "None"), ('["b", "c", "gone"]', '["d"]')):
        text = _EXTENSION.replace('"d"]:', '"d", "gone"]:')
        text = text.replace("DIRECT", direct).replace("DEV", dev)
        write_files(tmp_path, {"MODULE.bazel": _MODULE, "ext.bzl": text, "BUILD": ""})
        assert main(["mod", "tidy", "-w", str(tmp_path), "--no-cache"]) == 0
        told = " ".join(capfd.readouterr().out.split())
        assert "no use_repo() of MODULE.bazel differs from what its extension reports" in told


def test_a_bazel_without_it_says_since_when_there_is_one(tmp_path: Path) -> None:
    answer = _tidy(tmp_path, "[]", "[]", version="7.0.2")
    assert answer.problem == "this Bazel has no `mod tidy`; it came with 7.1"


@pytest.mark.parametrize(
    ("said", "commands"),
    [
        (None, None),
        (
            {
                "useAllRepos": "NO",
                "explicitRootModuleDirectDeps": ["x"],
                "explicitRootModuleDirectDevDeps": [],
            },
            (),
        ),
        (
            {
                "useAllRepos": "NO",
                "explicitRootModuleDirectDeps": ["x", "y"],
                "explicitRootModuleDirectDevDeps": [],
            },
            ("use_repo_add @far//:e.bzl e y",),
        ),
        ({"useAllRepos": "REGULAR"}, ("use_repo_add @far//:e.bzl e y",)),
        (
            {"useAllRepos": "DEV"},
            ("use_repo_remove @far//:e.bzl e x", "use_repo_add dev @far//:e.bzl e x y"),
        ),
    ],
)
def test_what_a_lock_file_says_of_an_extension_that_is_not_here(
    tmp_path: Path, said: dict[str, object] | None, commands: tuple[str, ...] | None
) -> None:
    specs = {name: {"repoRuleId": "@@far+//:r.bzl%r", "attributes": {}} for name in "xy"}
    run = {"generatedRepoSpecs": specs, "moduleExtensionMetadata": said}
    lock = {
        "lockFileVersion": 13,
        "moduleExtensions": {"@@far+//:e.bzl%e": {"general": run}} if said else {},
    }
    module = 'bazel_dep(name = "far", version = "1")\n'
    module += 'e = use_extension("@far//:e.bzl", "e")\nuse_repo(e, "x")\n'
    files = {"MODULE.bazel": module, "MODULE.bazel.lock": json.dumps(lock), "BUILD": ""}
    write_files(tmp_path, {**files, ".bazelversion": "8.1.0"})
    answer = Workspace.open(tmp_path).configure(command="mod").mod("tidy")
    if commands is None:
        assert answer.unknowns and not answer.fixups
        return
    assert not answer.unknowns
    assert tuple(one for each in answer.fixups for one in each.fixup.commands) == commands
    assert all(one.is_of_lock_file for one in answer.fixups)
