"""Model of rules_docker's container_push (0.14 to 0.25)."""

load(":attributes.bzl", "STAMP", "joined", "nothing")

container_push = rule(
    nothing,
    attrs = joined(STAMP, {
        "format": attr.string(mandatory = True, values = ["OCI", "Docker"]),
        "image": attr.label(allow_single_file = [".tar"], mandatory = True),
        "registry": attr.string(mandatory = True),
        "repository": attr.string(mandatory = True),
        "skip_unchanged_digest": attr.bool(default = False),
        "tag": attr.string(default = "latest"),
        "tag_file": attr.label(allow_single_file = True),
    }),
    executable = True,
    outputs = {"digest": "%{name}.digest"},
)
