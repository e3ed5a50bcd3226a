"""Model of @rules_python//python/entry_points:py_console_script_binary.bzl (0.24 to 2.2)."""

load("//python:py_binary.bzl", "py_binary")

def _nothing(ctx):
    return []

py_console_script_gen = rule(
    _nothing,
    attrs = {
        "console_script": attr.string(),
        "console_script_guess": attr.string(),
        "entry_points_txt": attr.label(mandatory = True),
        "out": attr.output(mandatory = True),
        "shebang": attr.string(),
        "_tool": attr.label(
            default = "//python/private:py_console_script_gen_py",
            executable = True,
            cfg = "exec",
        ),
    },
)

def py_console_script_binary(
        name,
        pkg,
        entry_points_txt = None,
        script = None,
        binary_rule = py_binary,
        shebang = "",
        main = None,
        **attrs):
    main = main or name + "_entry_point.py"
    attrs.pop("srcs", None)
    if not entry_points_txt:
        entry_points_txt = native.package_relative_label(pkg).same_package_label("dist_info")
    py_console_script_gen(
        name = name + "_gen__",
        entry_points_txt = entry_points_txt,
        out = main,
        console_script = script,
        console_script_guess = name,
        shebang = shebang,
        visibility = ["//visibility:private"],
    )
    binary_rule(
        name = name,
        srcs = [main],
        main = main,
        deps = [pkg] + attrs.pop("deps", []),
        **attrs
    )
