"""Toolchains whose flags are in a CROSSTOOL file, read as Bazel 0.24.1 does."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.compile.crosstool_file import chosen_toolchain
from bazelscope.api import Workspace
from bazelscope.questions.compile.answer import CompileAnswer
from tests.support.files import write_files

_TEXT = """\
major_version: "local"  # } is no end in a comment
toolchain {
  toolchain_identifier: "arm" target_cpu: "armeabi" compiler: "gcc"
  tool_path { name: "gcc" path: "/bin/{gcc}" }
}
toolchain {
  toolchain_identifier: "linux" target_cpu: "local"
  tool_path { name: "gcc" path: "bin/gcc" }
  tool_path { name: "ar" path: '/bin/ar' }
  tool_path { name: "cpp" path: "/bin/cpp" }
  tool_path { name: "gcov" path: "/bin/gcov" }
  tool_path { name: "ld" path: "/bin/ld" }
  tool_path { name: "nm" path: "/bin/nm" }
  tool_path { name: "objdump" path: "/bin/objdump" }
  tool_path { name: "strip" path: "/bin/strip" }
  compiler_flag: "-all"
  cxx_flag: "-of" "-cxx"
  unfiltered_cxx_flag: "-last"
  linker_flag: "-link"
  compilation_mode_flags { mode: DBG compiler_flag: "-debug" }
  compilation_mode_flags { mode: OPT compiler_flag: "-fast" cxx_flag: "-xfast" linker_flag: "-lfast" }
  linking_mode_flags { mode: MOSTLY_STATIC linker_flag: "-mostly" }
  linking_mode_flags { mode: DYNAMIC linker_flag: "-dynamic" }
  dynamic_library_linker_flag: "-dynlib"
  feature { name: "dbg" }
  feature {
    name: "own" enabled: true
    flag_set {
      action: "c++-compile" action: "c++-link-executable"
      with_feature { not_feature: "dbg" }
      flag_group { flag: "-own" }
      flag_group { expand_if_all_available: "nothing" flag: "-no" }
    }
  }
}
"""  # noqa: E501
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
    "p/BUILD": """\
