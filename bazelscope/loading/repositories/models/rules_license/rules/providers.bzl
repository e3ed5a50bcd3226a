"""Model of @rules_license//rules:providers.bzl (0.0.7 to 1.0)."""

LicenseKindInfo = provider(fields = ["conditions", "label", "long_name", "name"])

LicenseInfo = provider(fields = [
    "copyright_notice",
    "label",
    "license_kinds",
    "license_text",
    "package_name",
    "package_url",
    "package_version",
])

PackageInfo = provider(fields = [
    "label",
    "package_name",
    "package_url",
    "package_version",
    "purl",
    "type",
])

ExperimentalMetadataInfo = provider(fields = ["data", "label", "type"])
