"""Model of what the root of @protobuf says of its .proto files (3.12 to 36): files and dependencies.

A release that nobody names has none: they have moved with 22.
"""

load(":bazelscope.bzl", "RELEASE")

_IS_KNOWN = RELEASE < (9999, 0, 0)

# The releases for Python, C++ and others of 22 and later may be numbered 4.22, 5.26 or 6.30, too.
ARE_IN_SRC = RELEASE >= (4, 22, 0) and RELEASE[0] not in (20, 21)
PLUGIN_IS_STRIPPED = RELEASE[:2] != (4, 22) and RELEASE[0] != 22
WRITES_EMPTY_DEPS = RELEASE < (3, 21, 0) or RELEASE[0] == 20

WELL_KNOWN_PROTOS = {
    "any": ("any", []),
    "api": ("api", ["source_context", "type"]),
    "compiler_plugin": ("compiler/plugin", ["descriptor"]),
    "descriptor": ("descriptor", []),
    "duration": ("duration", []),
    "empty": ("empty", []),
    "field_mask": ("field_mask", []),
    "source_context": ("source_context", []),
    "struct": ("struct", []),
    "timestamp": ("timestamp", []),
    "type": ("type", ["any", "source_context"]),
    "wrappers": ("wrappers", []),
} if _IS_KNOWN else {}
