"""Model of @bazel_skylib//lib:subpackages.bzl (1.3 to 1.9)."""

load("//:bazelscope.bzl", "RELEASE")

def _supported():
    return hasattr(native, "subpackages")

def _all(exclude = [], allow_empty = False, fully_qualified = True):
    found = native.subpackages(include = ["**"], exclude = exclude, allow_empty = allow_empty)
    if not fully_qualified:
        return found
    here = native.package_name()

    # Up to 1.7 what it says of the main package is no label: `///x`.
    slash = "/" if here or RELEASE < (1, 8, 0) else ""
    return ["//%s%s%s" % (here, slash, package) for package in found]

def _exists(relative_path):
    return bool(native.subpackages(include = [relative_path], allow_empty = True))

subpackages = struct(all = _all, exists = _exists, supported = _supported)
