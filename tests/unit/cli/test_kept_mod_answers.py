"""Kept answers of `mod` hold while registries, overrides, locks and extensions are the same."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tests.unit.cli.test_kept_answers import Runs

_FILES = {
    "main/.bazelversion": "7.4.0\n",
    "main/BUILD": "",
    "main/MODULE.bazel": (
        'module(name = "main")\n'
        'bazel_dep(name = "a", version = "1.0")\n'
        'bazel_dep(name = "near", version = "1.0")\n'
        'local_path_override(module_name = "near", path = "near")\n'
        'made = use_extension("//:made.bzl", "made")\n'
        'use_repo(made, "one")\n'
    ),
    "main/made.bzl": (
        "def _repo(ctx):\n    pass\nrepo = repository_rule(_repo)\n"
        'def _made(ctx):\n    repo(name = "one")\n'
        "made = module_extension(_made)\n"
    ),
    "main/near/MODULE.bazel": 'module(name = "near", version = "1.0")\n',
    "registry/modules/a/1.0/MODULE.bazel": (
        'module(name = "a", version = "1.0")\nbazel_dep(name = "b", version = "1.0")\n'
    ),
    "registry/modules/b/1.0/MODULE.bazel": 'module(name = "b", version = "1.0")\n',
    "registry/modules/b/2.0/MODULE.bazel": 'module(name = "b", version = "2.0")\n',
}
_QUESTIONS = (
    ("graph",),
    ("explain", "b"),
    ("deps", "a", "--output=json"),
    ("show_extension", "//:made.bzl%made"),
    ("dump_repo_mapping", ""),
)
_MADE = _FILES["main/made.bzl"]
_CHANGES = {
    "a module of the registry": (
        "registry/modules/a/1.0/MODULE.bazel",
        'module(name = "a", version = "1.0")\nbazel_dep(name = "b", version = "2.0")\n',
    ),
    "an override's folder": (
        "main/near/MODULE.bazel",
        'module(name = "near", version = "1.0")\nbazel_dep(name = "b", version = "2.0")\n',
    ),
    "an extension": ("main/made.bzl", _MADE.replace('"one")', '"one")\n    repo(name = "two")')),
    "a broken lock": ("main/MODULE.bazel.lock", "{"),
    "a vendored module": (
        "main/vendor/b+/MODULE.bazel",
        'module(name = "b", version = "1.0")\nbazel_dep(name = "c", version = "1.0")\n',
    ),
}


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    made = Runs(tmp_path, monkeypatch)
    for name, text in _FILES.items():
        _write(tmp_path / name, text)
    time.sleep(0.06)
    return made


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _flags(runs: Runs) -> tuple[str, ...]:
    registry = (runs.root.parent / "registry").as_uri()
    return (f"--registry={registry}", "--vendor_dir=vendor")


@pytest.mark.parametrize("change", _CHANGES)
def test_after_a_change_answers_are_those_of_no_cache(runs: Runs, change: str) -> None:
    flags = _flags(runs)
    before = [runs.ask("mod", *question, *flags) for question in _QUESTIONS]
    assert not any(b"Traceback" in error for _, _, error in before)
    runs.answered = 0
    assert [runs.ask("mod", *question, *flags) for question in _QUESTIONS] == before
    assert runs.answered == 0
    name, text = _CHANGES[change]
    _write(runs.root.parent / name, text)
    after = [runs.ask("mod", *question, *flags) for question in _QUESTIONS]
    assert after == [runs.ask("mod", *question, *flags, kept=False) for question in _QUESTIONS]
    assert after != before


def test_whatever_is_opened_was_noted(runs: Runs) -> None:
    opened: set[str] = set()
    is_on = True

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_on and event in ("open", "os.scandir", "os.listdir"):
            opened.add(str(arguments[0]))

    sys.addaudithook(hook)
    try:
        for question in _QUESTIONS:
            opened.clear()
            runs.ask("mod", *question, *_flags(runs))
            places = (str(runs.root), str(runs.root.parent / "registry"))
            read = {path for path in opened if path.startswith(places)}
            assert runs.noted is not None
            assert read
            assert read <= runs.noted.stamps.keys() | runs.noted.ways.keys()
    finally:
        is_on = False
