"""Model of rules_go's nogo (0.40 to 0.62): the alias, and the program behind it."""

def _nothing(ctx):
    return []

_nogo = rule(
    _nothing,
    attrs = {
        "config": attr.label(allow_single_file = True),
        "debug": attr.bool(),
        "deps": attr.label_list(),
        "_go_context_data": attr.label(default = "//:go_context_data"),
        "_nogo_srcs": attr.label(default = "//go/tools/builders:nogo_srcs"),
        "_stdlib": attr.label(default = "//:stdlib"),
    },
)

_VETTED = ["atomic", "bools", "buildtag", "nilfunc", "printf"]

def nogo(name, visibility = None, vet = False, **attrs):
    native.alias(
        name = name,
        actual = select({
            str(Label("//go/private:nogo_active")): name + "_actual",
            "//conditions:default": Label("//:default_nogo"),
        }),
        visibility = visibility,
    )
    if vet:
        attrs["deps"] = attrs.get("deps", []) + [
            Label("@org_golang_x_tools//go/analysis/passes/%s:go_default_library" % word)
            for word in _VETTED
        ]
    tags = list(attrs.pop("tags", []))
    if "manual" not in tags:
        tags.append("manual")
    _nogo(name = name + "_actual", visibility = visibility, tags = tags, **attrs)
