"""Model of @bazel_tools//tools/build_defs/pkg:pkg.bzl (Bazel 1.0 and later)."""

def _nothing(ctx):
    return []

_FILES = [".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2"]

_real_pkg_tar = rule(
    _nothing,
    attrs = {
        "build_tar": attr.label(
            default = Label("@bazel_tools//tools/build_defs/pkg:build_tar"),
            allow_files = True,
            cfg = "host",
            executable = True,
        ),
        "compressor": attr.label(cfg = "host", executable = True),
        "deps": attr.label_list(allow_files = _FILES),
        "empty_dirs": attr.string_list(),
        "empty_files": attr.string_list(),
        "extension": attr.string(default = "tar"),
        "files": attr.label_keyed_string_dict(allow_files = True),
        "include_runfiles": attr.bool(),
        "mode": attr.string(default = "0555"),
        "modes": attr.string_dict(),
        "mtime": attr.int(default = -1),
        "out": attr.output(),
        "owner": attr.string(default = "0.0"),
        "ownername": attr.string(default = "."),
        "ownernames": attr.string_dict(),
        "owners": attr.string_dict(),
        "package_dir": attr.string(),
        "package_dir_file": attr.label(allow_single_file = True),
        "portable_mtime": attr.bool(default = True),
        "remap_paths": attr.string_dict(),
        "srcs": attr.label_list(allow_files = True),
        "strip_prefix": attr.string(),
        "symlinks": attr.string_dict(),
    },
)

def pkg_tar(**kwargs):
    extension = kwargs.get("extension") or "tar"
    if extension.startswith("."):
        extension = extension[1:]
    _real_pkg_tar(
        out = kwargs["name"] + "." + extension,
        **kwargs
    )
