"""Globals that Bazel 8 and later keep for those who ask for them by name."""

_LEGACY_GLOBALS = getattr(native, "legacy_globals", None)

def legacy(name):
    """The global of that name; None where this Bazel has none."""
    return getattr(_LEGACY_GLOBALS, name, None)
