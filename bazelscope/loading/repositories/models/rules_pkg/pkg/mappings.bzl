"""Model of @rules_pkg//pkg:mappings.bzl (0.7 to 1.2)."""

def _nothing(ctx):
    return []

REMOVE_BASE_DIRECTORY = "\0"

strip_prefix = struct(
    files_only = lambda: ".",
    from_pkg = lambda path = "": path[1:] if path.startswith("/") else path,
    from_root = lambda path = "": path if path.startswith("/") else "/" + path,
)

_LOCATED = {"prefix": attr.string()}

pkg_files = rule(
    _nothing,
    attrs = _LOCATED | {
        "srcs": attr.label_list(mandatory = True, allow_files = True),
        "attributes": attr.string(default = "{}"),
        "excludes": attr.label_list(allow_files = True),
        "include_runfiles": attr.bool(),
        "renames": attr.label_keyed_string_dict(allow_files = True),
        "strip_prefix": attr.string(),
    },
)

def pkg_attributes(mode = None, user = None, group = None, uid = None, gid = None, **attrs):
    found = dict(attrs)
    for key, value in [("mode", mode), ("user", user), ("group", group), ("uid", uid), ("gid", gid)]:
        if value != None:
            found[key] = value
    return json.encode(found)

pkg_filegroup = rule(
    _nothing,
    attrs = _LOCATED | {"srcs": attr.label_list(mandatory = True)},
)

_pkg_mkdirs = rule(
    _nothing,
    attrs = {"attributes": attr.string(), "dirs": attr.string_list(mandatory = True)},
)

def pkg_mkdirs(name, **attrs):
    _pkg_mkdirs(name = name, **attrs)

_pkg_mklink = rule(
    _nothing,
    attrs = {
        "attributes": attr.string(),
        "link_name": attr.string(mandatory = True),
        "target": attr.string(mandatory = True),
    },
)

def pkg_mklink(name, **attrs):
    _pkg_mklink(name = name, **attrs)

def filter_directory(name, **attrs):
    _filter_directory(name = name, **attrs)

_filter_directory = rule(
    _nothing,
    attrs = {
        "excludes": attr.string_list(),
        "outdir_name": attr.string(),
        "prefix": attr.string(),
        "renames": attr.string_dict(),
        "src": attr.label(allow_single_file = True, mandatory = True),
        "strip_prefix": attr.string(),
    },
)
