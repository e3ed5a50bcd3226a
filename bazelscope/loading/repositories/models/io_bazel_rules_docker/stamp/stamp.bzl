"""Model of the rule of rules_docker's stamp settings (0.22 to 0.25)."""

load("//container:attributes.bzl", "nothing")

stamp_setting = rule(
    nothing,
    attrs = {"stamp": attr.bool(mandatory = True)},
)
