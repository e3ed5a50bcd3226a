"""Model of //lib:write_source_files.bzl of aspect_bazel_lib (1.30 to 2.22) and bazel_lib 3."""

load(":diff_test.bzl", "diff_test")

def _nothing(ctx):
    return []

WriteSourceFileInfo = provider(fields = ["executable"])

_write_source_file = rule(
    _nothing,
    attrs = {
        "additional_update_targets": attr.label_list(providers = [WriteSourceFileInfo]),
        "executable": attr.bool(),
        "in_file": attr.label(allow_files = True),
        "out_file": attr.string(),
        "verbosity": attr.string(values = ["full", "quiet", "short"]),
        "_macos_constraint": attr.label(default = "@platforms//os:macos"),
        "_runfiles": attr.label(default = "@bazel_tools//tools/bash/runfiles"),
        "_windows_constraint": attr.label(default = "@platforms//os:windows"),
    },
    executable = True,
)

fail_with_message_test = rule(
    _nothing,
    attrs = {"message": attr.string(mandatory = True)},
    test = True,
)

def _is_there(out_file):
    path = "/".join([part for part in [out_file.package, out_file.name] if part])
    below = path[len(native.package_name()):].lstrip("/")
    return bool(
        native.glob([below], exclude_directories = 0, allow_empty = True) or
        native.subpackages(include = [below], allow_empty = True),
    )

def write_source_file(
        name,
        in_file = None,
        out_file = None,
        executable = False,
        additional_update_targets = [],
        suggested_update_target = None,
        diff_test = True,
        diff_test_failure_message = "",
        file_missing_failure_message = "",
        diff_args = [],
        check_that_out_file_exists = True,
        verbosity = "full",
        **attrs):
    if bool(in_file) != bool(out_file):
        given, lacking = ("in_file", "out_file") if in_file else ("out_file", "in_file")
        fail("%s must be specified if %s is set" % (lacking, given))
    if out_file:
        out_file = native.package_relative_label(out_file)
    _write_source_file(
        name = name,
        in_file = in_file,
        out_file = str(out_file) if out_file else None,
        executable = executable,
        additional_update_targets = additional_update_targets,
        verbosity = verbosity,
        **attrs
    )
    if not out_file or not diff_test:
        return None
    if check_that_out_file_exists and not _is_there(out_file):
        fail_with_message_test(
            name = name + "_test",
            message = "%s does not exist" % out_file,
            visibility = attrs.get("visibility"),
            tags = attrs.get("tags"),
            size = "small",
        )
    else:
        _diff(name + "_test", in_file, out_file, diff_args, attrs)
    return name + "_test"

def _diff(name, in_file, out_file, diff_args, attrs):
    diff_test(
        name = name,
        file1 = in_file,
        file2 = out_file,
        diff_args = diff_args,
        failure_message = "%s is out of date" % out_file,
        **attrs
    )

def write_source_files(
        name,
        files = {},
        executable = False,
        additional_update_targets = [],
        suggested_update_target = None,
        **attrs):
    is_single = len(files) == 1
    common = {
        key: attrs[key]
        for key in attrs
        if key not in _OF_SINGLE_FILES
    }
    updates, tests = [], []
    for number, (out_file, in_file) in enumerate(files.items()):
        update = name if is_single else "%s_%d" % (name, number)
        if not is_single:
            updates.append(update)
        test = write_source_file(
            name = update,
            in_file = in_file,
            out_file = out_file,
            executable = executable,
            additional_update_targets = additional_update_targets if is_single else [],
            suggested_update_target = suggested_update_target or (None if is_single else name),
            **attrs
        )
        if test:
            tests.append(test)
    if tests:
        native.test_suite(
            name = name + "_tests",
            tests = tests,
            visibility = attrs.get("visibility"),
            tags = attrs.get("tags"),
        )
    if not is_single:
        write_source_file(
            name = name,
            additional_update_targets = updates + additional_update_targets,
            suggested_update_target = suggested_update_target,
            **common
        )

_OF_SINGLE_FILES = [
    "check_that_out_file_exists",
    "diff_args",
    "diff_test",
    "diff_test_failure_message",
    "file_missing_failure_message",
]
