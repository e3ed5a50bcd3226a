"""Model of @package_metadata//rules:package_metadata.bzl (0.0.2 to 0.0.7)."""

def _nothing(ctx):
    return []

_package_metadata = rule(
    _nothing,
    attrs = {
        "attributes": attr.label_list(),
        "purl": attr.string(mandatory = True),
    },
)

def package_metadata(*, name, purl, attributes = [], visibility = None):
    _package_metadata(
        name = name,
        purl = purl,
        attributes = attributes,
        visibility = visibility,
        applicable_licenses = [],
    )
