"""Model of @llvm-project//mlir:tblgen.bzl (LLVM 13 to 22)."""

load("@rules_cc//cc:cc_library.bzl", "cc_library")

TdInfo = provider(fields = ["transitive_includes", "transitive_sources"])

def _implementation(_ctx):
    pass

td_library = rule(
    implementation = _implementation,
    attrs = {
        "deps": attr.label_list(),
        "includes": attr.string_list(),
        "srcs": attr.label_list(allow_files = True),
    },
)

def _attributes(cfg):
    return {
        "deps": attr.label_list(),
        "includes": attr.string_list(),
        "opts": attr.string_list(),
        "tblgen": attr.label(executable = True, cfg = cfg),
        "td_file": attr.label(allow_single_file = True, mandatory = True),
        "td_srcs": attr.label_list(allow_files = True),
    }

gentbl_rule = rule(
    implementation = _implementation,
    attrs = dict(_attributes("exec"), out = attr.output(mandatory = True)),
)
gentbl_test = rule(implementation = _implementation, attrs = _attributes("target"), test = True)

def gentbl_filegroup(
        name,
        tblgen,
        td_file,
        tbl_outs,
        td_srcs = [],
        includes = [],
        deps = [],
        test = False,
        skip_opts = [],
        **kwargs):
    outs = _pairs(tbl_outs)
    for opts, out in outs:
        first = opts[0].replace("-", "_").replace("=", "_") if opts else ""
        made = "%s__%s_%s_genrule" % (name, first, hash(" ".join(opts)))
        common = dict(
            kwargs,
            deps = deps,
            includes = includes,
            opts = opts,
            tblgen = tblgen,
            td_file = td_file,
            td_srcs = td_srcs,
        )
        gentbl_rule(name = made, out = out, **common)
        if test:
            gentbl_test(name = made + "_test", **dict({"tags": ["no_windows"]}, **common))
    native.filegroup(
        name = name,
        srcs = [out for opts, out in outs if not any([skip in opts for skip in skip_opts])],
        **kwargs
    )

def gentbl_cc_library(
        name,
        tblgen,
        td_file,
        tbl_outs,
        td_srcs = [],
        includes = [],
        deps = [],
        strip_include_prefix = None,
        test = False,
        copts = None,
        **kwargs):
    files = name + "_filegroup"
    gentbl_filegroup(
        name = files,
        tblgen = tblgen,
        td_file = td_file,
        tbl_outs = tbl_outs,
        td_srcs = td_srcs,
        includes = includes,
        deps = deps,
        test = test,
        skip_opts = ["-gen-op-doc"],
        **kwargs
    )
    cc_library(
        name = name,
        hdrs = [":" + files] if strip_include_prefix else [],
        strip_include_prefix = strip_include_prefix,
        textual_hdrs = [":" + files],
        copts = copts,
        **kwargs
    )

def _pairs(tbl_outs):
    """What is made, as pairs of options and a file; a dict has them the other way round."""
    if type(tbl_outs) == "dict":
        return [(opts, out) for out, opts in tbl_outs.items()]
    return tbl_outs
