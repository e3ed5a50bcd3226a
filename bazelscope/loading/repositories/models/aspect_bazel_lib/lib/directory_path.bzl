"""Model of @aspect_bazel_lib//lib:directory_path.bzl (1.30 to 2.22)."""

def _nothing(ctx):
    return []

DirectoryPathInfo = provider(fields = ["directory", "path"])

directory_path = rule(
    _nothing,
    attrs = {
        "directory": attr.label(mandatory = True, allow_files = True),
        "path": attr.string(mandatory = True),
    },
    provides = [DirectoryPathInfo],
)

def make_directory_path(name, directory, path, **attrs):
    directory_path(name = name, directory = directory, path = path, **attrs)
    return native.package_relative_label(name) if hasattr(native, "package_relative_label") else ":" + name
