"""Model of @rules_license//rules:package_info.bzl (1.0)."""

def _nothing(ctx):
    return []

_package_info = rule(
    _nothing,
    attrs = {
        "package_name": attr.string(),
        "package_url": attr.string(),
        "package_version": attr.string(),
        "purl": attr.string(),
    },
)

def package_info(name, package_name = None, package_url = None, package_version = None, purl = None, **kwargs):
    _package_info(
        name = name,
        package_name = package_name,
        package_url = package_url,
        package_version = package_version,
        purl = purl,
        applicable_licenses = [],
        visibility = kwargs.get("visibility") or ["//visibility:public"],
        tags = [],
        testonly = 0,
    )
