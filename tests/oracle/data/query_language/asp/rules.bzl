def _nothing(target, ctx):
    return []

needing = aspect(
    implementation = _nothing,
    attr_aspects = ["deps"],
    attrs = {"_tool": attr.label(default = "//asp:tool")},
)

def _impl(ctx):
    pass

carrier = rule(
    implementation = _impl,
    attrs = {"deps": attr.label_list(aspects = [needing], allow_files = True)},
)
plain = rule(implementation = _impl, attrs = {"deps": attr.label_list(allow_files = True)})
