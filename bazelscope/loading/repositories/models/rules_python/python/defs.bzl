"""Model of @rules_python//python:defs.bzl (0.1 to 2.3): native rules as macros.

They bear a tag up to 0.36, and up to 1.6 with a Bazel before 7, which takes no later release.
"""

load("@bazel_tools//tools/python:toolchain.bzl", _py_runtime_pair = "py_runtime_pair")
load("//:bazelscope.bzl", "BAZEL", "RELEASE")

# A release that nobody names is one that the Bazel takes.
_FITS_OLD_BAZEL = RELEASE < (1, 7, 0) or RELEASE >= (9999, 0, 0)
_ARE_MARKED = RELEASE < (0, 37, 0) or (BAZEL < (7, 0, 0) and _FITS_OLD_BAZEL)
_HAVE_SETTINGS = RELEASE >= (1, 9, 0) and not _ARE_MARKED
# Releases from which on these attributes take any string; the rules of Bazel never do.
_ALLOWED = {
    "python_version": ((1, 1, 0), ["PY2", "PY3"]),
    "srcs_version": ((1, 3, 0), ["PY2", "PY3", "PY2AND3", "PY2ONLY", "PY3ONLY"]),
}
_TAG = "__PYTHON_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"

def _check(attrs):
    for name, (release, allowed) in _ALLOWED.items():
        value = attrs.get(name)
        if (_ARE_MARKED or RELEASE < release) and type(value) == "string" and value not in allowed:
            last = allowed[-1]
            others = ", ".join(["'%s'" % one for one in allowed[:-1]])
            fail("invalid value in '%s' attribute: has to be one of %s or '%s' instead of '%s'" % (name, others, last, value))

def _marked(attrs):
    _check(attrs)
    if _ARE_MARKED:
        attrs["tags"] = (attrs.get("tags") or []) + [_TAG]
    return attrs

def _program(attrs):
    """On Windows, programs are built with their tree of runfiles, if their settings say nothing else."""
    if _HAVE_SETTINGS:
        attrs["config_settings"] = select({
            Label("@platforms//os:windows"): {Label("//command_line_option:enable_runfiles"): "true"},
            "//conditions:default": {},
        }) | (attrs.get("config_settings") or {})
    return _marked(attrs)

def py_binary(**attrs):
    native.py_binary(**_program(attrs))

def py_library(**attrs):
    native.py_library(**_marked(attrs))

def py_runtime(**attrs):
    native.py_runtime(**_marked(attrs))

def py_test(**attrs):
    native.py_test(**_program(attrs))

def py_runtime_pair(name, py2_runtime = None, py3_runtime = None, **attrs):
    _py_runtime_pair(name = name, py2_runtime = py2_runtime, py3_runtime = py3_runtime, **attrs)
