"""Model of rules_go's go_test (0.22 to 0.62)."""

load(":attributes.bzl", "LINKED", "TRANSITION", "joined", "nothing")

go_test = rule(
    nothing,
    attrs = joined(LINKED, {
        "env_inherit": attr.string_list(),
        "rundir": attr.string(),
    }),
    cfg = TRANSITION,
    executable = True,
    test = True,
)
