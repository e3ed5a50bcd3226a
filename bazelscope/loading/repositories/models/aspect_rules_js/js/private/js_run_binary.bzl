"""Model of @aspect_rules_js//js/private:js_run_binary.bzl (2.0 to 3.4)."""

load("//:bazelscope.bzl", "RELEASE")
load(":bazel_lib.bzl", "copy_to_bin", "run_binary")
load(":js_library.bzl", "js_library")

def _nothing(ctx):
    return []

js_info_files = rule(
    _nothing,
    attrs = {
        "srcs": attr.label_list(allow_files = True),
        "include_sources": attr.bool(default = True),
        "include_transitive_sources": attr.bool(default = True),
        "include_types": attr.bool(),
        "include_transitive_types": attr.bool(),
        "include_npm_sources": attr.bool(default = True),
    },
    provides = [DefaultInfo],
)

def renamed(attrs):
    """The arguments by their names of today."""
    for old, new in [
        ("include_npm_linked_packages", "include_npm_sources"),
        ("include_declarations", "include_types"),
    ]:
        value = attrs.pop(old, None)
        if value != None:
            attrs[new] = value
    return attrs

_LEVELS = ["fatal", "error", "warn", "info", "debug"]
_DECIDES_BY_FLAG = RELEASE >= (3, 2, 0)
_SETS_BY_FLAG = RELEASE >= (3, 4, 0)

def _as_flag_says(flag, value, otherwise):
    return select({Label("//js:_%s_true" % flag): value, "//conditions:default": otherwise})

def _of_bazel(name):
    own = {"BAZEL_PACKAGE": native.package_name(), "BAZEL_TARGET_NAME": name}
    words = ["BINDIR", "BUILD_FILE_PATH", "COMPILATION_MODE", "PACKAGE", "TARGET_CPU", "TARGET_NAME", "TARGET", "WORKSPACE"]
    if _SETS_BY_FLAG:
        words = [word for word in words if "BAZEL_" + word not in own] + ["PACKAGE", "TARGET_NAME"]
    return {"BAZEL_" + word: own.get("BAZEL_" + word, "$(%s)" % word) for word in words}

def _directory(chdir):
    """Where a program runs; in other repositories below `external`."""
    repository = native.repo_name()
    if not repository or chdir.startswith(("external/", "/", "@")):
        return chdir or "."
    return "external/" + repository + ("" if chdir == "." else "/" + chdir)

def _written(output):
    if not _SETS_BY_FLAG:
        return "$(execpath %s)" % output
    repository, package = native.repo_name(), native.package_name()
    folder = ("external/%s/" % repository if repository else "") + (package + "/" if package else "")
    return folder + str(output).rpartition(":")[2]

def _environment(name, chdir, outputs, silent_on_success, patch_node_fs, log_level):
    made = {} if _SETS_BY_FLAG else _of_bazel(name)
    if chdir != None and (chdir or _DECIDES_BY_FLAG):
        made["JS_BINARY__CHDIR"] = _directory(chdir)
    for variable, output in outputs:
        if output:
            made["JS_BINARY__%s_OUTPUT_FILE" % variable] = _written(output)
    if silent_on_success:
        made["JS_BINARY__SILENT_ON_SUCCESS"] = "1"
    made["JS_BINARY__PATCH_NODE_FS"] = "1" if patch_node_fs else "0"
    if log_level:
        for level in _LEVELS[:_LEVELS.index(log_level) + 1]:
            made["JS_BINARY__LOG_" + level.upper()] = "1"
    return made

def js_run_binary(
        name,
        tool,
        env = {},
        srcs = [],
        outs = [],
        out_dirs = [],
        args = [],
        chdir = None,
        stdout = None,
        stderr = None,
        exit_code_out = None,
        silent_on_success = True,
        use_execroot_entry_point = None if _DECIDES_BY_FLAG else True,
        set_legacy_environment_variables = None,
        copy_srcs_to_bin = True,
        log_level = None,
        mnemonic = "JsRunBinary",
        stamp = 0,
        patch_node_fs = True,
        allow_execroot_entry_point_with_no_copy_data_to_bin = False,
        **attrs):
    attrs = renamed(attrs)
    tags = attrs.get("tags", []) + ["manual"]
    testonly = attrs.get("testonly", None if _SETS_BY_FLAG else False)
    files = {
        key: attrs.pop(key, default)
        for key, default in {
            "include_npm_sources": True,
            "include_sources": True,
            "include_transitive_sources": True,
            "include_transitive_types": False,
            "include_types": False,
        }.items()
    }
    more = []
    if files["include_transitive_sources"] or files["include_types"] or files["include_npm_sources"]:
        js_info_files(
            name = name + "_js_info_files",
            srcs = srcs,
            tags = tags,
            testonly = testonly,
            **files
        )
        more.append(":" + name + "_js_info_files")
    if copy_srcs_to_bin:
        copy_to_bin(
            name = name + "_copy_srcs_to_bin",
            srcs = srcs,
            tags = tags,
            testonly = testonly,
        )
        more.append(":" + name + "_copy_srcs_to_bin")
    outputs = [("STDOUT", stdout), ("STDERR", stderr), ("EXIT_CODE", exit_code_out)]
    sets = _environment(name, chdir, outputs, silent_on_success, patch_node_fs, log_level)
    if use_execroot_entry_point != False:
        runs = tool
        if not _SETS_BY_FLAG:
            runs = ":" + name + "_runfiles_lib"
            js_library(
                name = name + "_runfiles_lib",
                srcs = [tool],
                tags = tags,
                testonly = testonly,
            )
        native.filegroup(
            name = name + "_runfiles",
            output_group = "execroot_data_files" if _SETS_BY_FLAG else "runfiles",
            srcs = [runs],
            tags = tags,
            testonly = testonly,
        )
    runfiles = [":" + name + "_runfiles"]
    by_flag = {}
    by_choice = []
    if use_execroot_entry_point:
        more += runfiles
        sets["JS_BINARY__USE_EXECROOT_ENTRY_POINT"] = "1"
    elif use_execroot_entry_point == None:
        by_choice = _as_flag_says("use_execroot_entry_point", runfiles, [])
        by_flag = _as_flag_says("use_execroot_entry_point", {"JS_BINARY__USE_EXECROOT_ENTRY_POINT": "1"}, {})
    if allow_execroot_entry_point_with_no_copy_data_to_bin:
        sets["JS_BINARY__ALLOW_EXECROOT_ENTRY_POINT_WITH_NO_COPY_DATA_TO_BIN"] = "1"
    if _SETS_BY_FLAG and set_legacy_environment_variables != False:
        of_bazel = _of_bazel(name)
        if set_legacy_environment_variables == None:
            of_bazel = _as_flag_says("set_legacy_environment_variables", of_bazel, {})
        sets = sets | of_bazel
    if _DECIDES_BY_FLAG:
        sets = sets | by_flag
    run_binary(
        name = name,
        tool = tool,
        env = sets | env,
        srcs = (srcs + more) + by_choice,
        outs = outs + [output for _, output in outputs if output],
        out_dirs = out_dirs,
        args = (["--bazel-bindir", "$(BINDIR)"] if _SETS_BY_FLAG else []) + args,
        mnemonic = mnemonic,
        stamp = stamp,
        **attrs
    )
