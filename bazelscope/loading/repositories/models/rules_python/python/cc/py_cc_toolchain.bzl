"""Model of @rules_python//python/cc:py_cc_toolchain.bzl (rules_python 0.25 and later)."""

def _nothing(ctx):
    return []

py_cc_toolchain = rule(
    implementation = _nothing,
    attrs = {
        "headers": attr.label(mandatory = True, providers = [CcInfo]),
        "headers_abi3": attr.label(providers = [CcInfo]),
        "libs": attr.label(mandatory = True, providers = [CcInfo]),
        "python_version": attr.string(mandatory = True),
    },
)
