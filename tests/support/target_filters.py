"""Targets with tags, tests and suites, which of them Bazel 4.2.3 configures for a line, and lines
that `run` and `test` refuse.

The targets are those of `targetConfigured` events; suites are replaced by their tests.
"""

from __future__ import annotations

from collections.abc import Iterator

FILES = {
    "WORKSPACE": "",
    "d.bzl": """
def _test(ctx):
    made = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(made, "", is_executable = True)
    return [DefaultInfo(executable = made)]

def _library(ctx):
    pass

my_test = rule(_test, test = True)
go_test = rule(_test, test = True)
my_library = rule(_library)
my_program = rule(_test, executable = True)
""",
    "BUILD": """
load(":d.bzl", "go_test", "my_library", "my_program", "my_test")
my_library(name = "a", tags = ["off"])
my_library(name = "b", tags = ["on"])
my_library(name = "c")
my_library(name = "m", tags = ["manual"])
my_test(name = "t1", tags = ["off"])
my_test(name = "t2", size = "small")
go_test(name = "t3", tags = ["on"], timeout = "long")
my_test(name = "tm", tags = ["manual"])
go_test(name = "tf", flaky = True, size = "large")
test_suite(name = "s", tests = [":t1", ":t3", ":tm"])
test_suite(name = "son", tests = [":t1", ":t3"], tags = ["on"])
genrule(name = "g", outs = ["g.txt"], cmd = "touch $@", tags = ["off"])
genrule(name = "l", outs = ["l.txt"], cmd = "touch $@", local = 1)
exports_files(["d.bzl"])
""",
}
RUN_FILES = {
    **{name: text for name, text in FILES.items() if name != "BUILD"},
    "BUILD": "",
    "runs/BUILD": """
load("//:d.bzl", "my_library", "my_program", "my_test")
my_program(name = "p", tags = ["off"])
my_program(name = "q")
my_library(name = "a")
my_test(name = "t")
my_test(name = "tm", tags = ["manual"])
my_test(name = "cut", shard_count = 2)
test_suite(name = "one", tests = [":t"])
test_suite(name = "two", tests = [":t", ":tm"])
test_suite(name = "none", tests = [":t"], tags = ["on"])
alias(name = "of_a", actual = ":a")
alias(name = "of_p", actual = ":p")
alias(name = "of_t", actual = ":t")
alias(name = "of_one", actual = ":one")
genrule(name = "g", outs = ["g.sh"], cmd = "touch $@")
genrule(name = "x", outs = ["x.sh"], cmd = "touch $@", executable = 1)
filegroup(name = "f", srcs = [":p"])
package_group(name = "pg")
""",
    "runs/alone/BUILD": 'load("//:d.bzl", "my_program")\nmy_program(name = "p")\n',
    "runs/empty/BUILD": "",
    "wrong/BUILD": """
load("//:d.bzl", "my_library", "my_test")
my_library(name = "a", tags = ["off"])
my_test(name = "t")
test_suite(name = "wrong", tests = [":t", ":a"])
""",
}

