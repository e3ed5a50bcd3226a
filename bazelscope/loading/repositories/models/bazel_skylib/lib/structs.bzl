"""Model of @bazel_skylib//lib:structs.bzl (1.0 to 1.9)."""

def _to_dict(s):
    return {name: getattr(s, name) for name in dir(s) if name not in ("to_json", "to_proto")}

structs = struct(to_dict = _to_dict)
