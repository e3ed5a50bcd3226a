"""Model of @bazel_tools//tools/build_defs/repo:utils.bzl (Bazel 0.24 to 9)."""

def workspace_and_buildfile(ctx):
    if ctx.attr.build_file and ctx.attr.build_file_content:
        fail("Only one of build_file and build_file_content can be provided.")
    if ctx.attr.workspace_file:
        ctx.symlink(ctx.attr.workspace_file, "WORKSPACE")
    elif ctx.attr.workspace_file_content:
        ctx.file("WORKSPACE", ctx.attr.workspace_file_content)
    if ctx.attr.build_file:
        ctx.symlink(ctx.attr.build_file, "BUILD.bazel")
    elif ctx.attr.build_file_content:
        ctx.file("BUILD.bazel", ctx.attr.build_file_content)

def _strip_of(arguments):
    for argument in arguments:
        if argument.startswith("-p") and argument[2:].isdigit():
            return int(argument[2:])
    return 0

def patch(ctx, patches = None, patch_cmds = None, patch_cmds_win = None, patch_tool = None, patch_args = None, auth = None):
    if patches == None:
        patches = getattr(ctx.attr, "patches", [])
    if patch_cmds == None:
        patch_cmds = getattr(ctx.attr, "patch_cmds", [])
    if patch_args == None:
        patch_args = getattr(ctx.attr, "patch_args", ["-p0"])
    strip = getattr(ctx.attr, "patch_strip", 0) or _strip_of(patch_args)
    for patch_file in patches:
        if hasattr(ctx, "patch"):
            ctx.patch(patch_file, strip)
        else:
            ctx.execute(["patch", "-p%d" % strip, "-i", ctx.path(patch_file)])
    for command in patch_cmds:
        result = ctx.execute(["bash", "-c", command])
        if result.return_code:
            fail("Error applying patch command %s" % command)

def update_attrs(orig, keys, override):
    result = {}
    for key in keys:
        if getattr(orig, key, None) != None:
            result[key] = getattr(orig, key)
    result["name"] = orig.name
    result.update(override)
    return result

def maybe(repo_rule, name, **kwargs):
    if not native.existing_rule(name):
        repo_rule(name = name, **kwargs)

def read_netrc(ctx, filename):
    return {}

def read_user_netrc(ctx):
    return {}

def use_netrc(netrc, urls, patterns):
    return {}

def get_auth(ctx, urls):
    return {}
