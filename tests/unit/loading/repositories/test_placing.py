"""Where the content of a repository comes from, and which repositories there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.repository_access import PartlyKnownFile
from bazelscope.loading.packages.targets import Provenance
from tests.unit.loading.repositories.workspaces import Options, evaluate, lay_out, rule, text_of


def test_an_unknown_load_costs_only_what_it_would_define(tmp_path: Path) -> None:
    files = {
        "BUILD": "",
        "one/BUILD": "",
        "one/WORKSPACE": "",
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.org/far.zip"])
load("@far//:defs.bzl", "far_repositories")
far_repositories()
local_repository(name = "near", path = "one")
""",
    }
    table = evaluate(lay_out(tmp_path, files))
    near, perhaps = table.get("near"), table.get("perhaps")
    assert near is not None and near.provenance is Provenance.LOCAL
    assert perhaps is not None and perhaps.unknown is not None
    assert [item.reason for item in table.unknowns][:1] == [Reason.NOT_FETCHED]


def test_without_unknowns_an_undefined_repository_is_certainly_undefined(tmp_path: Path) -> None:
    table = evaluate(lay_out(tmp_path, {"WORKSPACE": "", "BUILD": ""}))
    assert table.get("nope") is None
    assert table.find_file("nope", "BUILD") is None


def test_override_goes_first(tmp_path: Path) -> None:
    root = lay_out(tmp_path / "ws", rule('ctx.file("BUILD", "rule")'))
    other = lay_out(tmp_path / "other", {"BUILD": "override"})
    table = evaluate(root, Options(override_repositories={"r": str(other), "new": str(other)}))
    assert text_of(table, "r", "BUILD") == "override"
    for name in ("r", "new"):
        found = table.get(name)
        assert found is not None and found.provenance is Provenance.OVERRIDE


def test_a_named_output_base_goes_before_the_rule(tmp_path: Path) -> None:
    root = lay_out(tmp_path / "ws", rule('ctx.file("BUILD", "rule")'))
    lay_out(tmp_path / "base/external/r", {"BUILD": "fetched"})
    table = evaluate(root, Options(output_base=str(tmp_path / "base")))
    assert text_of(table, "r", "BUILD") == "fetched"


def test_a_vendored_repository_goes_before_a_fetched_one(tmp_path: Path) -> None:
    root = lay_out(tmp_path / "ws", rule('ctx.file("BUILD", "rule")'))
    lay_out(tmp_path / "base/external/r", {"BUILD": "fetched"})
    lay_out(tmp_path / "vendor/r", {"BUILD": "vendored"})
    base, vendor = str(tmp_path / "base"), str(tmp_path / "vendor")
    table = evaluate(root, Options(output_base=base, vendor_dir=vendor))
    assert text_of(table, "r", "BUILD") == "vendored"
    found = table.get("r")
    assert found is not None and found.provenance is Provenance.VENDORED


def test_a_new_local_repository_has_its_build_file_over_its_files(tmp_path: Path) -> None:
    files = {
        "BUILD": "",
        "d/f.txt": "",
        "n.BUILD": "# overlay",
        "WORKSPACE": 'new_local_repository(name = "n", path = "d", build_file = "n.BUILD")\n',
    }
    table = evaluate(lay_out(tmp_path, files))
    assert text_of(table, "n", "BUILD.bazel") == "# overlay"
    assert table.list_files("n", "") == ("BUILD.bazel", "f.txt")


def test_repo_mapping(tmp_path: Path) -> None:
    text = 'local_repository(name = "x", path = "one", repo_mapping = {"@z": "@y"})\n'
    table = evaluate(lay_out(tmp_path, {"WORKSPACE": text, "one/BUILD": ""}))
    assert table.repo_mapping("x") == {"z": "y"}


def test_a_definition_that_rests_on_an_unknown_says_so(tmp_path: Path) -> None:
    files = {
        **rule('ctx.file("BUILD", "x")', '{"urls": attr.string_list()}'),
        "macro.bzl": """
load("@far//:defs.bzl", "KNOWN")
load("//:rule.bzl", "rr")

def sure():
    rr(name = "sure")

def both():
    sure()
    doubtful()

def doubtful():
    urls = []
    if "r" in KNOWN:
        urls = ["https://example.org/r.zip"]
    rr(name = "doubtful", urls = urls)
""",
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.org/far.zip"])
load("//:macro.bzl", "both")
both()
""",
    }
    table = evaluate(lay_out(tmp_path, files))
    assert not isinstance(table.find_file("sure", "BUILD"), PartlyKnownFile)
    assert table.find_file("sure", "other/BUILD") is None
    found = table.find_file("doubtful", "BUILD")
    assert isinstance(found, PartlyKnownFile)
    assert [item.reason for item in found.unknowns] == [Reason.DEPENDS_ON_UNKNOWN]
    assert isinstance(table.find_file("doubtful", "other/BUILD"), Unknown)


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_workspace_files_have_names_for_directories(tmp_path: Path, version: str) -> None:
    """Measured: all three have the three names."""
    files = {
        "WORKSPACE": """
local_repository(name = "r", path = __workspace_dir__ + "/sub")
new_local_repository(
    name = "jdk", path = DEFAULT_SYSTEM_JAVABASE, build_file = __embedded_dir__ + "/jdk.BUILD"
)
""",
        "sub/WORKSPACE": "",
        "sub/BUILD": "# here",
    }
    table = evaluate(lay_out(tmp_path, files), Options(version))
    assert not table.diagnostics
    assert text_of(table, "r", "BUILD") == "# here"
    assert isinstance(table.build_file("jdk", ""), Unknown)
