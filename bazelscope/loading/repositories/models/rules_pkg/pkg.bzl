"""Model of @rules_pkg//:pkg.bzl; pkg_deb is unknown."""

load("//pkg:tar.bzl", _pkg_tar = "pkg_tar")
load("//pkg:zip.bzl", _pkg_zip = "pkg_zip")

pkg_tar = _pkg_tar
pkg_zip = _pkg_zip
