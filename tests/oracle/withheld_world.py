"""A small workspace of sound targets and of every kind of error that a question may meet on its
way, and questions that meet it, or pass it by."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.oracle.query_language_world import STUBS
from tests.support.files import write_files

_PUBLIC = 'visibility = ["//visibility:public"]'
_OFF = '"//:off": ["{}"], "//conditions:default": []'

_FILES = {
    "WORKSPACE": "".join(
        f'local_repository(name = "{name}", path = "stubs/{name}")\n' for name in STUBS
    )
    + 'local_repository(name = "away", path = "no/such/folder")\n'
    + 'local_repository(name = "near", path = "near")\n',
    "near/WORKSPACE": "",
    "near/BUILD": f'filegroup(name = "n", srcs = ["//gone:x"], {_PUBLIC})\n'
    f'filegroup(name = "fine", {_PUBLIC})\n',
    "BUILD": f"""
package(default_visibility = ["//visibility:public"])
filegroup(name = "sound", srcs = [":leaf"])
filegroup(name = "leaf")
filegroup(name = "lacks", srcs = ["//lib:gone"])
filegroup(name = "lost", srcs = ["//nowhere:x"])
filegroup(name = "above", srcs = [":lacks", ":sound"])
filegroup(name = "on_broken", srcs = ["//broken:before"])
filegroup(name = "behind_it", srcs = ["//broken:behind"])
filegroup(name = "on_unloaded", srcs = ["//unloaded:x"])
filegroup(name = "on_syntax", srcs = ["//syntax:x"])
filegroup(name = "on_away", srcs = ["@away//:x"])
filegroup(name = "on_nothing", srcs = ["@nothing//:x"])
filegroup(name = "on_near", srcs = ["@near//:n"])
filegroup(name = "not_taken", srcs = select({{{_OFF.format("//lib:gone")}}}))
filegroup(name = "lost_not_taken", srcs = select({{{_OFF.format("//nowhere:x")}}}))
filegroup(name = "lost_key", srcs = select({{"//lib:no_key": [], "//conditions:default": []}}))
filegroup(name = "private", srcs = ["//lib:hidden"])
filegroup(name = "private_not_taken", srcs = select({{{_OFF.format("//lib:hidden")}}}))
filegroup(name = "ambiguous", srcs = select({{":on": [":leaf"], ":on2": [":sound"]}}))
filegroup(name = "unmatched", srcs = select({{":off": [":leaf"]}}))
filegroup(name = "ring", srcs = [":ring2"])
filegroup(name = "ring2", srcs = [":ring3"])
filegroup(name = "ring3", srcs = [":ring"])
filegroup(name = "into_ring", srcs = [":ring"])
filegroup(name = "for_tests", testonly = 1)
filegroup(name = "testless", srcs = [":for_tests"])
alias(name = "to_gone", actual = "//lib:gone")
alias(name = "to_sound", actual = ":sound")
genrule(name = "make", srcs = [":lacks"], outs = ["made.txt"], cmd = "")
filegroup(name = "of_output", srcs = ["made.txt"])
filegroup(name = "for_no_group", visibility = ["//lib:no_group"])
filegroup(name = "for_lost_group", visibility = ["//nowhere:group"])
filegroup(name = "for_group", visibility = ["//lib:group"])
filegroup(name = "no_file", srcs = ["none.txt"])
test_suite(name = "tests", tests = [":t", "//lib:no_test"])
test_suite(name = "untested", tests = ["//lib:hidden"])
sh_test(name = "t", srcs = ["t.sh"])
config_setting(name = "on", define_values = {{"a": "1"}})
config_setting(name = "on2", define_values = {{"b": "1"}})
config_setting(name = "off", define_values = {{"a": "2"}})
config_setting(name = "bad", values = {{"compilation_mode": "fast"}})
""",
    "t.sh": "",
    "lib/BUILD": """
