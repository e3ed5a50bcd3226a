"""Targets with tags, tests and suites, and which of them Bazel 4.2.3 configures for a line.

The targets are those of `targetConfigured` events; suites are replaced by their tests.
"""

from __future__ import annotations

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
""",
    "BUILD": """
load(":d.bzl", "go_test", "my_library", "my_test")
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
