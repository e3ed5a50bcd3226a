"""Model of @rules_testing//lib:truth.bzl (0.1 to 0.9): what tests assert with does nothing.

A few tests assert something while their BUILD file is loaded."""

_ASSERTIONS = [
    "action",
    "actual",
    "attr",
    "contains",
    "contains_at_least",
    "contains_at_least_predicates",
    "contains_exactly",
    "contains_exactly_predicates",
    "contains_none_of",
    "contains_predicate",
    "default_outputs",
    "equals",
    "executable",
    "failures",
    "get",
    "has_size",
    "in_order",
    "is_greater_than",
    "is_in",
    "keys",
    "label",
    "meta",
    "not_contains",
    "not_contains_predicate",
    "not_equals",
    "offset",
    "output_group",
    "paths_contains",
    "provider",
    "runfiles",
    "tags",
    "that_action",
    "that_bool",
    "that_collection",
    "that_depset_of_files",
    "that_dict",
    "that_file",
    "that_int",
    "that_str",
    "that_struct",
    "that_target",
    "that_value",
    "transform",
    "where",
]

def _asserts(*args, **kwargs):
    return struct(**{name: _asserts for name in _ASSERTIONS})

def _nothing(*args, **kwargs):
    return None

truth = struct(expect = _asserts)

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

subjects = struct(**{name: _asserts for name in _SUBJECTS})
