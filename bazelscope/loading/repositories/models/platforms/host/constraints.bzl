"""Model of @platforms//host:constraints.bzl (since 0.0.9)."""

load("@local_config_platform//:constraints.bzl", _HOST_CONSTRAINTS = "HOST_CONSTRAINTS")

HOST_CONSTRAINTS = _HOST_CONSTRAINTS
