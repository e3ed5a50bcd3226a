"""Model of @rules_oci//oci:defs.bzl (2.0 to 2.3): the macros and the targets that they make."""

load("@aspect_bazel_lib//lib:copy_file.bzl", "copy_file")
load("@aspect_bazel_lib//lib:directory_path.bzl", "directory_path")
load("@bazel_skylib//rules:write_file.bzl", "write_file")
load(
    "//oci/private:rules.bzl",
    _oci_image = "oci_image",
    _oci_image_index = "oci_image_index",
    _oci_load = "oci_load",
    _oci_push = "oci_push",
)

oci_image_index_rule = _oci_image_index
oci_image_rule = _oci_image
oci_push_rule = _oci_push
oci_tarball_rule = _oci_load

_COMMON = [
    "compatible_with",
    "deprecation",
    "exec_compatible_with",
    "exec_properties",
    "features",
    "restricted_to",
    "tags",
    "target_compatible_with",
    "testonly",
    "toolchains",
    "visibility",
]

def _nothing(ctx):
    return []

jq_rule = rule(
    _nothing,
    attrs = {
        "args": attr.string_list(),
        "data": attr.label_list(allow_files = True),
        "expand_args": attr.bool(),
        "filter": attr.string(),
        "filter_file": attr.label(allow_single_file = True),
        "out": attr.output(),
        "srcs": attr.label_list(allow_files = True, mandatory = True, allow_empty = True),
        "stamp": attr.int(default = -1),
    },
)

def _common(attrs):
    return {key: attrs[key] for key in attrs if key in _COMMON}

def _digest(name, attrs):
    directory_path(name = name + "_index_json", directory = name, path = "index.json", **attrs)
    copy_file(
        name = name + "_index_json_cp",
        src = name + "_index_json",
        out = name + "_index.json",
        **attrs
    )
    jq_rule(
        name = name + ".digest",
        args = ["--raw-output"],
        srcs = [name + "_index.json"],
        filter = ".manifests[0].digest",
        out = name + ".json.sha256",
        **attrs
    )

def _written(name, kind, lines, attrs):
    """The target that writes `lines`; a label is taken as it is."""
    if type(lines) == "dict":
        lines = ["%s=%s" % (key, value) for key, value in lines.items()]
    if type(lines) != "list":
        return lines
    write_file(
        name = "%s_write_%s" % (name, kind),
        out = "%s.%s.txt" % (name, kind),
        content = lines,
        **attrs
    )
    return "%s_write_%s" % (name, kind)

def oci_image_index(name, **attrs):
    _oci_image_index(name = name, **attrs)
    _digest(name, _common(attrs))

def oci_image(name, **attrs):
    common = _common(attrs)
    for kind in ["annotations", "labels", "env"]:
        if type(attrs.get(kind)) == "dict":
            attrs[kind] = _written(name, kind, attrs[kind], common)
    for kind in ["cmd", "entrypoint", "exposed_ports", "volumes"]:
        if type(attrs.get(kind)) == "list":
            attrs[kind] = _written(name, kind, attrs[kind], common)
    _oci_image(name = name, **attrs)
    _digest(name, common)

def oci_push(name, remote_tags = None, **attrs):
    remote_tags = _written(name, "tags", remote_tags, _common(attrs))
    _oci_push(name = name, remote_tags = remote_tags, **attrs)

def oci_load(name, repo_tags = None, **attrs):
    repo_tags = _written(name, "tags", repo_tags, _common(attrs))
    _oci_load(name = name, repo_tags = repo_tags, **attrs)
