"""Model of @aspect_rules_js//js:defs.bzl (2.0 to 3.4), without the Node.js of its toolchain."""

load("//:bazelscope.bzl", "RELEASE")
load("//js/private:bazel_lib.bzl", "ENABLE_RUNFILES")
load("//js/private:js_binary.bzl", _js_binary = "js_binary", _js_test = "js_test")
load("//js/private:js_library.bzl", _js_library = "js_library")
load("//js/private:js_run_binary.bzl", _js_info_files = "js_info_files", _js_run_binary = "js_run_binary", _renamed = "renamed")

js_info_files = _js_info_files
js_run_binary = _js_run_binary

_RUNFILES = select({
    ENABLE_RUNFILES: True,
    "//conditions:default": False,
})

def _said(attrs):
    """What the rule is given; since 3.1 a directory that is empty is one, too."""
    attrs = _renamed(attrs)
    if RELEASE >= (3, 1, 0) and attrs.get("chdir") == "":
        attrs["chdir"] = "."
    if RELEASE < (3, 0, 0):
        return {"include_npm_sources": True, "include_types": False} | attrs
    return attrs

def js_binary(**attrs):
    _js_binary(enable_runfiles = _RUNFILES, **_said(attrs))

def js_test(**attrs):
    _js_test(enable_runfiles = _RUNFILES, **_said(attrs))

def _js_library_with_declarations(types = [], declarations = None, **attrs):
    _js_library(types = types + (declarations or []), **attrs)

js_library = _js_library if RELEASE >= (3, 0, 0) else _js_library_with_declarations
