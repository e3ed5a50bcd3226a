"""What Bazel refuses with `--lockfile_mode=error`: a lock file that it would write anew."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from bazelscope import api
from bazelscope.base.errors import is_severe
from bazelscope.bazel.release import Release, lock_version
from bazelscope.cli.entry import main
from bazelscope.loading.loader import Loader
from bazelscope.loading.modules.registry_index import CENTRAL_REGISTRY
from bazelscope.loading.tree.loading_options import LoadingOptions, ModuleFlags
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

SKYLIB = 'bazel_dep(name = "bazel_skylib", version = "1.8.2")\n'
REMEDY = "Please run `bazel mod deps --lockfile_mode=update` to update your lockfile."
CHANGED = "the value of --{} flag has been modified"
BEGIN = "Lock file is no longer up-to-date because: "
MISSING = "not permitted with --lockfile_mode=error. " + REMEDY
FLAGS = {
    "cmdRegistries": ["https://bcr.bazel.build/"],
    "cmdModuleOverrides": {},
    "allowedYankedVersions": [],
    "envVarAllowedYankedVersions": "",
    "ignoreDevDependency": False,
    "directDependenciesMode": "WARNING",
    "compatibilityMode": "ERROR",
}


def loader(root: Path, release: str, mode: str = "error", **flags: object) -> Loader:
    modules = ModuleFlags(lockfile_mode=mode, **flags)  # type: ignore[arg-type]
    options = LoadingOptions(release, enable_bzlmod=True, modules=modules)
    return Loader(Workspace.open(root), options)


def refusals(root: Path, release: str, mode: str = "error", **flags: object) -> list[str]:
    table = loader(root, release, mode, **flags).table
    return [problem.message for problem in table.diagnostics if is_severe(problem)]


def write_lock(root: Path, release: str, **members: object) -> None:
    lock = {"lockFileVersion": lock_version(Release.of(release)), **members}
    (root / "MODULE.bazel.lock").write_text(json.dumps(lock))


def hashes(root: Path, release: str) -> dict[str, str]:
    """Those that Bazel would write."""
    modules = loader(root, release, "update").table.modules
    assert modules is not None and modules.resolved is not None
    resolution = modules.resolved.resolution
    urls = [f"{CENTRAL_REGISTRY}/bazel_registry.json"]
    for key in resolution.asked:
        urls.append(f"{CENTRAL_REGISTRY}/modules/{key.name}/{key.version}/MODULE.bazel")
    for key in resolution.selected:
        if key.version:
            urls.append(f"{CENTRAL_REGISTRY}/modules/{key.name}/{key.version}/source.json")
    return dict.fromkeys(urls, "ab")


def url(module: str, name: str = "MODULE.bazel") -> str:
    return f"{CENTRAL_REGISTRY}/modules/{module.replace('@', '/')}/{name}"


@pytest.mark.parametrize("release", ["7.2.0", "8.1.0", "9.1.0"])
def test_every_file_of_a_registry_needs_its_hash(tmp_path: Path, release: str) -> None:
    (tmp_path / "MODULE.bazel").write_text(SKYLIB)
    missing = f"Missing checksum for registry file {url('bazel_skylib@1.8.2')} {MISSING}"
    assert refusals(tmp_path, release) == [missing]
    assert refusals(tmp_path, release, "update") == []
    whole = hashes(tmp_path, release)
    write_lock(tmp_path, release, registryFileHashes=whole)
    assert refusals(tmp_path, release) == []
    for lacking, why in (
        (url("bazel_skylib@1.8.2"), "Missing checksum for registry file "),
        (f"{CENTRAL_REGISTRY}/bazel_registry.json", "Missing checksum for registry file "),
        (url("bazel_skylib@1.8.2", "source.json"), "Cannot fetch a file without a checksum"),
    ):
        rest = {key: digest for key, digest in whole.items() if key != lacking}
        write_lock(tmp_path, release, registryFileHashes=rest)
        (told,) = refusals(tmp_path, release)
        assert told.startswith(why)
        assert lacking in told or "bazel_skylib@1.8.2" in told


def test_what_only_bazel_itself_asks_for_is_refused_where_that_is_known(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text(SKYLIB)
    for release, is_known in (("9.2.0", True), ("9.3.0", False)):
        (tmp_path / ".bazelversion").write_text(release)
        lock = hashes(tmp_path, release)
        del lock[url("rules_java@9.1.0")]
        write_lock(tmp_path, release, registryFileHashes=lock)
        assert bool(refusals(tmp_path, release)) is is_known


def test_a_lock_file_of_another_bazel(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text(SKYLIB)
    lock = {"registryFileHashes": hashes(tmp_path, "8.1.0")}
    for release, why in (
        (
            "8.1.0",
            f"The version of MODULE.bazel.lock is not supported by this version of Bazel. {REMEDY}",
        ),
        (
            "7.1.0",
            BEGIN
            + f"the version of the lockfile is not compatible with the current Bazel. {REMEDY}",
        ),
    ):
        for text in (json.dumps({"lockFileVersion": 16, **lock}), "no lock"):
            (tmp_path / "MODULE.bazel.lock").write_text(text)
            assert refusals(tmp_path, release) == [why]


def test_files_of_a_registry_on_this_machine_need_none(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "MODULE.bazel": 'bazel_dep(name = "lib", version = "1")\n',
            "reg/modules/lib/1/MODULE.bazel": 'module(name = "lib", version = "1")\n',
        },
    )
    registries = (f"file://{tmp_path}/reg", CENTRAL_REGISTRY)
    (told,) = refusals(tmp_path, "8.1.0", registries=registries)
    assert "/lib/" not in told
    write_lock(tmp_path, "8.1.0", registryFileHashes=hashes(tmp_path, "8.1.0"))
    assert refusals(tmp_path, "8.1.0", registries=registries) == []


def written_for(text: str, **flags: object) -> dict[str, object]:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"moduleFileHash": digest, "flags": {**FLAGS, **flags}}


@pytest.mark.parametrize("release", ["6.3.0", "7.0.2", "7.1.1"])
def test_before_7_2_it_is_of_one_module_file_and_some_flags(tmp_path: Path, release: str) -> None:
    (tmp_path / "MODULE.bazel").write_text(SKYLIB)
    write_lock(tmp_path, release, **written_for(SKYLIB))
    assert refusals(tmp_path, release) == []
    end = "" if release == "6.3.0" else f". {REMEDY}"
    for text, flags, why in (
        ("", {}, "the root MODULE.bazel has been modified"),
        (
            SKYLIB,
            {"allowedYankedVersions": ["a@1"]},
            CHANGED.format("allow_yanked_versions"),
        ),
        (
            SKYLIB,
            {"ignoreDevDependency": True, "compatibilityMode": "OFF"},
            CHANGED.format("ignore_dev_dependency")
            + ", "
            + CHANGED.format("check_bazel_compatibility"),
        ),
    ):
        write_lock(tmp_path, release, **written_for(text, **flags))
        assert refusals(tmp_path, release) == [f"{BEGIN}{why}{end}"]
    (tmp_path / "MODULE.bazel.lock").unlink()
    (told,) = refusals(tmp_path, release)
    assert told.startswith(f"{BEGIN}the root MODULE.bazel has been modified, ")
    assert "--registry" in told and "--check_direct_dependencies" in told


def test_the_module_file_of_an_override_before_7_2(tmp_path: Path) -> None:
    root = 'bazel_dep(name = "lib")\nlocal_path_override(module_name = "lib", path = "lib")\n'
    lib = 'module(name = "lib")\n'
    write_files(tmp_path, {"MODULE.bazel": root, "lib/MODULE.bazel": lib})
    for digest, is_refused in ((hashlib.sha256(lib.encode()).hexdigest(), False), ("ab", True)):
        lock = {**written_for(root), "localOverrideHashes": {"bazel_tools": "1", "lib": digest}}
        write_lock(tmp_path, "7.1.1", **lock)
        told = refusals(tmp_path, "7.1.1")
        assert any("changed for the overriden module: lib" in one for one in told) is is_refused


def test_refresh_asks_again_what_registries_may_have_changed(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "MODULE.bazel": 'bazel_dep(name = "lib", version = "1")\n',
            "reg/modules/lib/1/MODULE.bazel": 'module(name = "lib", version = "1")\n',
            "reg/modules/lib/metadata.json": '{"yanked_versions": {"1": "bad"}}',
        },
    )
    registry = f"file://{tmp_path}/reg"
    registries = (registry, CENTRAL_REGISTRY)
    found = {f"{registry}/modules/lib/1/{name}": "ab" for name in ("MODULE.bazel", "source.json")}
    for digest, mode, why in (
        ("ab", "update", ""),
        ("ab", "refresh", "Yanked version detected"),
        ("not found", "update", ""),
        ("not found", "refresh", "Yanked version detected"),
    ):
        lock = dict.fromkeys(found, digest)
        write_lock(tmp_path, "8.1.0", registryFileHashes=lock)
        told = refusals(tmp_path, "8.1.0", mode, registries=registries)
        assert [why in one for one in told] == ([True] if why else []), (digest, mode, told)


@pytest.mark.parametrize("command", ["explain", "query", "mod"])
def test_every_answer_is_refused(
    tmp_path: Path,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {"MODULE.bazel": SKYLIB, "BUILD": 'filegroup(name = "a")\n', ".bazelversion": "8.1.0"}
    write_files(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    word = "graph" if command == "mod" else "//:a"
    assert main([command, word, "--lockfile_mode=error"]) == (7 if command == "query" else 3)
    told = capsys.readouterr()
    assert "Missing checksum for registry file" in told.out + told.err
    assert main([command, word]) == 0


def test_the_lock_file_of_bazel_6_counts_if_a_flag_says_so(tmp_path: Path) -> None:
    write_files(tmp_path, {"MODULE.bazel": SKYLIB, "MODULE.bazel.lock": '{"lockFileVersion": 1, x'})
    for mode, is_told in (("", False), ("--lockfile_mode=update", True)):
        line = ["--enable_bzlmod", *([mode] if mode else [])]
        build = api.Workspace.open(tmp_path, bazel_version="6.5.0").configure(line, command="mod")
        told = [one.message for one in build.mod("graph").envelope.diagnostics]
        assert any("MODULE.bazel.lock" in one for one in told) is is_told
