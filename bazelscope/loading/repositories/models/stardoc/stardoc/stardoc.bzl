"""Model of @stardoc//stardoc:stardoc.bzl (0.6 to 0.8): what Bazel extracts, and what renders it."""

load("@bazel_skylib//rules:copy_file.bzl", "copy_file")

load("//stardoc/private:templates.bzl", "TEMPLATES")

def _renderer(ctx):
    return []

stardoc_markdown_renderer = rule(
    implementation = _renderer,
    attrs = {
        "src": attr.label(allow_single_file = [".binaryproto"], mandatory = True),
        "out": attr.output(mandatory = True),
        "renderer": attr.label(executable = True, cfg = "exec", mandatory = True),
        "table_of_contents_template": attr.label(allow_single_file = [".vm"]),
        "footer_template": attr.label(allow_single_file = [".vm"]),
        "stamp": attr.int(default = -1),
    } | {
        name + "_template": attr.label(allow_single_file = [".vm"], mandatory = True)
        for name in TEMPLATES
    },
)

def stardoc(
        name,
        input,
        out,
        deps = [],
        format = "markdown",
        symbol_names = [],
        renderer = Label("//stardoc:renderer"),
        render_main_repo_name = True,
        stamp = -1,
        table_of_contents_template = None,
        footer_template = None,
        **kwargs):
    if format not in ["markdown", "proto"]:
        fail("`format` must be \"markdown\" or \"proto\"")
    templates = {}
    for template in TEMPLATES:
        attribute = template + "_template"
        usual = Label("//stardoc:templates/markdown_tables/%s.vm" % template)
        templates[attribute] = kwargs.pop(attribute, usual)
    beside = {"tags": ["manual"], "visibility": ["//visibility:private"]}
    if "testonly" in kwargs:
        beside["testonly"] = kwargs["testonly"]
    beside["tags"] += [tag for tag in kwargs.get("tags") or [] if tag != "manual"]
    is_main = format == "proto" and Label(name + ".binaryproto") == Label(out)
    extractor = name if is_main else name + ".extract"
    native.starlark_doc_extract(
        name = extractor,
        src = input,
        deps = deps,
        render_main_repo_name = render_main_repo_name,
        symbol_names = symbol_names,
        **(kwargs if is_main else beside)
    )
    proto = extractor + ".binaryproto"
    if format == "markdown":
        stardoc_markdown_renderer(
            name = name,
            src = proto,
            out = out,
            renderer = renderer,
            table_of_contents_template = table_of_contents_template,
            footer_template = footer_template,
            stamp = stamp,
            **(templates | kwargs)
        )
    elif not is_main:
        copy_file(name = name, src = proto, out = out, **kwargs)
