"""Model of @rules_pkg//:pkg.bzl before release 0.5; pkg_deb is unknown."""

load("//pkg:tar.bzl", "declare_pkg_tar")
load("//pkg:zip.bzl", "declare_pkg_zip")

def pkg_tar(name, **kwargs):
    declare_pkg_tar(name, kwargs)

def pkg_zip(name, out = None, **kwargs):
    declare_pkg_zip(name, out, kwargs)
