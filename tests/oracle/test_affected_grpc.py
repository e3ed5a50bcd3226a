"""What `affected` tells of random edits of gRPC, beside brute force with a real Bazel 4.2.3."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.oracle import affected_grpc
from tests.oracle.affected_oracle import check, compare, put
from tests.support.bazel import Bazel
from tests.support.trees import GRPC

pytestmark = [pytest.mark.oracle, pytest.mark.corpus, pytest.mark.slow]

EDITS = int(os.environ.get("BAZELSCOPE_AFFECTED_EDITS", "3"))
SEED = int(os.environ.get("BAZELSCOPE_AFFECTED_SEED", "1"))

_SOURCES = ("src/core/**/*.cc", "src/core/**/*.h", "include/**/*.h", "src/cpp/**/*.cc")
_OTHERS = ("src/python/**/*.py", "src/proto/**/*.proto", "test/core/gprpp/*", "doc/*.md")
_BUILDS = ("BUILD", "bazel/BUILD", "src/*/BUILD", "test/core/[gps]*/BUILD", "src/proto/**/BUILD")

_IMPLEMENTATIONS = ("bazel/generate_cc.bzl", "bazel/python_rules.bzl", "bazel/protobuf.bzl")
_MACROS = ("bazel/*.bzl", "test/core/util/*.bzl")


def _one_of(pick: random.Random, root: Path, patterns: tuple[str, ...]) -> Path:
    """A file of one of the patterns, each pattern as likely as another."""
    files = sorted(path for path in root.glob(pick.choice(patterns)) if path.is_file())
    return pick.choice(files)


def _edit(pick: random.Random, root: Path) -> str:
    """One random edit. Returns what it is."""
    while True:
        done = pick.choice(_KINDS)(pick, root)
        if done:
            return done


def _source(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, (*_SOURCES, *_OTHERS))
    path.write_text(f"{path.read_text()}\n// {pick.random()}\n")
    return f"{path.relative_to(root)} is edited"


def _item_gone(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, _BUILDS)
    done = put(pick, path, r'^        "[^"\n]+",\n', lambda place: "")
    return f"{path.parent.relative_to(root)}/{done}" if done else ""


def _attribute(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, _BUILDS)
    lines = ('tags = ["x"]', 'copts = ["-DX"]', 'defines = ["X"]', 'licenses = ["notice"]')
    line = pick.choice(lines)
    name = line.partition(" ")[0]
    pattern = rf'^[a-z_]*library\(\n    name = "[^"]+",\n(?!(.*\n)*?\)\n(?<={name}))'
    done = put(pick, path, pattern, lambda place: f"{place[0]}    {line},\n")
    return f"{path.parent.relative_to(root)}/{done}" if done else ""


def _rule_gone(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, _BUILDS)
    done = put(pick, path, r"^[a-z_]*(library|test)\(\n(    .*\n)+\)\n", lambda place: "")
    return f"{path.parent.relative_to(root)}/{done[:70]}... is gone" if done else ""


def _comment(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, _BUILDS)
    path.write_text(f"# {pick.random()}\n\n{path.read_text()}")
    return f"{path.relative_to(root)}: a comment"


def _macro(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, _MACROS)
    patterns = (r'"-[A-Za-z][^"\n]*"', r'"no_[a-z]+"', r"\b(True|False)\b")
    values = ('"-DOTHER"', '"no_other"', "None")
    index = pick.randrange(len(patterns))
    return put(pick, path, patterns[index], lambda place: values[index])


def _macro_comment(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, _MACROS)
    path.write_text(f"{path.read_text()}# {pick.random()}\n")
    return f"{path.relative_to(root)}: a comment"


def _implementation(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, _IMPLEMENTATIONS)
    pattern = r'(?<=")--[a-z_]+(?=[=_{])|(?<=mnemonic = ")[A-Za-z]+|\bdir_out\b(?=, proto_root)'
    return put(pick, path, pattern, lambda place: f"{place[0]}x")


def _unused(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, (*_IMPLEMENTATIONS, *_MACROS))
    path.write_text(f"{path.read_text()}\ndef unused{pick.randrange(99)}():\n    return 1\n")
    return f"{path.relative_to(root)}: a function that nobody calls: a comment"


def _file_renamed(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, (*_SOURCES, *_OTHERS))
    path.rename(path.with_name(f"renamed_{path.name}"))
    return f"{path.relative_to(root)} is renamed"


def _target_renamed(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, _BUILDS)
    done = put(pick, path, r'(?<=    name = ")[^"\n]+(?=")', lambda place: f"{place[0]}_renamed")
    return f"{path.parent.relative_to(root)}/{done}" if done else ""


def _package_gone(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, _BUILDS[2:])
    path.unlink()
    return f"{path.relative_to(root)} is gone"


def _package_new(pick: random.Random, root: Path) -> str:
    folder = _one_of(pick, root, (*_SOURCES, *_OTHERS)).parent
    if (folder / "BUILD").exists():
        return ""
    (folder / "BUILD").write_text('filegroup(name = "new", srcs = glob(["*"]))\n')
    return f"{folder.relative_to(root)}/BUILD is new"


def _mode(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, (*_SOURCES, *_OTHERS))
    path.chmod(0o755)
    return f"{path.relative_to(root)} can be run: a comment"


def _rc_line(pick: random.Random, root: Path) -> str:
    path = root / "tools/bazel.rc"
    lines = (
        *("build --copt=-DX", "build --define=x=y", "build:asan --copt=-DX", "build -c opt"),
        *("build --define=grpc_no_ares=true", "test --test_output=all", "# a comment"),
        *("build --define=use_fast_cpp_protos=false", "build --features=x", "build --jobs=3"),
    )
    line = pick.choice(lines)
    text = path.read_text()
    path.write_text(text.replace(f"{line}\n", "") if f"\n{line}\n" in text else f"{text}\n{line}\n")
    return f"tools/bazel.rc: {line} comes or goes"


def _setting(pick: random.Random, root: Path) -> str:
    value = pick.choice(('{"define": "x=y"}', '{"cpu": "k8"}', '{"define": "grpc_no_ares=true"}'))
    pattern = r"(?<=    values = )\{[^}\n]*\}"
    return put(pick, root / "BUILD", pattern, lambda place: value)


def _file_gone(pick: random.Random, root: Path) -> str:
    path = _one_of(pick, root, _SOURCES + _OTHERS)
    path.unlink()
    return f"{path.relative_to(root)} is gone"


def _file_new(pick: random.Random, root: Path) -> str:
    folder = _one_of(pick, root, (*_SOURCES, *_OTHERS)).parent
    name = f"new{pick.randrange(9999)}.{pick.choice(('py', 'h', 'txt'))}"
    (folder / name).write_text("")
    return f"{folder.relative_to(root)}/{name} is new"


def _repository(pick: random.Random, root: Path) -> str:
    path = root / "bazel/grpc_deps.bzl"
    return put(pick, path, r'(?<=sha256 = )"[0-9a-f]+"', lambda place: f'"{pick.random():.8f}"')


_KINDS: tuple[Callable[[random.Random, Path], str], ...] = (
    *(_source, _source, _source, _item_gone, _item_gone, _attribute, _attribute, _rule_gone),
    *(_comment, _macro, _macro_comment, _rc_line, _setting, _file_gone, _file_new, _repository),
    *(_implementation, _implementation, _unused, _file_renamed, _target_renamed, _target_renamed),
    *(_package_gone, _package_new, _mode),
)


def test_random_edits_of_grpc(bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    root = warm_path / "w"
    shutil.copytree(GRPC.find(), root, dirs_exist_ok=True)
    flags = affected_grpc.lay_out(root, warm_path / "stubs")
    edit = partial(_edit, random.Random(SEED))
    cache = warm_path / "cache"
    count = compare(bazel("4.2.3"), root, affected_grpc.PATTERNS, flags, edit, EDITS, cache)
    check(count)
