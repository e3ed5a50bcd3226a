"""Model of @rules_testing//lib:util.bzl (0.1 to 0.9): what declares targets."""

load("@bazel_skylib//rules:write_file.bzl", "write_file")

PREVENT_IMPLICIT_BUILDING_TAGS = ["manual", "nobuilder"]
PREVENT_IMPLICIT_BUILDING = {"tags": PREVENT_IMPLICIT_BUILDING_TAGS}

TestingAspectInfo = provider(fields = ["attrs", "actions", "vars", "bin_path", "required_aspects"])

def _nothing(*args, **kwargs):
    return None

testing_aspect = aspect(implementation = _nothing)

def merge_kwargs(*kwargs):
    final = {}
    for words in kwargs:
        for key, value in words.items():
            if type(value) == "list":
                final[key] = final.get(key, []) + value
            elif key in final:
                fail("Key already exists: {}: {}".format(key, final[key]))
            else:
                final[key] = value
    return final

def empty_file(name):
    write_file(name = "write_" + name, content = [], out = name)
    return name

def helper_target(rule, **kwargs):
    rule(**merge_kwargs(kwargs, PREVENT_IMPLICIT_BUILDING))

_skip_test = rule(implementation = _nothing, test = True)

def skip_test(name):
    _skip_test(name = name, target_compatible_with = ["@platforms//:incompatible"])

force_exec_config = rule(
    implementation = _nothing,
    attrs = {"tools": attr.label_list(aspects = [testing_aspect], cfg = "exec")},
)

def _make_testing_aspect(aspects = []):
    return aspect(implementation = _nothing, requires = aspects)

def is_runfiles(value):
    return type(value) == "runfiles"

def is_file(value):
    return type(value) == "File"

util = struct(
    empty_file = empty_file,
    force_exec_config = force_exec_config,
    helper_target = helper_target,
    make_testing_aspect = _make_testing_aspect,
    merge_kwargs = merge_kwargs,
    runfiles_map = _nothing,
    runfiles_paths = _nothing,
    short_paths = _nothing,
    skip_test = skip_test,
    testing_aspect = testing_aspect,
)
