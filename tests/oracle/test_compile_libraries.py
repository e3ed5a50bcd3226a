"""Libraries that were made before, in links: `cc_import`, archives and shared libraries among
sources, and programs that are shared libraries; beside `aquery` of real Bazels."""

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

_BUILD = """
cc_import(name = "st", static_library = "libst.a", hdrs = ["l.h"])
cc_import(name = "sh", shared_library = "libsh.so")
cc_import(name = "both", static_library = "libboth.a", shared_library = "libboth.so")
cc_import(name = "always", static_library = "libst.a", alwayslink = 1)
cc_import(name = "iface", interface_library = "libi.so", shared_library = "libsh2.so")
cc_import(name = "sys", interface_library = "libi.so", system_provided = 1)
cc_library(name = "lib", srcs = ["l.cc"], deps = [":st", ":both"], linkopts = ["-lz"])
cc_library(name = "made", srcs = ["w.cc", "libpre.so", "libpre2.a", "libpre3.lo", "x.so"],
           deps = [":lib"])
cc_binary(name = "libplug.so", srcs = ["p.cc"], linkshared = 1, deps = [":lib"])
cc_binary(name = "libdyn.so", srcs = ["p.cc"], linkshared = 1, linkstatic = 0, deps = [":lib"])
cc_library(name = "wrap", srcs = ["libplug.so"], hdrs = ["l.h"])
cc_binary(name = "b1", srcs = ["b.cc"], deps = [":lib", ":sh"])
cc_binary(name = "b2", srcs = ["b.cc", "libplug.so"], deps = [":iface"])
cc_binary(name = "b3", srcs = ["b.cc"], deps = [":wrap", ":both"])
cc_binary(name = "b4", srcs = ["b.cc"], deps = [":made", ":sys", ":always"], linkstatic = 0)
cc_binary(name = "b5", srcs = ["b.cc"], deps = [":made", ":both", ":sh", ":iface"])
cc_binary(name = "b6", srcs = ["b.cc"], deps = [":always", ":wrap", ":st"], linkstatic = 0)
"""
_FILES = (
    *("l.cc", "l.h", "w.cc", "p.cc", "b.cc", "libst.a", "libsh.so", "libboth.a", "libboth.so"),
    *("libi.so", "libsh2.so", "libpre.so", "libpre2.a", "libpre3.lo", "x.so"),
)
_LINES: tuple[tuple[str, ...], ...] = (
    (),
    ("-c", "opt"),
    ("--dynamic_mode=off",),
    ("--dynamic_mode=fully",),
    ("--nostart_end_lib", "--force_pic"),
)


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_libraries_that_were_made_before(
    version: str, bazel: Callable[[str], Bazel], warm_path: Path
) -> None:
    need_compilers()
    root = warm_path / "w"
    write_files(root, {"WORKSPACE": "", "a/BUILD": _BUILD, **{f"a/{one}": "" for one in _FILES}})
    flags = write_stubs(warm_path)
    real = bazel(version)
    for line in _LINES:
        words = (*line, *flags)
        theirs = lines_of_bazel(real, root, words)
        ours = our_lines(root, version, words)
        assert len(theirs) > 15
        assert {key: (theirs.get(key), ours.get(key)) for key in {*theirs, *ours}} == {
            key: (theirs.get(key), theirs.get(key)) for key in theirs
        }
