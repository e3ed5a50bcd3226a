"""Model of @bazel_tools//tools/build_defs/repo:git.bzl (Bazel 0.24 to 9)."""

load(":utils.bzl", "patch", "workspace_and_buildfile")

_COMMON = {
    "branch": attr.string(),
    "build_file": attr.label(allow_single_file = True),
    "build_file_content": attr.string(),
    "commit": attr.string(),
    "init_submodules": attr.bool(),
    "patch_args": attr.string_list(default = ["-p0"]),
    "patch_cmds": attr.string_list(),
    "patch_cmds_win": attr.string_list(),
    "patch_tool": attr.string(),
    "patches": attr.label_list(),
    "recursive_init_submodules": attr.bool(),
    "remote": attr.string(mandatory = True),
    "shallow_since": attr.string(),
    "strip_prefix": attr.string(),
    "tag": attr.string(),
    "verbose": attr.bool(),
    "workspace_file": attr.label(),
    "workspace_file_content": attr.string(),
}

def _git_impl(ctx):
    if len([kind for kind in (ctx.attr.commit, ctx.attr.tag, ctx.attr.branch) if kind]) != 1:
        fail("Exactly one of commit, tag, or branch must be provided")
    ctx.download_and_extract([ctx.attr.remote])
    workspace_and_buildfile(ctx)
    patch(ctx)

def _new_git_impl(ctx):
    if bool(ctx.attr.build_file) == bool(ctx.attr.build_file_content):
        fail("Exactly one of build_file and build_file_content must be provided.")
    _git_impl(ctx)

git_repository = repository_rule(implementation = _git_impl, attrs = _COMMON)
new_git_repository = repository_rule(implementation = _new_git_impl, attrs = _COMMON)
