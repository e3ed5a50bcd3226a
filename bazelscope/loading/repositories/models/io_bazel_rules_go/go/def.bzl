"""Model of rules_go's //go:def.bzl (0.22 to 0.62; go_embed_data to 0.41); what it lacks (go_context) is unknown."""

load("//extras:gomock.bzl", _gomock = "gomock")
load(
    "//go/private:providers.bzl",
    _GoArchive = "GoArchive",
    _GoArchiveData = "GoArchiveData",
    _GoLibrary = "GoLibrary",
    _GoPath = "GoPath",
    _GoSDK = "GoSDK",
    _GoSource = "GoSource",
)
load("//go/private/rules:library.bzl", _go_source = "go_source", _go_tool_library = "go_tool_library")
load("//go/private/rules:nogo.bzl", _nogo = "nogo")
load(
    "//go/private/rules:wrappers.bzl",
    _go_binary_macro = "go_binary_macro",
    _go_library_macro = "go_library_macro",
    _go_test_macro = "go_test_macro",
)

GoArchive = _GoArchive
GoArchiveData = _GoArchiveData
GoLibrary = _GoLibrary
GoPath = _GoPath
GoSDK = _GoSDK
GoSource = _GoSource

gomock = _gomock
nogo = _nogo
go_binary = _go_binary_macro
go_library = _go_library_macro
go_source = _go_source
go_test = _go_test_macro
go_tool_library = _go_tool_library

def _nothing(ctx):
    return []

go_path = rule(
    _nothing,
    attrs = {
        "data": attr.label_list(allow_files = True),
        "deps": attr.label_list(providers = [GoArchive]),
        "include_data": attr.bool(default = True),
        "include_pkg": attr.bool(default = False),
        "include_transitive": attr.bool(default = True),
        "mode": attr.string(default = "copy", values = ["archive", "copy", "link"]),
        "_go_path": attr.label(
            default = "//go/tools/builders:go_path",
            executable = True,
            cfg = "exec",
        ),
    },
)

go_embed_data = rule(
    _nothing,
    attrs = {
        "flatten": attr.bool(),
        "package": attr.string(),
        "src": attr.label(allow_single_file = True),
        "srcs": attr.label_list(allow_files = True),
        "string": attr.bool(),
        "unpack": attr.bool(),
        "var": attr.string(default = "Data"),
        "_embed": attr.label(
            default = "//go/tools/builders:embed",
            executable = True,
            cfg = "exec",
        ),
    },
)

go_cross_binary = rule(
    _nothing,
    attrs = {
        "compilation_mode": attr.string(values = ["", "dbg", "fastbuild", "opt"]),
        "platform": attr.label(),
        "sdk_version": attr.string(),
        "target": attr.label(mandatory = True, providers = [GoArchive]),
    },
    executable = True,
)
