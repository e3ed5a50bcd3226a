"""What is said of a target that is not there, and of what would bring it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.unit.analysis.refusals.closure_world import refused

_SUBMODULES = '[submodule "a"]\n\tpath = third/a\n\turl = ../a.git\n[submodule "b"]\n\tpath = b\n'


@pytest.mark.parametrize(
    ("asked", "remedy"),
    [
        ("//third/a/deep:x", "check out the submodule: `git submodule update --init third/a`"),
        ("@a//:x", "check out the submodule: `git submodule update --init third/a`"),
        ("//b/deep:x", ""),
        ("//third/ab:x", ""),
    ],
)
def test_what_a_submodule_would_bring_is_told_until_it_is_checked_out(
    tmp_path: Path, asked: str, remedy: str
) -> None:
    (tmp_path / ".gitmodules").write_text(_SUBMODULES)
    (tmp_path / "b").mkdir()
    (tmp_path / "b/file.txt").touch()
    (missing,) = refused(
        tmp_path,
        f'filegroup(name = "top", srcs = ["{asked}"])',
        workspace='local_repository(name = "a", path = "third/a")\n',
    )
    assert missing.remedy == remedy


_CONFIGURE = """\
# Makes gen/other.
mkdir -p gen/made gen/made-too; $PYTHON "${ROOT}/tools/more.py"
"""


@pytest.mark.parametrize(
    ("asked", "remedy"),
    [
        ("//gen/made:x", "run `./configure.sh`, which names it (configure.sh:2)"),
        ("@made//:x", "run `./configure.sh`, which names it (configure.sh:2)"),
        ("//gen/more:x", "run `./configure.sh`, which names it (tools/more.py:2)"),
        ("//gen/other:x", ""),
        ("//gen/made_not:x", ""),
        ("//made:x", ""),
    ],
)
def test_what_a_configure_script_names_is_told(tmp_path: Path, asked: str, remedy: str) -> None:
    """Seen on tensorflow/quantum, whose `configure.sh` makes a local repository."""
    write_files(tmp_path, {"configure.sh": _CONFIGURE, "tools/more.py": "\nmake('gen/more')\n"})
    (missing,) = refused(
        tmp_path,
        f'filegroup(name = "top", srcs = ["{asked}"])',
        workspace='local_repository(name = "made", path = "gen/made")\n',
    )
    assert missing.remedy == remedy


_RULE_OF_ENVIRONMENT = {
    "WORKSPACE": 'load("//:sdk.bzl", "sdk")\nsdk(name = "sdk")\n',
    "sdk.bzl": """
def _impl(ctx):
    there = "SDK_HOME" in ctx.os.environ or "SDK_TAR" in ctx.os.environ
    text = "filegroup(name = 'files', visibility = ['//visibility:public'])"
    ctx.file("BUILD", text if there else "")
sdk = repository_rule(implementation = _impl, environ = ["SDK_HOME", "SDK_TAR"])
""",
    "BUILD": 'filegroup(name = "top", srcs = ["@sdk//:files"])\n',
}


def test_what_a_repository_rule_wants_is_said(tmp_path: Path) -> None:
    """Seen on stratum, whose rules write an empty BUILD file where no SDK is installed."""
    write_files(tmp_path, _RULE_OF_ENVIRONMENT)
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    (missing,) = workspace.configure([]).refusals("//:top")
    (cause,) = missing.causes
    assert cause.text == "@sdk is what sdk makes without SDK_HOME, SDK_TAR"
    assert str(cause.location) == "WORKSPACE:2:4"
    assert (
        missing.remedy
        == "tell the rule what it reads: --repo_env=SDK_HOME=... --repo_env=SDK_TAR=..."
    )
    assert workspace.configure(["--repo_env=SDK_TAR=/s"]).refusals("//:top") == ()


def test_a_rule_that_has_all_it_reads_is_not_blamed(tmp_path: Path) -> None:
    build = 'filegroup(name = "top", srcs = ["@sdk//:other"])\n'
    write_files(tmp_path, _RULE_OF_ENVIRONMENT | {"BUILD": build})
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    words = ["--repo_env=SDK_TAR=/s", "--repo_env=SDK_HOME=/h"]
    (missing,) = workspace.configure(words).refusals("//:top")
    assert missing.causes == () and "repo_env" not in missing.remedy
