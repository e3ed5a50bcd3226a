"""Model of @bazel_tools//tools/build_defs/repo:http.bzl (Bazel 0.24 to 9)."""

load("//:bazelscope.bzl", "BAZEL")
load(":utils.bzl", "patch", "workspace_and_buildfile")

def _urls(ctx):
    urls = list(ctx.attr.urls)
    if ctx.attr.url:
        urls = [ctx.attr.url] + urls
    if not urls:
        fail("At least one of url and urls must be provided")
    return urls

def _http_archive_impl(ctx):
    if ctx.attr.build_file and ctx.attr.build_file_content:
        fail("Only one of build_file and build_file_content can be provided.")
    ctx.download_and_extract(
        _urls(ctx),
        ctx.attr.add_prefix,
        ctx.attr.sha256,
        ctx.attr.type,
        ctx.attr.strip_prefix,
    )
    workspace_and_buildfile(ctx)
    patch(ctx)

def _http_file_impl(ctx):
    path = ctx.attr.downloaded_file_path
    ctx.download(_urls(ctx), "file/" + path, ctx.attr.sha256, ctx.attr.executable)
    ctx.file("WORKSPACE", "workspace(name = \"%s\")" % ctx.name)
    ctx.file("file/BUILD", """
package(default_visibility = ["//visibility:public"])

filegroup(
    name = "file",
    srcs = ["%s"],
)
""" % path)

def _loaded():
    return 'load("%s", "java_import")\n' % Label("@rules_java//java:java_import.bzl") if BAZEL >= (8, 0, 0) else ""

def _http_jar_impl(ctx):
    path = ctx.attr.downloaded_file_name
    ctx.download(_urls(ctx), "jar/" + path, ctx.attr.sha256)
    ctx.file("WORKSPACE", "workspace(name = \"%s\")" % ctx.name)
    ctx.file("jar/BUILD", _loaded() + """
package(default_visibility = ["//visibility:public"])

java_import(
    name = "jar",
    jars = ["%s"],
)

filegroup(
    name = "file",
    srcs = ["%s"],
)
""" % (path, path))

_DOWNLOAD = {
    "auth_patterns": attr.string_dict(),
    "canonical_id": attr.string(),
    "integrity": attr.string(),
    "netrc": attr.string(),
    "sha256": attr.string(),
    "url": attr.string(),
    "urls": attr.string_list(),
}

http_archive = repository_rule(
    implementation = _http_archive_impl,
    attrs = dict(
        _DOWNLOAD,
        add_prefix = attr.string(),
        build_file = attr.label(allow_single_file = True),
        build_file_content = attr.string(),
        patch_args = attr.string_list(default = ["-p0"]),
        patch_cmds = attr.string_list(),
        patch_cmds_win = attr.string_list(),
        patch_tool = attr.string(),
        patches = attr.label_list(),
        remote_file_integrity = attr.string_dict(),
        remote_file_urls = attr.string_list_dict(),
        remote_module_file_integrity = attr.string(),
        remote_module_file_urls = attr.string_list(),
        remote_patch_strip = attr.int(),
        remote_patches = attr.string_dict(),
        strip_prefix = attr.string(),
        type = attr.string(),
        workspace_file = attr.label(),
        workspace_file_content = attr.string(),
    ),
)

http_file = repository_rule(
    implementation = _http_file_impl,
    attrs = dict(
        _DOWNLOAD,
        downloaded_file_path = attr.string(default = "downloaded"),
        executable = attr.bool(),
    ),
)

http_jar = repository_rule(
    implementation = _http_jar_impl,
    attrs = dict(
        _DOWNLOAD,
        downloaded_file_name = attr.string(default = "downloaded.jar"),
    ),
)
