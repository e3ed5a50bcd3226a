"""Model of @rules_cc//cc/toolchains/args:sysroot.bzl (0.1 to 0.2)."""

load("//cc/toolchains:args.bzl", "cc_args")

_ACTIONS = ["assembly_actions", "c_compile", "cpp_compile_actions", "link_actions"]

def cc_sysroot(name, sysroot, actions = None, args = [], **attrs):
    cc_args(
        name = name,
        actions = actions or [Label("//cc/toolchains/actions:" + one) for one in _ACTIONS],
        args = ["--sysroot={sysroot}"] + args,
        format = {"sysroot": sysroot},
        **attrs
    )
