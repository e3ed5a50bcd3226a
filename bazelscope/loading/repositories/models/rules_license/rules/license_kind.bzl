"""Model of @rules_license//rules:license_kind.bzl (0.0.1 to 1.0)."""

load(":providers.bzl", "LicenseKindInfo")

def _kind(ctx):
    return [LicenseKindInfo(
        conditions = ctx.attr.conditions,
        label = "@%s//%s:%s" % (ctx.label.workspace_name, ctx.label.package, ctx.label.name),
        long_name = ctx.attr.long_name,
        name = ctx.attr.name,
    )]

_license_kind = rule(
    _kind,
    attrs = {
        "canonical_text": attr.label(allow_single_file = True),
        "conditions": attr.string_list(mandatory = True),
        "long_name": attr.string(),
        "url": attr.string(),
    },
)

def license_kind(name, **kwargs):
    kwargs.setdefault("conditions", [])
    kwargs.setdefault("long_name", name)
    _license_kind(
        name = name,
        applicable_licenses = [],
        **kwargs
    )
