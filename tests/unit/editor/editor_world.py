"""A small workspace as an editor sees it, and questions at the place of a mark in a text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bazelscope.base.source import SourceFile
from bazelscope.editor.settings import ClientSettings
from bazelscope.editor.state import EditorState
from tests.support.files import write_files

MARK = "‸"
"""Where the cursor is in a text: in front of it."""

FILES: Mapping[str, str] = {
    "WORKSPACE": 'workspace(name = "demo")\n',
    ".bazelversion": "4.2.3\n",
    ".bazelrc": (
        "build -c fastbuild\n"
        "build:fast -c opt --define=speed=high\n"
        "build:faster --config=fast\n"
        "test:ci --test_output=errors\n"
    ),
    "app/BUILD": (
        'load(":rules.bzl", "library", renamed = "other")\n'
        "\n"
        "library(\n"
        '    name = "app",\n'
        '    deps = ["//base:base"] + select({\n'
        '        "//settings:fast": ["//base:quick"],\n'
        '        "//conditions:default": ["//base:slow"],\n'
        "    }),\n"
        ")\n"
    ),
    "app/rules.bzl": (
        '"""Rules of the demo."""\n'
        "\n"
        "def library(name, deps = [], **kwargs):\n"
        '    """Makes a library and a group of it.\n'
        "\n"
        "    Nothing else.\n"
        '    """\n'
        "    native.filegroup(name = name + '_files', srcs = [])\n"
        "    native.cc_library(name = name, deps = deps, **kwargs)\n"
        "\n"
        "def other(name):\n"
        "    library(name)\n"
    ),
    "base/BUILD": (
        'package(default_visibility = ["//visibility:public"])\n'
        "\n"
        'cc_library(name = "base")\n'
        'cc_library(name = "quick")\n'
        'cc_library(name = "slow")\n'
    ),
    "settings/BUILD": (
        "config_setting(\n"
        '    name = "fast",\n'
        '    values = {"define": "speed=high"},\n'
        '    visibility = ["//visibility:public"],\n'
        ")\n"
    ),
    "ci.sh": ("#!/bin/sh\nbazel build \\\n    --config=fast -c dbg \\\n    //app && echo done\n"),
}


def make_workspace(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    """Writes a workspace."""
    write_files(folder, files)
    return folder


def state_of(folder: Path, *words: str, cache_dir: Path | None = None) -> EditorState:
    """What an editor has of a workspace under a command line."""
    return EditorState(folder, ClientSettings(words), {}, cache_dir)


def show(state: EditorState, path: str, text: str) -> None:
    """Has the editor show a text of a file."""
    state.edit(f"{state.root}/{path}", text)


def marked(state: EditorState, path: str, text: str) -> tuple[SourceFile, int]:
    """Shows a text without its mark; where that was."""
    offset = text.index(MARK)
    show(state, path, text.replace(MARK, ""))
    source = state.source(path)
    assert source is not None
    return source, offset


def cursor(state: EditorState, path: str, around: str) -> tuple[SourceFile, int]:
    """The place in a file that has `around` without its mark in it, once."""
    source = state.source(path)
    assert source is not None
    plain = around.replace(MARK, "")
    assert source.text.count(plain) == 1, plain
    return source, source.text.index(plain) + around.index(MARK)
