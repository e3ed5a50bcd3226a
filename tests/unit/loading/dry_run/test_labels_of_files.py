"""Labels that repository rules want the paths of: those that Bazel refuses (measured: 0.24.1,
2.1.0, 4.2.3), and those that it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.errors import Diagnostic
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.rule_run import with_doubt
from bazelscope.loading.dry_run.run_result import DryRunResult
from tests.support.files import write_files
from tests.unit.loading.dry_run.test_dry_run_cache import Runs
from tests.unit.loading.repositories.workspaces import Options, evaluate, lay_out, rule

_VERSIONS = ("4.2.3", "2.1.0", "0.24.1")
_CALLS = {
    "path": "ctx.path(f)",
    "template": 'ctx.template("x", f)',
    "symlink": 'ctx.symlink(f, "x")',
    "read": "ctx.read(f)",
    "patch": "ctx.patch(f)",
    "extract": "ctx.extract(f)",
    "path of a path": "ctx.read(ctx.path(f))",
}
_FILES = {
    "none/f": "",
    "some/BUILD": "",
    "some/f": "",
    "some/folder/f": "",
    "ignored/BUILD": "",
    "ignored/below/BUILD": "",
    "ignored/below/f": "",
    ".bazelignore": "ignored\n",
    "ext/WORKSPACE": "",
    "ext/some/BUILD": "",
    "ext/some/f": "",
    "ext/none/f": "",
}
_DIRECTORIES = (
    "BUILD file not found in any of the following directories. Add a BUILD file to a directory to"
    " mark it as a package.\n - {}"
)
_OF_OTHER = (
    "BUILD file not found in directory 'none' of external repository @ext. Add a BUILD file to a"
    " directory to mark it as a package."
)
_LABELS = {
    "//some:f": None,
    "//:none/f": None,
    "//:some/f": None,
    "//none:f": _DIRECTORIES.format("none"),
    "//none:nor_file": _DIRECTORIES.format("none"),
    "//nowhere:f": _DIRECTORIES.format("nowhere"),
    "//ignored/below:f": "Package is considered deleted due to --deleted_packages",
    "@ext//some:f": None,
    "@ext//none:f": _OF_OTHER,
    "@nobody//some:f": "The repository '@nobody' could not be resolved",
    "@fetched//some:f": None,
}


def _failure(
    root: Path, body: str, label: str, version: str, files: dict[str, str] = _FILES
) -> str | None:
    made = rule(f"f = Label({label!r})\n{body}")
    made["WORKSPACE"] += """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
local_repository(name = "ext", path = "ext")
http_archive(name = "fetched", url = "https://example.org/a.zip")
"""
    found = evaluate(lay_out(root, {**files, **made}), Options(version)).failure_of("r")
    return found.message if found is not None else None


@pytest.mark.parametrize("version", _VERSIONS)
@pytest.mark.parametrize("label", _LABELS)
def test_a_label_of_a_file_is_of_a_package(label: str, version: str, tmp_path: Path) -> None:
    why = _LABELS[label]
    if why is not None:
        why = "not found." if version == "0.24.1" else why
        why = f"Unable to load package for {label}: {why}"
    assert _failure(tmp_path, _CALLS["path"], label, version) == why


@pytest.mark.parametrize("call", _CALLS)
def test_whatever_takes_a_label_looks_at_its_package(call: str, tmp_path: Path) -> None:
    message = _failure(tmp_path / "none", _CALLS[call], "//none:f", "4.2.3")
    assert message is not None and message.startswith("Unable to load package for //none:f: BUILD")
    message = _failure(tmp_path / "file", _CALLS[call], "//some:nofile", "4.2.3")
    assert message == "Not a regular file: some/nofile"
    assert _failure(tmp_path / "ok", _CALLS[call], "//some:f", "4.2.3") is None


@pytest.mark.parametrize(("version", "is_refused"), [("4.2.3", True), ("2.1.0", False)])
def test_programs_take_labels_as_paths(version: str, is_refused: bool, tmp_path: Path) -> None:
    message = _failure(tmp_path, 'ctx.execute(["cat", f])', "//none:f", version)
    assert (message is not None) is is_refused


@pytest.mark.parametrize("version", _VERSIONS)
@pytest.mark.parametrize("label", ["//some:nofile", "//some:folder", "@ext//some:nofile"])
def test_a_label_of_a_package_names_a_file(label: str, version: str, tmp_path: Path) -> None:
    path = label.partition("//")[2].replace(":", "/")
    message = _failure(tmp_path, _CALLS["path"], label, version)
    assert message == f"Not a regular file: {path}"


def test_a_path_may_lead_nowhere_in_newer_releases_but_is_not_read(tmp_path: Path) -> None:
    assert _failure(tmp_path / "path", _CALLS["path"], "//some:nofile", "7.4.1") is None
    for call in ("read", "template", "patch"):
        message = _failure(tmp_path / call, _CALLS[call], "//some:nofile", "7.4.1")
        assert message == "//some:nofile does not exist"


def test_a_label_that_no_call_takes_is_any(tmp_path: Path) -> None:
    assert _failure(tmp_path, 'ctx.file("BUILD", "")', "//none:f", "4.2.3") is None


_ARCHIVE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
load("@bazel_tools//tools/build_defs/repo:git.bzl", "git_repository", "new_git_repository")
http_archive(name = "h", url = "https://example.org/a.zip", {0})
git_repository(name = "g", remote = "https://example.org/a.git", commit = "1", {0})
"""


