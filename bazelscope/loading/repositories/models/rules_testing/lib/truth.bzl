"""Model of @rules_testing//lib:truth.bzl (0.1 to 0.9): what tests assert with does nothing."""

def _nothing(*args, **kwargs):
    return None

truth = struct(expect = _nothing)

_MATCHERS = [
    "all",
    "any",
    "contains",
    "custom",
    "equals_wrapper",
    "file_basename_contains",
    "file_basename_equals",
    "file_extension_in",
    "file_path_matches",
    "is_in",
    "never",
    "str_endswith",
    "str_matches",
    "str_startswith",
]

matching = struct(**{name: _nothing for name in _MATCHERS})

_SUBJECTS = [
    "bool",
    "collection",
    "default_info",
    "depset_file",
    "dict",
    "file",
    "int",
    "label",
    "runfiles",
    "str",
    "struct",
    "target",
]

subjects = struct(**{name: _nothing for name in _SUBJECTS})
