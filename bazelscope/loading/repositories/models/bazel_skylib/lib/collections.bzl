"""Model of @bazel_skylib//lib:collections.bzl (1.0 to 1.9)."""

def _after_each(separator, iterable):
    result = []
    for item in iterable:
        result.extend([item, separator])
    return result

def _before_each(separator, iterable):
    result = []
    for item in iterable:
        result.extend([separator, item])
    return result

def _uniq(iterable):
    return list({item: None for item in iterable}.keys())

collections = struct(after_each = _after_each, before_each = _before_each, uniq = _uniq)