@pytest.mark.parametrize(
    ("argument", "is_refused"),
    [
        ('build_file = "//none:f"', True),
        ('patches = ["//some:f", "//none:f"]', True),
        ('workspace_file = "//none:f"', True),
        ('build_file = "//:none/f"', False),
        ('build_file = "none/f"', True),
        ('patches = ["@ext//some:f"]', False),
    ],
)
@pytest.mark.parametrize("version", _VERSIONS)
def test_who_needs_an_archive_is_refused(
    version: str, argument: str, is_refused: bool, tmp_path: Path
) -> None:
    text = 'local_repository(name = "ext", path = "ext")\n' + _ARCHIVE.format(argument)
    build = 'filegroup(name = "t", srcs = ["@{}//:x"])\n'
    files = {"WORKSPACE": text, "BUILD": "", "own/BUILD": 'filegroup(name = "t")\n'}
    write_files(tmp_path, {**_FILES, **files, **{f"{n}/BUILD": build.format(n) for n in "hg"}})
    configured = Workspace.open(tmp_path, bazel_version=version).configure([])
    for name in "hg":
        messages = [one.message for one in configured.refusals(f"//{name}:t")]
        words = "Not a regular file: external/none/f" if '"none/f"' in argument else "//none:f"
        assert any(words in message for message in messages) is is_refused, messages
    assert not configured.refusals("//own:t")


def test_what_is_not_known_refuses_nothing(tmp_path: Path) -> None:
    body = 'ctx.execute(["tool"])\nif ctx.which("x"):\n    ctx.path(f)\n'
    assert _failure(tmp_path, body, "//none:f", "4.2.3") is None


@pytest.mark.parametrize("label", ["//none{}:f", "@ext{}//some:f", "//some:f{}"])
def test_a_label_with_an_unknown_piece_may_name_a_file(label: str, tmp_path: Path) -> None:
    body = f'ctx.path(Label("{label}".format(ctx.execute(["tool"]).stdout)))\nctx.file("x", "")'
    files = {**rule(body), **_FILES}
    table = evaluate(lay_out(tmp_path, files), Options("4.2.3"))
    placement = table.placement("r")
    assert placement is not None and placement.dry_run is not None
    assert placement.dry_run.failure is None


def test_a_kept_run_knows_of_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    made = rule('ctx.file("BUILD", ctx.read(Label("//some:f")))')
    root = lay_out(tmp_path / "w", {**made, "some/f": "# f\n"})
    runs = Runs(root, tmp_path / "cache", monkeypatch)

    def is_refused() -> bool:
        result = runs.run("r")["r"]
        assert result is not None
        return result.refusal is not None

    assert is_refused()
    lay_out(root, {**made, "some/BUILD": ""})
    assert not is_refused()
    assert not is_refused() and not runs.ran
    lay_out(root, {**made, "some/BUILD": "# another text\n"})
    assert not is_refused() and not runs.ran
    lay_out(root, {**made, ".bazelignore": "some\n"})
    assert is_refused()


def test_a_rule_whose_arguments_are_not_known_is_not_refused() -> None:
    stop = Unknown(Reason.FAILED, "the rest", "its repository rule stops here: no")
    failure = Diagnostic("starlark-fail", "no")
    result = DryRunResult({}, {"": stop}, (), (), (), (), failure)
    assert result.refusal is failure
    assert with_doubt(result, Unknown(Reason.FAILED, "@other", stop.detail)).refusal is None
