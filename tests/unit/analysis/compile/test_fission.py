"""`--fission` splits debug symbols where the toolchain has `per_object_debug_info` switched on."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

FEATURE = "--features=per_object_debug_info"


@pytest.mark.parametrize(
    ("version", "flags", "expected"),
    [
        ("4.2.3", ("--fission=yes",), []),
        ("4.2.3", ("--fission=opt", FEATURE), []),
        ("4.2.3", ("--fission=yes", FEATURE), ["-gsplit-dwarf"]),
        ("4.2.3", ("--fission=dbg,fastbuild", FEATURE), ["-gsplit-dwarf"]),
        ("8.5.0", ("--fission=yes",), ["-gsplit-dwarf", "-g"]),
        ("8.5.0", ("--fission=no",), []),
    ],
)
def test_words(tmp_path: Path, version: str, flags: tuple[str, ...], expected: list[str]) -> None:
    files = {
        "WORKSPACE": "",
        "MODULE.bazel": "",
        "BUILD": 'cc_binary(name = "b", srcs = ["b.c"])\n',
    }
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, host="linux", bazel_version=version)
    compiled, linked = workspace.configure(flags).compile("//:b").actions[:2]
    found = [word.text for word in compiled.words if word.text.startswith("-g")]
    assert found == expected
    assert ("-Wl,--gdb-index" in [word.text for word in linked.words]) is bool(expected)
