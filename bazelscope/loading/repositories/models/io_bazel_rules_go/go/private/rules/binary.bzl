"""Model of rules_go's go_binary (0.22 to 0.62)."""

load(":attributes.bzl", "LINKED", "TRANSITION", "joined", "nothing")

_ATTRS = joined(LINKED, {
    "basename": attr.string(),
    "out": attr.string(),
    "pgoprofile": attr.label(allow_files = True),
})

go_binary = rule(nothing, attrs = _ATTRS, cfg = TRANSITION, executable = True)

go_non_executable_binary = rule(nothing, attrs = _ATTRS, cfg = TRANSITION)
