"""Model of @rules_license//rules:license.bzl (0.0.5 to 1.0)."""

def _nothing(ctx):
    return []

_license = rule(
    _nothing,
    attrs = {
        "copyright_notice": attr.string(),
        "license_kinds": attr.label_list(),
        "license_text": attr.label(allow_single_file = True),
        "package_name": attr.string(),
        "package_url": attr.string(),
        "package_version": attr.string(),
    },
)

# `namespace` means nothing since 0.0.5.
def license(name, license_text = "LICENSE", license_kind = None, license_kinds = None, copyright_notice = None, package_name = None, package_url = None, package_version = None, namespace = None, tags = [], visibility = ["//visibility:public"]):
    if license_kind:
        if license_kinds:
            fail("Can not use both license_kind and license_kinds")
        license_kinds = [license_kind]
    _license(
        name = name,
        license_kinds = license_kinds,
        license_text = license_text,
        copyright_notice = copyright_notice,
        package_name = package_name,
        package_url = package_url,
        package_version = package_version,
        applicable_licenses = [],
        visibility = visibility,
        tags = tags,
        testonly = 0,
    )
