"""What dir() lists in BUILD macros, and what `native` has there: asked of both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

_OF_WORKSPACE = (
    "bind", "workspace", "local_repository", "new_local_repository", "register_toolchains",
    "register_execution_platforms", "bazel_version", "android_sdk_repository",
)  # fmt: skip
_OF_PACKAGES = ("environment_group", "exports_files", "glob", "licenses", "package", "cc_library")
_LISTED = {
    "struct": "struct(a = 1)",
    "own": "_OwnInfo(x = 1)",
    "default": "DefaultInfo()",
    "attr": "attr",
    "apple": "apple_common",
    "cc": "cc_common",
    "config": "config",
    "coverage": "coverage_common",
    "java": "java_common",
    "testing": "testing",
}
_DEFS = """
_OwnInfo = provider()

def say(prefix, names):
    for name in names:
        native.filegroup(name = prefix + "." + name)

def say_all():
    say("has", [name for name in %s if hasattr(native, name)])
    say("got", [name for name in %s if getattr(native, name, None) != None])
    say("native", [name for name in dir(native) if name in %s])
"""
_NAMES = repr([*_OF_WORKSPACE, *_OF_PACKAGES])


def _files() -> dict[str, str]:
    listed = "".join(f'    say("{name}", dir({value}))\n' for name, value in _LISTED.items())
    build = 'load("//:defs.bzl", "say_all")\nsay_all()\n'
    defs = _DEFS % (_NAMES, _NAMES, _NAMES) + listed
    return {"WORKSPACE": "", "defs.bzl": defs, "BUILD": build}


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3"])
def test_the_same_members_are_listed(
    warm_root: Path,
    bazel: Callable[[str], Bazel],
    version: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    write_files(warm_root, _files())
    found = bazel(version).query(warm_root, "//:all").checked().lines
    capfd.readouterr()
    words = ["query", "//:all", "-w", str(warm_root), "--no-cache", f"--bazel-version={version}"]
    assert main(words) == 0
    assert sorted(capfd.readouterr().out.split()) == sorted(found)
    assert not {f"//:has.{name}" for name in _OF_WORKSPACE}.intersection(found)


@pytest.mark.parametrize("second", ["3", "default = 3"])
def test_no_default_stands_for_what_is_no_json(
    warm_root: Path, bazel: Callable[[str], Bazel], second: str, capfd: pytest.CaptureFixture[str]
) -> None:
    files = {"WORKSPACE": "", "BUILD": 'load(":a.bzl", "A")\nfilegroup(name = A)\n'}
    write_files(warm_root, {**files, "a.bzl": f'A = "a" if json.decode("{{", {second}) else ""\n'})
    assert bazel("4.2.3").query(warm_root, "//:all").exit_code != 0
    words = ["query", "//:all", "-w", str(warm_root), "--no-cache", "--bazel-version"]
    assert main([*words, "4.2.3"]) == 7
    assert main([*words, "8.4.0"]) == 0
