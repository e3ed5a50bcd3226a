def _impl(ctx):
    return []

armeabi_cc_toolchain_config = rule(
    implementation = _impl,
    attrs = {
        "compiler": attr.string(),
        "cpu": attr.string(),
    },
)
