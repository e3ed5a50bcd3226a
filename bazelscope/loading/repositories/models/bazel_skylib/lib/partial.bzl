"""Model of @bazel_skylib//lib:partial.bzl (1.0 to 1.9)."""

def _make(func, *args, **kwargs):
    return struct(function = func, args = args, kwargs = kwargs)

def _call(partial, *args, **kwargs):
    keywords = dict(partial.kwargs)
    keywords.update(kwargs)
    return partial.function(*(partial.args + args), **keywords)

def _is_instance(v):
    return type(v) == "struct" and hasattr(v, "function") and hasattr(v, "args") and hasattr(v, "kwargs")

partial = struct(call = _call, is_instance = _is_instance, make = _make)
