"""What the rules of rules_docker 0.14 to 0.25 have in common; their tools are left out."""

load("//:bazelscope.bzl", "RELEASE")

def nothing(ctx):
    return []

def joined(*parts):
    found = {}
    for part in parts:
        found.update(part)
    return found

LAYER = {
    "compression": attr.string(default = "gzip"),
    "compression_options": attr.string_list(),
    "data_path": attr.string(),
    "debs": attr.label_list(allow_files = True),
    "directory": attr.string(default = "/"),
    "empty_dirs": attr.string_list(),
    "empty_files": attr.string_list(),
    "enable_mtime_preservation": attr.bool(default = False),
    "env": attr.string_dict(),
    "files": attr.label_list(allow_files = True),
    "mode": attr.string(default = "0o555"),
    "mtime": attr.int(default = -1),
    "operating_system": attr.string(default = "linux"),
    "portable_mtime": attr.bool(default = False),
    "symlinks": attr.string_dict(),
    "tars": attr.label_list(allow_files = True),
}

LAYER_OUTPUTS = {"layer": "%{name}-layer.tar"}

# A label since --stamp decides, unless a target says otherwise.
STAMP = {
    "stamp": attr.label(default = "//stamp:use_stamp_flag") if RELEASE >= (0, 22, 0) else attr.bool(default = False),
}
