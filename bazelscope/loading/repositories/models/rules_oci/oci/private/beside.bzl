"""Targets that macros of rules_oci (1.0 to 2.3) make beside an image; with names that begin with
`_` before release 2.2.1."""

load("@aspect_bazel_lib//lib:copy_file.bzl", "copy_file")
load("@aspect_bazel_lib//lib:directory_path.bzl", "directory_path")
load("@bazel_skylib//rules:write_file.bzl", "write_file")

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

_JQ = {
    "args": attr.string_list(),
    "data": attr.label_list(allow_files = True),
    "expand_args": attr.bool(),
    "filter": attr.string(),
    "filter_file": attr.label(allow_single_file = True),
    "out": attr.output(),
    "srcs": attr.label_list(allow_files = True, mandatory = True, allow_empty = True),
    "stamp": attr.int(default = -1),
}

jq_rule = rule(_nothing, attrs = _JQ)
_jq_rule = rule(_nothing, attrs = _JQ)

# What bazel_lib's macro `jq` makes.
older_jq_rule = _jq_rule

def common_of(attrs):
    return {key: attrs[key] for key in attrs if key in _COMMON}

def digest(name, jq, attrs, prefix = ""):
    index = prefix + name + "_index"
    directory_path(name = index + "_json", directory = name, path = "index.json", **attrs)
    copy_file(
        name = index + "_json_cp",
        src = index + "_json",
        out = index + ".json",
        **attrs
    )
    jq(
        name = name + ".digest",
        args = ["--raw-output"],
        srcs = [index + ".json"],
        filter = ".manifests[0].digest",
        out = name + ".json.sha256",
        **attrs
    )

def written(name, kind, lines, attrs, prefix = ""):
    """The target that writes `lines`; a label is taken as it is."""
    if type(lines) == "dict":
        lines = ["%s=%s" % (key, value) for key, value in lines.items()]
    if type(lines) != "list":
        return lines
    write_file(
        name = "%s%s_write_%s" % (prefix, name, kind),
        out = "%s%s.%s.txt" % (prefix, name, kind),
        content = lines,
        **attrs
    )
    return "%s%s_write_%s" % (prefix, name, kind)
