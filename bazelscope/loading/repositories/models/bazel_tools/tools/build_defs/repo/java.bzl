"""Model of @bazel_tools//tools/build_defs/repo:java.bzl (Bazel 0.24 to 9)."""

def _line(name, value):
    return "    %s = %s,\n" % (name, repr(value)) if value else ""

def _java_import_external_impl(ctx):
    name = ctx.attr.generated_rule_name or ctx.name
    jar = ctx.attr.jar_urls[0].split("/")[-1]
    ctx.download(ctx.attr.jar_urls, jar, ctx.attr.jar_sha256)
    srcjar = ""
    if ctx.attr.srcjar_urls:
        srcjar = ctx.attr.srcjar_urls[0].split("/")[-1]
        ctx.download(ctx.attr.srcjar_urls, srcjar, ctx.attr.srcjar_sha256)
    text = ctx.attr.rule_load + "\n"
    text += "package(default_visibility = %s)\n\n" % repr(ctx.attr.default_visibility)
    text += "licenses(%s)\n\n" % repr(ctx.attr.licenses)
    text += "%s(\n" % ctx.attr.rule_name
    text += _line("name", name)
    text += _line("jars", [jar])
    text += _line("srcjar", srcjar)
    text += _line("deps", ctx.attr.deps)
    text += _line("neverlink", ctx.attr.neverlink)
    text += _line("testonly", ctx.attr.testonly_)
    text += _line("exports", ctx.attr.exports)
    text += _line("runtime_deps", ctx.attr.runtime_deps)
    text += ")\n" + ctx.attr.extra_build_file_content + "\n"
    if name != ctx.name:
        text += "\nalias(name = %s, actual = %s)\n" % (repr(ctx.name), repr(":" + name))
    ctx.file("WORKSPACE", "workspace(name = \"%s\")" % ctx.name)
    ctx.file("BUILD", text)
    ctx.file("jar/BUILD", "package(default_visibility = [\"//visibility:public\"])\n\nalias(name = \"jar\", actual = \"@%s\")\n" % ctx.name)

_java_import_external = repository_rule(
    implementation = _java_import_external_impl,
    attrs = {
        "default_visibility": attr.string_list(default = ["//visibility:public"]),
        "deps": attr.string_list(),
        "exports": attr.string_list(),
        "extra_build_file_content": attr.string(),
        "generated_linkable_rule_name": attr.string(),
        "generated_rule_name": attr.string(),
        "jar_sha256": attr.string(mandatory = True),
        "jar_urls": attr.string_list(mandatory = True, allow_empty = False),
        "licenses": attr.string_list(mandatory = True, allow_empty = False),
        "neverlink": attr.bool(),
        "rule_load": attr.string(),
        "rule_name": attr.string(default = "java_import"),
        "runtime_deps": attr.string_list(),
        "srcjar_sha256": attr.string(),
        "srcjar_urls": attr.string_list(),
        "testonly_": attr.bool(),
    },
)

def java_import_external(jar_sha256, **kwargs):
    _java_import_external(jar_sha256 = jar_sha256, **kwargs)
