"""Model of //lib:testing.bzl of aspect_bazel_lib (2.17 to 2.22): tests that are scripts of the macro's own."""

load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("@rules_shell//shell:sh_test.bzl", "sh_test")

def assert_contains(name, actual, expected, size = "small", **attrs):
    write_file(
        name = name + "_expected",
        out = name + "_expected.txt",
        content = [expected],
    )
    write_file(
        name = name + "_gen",
        out = name + "_test.sh",
        content = not_modelled,
    )
    sh_test(
        name = name,
        srcs = [name + "_test.sh"],
        args = ["$(rootpath %s_expected.txt)" % name, "$(rootpath %s)" % actual],
        size = size,
        data = [actual, name + "_expected.txt"],
        **attrs
    )

def _assert_listed(name, what, expected, attrs):
    listed = expected
    if type(expected) == "list":
        listed = name + "_expected"
        write_file(name = listed, out = listed + ".mf", content = expected)
    write_file(
        name = name + "_gen_assert",
        out = "assert_%s.sh" % name,
        content = not_modelled,
    )
    sh_test(
        name = name,
        srcs = [name + "_gen_assert"],
        args = ["$(rootpath %s)" % what, "$(rootpath %s)" % listed],
        data = [what, listed],
        timeout = "short",
        **attrs
    )

def assert_archive_contains(name, archive, expected, type = None, **attrs):
    _assert_listed(name, archive, expected, attrs)

def assert_directory_contains(name, directory, expected, **attrs):
    _assert_listed(name, directory, expected, attrs)

assert_outputs = not_modelled
assert_json_matches = not_modelled
