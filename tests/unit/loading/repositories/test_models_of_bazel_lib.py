"""What repository rules compute with the model of bazel_lib, as with the real one."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.unit.loading.repositories.workspaces import Options, evaluate, lay_out, text_of

_ASKS = """
load("@bazel_lib//lib:base64.bzl", "base64")
load("@bazel_lib//lib:repo_utils.bzl", "repo_utils")

def _impl(ctx):
    told = [repo_utils.os(ctx), repo_utils.arch(ctx), repo_utils.platform(ctx)]
    told += [str(repo_utils.is_darwin(ctx)), repo_utils.get_env_var(ctx, "GONE", "gone")]
    ctx.file("machine", " ".join(told))
    encoded = [base64.encode(text) for text in ctx.attr.texts]
    ctx.file("encoded", "\\n".join(encoded))
    ctx.file("decoded", "\\n".join([base64.decode(one) for one in encoded]))

rr = repository_rule(_impl, attrs = {"texts": attr.string_list()})
"""
_TEXTS = ["", "a", "ab", "abc", "user:pa$$~word"]


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("linux x86_64", "linux amd64 linux_amd64 False gone"),
        ("linux s390x", "linux s390x linux_s390x False gone"),
        ("macos aarch64", "darwin arm64 darwin_arm64 True gone"),
        ("windows x86_64", "windows amd64 windows_amd64 False gone"),
    ],
)
def test_what_its_functions_say(tmp_path: Path, host: str, told: str) -> None:
    system, _, cpu = host.partition(" ")
    workspace = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    workspace += 'http_archive(name = "bazel_lib", urls = ["https://x.example/v3.2.0.tar.gz"])\n'
    workspace += f'load("//:rule.bzl", "rr")\nrr(name = "r", texts = {_TEXTS})\n'
    files = {"BUILD": "", "WORKSPACE": workspace, "rule.bzl": _ASKS}
    table = evaluate(lay_out(tmp_path, files), Options("6.5.0", host=system, host_cpu=cpu))
    assert text_of(table, "r", "machine") == told
    encoded = [base64.b64encode(text.encode()).decode() for text in _TEXTS]
    assert text_of(table, "r", "encoded").split("\n") == encoded
    assert text_of(table, "r", "decoded").split("\n") == _TEXTS
