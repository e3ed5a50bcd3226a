"""Model of @rules_python//sphinxdocs:sphinx_docs_library.bzl (1.0 to 1.9)."""

def _nothing(ctx):
    return []

_sphinx_docs_library = rule(
    _nothing,
    attrs = {
        "deps": attr.label_list(),
        "prefix": attr.string(),
        "srcs": attr.label_list(allow_files = True),
        "strip_prefix": attr.string(),
    },
)

def sphinx_docs_library(name, **attrs):
    tags = list(attrs.pop("tags", None) or [])
    if "manual" not in tags:
        tags.append("manual")
    _sphinx_docs_library(name = name, tags = tags, **attrs)
