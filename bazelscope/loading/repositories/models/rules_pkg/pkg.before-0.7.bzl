"""Model of @rules_pkg//:pkg.bzl before release 0.7; pkg_deb is unknown."""

load("//pkg:tar.bzl", "declare_pkg_tar")
load("//pkg:zip.bzl", "declare_pkg_zip")

_STAMPED = select({
    str(Label("//private:private_stamp_detect")): True,
    "//conditions:default": False,
})

def pkg_tar(name, **kwargs):
    kwargs["private_stamp_detect"] = _STAMPED
    declare_pkg_tar(name, kwargs)

def pkg_zip(name, out = None, **kwargs):
    kwargs["private_stamp_detect"] = _STAMPED
    declare_pkg_zip(name, out, kwargs)
