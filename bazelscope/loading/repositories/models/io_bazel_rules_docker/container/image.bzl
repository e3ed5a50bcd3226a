"""Model of rules_docker's container_image (0.14 to 0.25)."""

load(":attributes.bzl", "LAYER", "LAYER_OUTPUTS", "STAMP", "joined", "nothing")

container_image_ = rule(
    nothing,
    attrs = joined(LAYER, STAMP, {
        "architecture": attr.string(default = "amd64"),
        "base": attr.label(allow_files = True),
        "cmd": attr.string_list(),
        "creation_time": attr.string(),
        "docker_run_flags": attr.string(),
        "entrypoint": attr.string_list(),
        "label_file_strings": attr.string_list(),
        "label_files": attr.label_list(allow_files = True),
        "labels": attr.string_dict(),
        "launcher": attr.label(allow_single_file = True),
        "launcher_args": attr.string_list(),
        "layers": attr.label_list(),
        "legacy_repository_naming": attr.bool(default = False),
        "legacy_run_behavior": attr.bool(default = True),
        "null_cmd": attr.bool(default = False),
        "null_entrypoint": attr.bool(default = False),
        "os_version": attr.string(),
        "ports": attr.string_list(),
        "repository": attr.string(default = "bazel"),
        "user": attr.string(),
        "volumes": attr.string_list(),
        "workdir": attr.string(),
    }),
    executable = True,
    outputs = joined(LAYER_OUTPUTS, {
        "build_script": "%{name}.executable",
        "config": "%{name}.json",
        "digest": "%{name}.digest",
        "out": "%{name}.tar",
    }),
)

def _command(value):
    # A string is a command for the shell.
    return ["/bin/sh", "-c", value] if type(value) == "string" else value

def container_image(**kwargs):
    labels = kwargs.get("labels")
    if labels != None:
        files = sorted({value[1:]: None for value in labels.values() if value.startswith("@")}.keys())
        kwargs["label_files"] = files
        kwargs["label_file_strings"] = files
    for key in ["cmd", "entrypoint"]:
        if key not in kwargs:
            continue
        if not kwargs[key]:
            kwargs["null_" + key] = True
            kwargs[key] = []
        else:
            kwargs[key] = _command(kwargs[key])
    container_image_(**kwargs)
