"""What Bazel 4.2.3 builds for a file under `--compile_one_dependency`."""

from __future__ import annotations

FILES = {
    "WORKSPACE": "",
    "d.bzl": """
def _rule(ctx):
    pass

my_rule = rule(_rule, attrs = {"srcs": attr.label_list(allow_files = True)})
""",
    "BUILD": """
load(":d.bzl", "my_rule")
my_rule(name = "m", srcs = ["a.txt"])
genrule(
    name = "g",
    srcs = ["a.txt", "a.cc", "a.cu", "c.py", "d.py", "e.java", "f.java", "h.h", "x.m"],
    outs = ["z.out"], cmd = "touch $@")
filegroup(name = "fg", srcs = ["a.cc", "only.txt"])
cc_binary(name = "cb", srcs = ["a.cc"], additional_linker_inputs = ["x.lds"])
cc_library(name = "cl", srcs = ["a.cc", "a.cu"])
cc_library(name = "headers", hdrs = ["h.h"], textual_hdrs = ["t.inc"])
cc_library(name = "chosen", srcs = select({"//conditions:default": ["s.cc"]}), deps = [":headers"])
cc_library(name = "user", srcs = ["u.cc"], deps = [":headers"])
cc_library(name = "alone", hdrs = ["alone.h"])
cc_library(name = "grouped", srcs = [":in_group", ":made"])
filegroup(name = "in_group", srcs = ["q.cc"])
genrule(name = "made", srcs = [], outs = ["made.cc", "made.h"], cmd = "touch $@")
py_binary(name = "pb", srcs = ["c.py", "d.py"], main = "c.py")
py_library(name = "pl", srcs = ["d.py"])
java_binary(name = "jb", srcs = ["e.java"], main_class = "x")
java_library(name = "jl", srcs = ["f.java"], data = ["data.txt"])
sh_binary(name = "sb", srcs = ["y.sh"])
objc_library(name = "ol", srcs = ["x.m"], non_arc_srcs = ["na.m"])
proto_library(name = "pro", srcs = ["y.proto"])
alias(name = "other", actual = ":aliased")
filegroup(name = "aliased", srcs = ["v.cc"])
cc_library(name = "through", srcs = [":other"])
exports_files(["e.cc"])
""",
}

NO_RULE = "Couldn't find dependency on target '{}'"
NO_FILE = "--compile_one_dependency target '{}' must be a file"

MEASURED = {
    "a.txt": "//:g",
    "a.cc": "//:cb",
    "a.cu": "//:cl",
    "h.h": "//:user",
    "t.inc": "//:user",
    "alone.h": "//:alone",
    "s.cc": "//:chosen",
    "q.cc": "//:grouped",
    "made.cc": "//:grouped",
    "made.h": "//:grouped",
    "x.lds": "//:cb",
    "c.py": "//:g",
    "d.py": "//:pl",
    "e.java": "//:g",
    "f.java": "//:jl",
    "x.m": "//:g",
    "na.m": "//:ol",
    "y.proto": "//:pro",
    "only.txt": NO_RULE.format("//:only.txt"),
    "v.cc": NO_RULE.format("//:v.cc"),
    "y.sh": NO_RULE.format("//:y.sh"),
    "data.txt": NO_RULE.format("//:data.txt"),
    "e.cc": NO_RULE.format("//:e.cc"),
    "z.out": NO_RULE.format("//:z.out"),
    "//:cl": NO_FILE.format("//:cl"),
    "//:all": NO_FILE.format("//:aliased"),
    "//:*": NO_RULE.format("//:BUILD"),
}
"""By what the line names: the rule that is built, or the error."""