filegroup(name = "hidden", visibility = ["//visibility:private"])
filegroup(name = "open", visibility = ["//visibility:public"])
package_group(name = "group", includes = [":no_more"])
package_group(name = "whole", packages = ["//..."])
package_group(name = "round", includes = [":around"])
package_group(name = "around", includes = [":round"])
""",
    "lib/x.txt": "",
    "broken/BUILD": f'filegroup(name = "before", {_PUBLIC})\nfail("stop")\n'
    f'filegroup(name = "behind", {_PUBLIC})\n',
    "broken/inner/BUILD": f'filegroup(name = "i", srcs = ["//broken:before"], {_PUBLIC})\n',
    "unloaded/BUILD": f'load("//unloaded:none.bzl", "x")\nfilegroup(name = "x", {_PUBLIC})\n',
    "unloaded/more/BUILD": f'filegroup(name = "m", {_PUBLIC})\n',
    "syntax/BUILD": f'filegroup(name = "x", {_PUBLIC})\nfilegroup(name = = "y")\n',
    "attribute/BUILD": f'filegroup(name = "odd", nosuch = 1, {_PUBLIC})\n'
    f'filegroup(name = "even", {_PUBLIC})\nfilegroup(name = "typed", srcs = 1)\n',
    "badbzl/BUILD": f'load(":x.bzl", "x")\nfilegroup(name = "x", {_PUBLIC})\n',
    "badbzl/x.bzl": 'fail("in the file")\n',
    "noname/BUILD": f'load("//lib:none.bzl", "x")\nload(":x.bzl", "y")\n'
    f'filegroup(name = "x", {_PUBLIC})\n',
    "noname/x.bzl": "x = 1\n",
    "loadlost/BUILD": 'load("//nowhere:x.bzl", "x")\n',
    "loadaway/BUILD": 'load("@away//:x.bzl", "x")\n',
    "twice/BUILD": 'filegroup(name = "a")\nfilegroup(name = "a")\nfilegroup(name = "b")\n',
    "label/BUILD": f'filegroup(name = "l", srcs = ["//a:b:c"], {_PUBLIC})\n'
    f'filegroup(name = "m", {_PUBLIC})\n',
    "empty/BUILD": "",
    "crosses/BUILD": f'filegroup(name = "in_sub", srcs = ["sub/x.txt"], {_PUBLIC})\n'
    f'filegroup(name = "c", {_PUBLIC})\n',
    "crosses/sub/BUILD": "",
    "crosses/sub/x.txt": "",
    "nothing/x.txt": "",
}

_STARTS = (
    *("sound", "lacks", "lost", "above", "on_broken", "behind_it", "on_unloaded", "on_syntax"),
    *("on_away", "on_nothing", "on_near", "not_taken", "lost_not_taken", "lost_key", "private"),
    *("ambiguous", "unmatched", "into_ring", "testless", "to_gone", "to_sound", "make"),
    *("of_output", "made.txt", "for_no_group", "for_lost_group", "for_group", "no_file"),
    *("tests", "untested", "bad", "private_not_taken", "for_tests"),
)
_PATTERNS = (
    *("//broken:all", "//broken:before", "//broken:behind", "//broken/...", "//broken:*"),
    *("//unloaded:x", "//unloaded:all", "//unloaded/...", "//syntax:x", "//syntax:all"),
    *("//attribute:all", "//attribute:even", "//attribute:odd", "//badbzl:all", "//noname:x"),
    *("//loadlost:all", "//loadaway:all", "//twice:all", "//twice:a", "//twice:b"),
    *("//label:all", "//label:m", "//crosses:c", "//empty:all", "//empty/...", "//nothing:all"),
    *("//nothing/...", "//nothing:x.txt", "//gone:all", "//gone/...", "//gone", "//:gone"),
    *("@away//:all", "@away//...", "@nothing//:x", "@near//:all", "@near//:fine", "@near//..."),
    *("//...", "//:all", "//:*", "//lib:all", "//lib:*", "//:none.txt", "//lib:x.txt", "//:lib"),
    *("//lib:round", "//lib:group", "//lib:whole", "lib", "lib/x.txt", "t.sh", ":leaf", "//a:b:c"),
    *("@near//:gone", "//crosses:in_sub", "//broken/inner:i", "//unloaded/more:m"),
)
_WHOLE = (
    "//:gone + //:leaf",
    "//:leaf + //broken:before",
    "//:leaf - //:gone",
    "//:leaf ^ //nowhere:all",
    "set(//:leaf //:gone)",
    "let x = //:lacks in deps($x)",
    "deps(//:above, 0)",
    "deps(//:above, 1)",
    "deps(//:above, 2)",
    "deps(//broken/inner:i, 1)",
    "somepath(//:above, //:leaf)",
    "somepath(//:above, //:lacks)",
    "somepath(//:above, //:above)",
    "somepath(//:of_output, //:make)",
    "somepath(//:above, //lib:gone)",
    "somepath(//:sound, //:leaf)",
    "somepath(//:into_ring, //:ring3)",
    "allpaths(//:above, //:leaf)",
    "allpaths(//:lacks, //:leaf)",
    "allpaths(//:sound, //:leaf)",
    "allpaths(//:into_ring, //:ring3)",
    "rdeps(//:above, //:leaf)",
    "rdeps(//:sound, //:leaf)",
    "rdeps(//:above + //:sound, //:leaf, 1)",
    "rdeps(//:all, //:leaf)",
    "rdeps(//..., //lib:open)",
    "rdeps(//:sound, //:gone)",
    "kind(filegroup, deps(//:above))",
    "kind(rule, //broken:*)",
    "filter(leaf, deps(//:above))",
    "attr(srcs, gone, //:all)",
    "labels(srcs, //:lacks)",
    "labels(srcs, //:lost)",
    "labels(srcs, //:above)",
    "labels(srcs, //:on_broken)",
    "labels(srcs, //:not_taken)",
    "labels(visibility, //:for_no_group)",
    "labels(tests, //:tests)",
    "tests(//:tests)",
    "tests(//:untested)",
    "tests(//:t)",
    "tests(//:all)",
    "buildfiles(//:sound)",
    "buildfiles(//broken:before)",
    "buildfiles(//unloaded:x)",
    "buildfiles(deps(//:on_broken))",
    "buildfiles(deps(//:on_unloaded))",
    "loadfiles(//broken:before)",
    "loadfiles(//noname:x)",
    "siblings(//broken:before)",
    "siblings(//unloaded/more:m)",
    "same_pkg_direct_rdeps(//:leaf)",
    "same_pkg_direct_rdeps(//broken:before)",
    "same_pkg_direct_rdeps(//:lacks)",
    "some(//:lacks)",
    "some(//:gone)",
    "some(deps(//:lacks))",
    "some(//broken:all)",
    "some(//empty:all)",
    "visible(//:leaf, //lib:all)",
    "visible(//:leaf, //:for_no_group)",
    "visible(//:leaf, //:for_group)",
    "visible(//lib:open, //:for_no_group)",
    "visible(//lib:open, //:for_group)",
    "visible(//lib:open, //:for_lost_group)",
    "labels(srcs, //:on_broken) + //broken:before",
    "deps(labels(srcs, //:on_broken))",
    "kind(filegroup, labels(srcs, //:on_broken))",
    "siblings(labels(srcs, //:on_broken))",
    "visible(//broken:before, //:all)",
    "deps(//... - //broken/... - //unloaded/...)",
    "deps(//:all)",
    "deps(//:none.txt)",
    "deps(//:made.txt)",
    "deps(//lib:round)",
    "deps(//lib:group)",
    "deps(set())",
    "set()",
)

_CONFIGURED = (
    *("//:ring", "//lib:open", "@near//:fine", "@near//:n", "//broken:before", "//unloaded:x"),
    *("//:gone", "//gone:x", "//lib:all", "//broken:all", "//empty:all", "//:all", "//..."),
    *("//unloaded/...", "//broken/...", "//nothing/...", "//gone/...", "//:sound + //gone/..."),
    *("//label:m", "//attribute:even", "//twice:b", "//:none.txt", "//lib:x.txt"),
    *("//:leaf + //:lacks", "//:leaf + //:gone", "//:leaf + //broken:before"),
    *("//:leaf + //unloaded:x", "deps(//:leaf + //:private)", "somepath(//:above, //:leaf)"),
    *("rdeps(//:above, //:leaf)", "tests(//:tests)"),
    *("labels(srcs, //:lacks)", "allpaths(//:into_ring, //:ring3)", "kind(rule, //:lost)"),
    *("//:sound - //:lacks", "//:sound ^ //nowhere:all", "set(//:leaf //:lost)", "some(//:lacks)"),
    *("//:sound + //syntax:x", "//:sound + //:ring", "//:sound + //:bad", "set()"),
)

FLAGS = ("--define=a=1", "--define=b=1")
"""What `cquery` is asked under: `//:on` and `//:on2` hold, `//:off` does not."""


def queries() -> Iterator[str]:
    """Questions to `query`."""
    yield from _PATTERNS
    for start in _STARTS:
        yield f"//:{start}"
        yield f"deps(//:{start})"
    yield from (f"deps({pattern})" for pattern in _PATTERNS[:20])
    yield from _WHOLE


def cqueries() -> Iterator[str]:
    """Questions to `cquery`."""
    for start in _STARTS:
        yield f"//:{start}"
        yield f"deps(//:{start})"
    yield from _CONFIGURED


def write_world(root: Path) -> None:
    """Writes the workspace."""
    stubs = {
        f"stubs/{name}/{path}": text
        for name, files in STUBS.items()
        for path, text in {"WORKSPACE": "", **files}.items()
    }
    write_files(root, {**_FILES, **stubs})
