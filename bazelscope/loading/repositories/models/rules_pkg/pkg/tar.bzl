"""Model of rules_pkg's pkg_tar (0.7 to 1.3); tools that a release names in its own attributes are left out."""

load("//:bazelscope.bzl", "RELEASE")

def _nothing(ctx):
    return []

_LATER = {
    name: attr.bool()
    for name, release in [
        ("allow_duplicates_from_deps", (1, 0, 0)),
        ("preserve_mode", (1, 2, 0)),
        ("preserve_mtime", (1, 2, 0)),
    ]
    if RELEASE >= release
}

pkg_tar_impl = rule(
    _nothing,
    attrs = dict({
        "allow_duplicates_with_different_content": attr.bool(default = True),
        "compression_level": attr.int(default = -1),
        "compressor": attr.label(executable = True, cfg = "exec"),
        "compressor_args": attr.string(),
        "create_parents": attr.bool(default = True),
        "deps": attr.label_list(allow_files = True),
        "empty_dirs": attr.string_list(),
        "empty_files": attr.string_list(),
        "extension": attr.string(default = "tar"),
        "files": attr.label_keyed_string_dict(allow_files = True),
        "include_runfiles": attr.bool(),
        "mode": attr.string(default = "0555"),
        "modes": attr.string_dict(),
        "mtime": attr.int(default = -1),
        "out": attr.output(mandatory = True),
        "owner": attr.string(default = "0.0"),
        "ownername": attr.string(default = "."),
        "ownernames": attr.string_dict(),
        "owners": attr.string_dict(),
        "package_dir": attr.string(),
        "package_dir_file": attr.label(allow_single_file = True),
        "package_file_name": attr.string(),
        "package_variables": attr.label(),
        "portable_mtime": attr.bool(default = True),
        "private_stamp_detect": attr.bool(default = False),
        "remap_paths": attr.string_dict(),
        "srcs": attr.label_list(allow_files = True),
        "stamp": attr.int(default = 0),
        "strip_prefix": attr.string(),
        "symlinks": attr.string_dict(),
    }, **_LATER),
)

def prepare_pkg_tar(name, kwargs):
    if type(kwargs.get("files")) == "list" and "srcs" not in kwargs:
        kwargs["srcs"] = kwargs.pop("files")
    extension = kwargs.get("extension") or "tar"
    if extension.startswith("."):
        extension = extension[1:]
    return kwargs.pop("out", None) or (name + "." + extension)

STAMPED = select({
    str(Label("//pkg/private:private_stamp_detect")): True,
    "//conditions:default": False,
})

def pkg_tar(name, **kwargs):
    kwargs["private_stamp_detect"] = STAMPED
    out = prepare_pkg_tar(name, kwargs)
    pkg_tar_impl(name = name, out = out, **kwargs)
