load(":consts.bzl", "TAGS")
def _impl(ctx):
    for f in ([ctx.outputs.out] if ctx.outputs.out else []) + ctx.outputs.outs:
        ctx.actions.write(f, "")
    return []
my_rule = rule(
    implementation = _impl,
    attrs = {
        "srcs": attr.label_list(allow_files = True),
        "deps": attr.label_list(),
        "tool": attr.label(cfg = "exec"),
        "hosttool": attr.label(cfg = "host"),
        "count": attr.int(default = 3),
        "flag": attr.bool(),
        "text": attr.string(default = "x"),
        "texts": attr.string_list(),
        "ints": attr.int_list(),
        "sdict": attr.string_dict(),
        "sldict": attr.string_list_dict(),
        "keyed": attr.label_keyed_string_dict(),
        "out": attr.output(),
        "outs": attr.output_list(),
        "_private": attr.label(default = "//b:hidden"),
    },
)
def _timpl(ctx):
    f = ctx.actions.declare_file(ctx.label.name + ".x")
    ctx.actions.write(f, "", is_executable = True)
    return [DefaultInfo(executable = f)]
my_test = rule(implementation = _timpl, test = True, attrs = {"deps": attr.label_list()})
def my_macro(name, **kwargs):
    my_rule(name = name + "_inner", **kwargs)
    native.filegroup(name = name, testonly = kwargs.get("testonly", 0), srcs = [name + "_inner"], tags = TAGS)
