"""Model of @apple_rules_lint//lint:defs.bzl (0.3 to 0.4), where nobody registers linters."""

def _nothing(ctx):
    return []

LinterInfo = provider(fields = ["language", "name"])

_empty_rule = rule(_nothing, attrs = {})

_OVERRIDE = "package_lint_config"

def package_lint_config(linters):
    for key, value in linters.items():
        native.alias(name = "%s_%s" % (_OVERRIDE, key), actual = value)
    _empty_rule(name = _OVERRIDE)
