"""One change between a workspace that a code is told of and one where it must be silent, for codes
whose other tests only show where they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from bazelscope.api import Workspace
from bazelscope.check.text_findings import is_starlark
from tests.support.files import write_files

_ARCHIVE = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
_GUARDED = """
def one():
    native.local_repository(name = "x", path = "a")
def two():
    %snative.local_repository(name = "x", path = "b")
"""
_CALLED = 'load("//:defs.bzl", "one", "two")\none()\ntwo()\n'
_MODULE = 'bazel_dep(name = "platforms", version = "%s")\n'
_GCC = "--repo_env=GCC_HOST_COMPILER_PATH=/usr/bin/gcc-9"
_PYTHON = {"tensorflow/BUILD": "", "tensorflow/tensorflow.bzl": 'VERSION = "2.19.0"\n'}


class Case(NamedTuple):
    """`files` and `words` for which a code is told, and those that are written instead."""

    files: Mapping[str, str] = {}
    changed: Mapping[str, str] = {}
    words: str = ""
    changed_words: str | None = None
    target: str | None = None


_CASES = {
    "BZS004": Case({"WORKSPACE": 'fail("no")\n'}, {"WORKSPACE": "# no\n"}),
    "BZS005": Case({"a/BUILD": 'nosuch(name = "x")\n'}, {"a/BUILD": 'filegroup(name = "x")\n'}),
    "BZS105": Case(
        {".bazelversion": "4.2.3", ".bazelrc": "build --announce\n"},
        {".bazelrc": "build --announce_rc\n"},
    ),
    "BZS107": Case(
        {".bazelrc": "build --experimental_strict_action_env\n"},
        {".bazelrc": "build --incompatible_strict_action_env\n"},
    ),
    "BZS113": Case(
        {".bazelrc": "build:a --copt=-g\nbuild:b --config=a\nbuild --config=a --config=b\n"},
        {".bazelrc": "build:a --copt=-g\nbuild:b --config=a\nbuild --config=b\n"},
    ),
    "BZS301": Case(
        {"WORKSPACE": 2 * 'local_repository(name = "x", path = "a")\n'},
        {"WORKSPACE": 'local_repository(name = "x", path = "a")\n'},
    ),
    "BZS302": Case(
        {"WORKSPACE": _CALLED, "defs.bzl": _GUARDED % ""},
        {"defs.bzl": _GUARDED % 'if not native.existing_rule("x"): '},
    ),
    "BZS304": Case(
        {"WORKSPACE": _ARCHIVE + 'http_archive(name = "x", url = "http://a.example/x.zip")\n'},
        {"WORKSPACE": _ARCHIVE + 'http_archive(name = "x", url = "https://a.example/x.zip")\n'},
    ),
    "BZS306": Case(
        {".bazelversion": "8.1.0", "MODULE.bazel": _MODULE % "0.0.5"},
        {"MODULE.bazel": _MODULE % "0.0.11"},
    ),
    "BZS405": Case(
        words=f"{_GCC} --repo_env=TF_CUDA_VERSION=10.1",
        changed_words=f"{_GCC} --repo_env=TF_CUDA_VERSION=11.0",
    ),
    "BZS406": Case(
        {"configure.py": "_TF_MIN_BAZEL_VERSION = '7.0.0'\n"},
        {"configure.py": "_TF_MIN_BAZEL_VERSION = '6.1.0'\n"},
    ),
    "BZS407": Case(
        _PYTHON,
        words="--repo_env=HERMETIC_PYTHON_VERSION=3.8",
        changed_words="--repo_env=HERMETIC_PYTHON_VERSION=3.11",
    ),
    "BZS501": Case(
        {".bazelrc": "build --distinct_host_configuration\n"},
        {".bazelrc": "build --stamp\n"},
        target="9.1.0",
    ),
    "BZS503": Case(
        changed={".bazelrc": "build --noincompatible_disallow_empty_glob\n"}, target="8.0.0"
    ),
    "BZS511": Case(
        {"defs.bzl": 'a = attr.label(cfg = "host")\n'},
        {"defs.bzl": 'a = attr.label(cfg = "exec")\n'},
        target="7.0.0",
    ),
}
_SUBJECTS = {"BZS503": "--incompatible_disallow_empty_glob"}


def _told(tmp_path: Path, words: str, code: str, target: str | None) -> Sequence[str]:
    asked = Workspace.open(tmp_path).configure(words.split())
    found = asked.check(codes=[code], target=target).findings
    return [one.subject for one in found if one.subject.endswith(_SUBJECTS.get(code, ""))]


@pytest.mark.parametrize("code", _CASES)
def test_one_change_silences(code: str, tmp_path: Path) -> None:
    case = _CASES[code]
    files = {"WORKSPACE": "", ".bazelversion": "6.5.0", "BUILD": "", ".bazelrc": "", **case.files}
    write_files(tmp_path, files)
    assert _told(tmp_path, case.words, code, case.target)
    write_files(tmp_path, case.changed)
    words = case.words if case.changed_words is None else case.changed_words
    assert _told(tmp_path, words, code, case.target) == []


@pytest.mark.parametrize(
    ("code", "bad", "good"),
    [
        ("BZS002", "filegroup(name = )\n", 'filegroup(name = "x")\n'),
        ("BZS003", 'load(":defs.bzl", "bild")\n', 'load(":defs.bzl", "build")\n'),
    ],
)
def test_one_change_silences_in_an_editor(tmp_path: Path, code: str, bad: str, good: str) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": "", "defs.bzl": "build = 1\n"})
    assert is_starlark("BUILD")
    asked = Workspace.open(tmp_path).configure()
    assert code in {one.code for one in asked.check_text("BUILD", bad)}
    assert code not in {one.code for one in asked.check_text("BUILD", good)}
