"""Model of @bazel_skylib//lib:paths.bzl (1.0 to 1.9)."""

def _is_absolute(path):
    return path.startswith("/") or (len(path) > 2 and path[1] == ":")

def _basename(p):
    return p.rpartition("/")[2]

def _dirname(p):
    head, slash, _ = p.rpartition("/")
    if not slash:
        return ""
    return head.rstrip("/") if head else slash

def _join(path, *others):
    result = path
    for other in others:
        if _is_absolute(other):
            result = other
        elif not result or result.endswith("/"):
            result += other
        else:
            result += "/" + other
    return result

def _normalize(path):
    if not path:
        return "."
    slashes = ""
    if path.startswith("//") and not path.startswith("///"):
        slashes = "//"
    elif path.startswith("/"):
        slashes = "/"
    kept = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if kept and kept[-1] != "..":
                kept.pop()
                continue
            if slashes:
                continue
        kept.append(part)
    return (slashes + "/".join(kept)) or "."

def _relativize(path, start):
    segments = _normalize(path).split("/")
    base = _normalize(start).split("/")
    if base == ["."]:
        base = []
    for index in range(len(base)):
        if index >= len(segments) or segments[index] != base[index]:
            fail("Path '%s' is not beneath '%s'" % (path, start))
    # Of a path that is its own start, skylib returns all: the last 0 segments are every one.
    return "/".join(segments[len(base):] or segments)

def _split_extension(p):
    name = _basename(p)
    if name.rfind(".") <= 0:
        return (p, "")
    length = len(name) - name.rfind(".")
    return (p[:-length], p[-length:])

def _replace_extension(p, new_extension):
    return _split_extension(p)[0] + new_extension

def _is_normalized(str, look_for_same_level_references = True):
    for part in str.split("/"):
        if part == ".." or (part == "." and look_for_same_level_references):
            return False
    return True

def _starts_with(path_a, path_b):
    if not path_b:
        return True
    norm_a = _normalize(path_a)
    norm_b = _normalize(path_b)
    return norm_a == norm_b or norm_a.startswith(norm_b + "/")

paths = struct(
    basename = _basename,
    dirname = _dirname,
    is_absolute = _is_absolute,
    is_normalized = _is_normalized,
    join = _join,
    normalize = _normalize,
    relativize = _relativize,
    replace_extension = _replace_extension,
    split_extension = _split_extension,
    starts_with = _starts_with,
)
