"""What Bazel refuses because of an `--incompatible_` option."""

from __future__ import annotations

from pathlib import Path

from tests.unit.analysis.refusals.closure_world import refused


def test_options_that_refuse_what_is_taken_otherwise(tmp_path: Path) -> None:
    """From Bazel's sources: no release that has these options is at hand."""
    (tmp_path / "near").mkdir()
    (tmp_path / "near/BUILD").write_text(
        'filegroup(name = "x", visibility = ["//visibility:public"])'
    )
    (tmp_path / "near/WORKSPACE").write_text("")
    (tmp_path / "old").mkdir()
    (tmp_path / "old/BUILD").write_text(
        'load(":host.bzl", "r")\nr(name = "x", visibility = ["//visibility:public"])'
    )
    (tmp_path / "old/host.bzl").write_text(
        "def _r(ctx):\n    return []\nr = rule(_r, attrs = {'x': attr.label(cfg = 'host')})\n"
    )
    for build, option, expected in (
        (
            'filegroup(name = "top", srcs = ["//lib:made"])',
            "--incompatible_check_testonly_for_output_files",
            "testonly",
        ),
        (
            'filegroup(name = "top", srcs = ["//old:x"])',
            "--incompatible_disable_starlark_host_transitions",
            "package-in-error",
        ),
        (
            'filegroup(name = "top")\npackage_group(name = "g", packages = ["public"])',
            "--noincompatible_package_group_has_public_syntax",
            "package-in-error",
        ),
        (
            'filegroup(name = "top", srcs = ["@near//:x"])',
            "--incompatible_disable_native_repo_rules",
            "repository-rule",
        ),
    ):
        words = ("--enable_workspace", "--noenable_bzlmod")
        workspace = 'local_repository(name = "near", path = "near")\n'
        found = [
            refused(tmp_path, build, *words, *more, version="8.0.0", workspace=workspace)
            for more in ((), (option,))
        ]
        kinds = [{one.kind.value for one in each if not one.also} for each in found]
        assert kinds == [set(), {expected}], option


def test_no_option_refuses_repositories_of_bazel_itself(tmp_path: Path) -> None:
    build = 'filegroup(name = "top", srcs = ["@bazel_tools//tools/def_parser"])'
    option = "--incompatible_disable_native_repo_rules"
    assert refused(tmp_path, build, option, version="9.1.0", workspace="") == ()
