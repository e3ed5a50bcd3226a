"""`compile` on a small workspace, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.json_format.answer_schema import shipped_schema
from tests.support.files import write_files
from tests.unit.questions.json_schema import violations

FILES = {
    "WORKSPACE": """\
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "gone", urls = ["https://example.com/gone.zip"])
""",
    ".bazelversion": "4.2.3\n",
    ".bazelrc": "build:debug --copt=-g\nbuild:mkl --define=mkl=1\n",
    "copts.bzl": """\
BASE = ["-DBASE", "-Wno-x"]

def if_mkl(yes):
    return select({"//:mkl": yes, "//conditions:default": []})

def my_copts():
    return BASE + if_mkl(["-DMKL"])

def my_library(name, copts = [], **kwargs):
    native.cc_library(name = name, copts = my_copts() + copts, **kwargs)
""",
    "BUILD": """\
load(":copts.bzl", "my_library")

config_setting(name = "mkl", values = {"define": "mkl=1"})

my_library(name = "lib", srcs = ["a.cc", "b.cc", "c.c"], deps = [":middle"], copts = ["-O1"])

cc_library(name = "middle", deps = [":base"])
cc_library(name = "base", defines = ["BASIC=1"], includes = ["inc"], hdrs = ["base.h"])
cc_library(name = "headers", hdrs = ["h.h"])
cc_library(name = "away", srcs = ["a.cc"], deps = ["@gone//:x"])
genrule(name = "gen", outs = ["g"], cmd = "")
""",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path, FILES)
    for name in ("CC", "BAZEL_CXXOPTS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], root: Path, *words: str) -> tuple[int, str]:
    code = main(["compile", *words, "--host=linux", "--no-cache", "-w", str(root)])
    return code, capfd.readouterr().out


def words_of(root: Path, target: str, *flags: str, source: str | None = None) -> list[str]:
    asked = Workspace.open(root, host="linux").configure(flags)
    answer = asked.compile(target, source)
    return [word.text for word in answer.actions[0].words]


def test_the_line_and_who_put_each_word_there(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    code, out = ask(capfd, root, "//:lib", "-c", "opt", "--config=debug", "--config=mkl")
    assert code == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "-g --copt .bazelrc:1, --config=debug" in lines
    assert "-g beats -g0" in lines
    assert "-O1 beats -O2" in lines
    assert (
        "-DBASE -Wno-x copts: my_copts() (copts.bzl:6) > BASE (copts.bzl:1) copts.bzl:10" in lines
    )
    assert '-DMKL copts: my_copts() > if_mkl(["-DMKL"]) (copts.bzl:3) [//:mkl] copts.bzl:4' in lines
    assert "-DBASIC=1 defines of //:base BUILD:8" in lines
    assert "the same for b.cc" in lines


def test_one_source_and_its_language(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    assert "-std=c++0x" not in words_of(root, "//:lib", "--cxxopt=-DX", source="c.c")
    words = words_of(root, "//:lib", "--cxxopt=-DX", source="b.cc")
    assert "-std=c++0x" in words and "-DX" in words and "b.cc" in words
    code, out = ask(capfd, root, "//:lib", "bb.cc")
    assert code == 1
    assert "//:lib has no source `bb.cc`" in out
    assert "did you mean b.cc" in out
    _, out = ask(capfd, root, "//:lib", "elsewhere.cc")
    assert "has no source `elsewhere.cc`; it compiles " in out and "did you mean" not in out
    _, out = ask(capfd, root, "//:headers", "b.cc")
    assert "//:headers has no source `b.cc`, nor any other" in out


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("//:gen", "//:gen is a genrule: it compiles nothing"),
        ("//:headers", "//:headers has no sources to compile"),
        ("//...", "`//...` is a pattern; this asks for one target (`bazelscope query //...`"),
        ("//:all", "`//:all` is a pattern; this asks for one target"),
        ("//:nope", "no such target"),
    ],
)
def test_what_compiles_nothing(
    capfd: pytest.CaptureFixture[str], root: Path, target: str, said: str
) -> None:
    code, out = ask(capfd, root, target)
    assert code == 1
    assert said in out


def test_a_file_stands_for_the_rule_that_compiles_it(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": "",
        ".bazelversion": "4.2.3",
        "BUILD": """
