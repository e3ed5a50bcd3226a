"""Toolchains whose flags are in a CROSSTOOL file: which one, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.compile.crosstool_file import CrosstoolEntry, chosen_toolchain
from bazelscope.api import Workspace
from tests.support.files import write_files

_TEXT = """\
major_version: "local"  # } is no end in a comment
default_toolchain {
  cpu: "k8"
  toolchain_identifier: "linux"
}
toolchain {
  toolchain_identifier: "arm"
  target_cpu: "armeabi"
  compiler: "gcc"
  tool_path { name: "gcc" path: "/bin/{gcc}" }
}
toolchain {
  target_cpu: "local"
  feature {
    name: "opt"
    flag_set { action: "c-compile" flag_group { flag: "-O2" } }
  }
  toolchain_identifier: "linux"
}
"""
_FILES = {
    "WORKSPACE": "",
    "t/CROSSTOOL": _TEXT,
    "t/BUILD": """\
filegroup(name = "empty")
cc_toolchain_suite(name = "suite", toolchains = {"k8": ":cc"})
cc_toolchain(
    name = "cc",
    %s
    all_files = ":empty",
    compiler_files = ":empty",
    dwp_files = ":empty",
    linker_files = ":empty",
    objcopy_files = ":empty",
    strip_files = ":empty",
)
""",
    "p/BUILD": 'cc_library(name = "l", srcs = ["l.cc"])\n',
}


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        (("linux", "", ""), CrosstoolEntry("linux", 12)),
        (("arm", "local", "x"), CrosstoolEntry("arm", 6)),
        (("", "armeabi", "gcc"), CrosstoolEntry("arm", 6)),
        (("", "armeabi", "clang"), None),
        (("", "armeabi", ""), None),
        (("mips", "armeabi", "gcc"), None),
    ],
)
def test_the_toolchain_of_the_file(
    words: tuple[str, str, str], chosen: CrosstoolEntry | None
) -> None:
    assert chosen_toolchain(_TEXT, *words) == chosen


@pytest.mark.parametrize(
    ("attribute", "said"),
    [
        ('toolchain_identifier = "linux",', "are toolchain `linux` of t/CROSSTOOL:12, not read"),
        ('cpu = "armeabi", compiler = "gcc",', "toolchain `arm` of t/CROSSTOOL:6, not read"),
        ("", "its flags are in a CROSSTOOL file, which is not read"),
    ],
)
def test_where_the_flags_are(tmp_path: Path, attribute: str, said: str) -> None:
    write_files(tmp_path, {**_FILES, "t/BUILD": _FILES["t/BUILD"] % attribute})
    workspace = Workspace.open(tmp_path, bazel_version="0.24.1", host="linux")
    answer = workspace.configure(("--crosstool_top=//t:suite",)).compile("//p:l")
    unknowns = [str(word.unknown) for one in answer.actions for word in one.words if word.unknown]
    assert any(said in one for one in unknowns), unknowns
