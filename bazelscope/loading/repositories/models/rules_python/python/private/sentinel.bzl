"""Model of @rules_python//python/private:sentinel.bzl (0.36 to 2.3): no value, as a target."""

def _nothing(ctx):
    return []

sentinel = rule(implementation = _nothing)
