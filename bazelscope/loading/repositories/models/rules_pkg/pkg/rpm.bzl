"""Model of @rules_pkg//pkg:rpm.bzl (0.8 to 1.2): the rule of pkg_files, or that of a spec file."""

load("@rules_pkg//pkg/legacy:rpm.bzl", pkg_rpm_legacy = "pkg_rpm")
load(":rpm_pfg.bzl", pkg_rpm_pfg = "pkg_rpm")

def pkg_rpm(name, srcs = None, spec_file = None, subrpms = None, **attrs):
    if spec_file:
        pkg_rpm_legacy(name = name, spec_file = spec_file, **attrs)
    else:
        pkg_rpm_pfg(name = name, srcs = srcs, subrpms = subrpms, **attrs)
