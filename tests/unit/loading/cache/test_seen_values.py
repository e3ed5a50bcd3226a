"""A package is not evaluated again where `.bzl` files that it loads have changed, but nothing of
what its BUILD file sees of them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bazelscope.base.label import Label, PackageId
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.overlaid_disk import EditedDisk
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files
from tests.unit.loading.cache.test_cache import Runs, evaluated_once

_FILES = {
    "WORKSPACE": "",
    "p/BUILD": 'load("//d:macros.bzl", "made", "thing")\nmade(name = "m")\nthing(name = "t")\n',
    "d/BUILD": "",
    "d/macros.bzl": """
load(":inner.bzl", "TAGS", "suffix")

thing = rule(implementation = print, attrs = {"size": attr.string()})

def made(name):
    native.filegroup(name = name + suffix(name), tags = TAGS + plain())

def plain():
    return ["plain"]

def unused(name):
    native.filegroup(name = name + "unused")
""".lstrip(),
    "d/inner.bzl": """
TAGS = ["one"]

def suffix(name):
    return "_x" if len(name) == 1 else other(name)

def other(name):
    return "_other".upper()
""".lstrip(),
}


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    return evaluated_once(tmp_path, monkeypatch, _FILES)


def _change(runs: Runs, path: str, old: str, new: str) -> None:
    file = runs.root / path
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("d/macros.bzl", '"unused"', '"not used"'),
        ("d/inner.bzl", '"_other"', '"_another"'),
        ("d/inner.bzl", 'TAGS = ["one"]', 'TAGS = ["o" + "ne"]'),
        ("d/inner.bzl", 'return "_other".upper()\n', 'return "_other".upper()\n# The end.\n'),
    ],
    ids=["unused function", "function not called", "equal value", "comment at the end"],
)
def test_what_is_not_seen_changes_nothing(runs: Runs, path: str, old: str, new: str) -> None:
    before = runs.run()
    _change(runs, path, old, new)
    after = runs.run()
    assert runs.evaluated == []
    assert list(after.targets) == list(before.targets)
    # It is kept with the new texts: not even values are compared the next time.
    runs.run()
    assert runs.evaluated == []


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("d/macros.bzl", "made(name):\n", "made(name, x = 1):\n"),
        ("d/macros.bzl", '["plain"]', '["plainer"]'),
        ("d/macros.bzl", "attr.string()", 'attr.string(default = "s")'),
        ("d/macros.bzl", "thing = rule", "\nthing = rule"),
        ("d/inner.bzl", '["one"]', '["two"]'),
        ("d/inner.bzl", '"_x"', '"_y"'),
        ("d/inner.bzl", "TAGS", "\nTAGS"),
        ("d/inner.bzl", "# The", "x = unknown_name # The"),
    ],
    ids=[
        *("parameters", "function without calls", "rule", "lines of the rule", "constant"),
        *("called function", "lines of a called function", "error"),
    ],
)
def test_what_is_seen_is_evaluated_again(runs: Runs, path: str, old: str, new: str) -> None:
    if "# The" in old:
        (runs.root / path).write_text((runs.root / path).read_text() + "# The end.\n")
        runs.run()
    _change(runs, path, old, new)
    runs.evaluated.clear()
    again = runs._load(LoadingOptions("4.2.3"))
    assert runs.evaluated == ["p"]
    fresh = Loader(Workspace.open(runs.root), LoadingOptions("4.2.3"), None)
    assert _told(again) == _told(fresh.package(PackageId("", "p")))


def _told(package: object) -> object:
    if not isinstance(package, Package):
        return type(package)
    rules = [target for target in package.targets.values() if isinstance(target, Rule)]
    return [(rule.label, rule.call_stack, dict(rule.attributes)) for rule in rules]


def test_a_changed_build_file_is_evaluated_whatever_it_sees(runs: Runs) -> None:
    _change(runs, "d/macros.bzl", '"unused"', '"not used"')
    _change(runs, "p/BUILD", '"m"', '"n"')
    assert "n_x" in runs.run().targets
    assert runs.evaluated == ["p"]


def test_a_value_that_cannot_be_compared_is_evaluated_again(runs: Runs) -> None:
    _change(runs, "d/inner.bzl", "def suffix(name):", "D = range(3)\n\ndef suffix(name, x = D):")
    runs.run()
    _change(runs, "d/inner.bzl", '"_other"', '"_another"')
    runs.run()
    assert runs.evaluated == ["p"]


_MOVING = """
def _impl(settings, attr):
    return {"//command_line_option:define": value()}

def value():
    return "a=b"

moved = transition(
    implementation = _impl, inputs = [], outputs = ["//command_line_option:define"],
)

def _moving(ctx):
    pass

moving = rule(implementation = _moving, attrs = {
    "dep": attr.label(cfg = moved),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
})

def unused():
    return "unused"
""".lstrip()


@pytest.mark.parametrize(
    ("old", "new", "evaluated"),
    [
        ('return "unused"', 'return "not used"', []),
        ('return "unused"\n', 'return "unused"\n# The end.\n', []),
        ('"a=b"', '"a=c"', ["q"]),
        ("_impl(settings, attr):\n", "_impl(settings, attr):\n\n", ["q"]),
        ("inputs = []", 'inputs = ["//command_line_option:cpu"]', ["q"]),
    ],
    ids=["unused function", "comment at the end", "called function", "lines", "inputs"],
)
def test_a_transition_is_seen_with_all_that_it_calls(
    runs: Runs, old: str, new: str, evaluated: list[str]
) -> None:
    build = 'load("//d:moving.bzl", "moving")\nmoving(name = "q", dep = ":f")\n'
    write_files(runs.root, {"d/moving.bzl": _MOVING, "q/BUILD": build})
    id = PackageId("", "q")

    def run() -> list[str]:
        runs.evaluated.clear()
        loader = Loader(Workspace.open(runs.root), LoadingOptions("4.2.3"), runs.cache)
        loader.package(id)
        loader.save()
        return list(runs.evaluated)

    assert run() == ["q"]
    _change(runs, "d/moving.bzl", old, new)
    assert run() == evaluated
    assert run() == []


def test_an_unsaved_edit_is_compared_with_what_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "w", _FILES)
    evaluated = Runs(tmp_path, tmp_path, monkeypatch).evaluated
    time.sleep(0.06)  # Nothing is kept of files that changed only just now.
    disk = EditedDisk()
    loader = Loader(Workspace(tmp_path / "w", disk=disk), LoadingOptions("4.2.3"), tmp_path / "c")
    loader.package(PackageId("", "p"))
    evaluated.clear()
    for new in ("not used", "still not"):
        text = _FILES["d/macros.bzl"].replace('"unused"', f'"{new}"')
        disk.put(f"{loader.workspace.root}/d/macros.bzl", text.encode())
        assert loader.reread(["d/macros.bzl"])
        assert isinstance(loader.target(Label("", "p", "m_x")), Rule)
        assert evaluated == []
    text = _FILES["d/macros.bzl"].replace('"plain"', '"plainer"')
    disk.put(f"{loader.workspace.root}/d/macros.bzl", text.encode())
    assert loader.reread(["d/macros.bzl"])
    loader.package(PackageId("", "p"))
    assert evaluated == ["p"]
