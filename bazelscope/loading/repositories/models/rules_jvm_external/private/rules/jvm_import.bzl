"""Model of @rules_jvm_external//private/rules:jvm_import.bzl (4.2 to 7.1). Its tools are left out,
for they differ by release."""

load("//:bazelscope.bzl", "RELEASE")

def _nothing(ctx):
    return []

_NAMES_ITS_ORIGIN = RELEASE >= (6, 3, 0)

_FILE = dict({"jars": attr.label_list(allow_files = True, mandatory = not _NAMES_ITS_ORIGIN)}, **(
    {"jar": attr.label(allow_single_file = True)} if _NAMES_ITS_ORIGIN else {}
))
_ATTRIBUTES = dict(
    _FILE,
    srcjar = attr.label(allow_single_file = True),
    deps = attr.label_list(providers = [JavaInfo]),
    neverlink = attr.bool(),
)
_ORIGIN = {"maven_coordinates": attr.string(), "maven_url": attr.string()}

jvm_import = rule(
    _nothing,
    attrs = dict(_ATTRIBUTES, **(_ORIGIN if _NAMES_ITS_ORIGIN else {})),
    provides = [JavaInfo],
)
