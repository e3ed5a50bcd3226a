"""Model of @rules_pkg//:pkg.bzl before release 0.5; pkg_deb is unknown."""

load("//pkg:tar.bzl", "pkg_tar_impl", "prepare_pkg_tar")
load("//pkg:zip.bzl", "pkg_zip_impl")

def pkg_tar(name, **kwargs):
    out = prepare_pkg_tar(name, kwargs)
    pkg_tar_impl(name = name, out = out, **kwargs)

def pkg_zip(name, out = None, **kwargs):
    pkg_zip_impl(name = name, out = out or (name + ".zip"), **kwargs)
