"""Model of @rules_pkg//pkg:rpm_pfg.bzl (0.8 to 1.2)."""

def _nothing(ctx):
    return []

pkg_rpm = rule(
    _nothing,
    attrs = {
        key: attr.label(allow_single_file = True)
        for key in [
            "changelog",
            "description_file",
            "post_scriptlet_file",
            "posttrans_scriptlet_file",
            "postun_scriptlet_file",
            "pre_scriptlet_file",
            "preun_scriptlet_file",
            "release_file",
            "source_date_epoch_file",
            "version_file",
        ]
    } | {
        key: attr.string()
        for key in [
            "architecture",
            "binary_payload_compression",
            "description",
            "epoch",
            "group",
            "package_file_name",
            "package_name",
            "post_scriptlet",
            "posttrans_scriptlet",
            "postun_scriptlet",
            "pre_scriptlet",
            "preun_scriptlet",
            "release",
            "rpmbuild_path",
            "url",
            "version",
        ]
    } | {
        key: attr.string_list()
        for key in ["conflicts", "obsoletes", "provides", "requires"]
    } | {
        "data": attr.label_list(allow_files = True),
        "debug": attr.bool(),
        "debuginfo": attr.bool(),
        "defines": attr.string_dict(),
        "license": attr.string(mandatory = True),
        "package_variables": attr.label(),
        "requires_contextual": attr.string_list_dict(),
        "source_date_epoch": attr.int(default = -1),
        "spec_template": attr.label(
            allow_single_file = True,
            default = "//pkg/rpm:template.spec.tpl",
        ),
        "srcs": attr.label_list(mandatory = True),
        "subrpms": attr.label_list(),
        "summary": attr.string(mandatory = True),
        "_make_rpm": attr.label(
            default = "//pkg:make_rpm",
            cfg = "exec",
            executable = True,
            allow_files = True,
        ),
    },
)
