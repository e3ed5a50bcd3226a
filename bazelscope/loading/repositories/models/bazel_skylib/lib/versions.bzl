"""Model of @bazel_skylib//lib:versions.bzl (1.0 to 1.9)."""

def _get_bazel_version():
    return getattr(native, "bazel_version", "")

def _number(text):
    digits = ""
    for char in text.elems():
        if not char.isdigit():
            break
        digits += char
    return int(digits or "0")

def _parse_bazel_version(bazel_version):
    release = bazel_version.split(" ")[0].split("-")[0]
    return tuple([_number(part) for part in release.split(".")])

def _is_at_most(threshold, version):
    return _parse_bazel_version(version) <= _parse_bazel_version(threshold)

def _is_at_least(threshold, version):
    return _parse_bazel_version(version) >= _parse_bazel_version(threshold)

def _check_bazel_version(minimum_bazel_version, maximum_bazel_version = None, bazel_version = None):
    version = bazel_version or _get_bazel_version()
    if not version:
        return
    if not _is_at_least(minimum_bazel_version, version):
        fail("Current Bazel version is %s, expected at least %s" % (version, minimum_bazel_version))
    if maximum_bazel_version and not _is_at_most(maximum_bazel_version, version):
        fail("Current Bazel version is %s, expected at most %s" % (version, maximum_bazel_version))

versions = struct(
    check = _check_bazel_version,
    get = _get_bazel_version,
    is_at_least = _is_at_least,
    is_at_most = _is_at_most,
    parse = _parse_bazel_version,
)
