"""The toolchain that later Bazels make for gcc and clang, word by word beside rules_cc's own files:
its `cc_toolchain_config`, filled in as its `unix_cc_configure.bzl` does where each option is
accepted and gold is the linker, and run dry."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.test_compile_lines import our_lines
from tests.support.files import write_files
from tests.support.parts import need_sibling, need_within

pytestmark = pytest.mark.corpus

_COMMON = ("-Wunused-but-set-parameter", "-Wno-free-nonheap-object")
_WARNINGS = {"gcc": _COMMON, "clang": ("-Wthread-safety", "-Wself-assign", *_COMMON)}
_LAST = {"gcc": (), "clang": ("-fcolor-diagnostics",)}
_LINKER = {"gcc": ("-fuse-ld=gold",), "clang": ("-fuse-ld=/usr/bin/ld.gold",)}
_EXIT = {"gcc": ("-pass-exit-codes",), "clang": ()}
_PREFIXES = {"gcc": "-fno-canonical-system-headers", "clang": "-no-canonical-prefixes"}
_AS_NEEDED = ("-Wl,--push-state,-as-needed", "-Wl,--pop-state")
_OPT = ("-g0", "-O2", "-D_FORTIFY_SOURCE=1", "-DNDEBUG", "-ffunction-sections", "-fdata-sections")
_TOOLS = ("ld", "cpp", "gcov", "nm", "objcopy", "objdump", "strip", "dwp", "ar")

_OWN = """
load("@rules_cc//cc:defs.bzl", "cc_toolchain")
load("@rules_cc//cc/private/toolchain:unix_cc_toolchain_config.bzl", "cc_toolchain_config")

_FILES = ["all", "ar", "as", "compiler", "dwp", "linker", "objcopy", "strip"]
_NAMES = ["toolchain_identifier", "host_system_name", "target_system_name", "target_libc",
          "abi_version", "abi_libc_version"]

def own():
    native.filegroup(name = "empty")
    cc_toolchain(name = "tc", toolchain_config = ":local", supports_param_files = 1,
                 **{one + "_files": ":empty" for one in _FILES})
    native.toolchain(name = "t", toolchain = ":tc",
                     toolchain_type = "@bazel_tools//tools/cpp:toolchain_type")
    given = {one: "local" for one in _NAMES}
    given.update(GIVEN)
    cc_toolchain_config(name = "local", cpu = "k8", cxx_builtin_include_directories = [], **given)
"""
_BUILD = """
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
cc_library(name = "l", srcs = ["l.cc", "l.c", "l.S", "l2.s"], hdrs = ["h.h"], defines = ["D"],
           includes = ["inc"], local_defines = ["L"], linkopts = ["-lz"], copts = ["-Wx"],
           include_prefix = "pre")
cc_library(name = "al", srcs = ["al.cc"], alwayslink = 1, deps = [":l"])
cc_binary(name = "b", srcs = ["b.cc"], deps = [":l", ":al"])
cc_binary(name = "libb.so", srcs = ["b.cc"], deps = [":l", ":al"], linkshared = 1)
cc_test(name = "t", srcs = ["b.cc"], deps = [":l", ":al"])
"""
_LINES: tuple[tuple[str, ...], ...] = (
    ("-c", "opt", "--features=-supports_pic", "--linkopt=-lq", "--dynamic_mode=fully"),
    ("-c", "dbg", "--copt=-g", "--cxxopt=-x", "--strip=always", "--force_pic", "--nostart_end_lib"),
    ("-c", "dbg", "--fission=dbg"),
    ("--repo_env=BAZEL_CONLYOPTS=-c1:-c2", "--repo_env=BAZEL_COPTS=-every"),
)


def _given(compiler: str, has_copts: bool) -> dict[str, object]:
    standard = ["-Wno-builtin-macro-redefined"]
    standard += [f'-D__{one}__="redacted"' for one in ("DATE", "TIMESTAMP", "TIME")]
    first, last = _AS_NEEDED
    given: dict[str, object] = {
        "compiler": compiler,
        "tool_paths": {
            "gcc": f"/usr/bin/{compiler}",
            **{one: f"/usr/bin/{one}" for one in _TOOLS},
            **dict.fromkeys(("llvm-cov", "llvm-profdata"), "None"),
        },
        "compile_flags": [
            *("-fstack-protector", "-Wall", *_WARNINGS[compiler], *_LAST[compiler]),
            "-fno-omit-frame-pointer",
        ],
        "opt_compile_flags": list(_OPT),
        "dbg_compile_flags": ["-g"],
        "cxx_flags": ["-std=c++17"],
        "link_flags": [
            *(*_LINKER[compiler], "-B/usr/bin", "-Wl,-no-as-needed", "-Wl,-z,relro,-z,now"),
            *_EXIT[compiler],
        ],
        "link_libs": [first, "-lstdc++", last, first, "-lm", last],
        "opt_link_flags": ["-Wl,--gc-sections"],
        "unfiltered_compile_flags": [_PREFIXES[compiler], *standard],
        "coverage_compile_flags": ["--coverage"],
        "coverage_link_flags": ["--coverage"],
        "supports_start_end_lib": True,
    }
    return given | ({"all_compile_flags": []} if has_copts else {})


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(("tag", "release"), [("0.0.17", "8.5.1"), ("0.2.17", "9.0.0")])
def test_words_of_its_own_files(tmp_path: Path, tag: str, release: str, compiler: str) -> None:
    trees = need_sibling("BAZELSCOPE_MODULE_TREES", "trees/modules")
    folder = need_within(trees, f"rules_cc-{tag}")
    compared = 0
    for number, line in enumerate(_LINES):
        given = _given(compiler, release.startswith("9"))
        for word in line:  # As `unix_cc_configure.bzl` fills them in.
            _, _, setting = word.partition("--repo_env=BAZEL_")
            name, _, words = setting.partition("=")
            attribute = {"CONLYOPTS": "conly_flags", "COPTS": "all_compile_flags"}.get(name)
            if attribute == "conly_flags" or attribute in given:
                given[str(attribute)] = words.split(":")
        root = tmp_path / str(number)
        write_files(
            root,
            {
                "MODULE.bazel": 'module(name = "m")\n'
                f'bazel_dep(name = "rules_cc", version = "{tag}")\n'
                'bazel_dep(name = "platforms", version = "0.0.10")\n'
                f'local_path_override(module_name = "rules_cc", path = "{folder}")\n',
                "BUILD": _BUILD,
                "own/own.bzl": _OWN.replace("GIVEN", repr(given)),
                "own/BUILD": 'load(":own.bzl", "own")\nown()\n',
            },
        )
        words_ = (*line, f"--repo_env=CC={compiler}")
        real = our_lines(root, release, (*words_, "--extra_toolchains=//own:t"))
        ours = our_lines(root, release, words_)
        assert ours == real
        compared += len(real)
    assert compared > 35
