"""Model of rules_docker's //contrib:push-all.bzl (0.14 to 0.25)."""

def _nothing(ctx):
    return []

container_push = rule(
    _nothing,
    attrs = {
        "bundle": attr.label(mandatory = True),
        "format": attr.string(mandatory = True, values = ["OCI", "Docker"]),
    },
    executable = True,
)

def docker_push(*args, **kwargs):
    container_push(format = "Docker", *args, **kwargs)

def oci_push(*args, **kwargs):
    container_push(format = "OCI", *args, **kwargs)
