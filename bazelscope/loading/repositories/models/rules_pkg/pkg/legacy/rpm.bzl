"""Model of @rules_pkg//pkg/legacy:rpm.bzl (0.8 to 1.2): packages made by a spec file."""

def _nothing(ctx):
    return []

def _outputs(version, release):
    made = {"out": "%{name}.rpm", "rpm": "%{name}-%{architecture}.rpm"}
    if version and release:
        made["rpm_nvra"] = "%{name}-%{version}-%{release}.%{architecture}.rpm"
    return made

pkg_rpm = rule(
    _nothing,
    attrs = {
        key: attr.label(allow_single_file = True)
        for key in ["changelog", "release_file", "source_date_epoch_file", "version_file"]
    } | {
        "architecture": attr.string(default = "all"),
        "data": attr.label_list(mandatory = True, allow_files = True),
        "debug": attr.bool(),
        "release": attr.string(),
        "rpmbuild_path": attr.string(),
        "source_date_epoch": attr.int(),
        "spec_file": attr.label(mandatory = True, allow_single_file = [".spec"]),
        "version": attr.string(),
    },
    outputs = _outputs,
)
