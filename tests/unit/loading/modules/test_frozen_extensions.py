"""What Bazel refuses of extensions with `--lockfile_mode=error`."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

import pytest

from bazelscope.bazel.release import Release, lock_version
from bazelscope.loading.loader import Loader
from bazelscope.loading.tree.loading_options import LoadingOptions, ModuleFlags
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

ROOT = 'e = use_extension("//:e.bzl", "e")\nuse_repo(e, "hello")\n'
RULE = """
def _made(ctx):
    ctx.file("BUILD")
made = repository_rule(_made)
"""
EXTENSION = """
load("//:rule.bzl", "made")
def _e(ctx):
    made(name = "hello")
    return ctx.extension_metadata(reproducible = {reproducible})
e = module_extension(_e)
"""
REMEDY = "Please run `bazel mod deps --lockfile_mode=update` to update your lockfile."
LISTED = "a list"
ID_BEFORE_8 = (
    "ModuleExtensionId{bzlFileLabel=//:e.bzl, extensionName=e, isolationKey=Optional.empty}"
)


def digest(*texts: str) -> str:
    """The transitive digest of files that each load the next one."""
    below = b""
    for text in reversed(texts):
        below = hashlib.sha256(hashlib.sha256(text.encode()).digest() + below).digest()
    return base64.b64encode(below).decode()


def laid_out(root: Path, release: str, run: dict[str, object] | None, reproducible: str) -> str:
    """Writes a workspace with an extension and its lock file; returns the extension's text."""
    extension = EXTENSION.format(reproducible=reproducible)
    files = {"MODULE.bazel": ROOT, "BUILD": "", "e.bzl": extension, "rule.bzl": RULE}
    write_files(root, {**files, "list.txt": LISTED, ".bazelversion": release})
    specs = {"hello": {"repoRuleId": "@@//:rule.bzl%made", "attributes": {}}}
    runs = {} if run is None else {"general": {**run, "generatedRepoSpecs": specs}}
    lock = {
        "lockFileVersion": lock_version(Release.of(release)),
        "moduleFileHash": hashlib.sha256(ROOT.encode()).hexdigest(),
        "flags": {
            "cmdRegistries": ["https://bcr.bazel.build/"],
            "directDependenciesMode": "WARNING",
            "compatibilityMode": "ERROR",
        },
        "moduleExtensions": {"//:e.bzl%e": runs} if runs else {},
    }
    (root / "MODULE.bazel.lock").write_text(json.dumps(lock))
    return extension


def told(root: Path, release: str, mode: str = "error") -> tuple[str, list[str]]:
    """Why the extension's repository is refused, and what is not known of the extension."""
    modules = ModuleFlags(lockfile_mode=mode)
    table = Loader(Workspace.open(root), LoadingOptions(release, modules=modules)).table
    assert table.modules is not None and table.modules.extensions is not None
    failure = table.modules.extensions.failure_of("hello")
    unknowns = table.modules.extensions.unknowns
    doubts = [one.detail for one in unknowns if one.subject == "//:e.bzl%e"]
    return failure.message if failure is not None else "", doubts


@pytest.mark.parametrize(
    ("release", "reproducible", "why"),
    [
        ("8.1.0", "False", "The module extension '@@//:e.bzl%e' does not exist in the lockfile"),
        ("8.1.0", "True", ""),
        ("7.1.1", "True", ""),
        (
            "7.0.2",
            "False",
            f"The module extension '{ID_BEFORE_8}' does not exist in the lockfile",
        ),
    ],
)
def test_an_extension_that_is_not_locked(
    tmp_path: Path, release: str, reproducible: str, why: str
) -> None:
    laid_out(tmp_path, release, None, reproducible)
    assert told(tmp_path, release)[0] == why
    assert told(tmp_path, release, "update") == ("", [])


def test_an_extension_whose_files_have_changed(tmp_path: Path) -> None:
    text = EXTENSION.format(reproducible="False")
    same = {"bzlTransitiveDigest": digest(text, RULE)}
    other = {"bzlTransitiveDigest": digest(text, "")}
    sha256 = hashlib.sha256(LISTED.encode()).hexdigest()
    changed = (
        "The implementation of the extension '@@//:e.bzl%e' or one of its transitive .bzl files has"
        " changed"
    )
    files = "One or more files the extension '@@//:e.bzl%e' is using have changed"
    for release, run, why in (
        ("8.1.0", same, ""),
        ("8.1.0", other, changed),
        ("8.1.0", {**same, "recordedFileInputs": {"@@//list.txt": sha256}}, ""),
        ("8.1.0", {**same, "recordedFileInputs": {"@@//list.txt": "ab" * 32}}, files),
        ("8.1.0", {**other, "recordedFileInputs": {"@@//no.txt": sha256}}, f"{changed}, {files}"),
        ("9.1.0", {"recordedInputs": [f"FILE:@@//list.txt {sha256}"]}, ""),
        ("9.1.0", {"recordedInputs": [f"FILE:@@//list.txt {'ab' * 32}"]}, files),
    ):
        laid_out(tmp_path, release, run, "False")
        begin = "MODULE.bazel.lock is no longer up-to-date because: "
        failure, doubts = told(tmp_path, release)
        assert failure.removeprefix(begin).removesuffix(f". {REMEDY}") == why
        # What its tags say stands there as a digest only.
        told_of_doubt = ["whether MODULE.bazel.lock is up to date for it (--lockfile_mode=error)"]
        assert doubts == ([] if why else told_of_doubt)


def test_names_of_repositories_that_stand_for_others(tmp_path: Path) -> None:
    for entries, is_refused in (
        ([["", "bazel_tools", "bazel_tools"]], False),
        ([["", "hello", "x"]], True),
    ):
        laid_out(
            tmp_path,
            "8.7.0",
            {
                "recordedRepoMappingEntries": entries,
                "bzlTransitiveDigest": digest(EXTENSION.format(reproducible="False"), RULE),
            },
            "False",
        )
        assert ("The repo mappings of certain repos" in told(tmp_path, "8.7.0")[0]) is is_refused


def test_what_another_host_has_locked_is_none(tmp_path: Path) -> None:
    laid_out(tmp_path, "8.1.0", {"bzlTransitiveDigest": ""}, "False")
    lock = tmp_path / "MODULE.bazel.lock"
    lock.write_text(lock.read_text().replace('"general"', '"os:windows,arch:amd64"'))
    assert told(tmp_path, "8.1.0")[0].endswith("does not exist in the lockfile")


def test_files_that_lead_to_one_another_by_many_ways_are_hashed_once(tmp_path: Path) -> None:
    laid_out(tmp_path, "8.1.0", {"bzlTransitiveDigest": digest("")}, "False")
    for level in range(40):
        below = "ab" if level < 39 else ""
        loads = [f'load("//:{side}{level + 1}.bzl", _{side} = "X")\n' for side in below]
        for side in "ab":
            (tmp_path / f"{side}{level}.bzl").write_text("".join([*loads, "X = 1\n"]))
    (tmp_path / "rule.bzl").write_text(f'load("//:a0.bzl", "X")\n{RULE}')
    assert "transitive .bzl files has changed" in told(tmp_path, "8.1.0")[0]
