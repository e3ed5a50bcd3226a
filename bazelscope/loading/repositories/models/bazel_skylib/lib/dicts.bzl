"""Model of @bazel_skylib//lib:dicts.bzl (1.0 to 1.9)."""

def _add(*dictionaries, **kwargs):
    result = {}
    for dictionary in dictionaries:
        result.update(dictionary)
    result.update(kwargs)
    return result

def _omit(dictionary, keys):
    dropped = {key: None for key in keys}
    return {key: value for key, value in dictionary.items() if key not in dropped}

def _pick(dictionary, keys):
    return {key: dictionary[key] for key in keys if key in dictionary}

dicts = struct(add = _add, omit = _omit, pick = _pick)
