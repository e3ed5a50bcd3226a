"""Model of what rules_rust loads `crate` from, up to 0.60."""

load(":extensions.bzl", _crate = "crate")

crate = _crate
