"""Model of @rules_pkg//:pkg.bzl (0.7 to 1.2)."""

load("//pkg:deb.bzl", _pkg_deb = "pkg_deb")
load("//pkg:tar.bzl", _pkg_tar = "pkg_tar")
load("//pkg:zip.bzl", _pkg_zip = "pkg_zip")

pkg_deb = _pkg_deb
pkg_tar = _pkg_tar
pkg_zip = _pkg_zip
