"""The rules of rules_oci (2.0 to 2.3) with their attributes; crane and jq are left out."""

def _nothing(ctx):
    return []

_WINDOWS = {"_windows_constraint": attr.label(default = "@platforms//os:windows")}

oci_image = rule(
    _nothing,
    attrs = _WINDOWS | {
        "annotations": attr.label(allow_single_file = True),
        "architecture": attr.string(),
        "base": attr.label(allow_single_file = True),
        "cmd": attr.label(allow_single_file = True),
        "created": attr.label(allow_single_file = True),
        "entrypoint": attr.label(allow_single_file = True),
        "env": attr.label(allow_single_file = True),
        "exposed_ports": attr.label(allow_single_file = True),
        "labels": attr.label(allow_single_file = True),
        "os": attr.string(),
        "resource_set": attr.string(default = "default"),
        "tars": attr.label_list(allow_files = True),
        "user": attr.string(),
        "variant": attr.string(),
        "volumes": attr.label(allow_single_file = True),
        "workdir": attr.string(),
    },
)

oci_image_index = rule(
    _nothing,
    attrs = {
        "images": attr.label_list(mandatory = True),
        "platforms": attr.label_list(),
    },
)

oci_load = rule(
    _nothing,
    attrs = _WINDOWS | {
        "format": attr.string(default = "docker", values = ["docker", "oci"]),
        "image": attr.label(mandatory = True, allow_single_file = True),
        "loader": attr.label(executable = True, cfg = "target", allow_single_file = True),
        "repo_tags": attr.label(mandatory = True, allow_single_file = True),
        "_runfiles": attr.label(default = "@bazel_tools//tools/bash/runfiles"),
    },
    executable = True,
)

oci_push = rule(
    _nothing,
    attrs = _WINDOWS | {
        "image": attr.label(mandatory = True, allow_single_file = True),
        "remote_tags": attr.label(allow_single_file = True),
        "repository": attr.string(),
        "repository_file": attr.label(allow_single_file = True),
    },
    executable = True,
)
