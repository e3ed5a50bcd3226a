"""Model of @with_cfg.bzl//:with_cfg.bzl (0.8 to 1.0)."""

load("//with_cfg:defs.bzl", _original_settings = "original_settings", _with_cfg = "with_cfg")

original_settings = _original_settings
with_cfg = _with_cfg
