"""Model of rules_go's //extras:gomock.bzl (0.46 to 0.62)."""

load("//go/private/rules:wrappers.bzl", "go_binary_macro")

def _nothing(ctx):
    return []

_MOCKGEN = Label("//extras/gomock:mockgen")
_MODEL = Label("//extras/gomock:mockgen_model")

_COMMON = {
    "mockgen_tool": attr.label(
        default = _MOCKGEN,
        allow_single_file = True,
        executable = True,
        cfg = "exec",
    ),
    "out": attr.output(mandatory = True),
    "_go_context_data": attr.label(default = "//:go_context_data"),
}
_MOCK = _COMMON | {
    "copyright_file": attr.label(allow_single_file = True),
    "imports": attr.string_dict(),
    "mock_names": attr.string_dict(),
    "mockgen_args": attr.string_list(),
    "package": attr.string(),
    "self_package": attr.string(),
}

_gomock_source = rule(
    _nothing,
    attrs = _MOCK | {
        "aux_files": attr.label_keyed_string_dict(allow_files = True),
        "library": attr.label(),
        "source": attr.label(allow_single_file = True),
        "source_importpath": attr.string(),
    },
)

_gomock_prog_gen = rule(
    _nothing,
    attrs = _COMMON | {
        "interfaces": attr.string_list(allow_empty = False, mandatory = True),
        "library": attr.label(mandatory = True),
    },
)

_gomock_prog_exec = rule(
    _nothing,
    attrs = _MOCK | {
        "interfaces": attr.string_list(allow_empty = False, mandatory = True),
        "library": attr.label(mandatory = True),
        "prog_bin": attr.label(
            allow_single_file = True,
            executable = True,
            cfg = "exec",
            mandatory = True,
        ),
    },
)

def gomock(
        name,
        out,
        library = None,
        source_importpath = "",
        source = None,
        interfaces = [],
        package = "",
        self_package = "",
        aux_files = {},
        mockgen_tool = _MOCKGEN,
        mockgen_args = [],
        imports = {},
        copyright_file = None,
        mock_names = {},
        mockgen_model_library = _MODEL,
        **attrs):
    shared = {
        "copyright_file": copyright_file,
        "imports": imports,
        "mock_names": mock_names,
        "mockgen_args": mockgen_args,
        "package": package,
        "self_package": self_package,
    }
    if source:
        _gomock_source(
            name = name,
            out = out,
            library = library,
            source_importpath = source_importpath,
            source = source,
            aux_files = aux_files,
            mockgen_tool = mockgen_tool,
            **(shared | attrs)
        )
        return
    program = name + "_gomock_prog"
    _gomock_prog_gen(
        name = program,
        interfaces = interfaces,
        library = library,
        out = program + ".go",
        mockgen_tool = mockgen_tool,
        tags = ["manual"],
    )
    go_binary_macro(
        name = program + "_bin",
        srcs = [program + ".go"],
        deps = [library, mockgen_model_library],
        tags = ["manual"],
    )
    _gomock_prog_exec(
        name = name,
        interfaces = interfaces,
        library = library,
        out = out,
        prog_bin = program + "_bin",
        mockgen_tool = mockgen_tool,
        **(shared | attrs)
    )
