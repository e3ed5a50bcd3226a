"""Model of @bazel_skylib//lib:types.bzl (1.0 to 1.9)."""

load(":new_sets.bzl", "sets")

def _is_list(v):
    return type(v) == "list"

def _is_string(v):
    return type(v) == "string"

def _is_bool(v):
    return type(v) == "bool"

def _is_none(v):
    return v == None

def _is_int(v):
    return type(v) == "int"

def _is_tuple(v):
    return type(v) == "tuple"

def _is_dict(v):
    return type(v) == "dict"

def _is_function(v):
    return type(v) == "function"

def _is_depset(v):
    return type(v) == "depset"

def _is_set(v):
    return type(v) == "struct" and hasattr(v, "_values") and type(v) == type(sets.make())

types = struct(
    is_bool = _is_bool,
    is_depset = _is_depset,
    is_dict = _is_dict,
    is_function = _is_function,
    is_int = _is_int,
    is_list = _is_list,
    is_none = _is_none,
    is_set = _is_set,
    is_string = _is_string,
    is_tuple = _is_tuple,
)
