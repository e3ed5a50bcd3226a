"""Command lines, and what `canonicalize-flags --for_command=test` of Bazel 4.2.3, 2.1.0 and
0.24.1 prints of them; None where they refuse the line."""

from __future__ import annotations

LINES: dict[tuple[str, ...], list[str] | None] = {
    ("-k",): ["--keep_going=1"],
    ("--nokeep_going",): ["--keep_going=0"],
    ("--keep_going=yes",): ["--keep_going=1"],
    ("-k", "--copt=a", "--nokeep_going", "--copt=a"): ["--copt=a", "--keep_going=0", "--copt=a"],
    ("-c", "opt", "--compilation_mode=dbg", "--jobs=3"): ["--compilation_mode=dbg", "--jobs=3"],
    ("--java_debug",): [
        "--test_arg=--wrapper_script_flag=--debug",
        "--test_output=streamed",
        "--test_strategy=exclusive",
        "--test_timeout=9999",
        "--cache_test_results=0",
    ],
    ("--define", "a=b", "//x:y", "--", "--copt=z"): None,
    ("--config=foo",): ["--config=foo"],
    ("--check_tests_up_to_date",): ["--check_tests_up_to_date=1"],
    ("--experimental_platforms=//a:b",): ["--platforms=//a:b"],
    ("-s",): ["--subcommands=1"],
    ("--nosuch",): None,
    ("--jobs=x",): None,
    ("--test_output=streamed", "--cache_test_results=auto", "-t-"): [
        "--test_output=streamed",
        "--cache_test_results=0",
    ],
    ("--stamp=1", "--nostamp", "-t"): ["--stamp=0", "--cache_test_results=1"],
    ("x", "-k", "y"): None,
    ("--copt=a b", "--copt=\u00e9"): ["--copt=a b", "--copt=\u00e9"],
    ("--compilation_mode=OPT", "--subcommands=pretty_print"): [
        "--compilation_mode=OPT",
        "--subcommands=pretty_print",
    ],
}
