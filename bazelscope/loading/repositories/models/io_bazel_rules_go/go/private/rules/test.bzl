"""Model of rules_go's go_test (0.22 to 0.62)."""

load(":attributes.bzl", "LINKED", "joined", "nothing")

go_test = rule(
    nothing,
    attrs = joined(LINKED, {
        "env_inherit": attr.string_list(),
        "rundir": attr.string(),
    }),
    executable = True,
    test = True,
)
