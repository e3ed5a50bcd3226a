"""Model of @bazel_skylib//lib:shell.bzl (1.0 to 1.9)."""

def _quote(s):
    return "'" + s.replace("'", "'\\''") + "'"

def _array_literal(iterable):
    return "(" + " ".join([_quote(str(item)) for item in iterable]) + ")"

shell = struct(array_literal = _array_literal, quote = _quote)
