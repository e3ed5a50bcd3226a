"""Model of rules_go's go_binary (0.22 to 0.62)."""

load(":attributes.bzl", "LINKED", "joined", "nothing")

_ATTRS = joined(LINKED, {
    "basename": attr.string(),
    "out": attr.string(),
    "pgoprofile": attr.label(allow_files = True),
})

go_binary = rule(nothing, attrs = _ATTRS, executable = True)

go_non_executable_binary = rule(nothing, attrs = _ATTRS)