filegroup(name = "files", srcs = ["b.cc"])
cc_library(name = "lib", srcs = ["a.cc", "a.h", ":files"], copts = ["-DLIB"])
cc_binary(name = "program", srcs = ["a.cc"], copts = ["-DPROGRAM"])
exports_files(["c.cc"])
""",
    }
    write_files(tmp_path, {**files, "a.cc": "", "a.h": "", "b.cc": "", "c.cc": ""})
    build = Workspace.open(tmp_path, host="linux").configure([])
    answer = build.compile("a.cc")
    assert answer.node is not None
    assert (str(answer.node.label), answer.source) == ("//:lib", "a.cc")
    assert [str(label) for label in answer.other_compilers] == ["//:program"]
    assert [action.source for action in answer.actions] == ["a.cc"]
    assert "-DLIB" in [word.text for word in answer.actions[0].words]
    behind = build.compile("//:b.cc")
    assert behind.node is not None and str(behind.node.label) == "//:lib"
    assert [action.source for action in behind.actions] == ["b.cc"]
    problem = "is a source file, and no rule of its package compiles it"
    assert build.compile("c.cc").problem == f"//:c.cc {problem}"
    assert build.compile("a.h").problem == "//:a.h is a source file: it compiles nothing"


def test_a_rule_of_unknown_class(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = {
        "WORKSPACE": 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        'http_archive(name = "far", urls = ["https://example.org/far.zip"])\n',
        "BUILD": 'load("@far//:r.bzl", "odd")\nodd(name = "x", srcs = ["x.cc"])\n',
    }
    write_files(tmp_path, files)
    code, out = ask(capfd, tmp_path, "//:x")
    assert code == 3
    assert "cannot be told" in out and "compiles nothing" not in out


def test_why_a_word(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    code, out = ask(capfd, root, "//:lib", "a.cc", "-c", "opt", "--copt=-O3", "--why", "-O3")
    assert code == 0
    assert "from --copt" in out and "beats -O2" in out and "-O1 (word" in out
    _, out = ask(capfd, root, "//:lib", "a.cc", "--why", "-DBASIC")
    assert "through //:lib -> //:middle -> //:base" in out
    code, out = ask(capfd, root, "//:lib", "--why", "-O4")
    assert code == 1 and "no action of //:lib gets `-O4`" in out


def test_a_dependency_that_is_not_there_is_unknown(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    _, out = ask(capfd, root, "//:away")
    assert "1 dependency may hand on more:" in out
    assert "@gone" in out


def test_dependencies_that_are_unknown_for_one_reason_are_told_with_it_once(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = {
        "WORKSPACE": 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        'http_archive(name = "far", urls = ["https://example.org/far.zip"])\n',
        ".bazelversion": "4.2.3",
        "BUILD": 'cc_library(name = "x", srcs = ["x.cc"], deps = ["@far//:a", "@far//:b"])\n',
    }
    write_files(tmp_path, files)
    _, out = ask(capfd, tmp_path, "//:x")
    told = out[out.index("2 dependencies may hand on more (1 reason):") :]
    assert told.partition("\n  -iquote")[0].count("@far//:BUILD.bazel: not downloaded") == 1


def test_an_unknown_toolchain_is_unknown_word_by_word(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    _, out = ask(capfd, root, "//:lib", "a.cc", "--crosstool_top=//own:toolchain", "--copt=-g")
    assert "the toolchain --crosstool_top=//own:toolchain" in out
    assert "-O2" not in out and "-std=" not in out and "gcc" not in out
    assert "-DBASIC=1" in out and "-g " in out


def test_environment_of_the_compiler(root: Path) -> None:
    words = words_of(root, "//:lib", "--repo_env=CC=clang", "--repo_env=BAZEL_CXXOPTS=-DA:-DB")
    assert words[0] == "/usr/bin/clang"
    assert "-Wthread-safety" in words and "-std=c++0x" not in words
    assert words[words.index("-DA") + 1] == "-DB"


def test_json_is_what_the_schema_says(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    code, out = ask(capfd, root, "//:lib", "--config=mkl", "--format", "json")
    document = json.loads(out)
    schema = json.loads(shipped_schema())
    assert code == 0 and not violations(document, schema, schema)
    words = document["actions"][0]["words"]
    origins = {word["text"]: word["origin"]["type"] for word in words}
    assert origins["-DMKL"] == "attribute" and origins["-Wall"] == "toolchain"


LINKED = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3\n",
    "p/BUILD": """\
