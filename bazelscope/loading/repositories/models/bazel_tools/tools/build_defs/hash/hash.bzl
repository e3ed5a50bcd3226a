"""Model of @bazel_tools//tools/build_defs/hash:hash.bzl (Bazel 0.24 to 9)."""

load("//:bazelscope.bzl", "BAZEL")

def sha256(ctx, artifact, execution_requirements = None):
    """The file that the action of a rule with `tools` writes beside one."""
    hashed = ctx.actions.declare_file(artifact.basename + ".sha256")
    ctx.actions.run(
        arguments = [artifact.path, hashed.path],
        executable = ctx.executable.sha256,
        execution_requirements = execution_requirements,
        inputs = [artifact],
        mnemonic = "SHA256",
        outputs = [hashed],
        use_default_shell_env = True,
    )
    return hashed

tools = {
    "sha256": attr.label(
        allow_files = True,
        cfg = "host" if BAZEL < (6, 0, 0) else "exec",
        default = Label("//tools/build_defs/hash:sha256"),
        executable = True,
    ),
}
