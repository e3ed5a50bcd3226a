"""Model of @bazel_skylib//lib:new_sets.bzl (1.0 to 1.9): sets as structs around a dict."""

def _make(elements = None):
    return struct(_values = {element: None for element in (elements or [])})

def _copy(s):
    return _make(s._values.keys())

def _to_list(s):
    return list(s._values.keys())

def _insert(s, e):
    s._values[e] = None
    return s

def _remove(s, e):
    s._values.pop(e)
    return s

def _contains(a, e):
    return e in a._values

def _is_equal(a, b):
    return len(a._values) == len(b._values) and _is_subset(a, b)

def _is_subset(a, b):
    for element in a._values.keys():
        if element not in b._values:
            return False
    return True

def _disjoint(a, b):
    return not _intersection(a, b)._values

def _intersection(a, b):
    shorter, longer = (a, b) if _length(a) < _length(b) else (b, a)
    return _make([element for element in shorter._values.keys() if element in longer._values])

def _union(*args):
    return _make([element for one in args for element in one._values.keys()])

def _difference(a, b):
    return _make([element for element in a._values.keys() if element not in b._values])

def _length(s):
    return len(s._values)

def _repr(s):
    return repr(_to_list(s))

sets = struct(
    contains = _contains,
    copy = _copy,
    difference = _difference,
    disjoint = _disjoint,
    insert = _insert,
    intersection = _intersection,
    is_equal = _is_equal,
    is_subset = _is_subset,
    length = _length,
    make = _make,
    remove = _remove,
    repr = _repr,
    str = _repr,
    to_list = _to_list,
    union = _union,
)