cc_library(name = "base", srcs = ["base.cc"], linkopts = ["-lz"])
cc_library(name = "always", srcs = ["x.cc"], alwayslink = 1, deps = [":base"])
cc_binary(name = "tool", srcs = ["tool.cc"], deps = [":always"], linkopts = ["-lm"])
cc_binary(name = "lib.so", srcs = ["tool.cc"], deps = [":always"], linkshared = 1)
cc_test(name = "test", srcs = ["test.cc"], deps = [":always"])
""",
}


def linked(root: Path, target: str, *flags: str) -> list[str]:
    answer = Workspace.open(root, host="linux").configure(flags).compile(target)
    return [word.text for word in answer.actions[-1].words]


def test_what_the_linker_gets(tmp_path: Path) -> None:
    write_files(tmp_path, LINKED)
    bin_, head = "bazel-out/k8-fastbuild/bin", "-fuse-ld=gold -Wl,-no-as-needed"
    tail = "-Wl,-z,relro,-z,now -B/usr/bin -pass-exit-codes"
    tool = linked(tmp_path, "//p:tool", "--linkopt=-lx")
    assert " ".join(tool) == (
        f"/usr/bin/gcc -o {bin_}/p/tool -Wl,-S {head} {tail} {bin_}/p/_objs/tool/tool.pic.o "
        f"-Wl,-whole-archive {bin_}/p/_objs/always/x.pic.o -Wl,-no-whole-archive "
        f"-Wl,--start-lib {bin_}/p/_objs/base/base.pic.o -Wl,--end-lib -lm -lz -lx -lstdc++ -lm"
    )
    test = linked(tmp_path, "//p:test")
    assert "-lp_Slibalways" in test and "-lp_Slibbase" in test
    assert "-Wl,-rpath,$ORIGIN/../_solib_k8/" in test
    assert linked(tmp_path, "//p:lib.so")[1] == "-shared"
    assert linked(tmp_path, "//p:base")[-4:] == [
        *(f"{bin_}/p/_objs/base/base.pic.o", "-lz", "-lstdc++", "-lm"),
    ]


@pytest.mark.parametrize(("version", "reads_it"), [("0.24.1", False), ("2.1.0", True)])
def test_libraries_that_the_environment_names(tmp_path: Path, version: str, reads_it: bool) -> None:
    """Measured with both."""
    write_files(tmp_path, {**LINKED, ".bazelversion": version})
    words = linked(tmp_path, "//p:tool", "--action_env=BAZEL_LINKLIBS=-lq:-lr")
    assert (words[-2:] == ["-lq", "-lr"]) is reads_it
    assert ("-lq" in words) is reads_it


@pytest.mark.parametrize(
    ("flags", "strips"),
    [
        ((), True),
        (("-c", "opt"), False),
        (("-c", "opt", "--strip=always"), True),
        (("--strip=never",), False),
    ],
)
def test_strip(tmp_path: Path, flags: tuple[str, ...], strips: bool) -> None:
    write_files(tmp_path, LINKED)
    assert ("-Wl,-S" in linked(tmp_path, "//p:tool", *flags)) is strips


def test_a_compilation_database(
    capfd: pytest.CaptureFixture[str], root: Path, tmp_path: Path
) -> None:
    code, out = ask(capfd, root, "//:lib", "--as", "compile_commands", "-c", "opt")
    entries = {entry["file"]: entry for entry in json.loads(out)}
    assert code == 0 and set(entries) == {"a.cc", "b.cc", "c.c"}
    assert entries["a.cc"]["directory"] == str(root)
    assert entries["a.cc"]["arguments"][0] == "/usr/bin/gcc"
    assert "-O2" in entries["c.c"]["arguments"]
    file = tmp_path / "elsewhere.json"
    code, out = ask(capfd, root, "//:lib", "--as", "compile_commands", "-o", str(file))
    assert code == 0 and not out and len(json.loads(file.read_text())) == 3
    code, _ = ask(capfd, root, "//:nope", "--as", "compile_commands")
    assert code == 2


MODES = {
    ("windows", "opt"): ["/MD", "/O2", "/DNDEBUG", "/Gy", "/Gw"],
    ("windows", "dbg"): ["/MDd", "/Od", "/Z7"],
    ("windows", "fastbuild"): ["/MD", "/Od", "/Z7"],
    ("macos", "opt"): ["-g0", "-O2", "-DNDEBUG"],
    ("macos", "dbg"): ["-g"],
}


@pytest.mark.parametrize(("host", "mode"), list(MODES))
def test_other_systems_by_documentation(root: Path, host: str, mode: str) -> None:
    asked = Workspace.open(root, host=host).configure(("-c", mode, "--copt=/arch:AVX"))
    answer = asked.compile("//:lib", "a.cc")
    words = [word.text for word in answer.actions[0].words]
    every = {flag for flags in MODES.values() for flag in flags}
    assert [word for word in words if word in every] == MODES[host, mode]
    assert "/arch:AVX" in words
    assert answer.toolchain is not None and "documentation" in answer.toolchain.assumed


def test_windows_names_and_clang_cl(root: Path) -> None:
    asked = Workspace.open(root, host="windows").configure(("--compiler=clang-cl",))
    answer = asked.compile("//:lib")
    assert answer.actions[0].output == "bazel-out/x64_windows-fastbuild/bin/_objs/lib/a.obj"
    assert answer.actions[0].words[0].text.endswith("/clang-cl.exe")
    archive = next(one for one in answer.actions if one.mnemonic == "CppLink")
    assert archive.output.endswith("/lib.lib")
    assert f"/OUT:{archive.output}" in [word.text for word in archive.words]


def test_what_is_not_modelled_is_said(root: Path) -> None:
    asked = Workspace.open(root, host="linux").configure(("--fdo_instrument=/p", "--save_temps"))
    answer = asked.compile("//:lib", "a.cc")
    unknown = [str(one.unknown) for one in answer.actions[0].words if one.unknown is not None]
    assert any("--fdo_instrument=/p" in one for one in unknown)
    assert any("--save_temps" in str(one) for one in answer.unknowns)
    assert answer.is_open
    write_files(
        root,
        {
            "s/BUILD": 'cc_library(name = "st", linkstamp = "s.cc")\n'
            'cc_binary(name = "b", srcs = ["b.cc"], deps = [":st"])\n',
            "p/BUILD": 'package(default_copts = ["-DP -DQ"])\n'
            'cc_library(name = "l", srcs = ["l.cc"], copts = ["-DR"])\n',
        },
    )
    asked = Workspace.open(root, host="linux").configure(())
    *_, stamp, link = asked.compile("//s:b").actions
    assert (stamp.mnemonic, stamp.source) == ("CppLinkstampCompile", "s/s.cc")
    assert 'G3_TARGET_NAME="//s:b"' in " ".join(one.text for one in stamp.words)
    assert stamp.output in [one.text for one in link.words]
    # Measured: before the words of --copt, or elsewhere in 0.24.1.
    for version, expected in (("4.2.3", " -DNO_FRAME_POINTER -DC"), ("0.24.1", " -DNO_FRAME_PO")):
        asked = Workspace.open(root, host="linux", bazel_version=version).configure(
            ("--copt=-DC", "--experimental_omitfp")
        )
        *_, stamp, _ = asked.compile("//s:b").actions
        assert expected in " ".join(one.text for one in stamp.words)
    # `package()` takes them since Bazel 5.
    asked = Workspace.open(root, host="linux", bazel_version="6.5.0").configure(())
    words = [word.text for word in asked.compile("//p:l").actions[0].words]
    at = words.index("-DP")
    assert words[at : at + 3] == ["-DP", "-DQ", "-DR"]


def test_diff_compares_the_words_of_compiler_and_linker(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    write_files(root, {"p/BUILD": 'cc_binary(name = "b", srcs = ["b.cc", "c.cc", "x.c"])\n'})
    line = ["diff", "//p:b", "--host=linux", "--no-cache", "-w", str(root)]
    main([*line, "--before", "-c opt", "--after", "-c dbg --cxxopt=-O3 --linkopt=-lz"])
    shown = [" ".join(one.split()) for one in capfd.readouterr().out.splitlines()]
    at = shown.index("for p/b.cc, p/c.cc")
    assert shown[at + 1].startswith("- -g0 -O2") and shown[at + 1].endswith("toolchain, opt")
    assert shown[at + 2 : at + 4] == ["+ -g toolchain, dbg", "+ -O3 --cxxopt command line"]
    assert "for p/x.c" in shown, "what C++ alone gets is none of it"
    assert "- -Wl,--gc-sections toolchain, opt" in shown
    assert "+ -lz --linkopt command line" in shown
    before, after = (
        Workspace.open(root, host="linux").configure(("//p:b", *flags))
        for flags in (("--define=x=1",), ("--define=x=2",))
    )
    assert after.differences(before).lines == ()


def test_actions_of_a_starlark_rule(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    write_files(
        root,
        {
            "s/defs.bzl": """\
