"""What makes `@com_google_googleapis_imports`: no rule, since no package of googleapis is here."""

def _imports(ctx):
    ctx.file("BUILD.bazel", "")
    ctx.file("imports.bzl", "")

_imports_repository = repository_rule(_imports)

def switched_rules_by_language(name, **kwargs):
    _imports_repository(name = name)
