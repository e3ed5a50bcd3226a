"""Model of rules_pkg's pkg_zip (0.7 to 1.2); tools that a release names in its own attributes are left out."""

load(":tar.bzl", "STAMPED")

def _nothing(ctx):
    return []

pkg_zip_impl = rule(
    _nothing,
    attrs = {
        "compression_level": attr.int(default = 6),
        "compression_type": attr.string(default = "deflated"),
        "include_runfiles": attr.bool(),
        "mode": attr.string(default = "0555"),
        "out": attr.output(mandatory = True),
        "package_dir": attr.string(default = "/"),
        "package_file_name": attr.string(),
        "package_variables": attr.label(),
        "private_stamp_detect": attr.bool(default = False),
        "srcs": attr.label_list(allow_files = True),
        "stamp": attr.int(default = 0),
        "strip_prefix": attr.string(),
        "timestamp": attr.int(default = 315532800),
    },
)

def pkg_zip(name, out = None, **kwargs):
    kwargs["private_stamp_detect"] = STAMPED
    pkg_zip_impl(name = name, out = out or (name + ".zip"), **kwargs)
