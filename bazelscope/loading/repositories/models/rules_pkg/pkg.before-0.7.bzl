"""Model of @rules_pkg//:pkg.bzl before release 0.7; pkg_deb is unknown."""

load("//pkg:tar.bzl", "pkg_tar_impl", "prepare_pkg_tar")
load("//pkg:zip.bzl", "pkg_zip_impl")

_STAMPED = select({
    str(Label("//private:private_stamp_detect")): True,
    "//conditions:default": False,
})

def pkg_tar(name, **kwargs):
    kwargs["private_stamp_detect"] = _STAMPED
    out = prepare_pkg_tar(name, kwargs)
    pkg_tar_impl(name = name, out = out, **kwargs)

def pkg_zip(name, out = None, **kwargs):
    kwargs["private_stamp_detect"] = _STAMPED
    pkg_zip_impl(name = name, out = out or (name + ".zip"), **kwargs)
