"""Model of @rules_pkg//pkg:deb.bzl (0.8 to 1.2)."""

def _nothing(ctx):
    return []

pkg_deb_impl = rule(
    _nothing,
    attrs = {
        key: attr.label(allow_single_file = True)
        for key in [
            "architecture_file",
            "built_using_file",
            "changelog",
            "conffiles_file",
            "config",
            "depends_file",
            "description_file",
            "md5sums",
            "postinst",
            "postrm",
            "preinst",
            "prerm",
            "templates",
            "triggers",
            "version_file",
        ]
    } | {
        key: attr.string()
        for key in [
            "built_using",
            "description",
            "homepage",
            "license",
            "package_file_name",
            "priority",
            "section",
            "version",
        ]
    } | {
        key: attr.string_list()
        for key in [
            "breaks",
            "conffiles",
            "conflicts",
            "depends",
            "enhances",
            "predepends",
            "provides",
            "recommends",
            "replaces",
            "suggests",
        ]
    } | {
        "architecture": attr.string(default = "all"),
        "data": attr.label(mandatory = True, allow_single_file = True),
        "distribution": attr.string(default = "unstable"),
        "maintainer": attr.string(mandatory = True),
        "out": attr.output(mandatory = True),
        "package": attr.string(mandatory = True),
        "package_variables": attr.label(),
        "urgency": attr.string(default = "medium"),
        "_make_deb": attr.label(
            default = "//pkg/private/deb:make_deb",
            cfg = "exec",
            executable = True,
            allow_files = True,
        ),
    },
)

def pkg_deb(name, out = None, **attrs):
    pkg_deb_impl(name = name, out = out or name + ".deb", **attrs)
