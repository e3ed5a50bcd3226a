"""Model of @rules_pkg//pkg:rpm.bzl (0.8 to 1.2): the rule of pkg_files; the older one is unknown."""

load(":rpm_pfg.bzl", pkg_rpm_pfg = "pkg_rpm")

def pkg_rpm(name, srcs = None, spec_file = None, subrpms = None, **attrs):
    if srcs == None or spec_file:
        fail("bazelscope has no model of pkg_rpm with spec_file")
    pkg_rpm_pfg(name = name, srcs = srcs, subrpms = subrpms, **attrs)
