"""A small workspace in which every construct of the query language and every attribute type has
something to say, and what external repositories Bazel needs to load it without a network."""

from __future__ import annotations

import shutil
from pathlib import Path

_FILES = Path(__file__).parent / "data" / "query_language"

_PUBLIC = 'visibility = ["//visibility:public"]'
STUBS: dict[str, dict[str, str]] = {
    "rules_cc": {
        "BUILD": "",
        "cc/BUILD": "",
        "cc/defs.bzl": "cc_library = native.cc_library\n"
        "cc_binary = native.cc_binary\n"
        "cc_import = native.cc_import\n"
        "cc_test = native.cc_test\n"
        "cc_toolchain = native.cc_toolchain\n"
        "cc_toolchain_suite = native.cc_toolchain_suite\n"
        "objc_library = native.objc_library\n",
    },
    "rules_java": {
        "BUILD": "",
        "java/BUILD": "",
        "java/defs.bzl": "java_binary = native.java_binary\n"
        "java_import = native.java_import\n"
        "java_library = native.java_library\n"
        "java_runtime = native.java_runtime\n"
        "java_test = native.java_test\n"
        "java_toolchain = native.java_toolchain\n",
    },
    "remote_coverage_tools": {
        "BUILD": f'filegroup(name = "coverage_report_generator", {_PUBLIC})\n'
        f'filegroup(name = "Main", {_PUBLIC})\n',
    },
}


def lay_out(folder: Path, name: str = "world") -> tuple[Path, tuple[str, ...]]:
    """Writes the workspace, of that name, and its external repositories; returns it and the flags
    for them."""
    workspace = folder / name
    shutil.copytree(_FILES, workspace, dirs_exist_ok=True)
    flags = []
    for stub, files in STUBS.items():
        _write(folder / stub / "WORKSPACE", f'workspace(name = "{stub}")\n')
        for path, text in files.items():
            _write(folder / stub / path, text)
        flags.append(f"--override_repository={stub}={folder / stub}")
    return workspace, tuple(flags)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