MEASURED = {
    "build ...": "a b c g l t1 t2 t3 tf tm",
    "build ... --build_tag_filters=-off": "b c l t1 t2 t3 tf tm",
    "build ... --build_tag_filters=on": "b t3",
    "build //:a //:b --build_tag_filters=-off": "b",
    "build //:all-targets --build_tag_filters=-off": "BUILD b c d.bzl g.txt l l.txt t1 t2 t3 tf tm",
    "build //:all-targets --build_tag_filters=on": "b t3",
    "build ... --build_tag_filters=+on,-off": "b t3",
    "build ... --build_tag_filters=small": "t2",
    "build ... --build_tag_filters=-medium": "a b c g l t1 t2 t3 tf tm",
    "build ... --build_tag_filters=local": "",
    "build ... --build_tag_filters=-nolocal": "a b c g l t1 t3 tm",
    "build ... --build_tag_filters=flaky": "tf",
    "build ... --build_tag_filters=manual": "a b c g l t1 t2 t3 tf tm",
    "build ... --build_manual_tests": "a b c g l m t1 t2 t3 tf tm",
    "build ... --build_tests_only": "t1 t2 t3 tf tm",
    "build ... --build_tests_only --test_tag_filters=-off": "t2 t3 tf tm",
    "build ... --test_tag_filters=-off": "a b c g l t1 t2 t3 tf tm",
    "build ... --noexpand_test_suites": "a b c g l s son t1 t2 t3 tf",
    "build //:s --build_tag_filters=-off": "t1 t3 tm",
    "build //:s --build_tag_filters=on": "",
    "build //:son": "t3",
    "build ... --build_tests_only --build_tag_filters=on": "t1 t2 t3 tf tm",
    "test ... --test_tag_filters=on": "a b c g l t1 t2 t3 tf tm",
    "test ... --build_tag_filters=-off --test_tag_filters=": "b c l t1 t2 t3 tf tm",
    "test ... --build_tests_only --test_size_filters=small": "t2",
    "test ... --build_tests_only --test_size_filters=-small,-large": "t1 t3 tm",
    "test ... --build_tests_only --test_timeout_filters=long": "t3 tf",
    "test ... --build_tests_only --test_lang_filters=go": "t3 tf",
    "test ... --build_tests_only --test_lang_filters=-my": "t3 tf",
    "test //:a //:t1 --build_tests_only": "t1",
    "test ... --build_tag_filters=on --test_tag_filters=-off": "b t2 t3 tf tm",
    "build //:m //:tm": "m tm",
    "build //:all --build_tests_only -- -//:t1": "t2 t3 tf tm",
    "build ... -- -//:s": "a b c g l t1 t2 t3 tf",
    "test ... --build_tests_only -- -//:s": "t2 tf",
    "build //:m //:c //:tm -- -//...": "",
    "build //:m //:c //:d.bzl -- -//:all": "d.bzl",
    "build //:m //:t2 --build_manual_tests -- -//:all": "",
    "test //:tm //:s --build_tests_only -- -//:all": "",
}
"""By the words behind `bazel`: the names of the targets that are configured."""

RUN = """
run | Must specify a target to run
run --noanalyze | Must specify a target to run
test | No test targets were found
test --nobuild | Unable to run tests
test -c opt --test_tag_filters=on | No test targets were found
coverage | No test targets were found
build
build -c opt
run //runs:p
run //runs:p --build_tag_filters=-off | No targets found to run
run //runs:p //runs:nothing
run //runs:a | Not executable
run //runs:f | Not executable
run //runs:pg | Not executable
run //runs:g | Not executable
run //runs:g.sh
run //runs:x
run //runs:t
run //runs:tm
run //runs:cut | only works with tests with one shard
run //runs:cut --test_sharding_strategy=disabled
run //runs:t --runs_per_test=3 | only works with tests with one shard
run //runs:t --runs_per_test=//runs:q@3
run //runs:t --runs_per_test=runs@3 | only works with tests with one shard
run //runs:p --runs_per_test=3
run //runs:one
run //runs:two | Only a single target can be run
run //runs:none | No targets found to run
run //wrong:wrong | expecting a test or a test_suite
run //runs:of_a | Not executable
run //runs:of_p
run //runs:of_t
run //runs:of_one | Not executable
run //runs/alone:all
run //runs:all | Only a single target can be run
run //runs/empty:all | No targets found to run
run //runs:p --run_under=//runs:q
run //runs:p --run_under=//runs:p
run //runs:p --run_under=//runs:a | Not executable
run //runs:p --run_under=//runs:lost | lost
run //runs:p --run_under=echo
run //runs:all --keep_going | Only a single target can be run
run //runs:p --noanalyze | No targets found to run
test //runs:t
test //runs:t --noanalyze | Unable to run tests
test //runs:p | No test targets were found
test //runs:of_t | No test targets were found
test //runs:g.sh | No test targets were found
test //runs/empty:all | No test targets were found
test //runs/empty/... | No test targets were found
test //runs:none | No test targets were found
test //runs:none //runs:t
test //runs:tm
test //runs:t --build_tag_filters=on
test //runs:t --test_tag_filters=on | No test targets were found
test //runs:t --test_size_filters=small | No test targets were found
test //runs:t --test_lang_filters=my
test //runs:t --keep_going --nobuild | Unable to run tests
test //runs:p --nobuild | Unable to run tests
test //wrong:wrong | expecting a test or a test_suite
test //wrong:all --test_size_filters=small | expecting a test or a test_suite
build //wrong:all --build_tests_only | expecting a test or a test_suite
build //runs:p --build_tests_only
build //wrong/... -- -//wrong:wrong
build //wrong/... --build_tag_filters=off
test //wrong/... --build_tag_filters=off | expecting a test or a test_suite
"""
"""Lines, and what a Bazel says where it refuses one."""


def lines_that_run() -> Iterator[tuple[list[str], str]]:
    """Yields the words of each line of `RUN` and what is said of it."""
    for line in RUN.strip().splitlines():
        words, _, said = line.partition(" | ")
        yield words.split(), said
