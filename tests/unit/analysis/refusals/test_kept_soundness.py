"""What is refused, and that nothing is, is kept for the next run, as long as it is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.refusals.closure import ClosureWalk
from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.support.kept_runs import calls_of, write_settled

FILES = {
    "WORKSPACE": 'register_toolchains("//tools/...")\n',
    "BUILD": """
load("//lib:defs.bzl", "checked")
filegroup(name = "top", srcs = ["//lib:open", ":made"])
checked(name = "made", way = "right")
filegroup(
    name = "chosen",
    srcs = select({"//lib:a": ["//lib:closed"], "//conditions:default": ["//lib:open"]}),
)
""",
    "lib/BUILD": """
config_setting(name = "a", define_values = {"a": "1"}, visibility = ["//visibility:public"])
filegroup(name = "open", srcs = ["x/y.txt"], visibility = ["//visibility:public"])
filegroup(name = "closed")
toolchain_type(name = "kind", visibility = ["//visibility:public"])
""",
    "lib/defs.bzl": """
load(":more.bzl", "WRONG")
def _check(ctx):
    if ctx.attr.way == WRONG:
        fail("this way leads nowhere")
    return [DefaultInfo()]
checked = rule(_check, attrs = {"way": attr.string()}, toolchains = ["//lib:kind"])
""",
    "lib/more.bzl": 'WRONG = "left"\n',
    "lib/x/y.txt": "",
    "tools/tool.bzl": """
def _tool(ctx):
    return [platform_common.ToolchainInfo()]
tool = rule(_tool)
""",
    "tools/BUILD": """
load(":tool.bzl", "tool")
tool(name = "what", visibility = ["//visibility:public"])
toolchain(name = "tool", toolchain = ":what", toolchain_type = "//lib:kind")
""",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_settled(tmp_path / "w", FILES, monkeypatch)


@pytest.fixture
def visited(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The targets that a walk has looked at as they were asked for."""
    return calls_of(monkeypatch, ClosureWalk, "visit")


def messages(root: Path, *words: str, target: str = "//:top", kept: bool = True) -> list[str]:
    """What a run says that Bazel refuses; it keeps what it found for the next."""
    cache = root.parent / "cache" if kept else None
    workspace = Workspace.open(root, bazel_version="6.5.0", host="linux", cache_dir=cache)
    asked = workspace.configure([*words])
    found = [refusal.message for refusal in asked.refusals(target)]
    asked.world.loader.save()
    return found


def test_a_sound_closure_is_walked_once(root: Path, visited: list[tuple[object, ...]]) -> None:
    for _ in range(3):
        assert messages(root) == []
    assert len(visited) == 1
    assert messages(root, "--define=a=1") == []  # Other flags are another question.
    assert len(visited) == 2


def refusals(root: Path, *, kept: bool = True) -> tuple[Refusal, ...]:
    cache = root.parent / "cache" if kept else None
    workspace = Workspace.open(root, bazel_version="6.5.0", host="linux", cache_dir=cache)
    asked = workspace.configure(["--config=both"])
    found = asked.refusals("//:both", "//:chosen", "//:absent", "//:failing")
    asked.world.loader.save()
    return found


REFUSED = {
    ".bazelrc": "build:both --define=a=1\nbuild:both --define=b=1\n",
    "BUILD": FILES["BUILD"]
    + """
filegroup(name = "both", srcs = select({"//lib:a": ["//lib:open"], ":b": []}))
config_setting(name = "b", define_values = {"b": "1"})
filegroup(name = "absent", srcs = ["//nowhere:x"])
checked(name = "failing", way = "left")
""",
}


def test_what_is_refused_is_kept_whole(root: Path, visited: list[tuple[object, ...]]) -> None:
    write_files(root, REFUSED)
    wanted = refusals(root, kept=False)
    assert len(wanted) == 4
    assert any(cause.location for one in wanted for cause in one.causes)
    before = len(visited)
    for _ in range(3):
        assert refusals(root) == wanted
    assert len(visited) - before == 4


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".bazelrc", "\n" + REFUSED[".bazelrc"]),
        ("BUILD", "\n" + REFUSED["BUILD"]),
        ("lib/BUILD", "\n" + FILES["lib/BUILD"]),
        ("lib/defs.bzl", "\n" + FILES["lib/defs.bzl"]),
        ("lib/more.bzl", 'WRONG = "right"\n'),
        ("nowhere/BUILD", ""),
    ],
)
def test_what_is_told_of_a_refusal_is_never_old(root: Path, path: str, text: str) -> None:
    write_files(root, REFUSED)
    before = refusals(root)
    write_files(root, {path: text})
    wanted = refusals(root, kept=False)
    assert wanted != before
    for _ in range(2):
        assert refusals(root) == wanted


@pytest.mark.parametrize(
    ("path", "text", "is_refused"),
    [
        ("lib/BUILD", FILES["lib/BUILD"].replace('"open"', '"shut"'), True),
        ("lib/BUILD", FILES["lib/BUILD"].replace('"x/y.txt", ', ""), False),
        ("lib/x/BUILD", "", True),
        ("lib/more.bzl", 'WRONG = "right"\n', True),
        ("WORKSPACE", "", True),
        ("tools/BUILD", "", True),
        ("tools/more/BUILD", FILES["tools/BUILD"], False),
    ],
)
def test_an_edit_is_seen(root: Path, path: str, text: str, is_refused: bool) -> None:
    for _ in range(2):
        assert messages(root) == []
    write_files(root, {path: text})
    wanted = messages(root, kept=False)
    assert bool(wanted) == is_refused
    for _ in range(2):
        assert messages(root) == wanted
    if path in FILES:
        write_files(root, {path: FILES[path]})
    else:
        (root / path).unlink()
    assert messages(root) == []


def test_a_registered_pattern_is_opened_again(root: Path) -> None:
    write_files(root, {"tools/BUILD": ""})
    assert messages(root) != []
    write_files(root, {"tools/deep/BUILD": FILES["tools/BUILD"]})
    for _ in range(2):
        assert messages(root) == []
    (root / "tools/deep/BUILD").unlink()
    assert messages(root) == messages(root, kept=False) != []