cc_library(name = "l", srcs = ["l.cc"])
cc_binary(name = "b", srcs = ["b.cc"])
cc_binary(name = "d.so", srcs = ["d.cc"], linkshared = 1)
""",
}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("linux", "", ""), 6),
        (("arm", "local", "x"), 2),
        (("", "armeabi", "gcc"), 2),
        (("", "armeabi", "clang"), None),
        (("", "armeabi", ""), None),
        (("mips", "armeabi", "gcc"), None),
    ],
)
def test_the_toolchain_of_the_file(words: tuple[str, str, str], line: int | None) -> None:
    chosen = chosen_toolchain(_TEXT, *words)
    assert (chosen and chosen.line) == line


def _answer(root: Path, attribute: str, target: str, *flags: str, version: str) -> CompileAnswer:
    write_files(root, {**_FILES, "t/BUILD": _FILES["t/BUILD"] % attribute})
    workspace = Workspace.open(root, bazel_version=version, host="linux")
    return workspace.configure(("--crosstool_top=//t:suite", *flags)).compile(target)


def _own(answer: CompileAnswer, number: int) -> str:
    """The words that the file gives."""
    words = [word.text for word in answer.actions[number].words]
    return " ".join(word for word in words if word in _WORDS)


_WORDS = {"-all", "-debug", "-fast", "-of-cxx", "-xfast", "-last", "-own", "-no", "-link"}
_WORDS |= {"-lfast", "-mostly", "-dynamic", "-dynlib", "-shared"}


@pytest.mark.parametrize(
    ("mode", "compiled", "linked"),
    [
        ("fastbuild", "-all -of-cxx -own -last", "-link -mostly -own"),
        ("dbg", "-all -debug -of-cxx -last", "-link -mostly"),
        ("opt", "-all -fast -of-cxx -xfast -own -last", "-link -lfast -mostly -own"),
    ],
)
def test_flags_of_the_file(tmp_path: Path, mode: str, compiled: str, linked: str) -> None:
    attribute = 'toolchain_identifier = "linux",'
    answer = _answer(tmp_path, attribute, "//p:b", "-c", mode, version="0.24.1")
    assert answer.actions[0].words[0].text == "t/bin/gcc"
    assert _own(answer, 0) == compiled
    assert _own(answer, -1) == linked


def test_words_of_omitfp_stand_before_those_for_cpp(tmp_path: Path) -> None:
    flags = ("-c", "opt", "--experimental_omitfp")
    answer = _answer(tmp_path, 'toolchain_identifier = "linux",', "//p:l", *flags, version="0.24.1")
    words = [word.text for word in answer.actions[0].words]
    omitted = ["-fomit-frame-pointer", "-fasynchronous-unwind-tables", "-DNO_FRAME_POINTER"]
    assert words[1:7] == ["-all", "-fast", *omitted, "-of-cxx"]


def test_flags_of_linking(tmp_path: Path) -> None:
    attribute = 'toolchain_identifier = "linux",'
    shared = _answer(tmp_path, attribute, "//p:d.so", version="0.24.1")
    assert _own(shared, -1) == "-shared -link -dynamic -dynlib"
    fully = _answer(tmp_path, attribute, "//p:b", "--dynamic_mode=fully", version="0.24.1")
    assert _own(fully, -1) == "-link -dynamic -own"


@pytest.mark.parametrize(
    ("attribute", "version", "flags", "said"),
    [
        ("", "0.24.1", (), "no toolchain of t/CROSSTOOL has its identifier, or its cpu and"),
        (
            'toolchain_identifier = "linux",',
            "0.24.1",
            ("--incompatible_disable_crosstool_file",),
            "it has no toolchain_config, and this Bazel reads no CROSSTOOL file",
        ),
        ('toolchain_identifier = "linux",', "0.26.1", (), "this Bazel reads no CROSSTOOL file"),
        ('toolchain_identifier = "linux",', "2.1.0", (), "this Bazel reads no CROSSTOOL file"),
    ],
)
def test_files_that_say_nothing(
    tmp_path: Path, attribute: str, version: str, flags: tuple[str, ...], said: str
) -> None:
    answer = _answer(tmp_path, attribute, "//p:l", *flags, version=version)
    unknowns = [str(word.unknown) for one in answer.actions for word in one.words if word.unknown]
    assert any(said in one for one in unknowns), unknowns


def test_what_is_a_feature_only_later_is_not_seen_by_sets_of_flags(tmp_path: Path) -> None:
    """Neither how a program is linked nor that objects have to be position independent goes by
    the names of features; flags of shared libraries alone make these."""
    text = _TEXT.replace('  linking_mode_flags { mode: DYNAMIC linker_flag: "-dynamic" }\n', "")
    text = text.replace("  compiler_flag: ", "  needsPic: true\n  compiler_flag: ")
    text = text.replace('not_feature: "dbg"', 'not_feature: "static_linking_mode"')
    write_files(tmp_path, {**_FILES, "t/CROSSTOOL": text})
    build = _FILES["t/BUILD"] % 'toolchain_identifier = "linux",'
    (tmp_path / "t" / "BUILD").write_text(build, encoding="utf-8")
    opened = Workspace.open(tmp_path, host="linux", bazel_version="0.24.1")
    line = opened.configure(("--crosstool_top=//t:suite", "--features=-supports_pic"))
    actions = line.compile("//p:l").actions
    assert [action.output.rpartition(".")[2] for action in actions] == ["o", "a", "so"]
    assert actions[0].output.endswith(".pic.o")
    compiled, linked = line.compile("//p:b").actions
    assert "-own" in [word.text for word in compiled.words]
    assert "-mostly" in [word.text for word in linked.words]


@pytest.mark.parametrize("mode", ["dbg", "opt"])
def test_the_file_says_whether_debug_symbols_can_be_split(tmp_path: Path, mode: str) -> None:
    """Measured with 0.24.1: no feature has to be asked for."""
    text = _TEXT.replace('target_cpu: "local"', 'target_cpu: "local" supports_fission: true')
    write_files(tmp_path, {**_FILES, "t/CROSSTOOL": text})
    build = _FILES["t/BUILD"] % 'toolchain_identifier = "linux",'
    write_files(tmp_path, {"t/BUILD": build})
    workspace = Workspace.open(tmp_path, bazel_version="0.24.1", host="linux")
    flags = ("--crosstool_top=//t:suite", "--fission=dbg", "-c", mode)
    words = [one.text for one in workspace.configure(flags).compile("//p:l").actions[0].words]
    assert ("-gsplit-dwarf" in words) is (mode == "dbg")
