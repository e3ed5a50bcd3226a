"""Model of the templates that stardoc() of @stardoc takes (0.8)."""

TEMPLATES = [
    "aspect",
    "func",
    "macro",
    "header",
    "provider",
    "rule",
    "repository_rule",
    "module_extension",
]