def _impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".out")
    args = ctx.actions.args()
    args.add("--mode", ctx.var["COMPILATION_MODE"])
    args.add_all(ctx.files.srcs, before_each = "-i")
    ctx.actions.run(outputs = [out], inputs = ctx.files.srcs, executable = "/bin/tool",
                    arguments = [args, ctx.fragments.cpp.custom_malloc, "last"],
                    mnemonic = "MyTool")
    log = ctx.actions.declare_file(ctx.label.name + ".log")
    ctx.actions.run_shell(outputs = [log], command = "echo $1 > log", arguments = ["x"])
    return [DefaultInfo(files = depset([out, log]))]

tool = rule(_impl, attrs = {"srcs": attr.label_list(allow_files = True)}, fragments = ["cpp"])
""",
            "s/BUILD": 'load(":defs.bzl", "tool")\ntool(name = "t", srcs = ["a", "b"])\n',
            "s/a": "",
            "s/b": "",
        },
    )
    asked = Workspace.open(root, host="linux").configure(("-c", "opt"))
    answer = asked.compile("//s:t")
    first, second = answer.actions
    assert first.mnemonic == "MyTool" and first.output == "bazel-out/k8-opt/bin/s/t.out"
    words = [word.text for word in first.words]
    assert words == ["/bin/tool", "--mode", "opt", "-i", "s/a", "-i", "s/b", "...", "last"]
    assert [word.unknown is not None for word in first.words].count(True) == 1
    assert answer.is_open
    shell = [word.text for word in second.words]
    assert shell == ["/bin/bash", "-c", "echo $1 > log", "", "x"]
    _, out = ask(capfd, root, "//s:t", "-c", "opt")
    assert "ctx.actions.run" in out and "s/defs.bzl:6" in out


def test_a_cc_proto_library_compiles_what_is_made_of_its_protos(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    toolchain = 'proto_lang_toolchain(name = "cc_toolchain", runtime = ":pb", command_line = "")\n'
    write_files(
        tmp_path,
        {
            "WORKSPACE": 'local_repository(name = "com_google_protobuf", path = "pb")\n',
            ".bazelversion": "4.2.3\n",
            "pb/WORKSPACE": "",
            "pb/BUILD": 'cc_library(name = "pb", defines = ["RUNTIME"])\n'
            'sh_binary(name = "protoc", srcs = ["protoc.sh"])\n' + toolchain,
            "a/BUILD": 'proto_library(name = "p", srcs = ["p.proto"], import_prefix = "x")\n'
            'cc_proto_library(name = "p_cc", deps = [":p"])\n'
            'cc_library(name = "l", srcs = ["l.cc"], deps = [":p_cc"])\n',
        },
    )
    code, text = ask(capfd, tmp_path, "//a:p_cc", "--copt=-DX")
    assert code == 0
    assert "bazel-out/k8-fastbuild/bin/a/_virtual_imports/p/x/a/p.pb.cc" in text
    assert "-DRUNTIME" in text
    assert "-DX" in text and "--copt  command line" in text
    code, text = ask(capfd, tmp_path, "//a:p")
    assert (code, "a cc_proto_library of it compiles C++" in text) == (1, True)
    _, text = ask(capfd, tmp_path, "//a:l", "--why", "-DRUNTIME")
    assert "//a:p_cc" in text and "@com_google_protobuf//:pb" in text


def test_what_a_cc_shared_library_links_is_unknown(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_files(
        tmp_path,
        {
            "WORKSPACE": "",
            ".bazelversion": "6.5.0\n",
            "BUILD": 'cc_library(name = "l", srcs = ["l.cc"])\n'
            'cc_shared_library(name = "s", deps = [":l"])\n'
            'cc_binary(name = "b", srcs = ["b.cc"], deps = [":l"], dynamic_deps = [":s"])\n',
        },
    )
    code, text = ask(capfd, tmp_path, "//:s")
    assert code == 3
    assert "what //:s, a cc_shared_library, links cannot be told" in text
    _, text = ask(capfd, tmp_path, "//:b")
    assert "which libraries a cc_shared_library links, and takes from those who link it" in text


@pytest.mark.parametrize(
    ("version", "standard"),
    [("6.5.0", "-std=c++0x"), ("7.7.1", "-std=c++14"), ("8.5.1", "-std=c++17")],
)
def test_where_nothing_is_registered_bazels_own_toolchain_is_taken(
    tmp_path: Path, version: str, standard: str
) -> None:
    platform = 'platform(name = "arm", constraint_values = ["@platforms//cpu:armv7"])\n'
    write_files(
        tmp_path,
        {
            "MODULE.bazel": 'module(name = "m")\nbazel_dep(name = "platforms", version = "1.0.0")',
            ".bazelversion": version,
            "BUILD": 'cc_library(name = "l", srcs = ["l.cc"])\n' + platform,
        },
    )
    opened = Workspace.open(tmp_path, host="linux")
    answer = opened.configure([]).compile("//:l")
    assert answer.toolchain is not None and answer.toolchain.unknown is None
    assert standard in [word.text for word in answer.actions[0].words]
    last = " ".join(word.text for word in answer.actions[-1].words)
    is_late = "-B/usr/bin -Wl,-no-as-needed" in last and "-Wl,--push-state,-as-needed -lm" in last
    assert is_late is (version != "6.5.0")
    if version != "6.5.0":
        other = opened.configure(["--platforms=//:arm"]).compile("//:l")
        assert other.toolchain is not None and other.toolchain.unknown is not None
        assert other.toolchain.unknown.detail == "no registered C++ toolchain suits the platforms"


def test_a_native_library_may_have_the_provider_of_rules_cc(tmp_path: Path) -> None:
    """Later rules_cc has a `CcInfo` of its own, which rules that stand for its own have, too."""
    rule_ = (
        'r = rule(implementation = lambda ctx: [], attrs = {"dep": attr.label(providers = [%s])})'
    )
    write_files(
        tmp_path,
        {
            "WORKSPACE": 'local_repository(name = "rules_cc", path = "cc")\n',
            ".bazelversion": "7.7.1\n",
            "cc/WORKSPACE": "",
            "cc/BUILD": "",
            "cc/defs.bzl": "CcInfo = provider()\nOther = provider()\n"
            + (rule_ % "CcInfo")
            + ("\n" + rule_.replace("r =", "other =", 1) % "Other"),
            "BUILD": 'load("@rules_cc//:defs.bzl", "other", "r")\ncc_library(name = "l")\n'
            'r(name = "x", dep = ":l")\nother(name = "y", dep = ":l")\n',
        },
    )
    asked = Workspace.open(tmp_path, host="linux").configure([])
    assert not asked.compile("//:x").envelope.refusals
    assert asked.compile("//:y").envelope.refusals


def test_what_was_made_before_and_variables_of_toolchains(root: Path) -> None:
    """As `aquery` of 4.2.3 has it."""
    write_files(
        root,
        {
            "r/v.bzl": "def _v(ctx):\n"
            '    return [platform_common.TemplateVariableInfo({"A": "$(B)", "B": "b"})]\n'
            "v = rule(implementation = _v)\n",
            "r/BUILD": 'load(":v.bzl", "v")\nv(name = "v")\n'
            'cc_library(name = "l", srcs = ["l.o", "liba.a", "liba.pic.a", "libb.so.1"])\n'
            'cc_binary(name = "b", srcs = ["b.cc", "b.pic.o", "b.nopic.o"], deps = [":l"],\n'
            '          copts = ["-D$(A)"], toolchains = [":v"], linkstatic = 1)\n'
            'cc_binary(name = "off", srcs = ["b.cc"], features = ["-fission_support"])\n',
        },
    )
    asked = Workspace.open(root, host="linux", bazel_version="4.2.3").configure(())
    compiled, link = asked.compile("//r:b").actions
    assert "-Db" in [word.text for word in compiled.words]
    files = [word.text for word in link.words if word.text.endswith((".o", ".a", ".so.1"))]
    objects = ["bazel-out/k8-fastbuild/bin/r/_objs/b/b.pic.o"]
    assert files == ["r/b.pic.o", *objects, "r/liba.a", "-l:libb.so.1", "r/l.o"]
    assert "unconditionally implies feature 'fission_support'" in asked.compile("//r:off").problem


@pytest.mark.parametrize("last", ["$(V0)", "x" * 1_000_000])
def test_variables_that_name_others_many_times_end(
    root: Path, last: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(
        root,
        {
            "r/v.bzl": "def _v(ctx):\n"
            f'    made = {{"V%d" % i: ("$(V%d)" % (i + 1)) * 30 for i in range(9)}}\n'
            f'    made["V9"] = "{last}"\n'
            "    return [platform_common.TemplateVariableInfo(made)]\n"
            "v = rule(implementation = _v)\n",
            "r/BUILD": 'load(":v.bzl", "v")\nv(name = "v")\n'
            'cc_library(name = "l", srcs = ["l.cc"], copts = ["$(V0)"], toolchains = [":v"])\n',
        },
    )
    assert main(["compile", "-w", str(root), "--no-cache", "--full", "//r:l"]) == 0
    told = capsys.readouterr().out
    assert any(why in told for why in ("gets too long", "too many variables", "unbounded"))
