"""Model of rules_go's go_library (0.22 to 0.62)."""

load(":attributes.bzl", "COMPILED", "CONTEXT", "SOURCES", "joined", "nothing")

go_library = rule(
    nothing,
    attrs = joined(COMPILED, {
        "importmap": attr.string(),
        "importpath_aliases": attr.string_list(),
    }),
)

go_tool_library = rule(
    nothing,
    attrs = joined(SOURCES, {
        "importmap": attr.string(),
        "importpath": attr.string(),
        "x_defs": attr.string_dict(),
    }),
)

go_source = rule(nothing, attrs = SOURCES)
