"""Which attributes of rules name what they compile, as `--compile_one_dependency` goes by.

Bazel: `CompileOneDependencyTransformer`, `direct_compile_time_input` of attributes,
`setPreferredDependencyPredicate` of rule classes. Measured: 2.1.0 and 4.2.3.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.bazel.facts.fact import HasNumbers, since

_SOURCES = frozenset({"srcs"})
_OF_CC = frozenset({"srcs", "hdrs", "textual_hdrs"})
_OF_OBJC = _OF_CC | {"non_arc_srcs", "deps", "runtime_deps"}
_OF_ANDROID = frozenset({"srcs", "idl_srcs", "idl_parcelables", "idl_preprocessed"})
_INPUTS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            *("genrule", "proto_library", "py_binary", "py_library", "py_test"),
            *("java_binary", "java_library", "java_plugin", "java_test", "android_binary"),
            "android_local_test",
        ),
        _SOURCES,
    ),
    "android_library": _OF_ANDROID,
    **dict.fromkeys(("cc_binary", "cc_test"), _SOURCES | {"additional_linker_inputs"}),
    "cc_import": frozenset({"hdrs"}),
    "cc_library": _OF_CC,
    "objc_import": _OF_CC - _SOURCES,
    "objc_library": _OF_OBJC,
}
_HEADERS = [
    *(".h", ".hh", ".hpp", ".ipp", ".hxx", ".h++", ".inc", ".inl", ".tlh", ".tli", ".H", ".tcc")
]
_CC = (".cc", ".cpp", ".cxx", ".c++", ".C", ".c", *_HEADERS)
_CUDA = (".cu", ".cl")
_PREFERRED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("cc_binary", "cc_library", "cc_test"), _CC),
    **dict.fromkeys(("android_library", "java_library", "java_plugin"), (".java",)),
    "py_library": (".py", ".py3"),
}
_PREFERRED_IN_STARLARK: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("cc_binary", "cc_library", "cc_test"), (".cc", ".h", ".c")),
    "java_library": (".java",),
    "py_library": (".py",),
}
"""What rules in Starlark say by `compile_one_filetype`, and later Bazel of their names."""
_COMPILES_CUDA = since(3)
_IN_STARLARK = since(6)


def names_inputs(rule_class: str, attribute: str) -> bool:
    """Whether an attribute names what rules of the class compile."""
    return attribute in _INPUTS.get(rule_class, ())


def is_preferred(rule_class: str, file: str, release: HasNumbers) -> bool:
    """Whether a file is compiled by a rule of the class rather than by what uses it before."""
    if _IN_STARLARK.holds(release):
        return file.endswith(_PREFERRED_IN_STARLARK.get(rule_class, ("\0",)))
    endings = _PREFERRED.get(rule_class, ("\0",))
    if rule_class.startswith("cc_") and _COMPILES_CUDA.holds(release):
        endings += _CUDA
    return file.endswith(endings)
