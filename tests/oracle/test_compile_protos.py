"""C++ that is made of protocol buffers, and libraries whose names have folders, beside `aquery` of
real Bazels: what is compiled, where, with what, and what comes to links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle.compile_worlds import write_stubs
from tests.oracle.test_compile_lines import lines_of_bazel, our_lines
from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.support.parts import need_compilers

pytestmark = pytest.mark.oracle

_PROTOBUF = """
package(default_visibility = ["//visibility:public"])
cc_library(name = "protobuf", srcs = ["pb.cc"], hdrs = ["pb.h"], includes = ["src"],
           defines = ["HAVE_PB"], linkopts = ["-lpthread"], copts = ["-Wpb"])
filegroup(name = "protoc", srcs = ["protoc.sh"])
proto_library(name = "any_proto", srcs = ["any.proto"])
proto_library(name = "ts_proto", srcs = ["ts.proto"])
proto_lang_toolchain(name = "cc_toolchain", command_line = "--cpp_out=$(OUT)",
                     runtime = ":protobuf", blacklisted_protos = [":any_proto"])
proto_lang_toolchain(name = "java_toolchain", command_line = "--java_out=$(OUT)")
"""
_EXT = """
package(default_visibility = ["//visibility:public"], features = ["-random_seed"])
proto_library(name = "ep", srcs = ["ep.proto"])
cc_proto_library(name = "ep_cc", deps = [":ep"])
proto_library(name = "group", deps = [":ep"])
proto_library(name = "x/y", srcs = ["d/f.proto", "d/g/f.proto"], strip_import_prefix = "/d",
              deps = [":group"], features = ["opt"])
"""
_BUILD = """
genrule(name = "made", outs = ["gen.proto"], cmd = "")
genrule(name = "made2", outs = ["g2.proto"], cmd = "")
proto_library(name = "a", srcs = ["a.proto", "a2.proto"],
              deps = ["@com_google_protobuf//:any_proto"])
proto_library(name = "b", srcs = ["b-x.proto"], deps = [":a", "@ext//:ep"])
proto_library(name = "group", deps = [":b"])
proto_library(name = "strip", srcs = ["s/z/st.proto"], strip_import_prefix = "s")
proto_library(name = "strip2", srcs = ["s/z/st2.proto"], strip_import_prefix = "/p/s",
              import_prefix = "q", features = ["-pic", "dbg"])
proto_library(name = "inc", srcs = ["inc.proto"], import_prefix = "foo/bar")
proto_library(name = "root", srcs = ["s/z/ro.proto"], strip_import_prefix = "/")
proto_library(name = "empty", srcs = ["es.proto"], strip_import_prefix = "")
proto_library(name = "gen", srcs = ["gen.proto"], deps = [":inc", ":strip"])
proto_library(name = "twice", srcs = ["s/tw.proto", "t/tw.proto", "g2.proto"], deps = [":a"])
alias(name = "other", actual = ":strip2")
proto_library(name = "all", srcs = ["al.proto"], deps = [":other", ":root", ":empty", ":twice",
              "@com_google_protobuf//:ts_proto", "@com_google_protobuf//:any_proto"])
cc_proto_library(name = "b_cc", deps = [":b"])
cc_proto_library(name = "group_cc", deps = [":group"])
cc_proto_library(name = "gen_cc", deps = [":gen"])
cc_proto_library(name = "all_cc", deps = [":all"])
cc_proto_library(name = "xy_cc", deps = ["@ext//:x/y"])
cc_proto_library(name = "any_cc", deps = ["@com_google_protobuf//:any_proto"])
cc_library(name = "d/e", srcs = ["l.cc"], deps = [":b_cc"], defines = ["LIB"])
cc_binary(name = "b1", srcs = ["m.cc"], deps = [":d/e", ":gen_cc"])
cc_binary(name = "b2", srcs = ["m.cc"], deps = [":group_cc", "@ext//:ep_cc", ":any_cc"])
cc_binary(name = "b3", srcs = ["m.cc"], deps = [":all_cc", ":d/e"], linkstatic = 0)
cc_binary(name = "b4", srcs = ["m.cc"], deps = [":xy_cc", ":d/e"], linkstatic = 0)
cc_binary(name = "libso.so", srcs = ["m.cc"], deps = [":group_cc"], linkshared = 1)
"""
_FILES = (
    *("a.proto", "a2.proto", "b-x.proto", "s/z/st.proto", "s/z/st2.proto", "inc.proto", "l.cc"),
    *("s/z/ro.proto", "es.proto", "s/tw.proto", "t/tw.proto", "al.proto", "m.cc"),
)
_LINES: tuple[tuple[str, ...], ...] = (
    ("-c", "opt", "--copt=-DX", "--linkopt=-lq", "--per_file_copt=//p:a@-DPA"),
    ("--force_pic", "--dynamic_mode=fully", "--cc_proto_library_source_suffixes=.pb.cc,.x.cc"),
)


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_protocol_buffers(version: str, bazel: Callable[[str], Bazel], warm_path: Path) -> None:
    need_compilers()
    root = warm_path / "w"
    texts = {
        "WORKSPACE": 'local_repository(name = "com_google_protobuf", path = "../pb")\n'
        'local_repository(name = "ext", path = "../ext")\n',
        "p/BUILD": _BUILD,
        **{f"p/{one}": "" for one in _FILES},
    }
    write_files(root, texts)
    made = ("pb.cc", "pb.h", "protoc.sh", "any.proto", "ts.proto")
    write_files(warm_path / "pb", {"WORKSPACE": "", "BUILD": _PROTOBUF, **dict.fromkeys(made, "")})
    made = ("ep.proto", "d/f.proto", "d/g/f.proto")
    write_files(warm_path / "ext", {"WORKSPACE": "", "BUILD": _EXT, **dict.fromkeys(made, "")})
    flags = write_stubs(warm_path)
    real = bazel(version)
    for line in _LINES:
        words = (*line, *flags)
        theirs = lines_of_bazel(real, root, words, "--include_aspects")
        ours = our_lines(root, version, words)
        assert len(theirs) > 60
        # The runtime is reached through aspects alone, whose own dependencies are no part of a
        # graph of configured targets.
        keys = {key for key in theirs if key[0] != "@com_google_protobuf//:protobuf"}
        assert {key: (theirs.get(key), ours.get(key)) for key in keys | {*ours}} == {
            key: (theirs[key], theirs[key]) for key in keys
        }
