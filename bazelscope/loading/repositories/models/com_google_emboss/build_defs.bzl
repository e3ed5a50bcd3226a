"""Model of emboss's //:build_defs.bzl (2024 to 2026)."""

def _nothing(ctx):
    return []

EmbossInfo = provider()
EmbossCcHeaderInfo = provider()

emboss_library = rule(
    _nothing,
    attrs = {
        "deps": attr.label_list(providers = [EmbossInfo]),
        "import_dirs": attr.label_list(allow_files = True),
        "srcs": attr.label_list(allow_files = [".emb"]),
        "_emboss_compiler": attr.label(
            executable = True,
            cfg = "exec",
            allow_files = True,
            default = "//compiler/front_end:emboss_front_end",
        ),
    },
    provides = [EmbossInfo],
)

cc_emboss_library = rule(
    _nothing,
    attrs = {
        "deps": attr.label_list(providers = [EmbossInfo]),
        "enable_enum_traits": attr.bool(default = True),
    },
    provides = [CcInfo, EmbossInfo],
)

def emboss_cc_library(name, srcs, deps = [], import_dirs = [], enable_enum_traits = True, **attrs):
    if len(srcs) != 1:
        fail("Must specify exactly one Emboss source file for emboss_cc_library.", "srcs")
    emboss_library(
        name = name + "_ir",
        srcs = srcs,
        deps = [dep + "_ir" for dep in deps],
        import_dirs = import_dirs,
        **attrs
    )
    cc_emboss_library(
        name = name,
        deps = [":" + name + "_ir"],
        enable_enum_traits = enable_enum_traits,
        **attrs
    )
