"""Model of the templates that stardoc() of @stardoc takes (0.6 and 0.7)."""

TEMPLATES = [
    "aspect",
    "func",
    "header",
    "provider",
    "rule",
    "repository_rule",
    "module_extension",
]
