"""A workspace whose repositories download from addresses that Bazel does not take, or takes."""

from __future__ import annotations

_RULES = """
def _download(ctx):
    ctx.download(ctx.attr.urls, "x", sha256 = ctx.attr.sha256)

def _extract(ctx):
    ctx.download_and_extract(ctx.attr.urls)

_ATTRS = {"urls": attr.string_list(), "sha256": attr.string()}
download = repository_rule(_download, attrs = _ATTRS)
extract = repository_rule(_extract, attrs = _ATTRS)
"""
_LOADS = """
load("//:rules.bzl", "download", "extract")
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive", "http_file")
"""
REPOSITORIES = {
    "archive": 'http_archive(name = "archive", url = "http://e.invalid/x.zip")',
    "extracted": 'extract(name = "extracted", urls = ["http://e.invalid/x.zip"])',
    "file": 'http_file(name = "file", urls = ["http://e.invalid/x"])',
    "here": 'download(name = "here", urls = ["http://localhost/x"])',
    "no_protocol": 'download(name = "no_protocol", urls = ["e.invalid/x"])',
    "nothing": 'download(name = "nothing", urls = [])',
    "other": 'download(name = "other", urls = ["ftp://e.invalid/x"])',
    "plain": 'download(name = "plain", urls = ["HTTP://e.invalid/x", "http://e.invalid/y"])',
    "strange": 'download(name = "strange", urls = ["gopher://e.invalid/x"])',
}
SOUND = {
    "checked": f'download(name = "checked", urls = ["http://e.invalid/x"], sha256 = "{"a" * 64}")',
    "mirrored": 'download(name = "mirrored", urls = ["http://e.invalid/x", "https://e.invalid/x"])',
}
"""Of these, Bazel asks the network."""


def files_of(repositories: dict[str, str]) -> dict[str, str]:
    """The files of a workspace with a package for each of `repositories`, by name."""
    files = {"rules.bzl": _RULES, "BUILD": ""}
    files["WORKSPACE"] = _LOADS + "\n".join(repositories.values())
    for name in repositories:
        files[f"{name}/BUILD"] = f'filegroup(name = "x", srcs = ["@{name}//:x"])\n'
    return files
