"""Values of MODULE.bazel as Starlark writes them."""

from __future__ import annotations

from bazelscope.base.label import Label, at_sign
from bazelscope.base.unknown import Unknown


def starlark_text(value: object) -> str:
    """A plain value as Starlark writes it."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, Label):
        sign = at_sign(value.repository) if value.repository else "@@"
        return f'"{sign}//{value.package}:{value.name}"'
    if isinstance(value, tuple | list):
        return f"[{', '.join(starlark_text(part) for part in value)}]"
    if isinstance(value, dict):
        pairs = (f"{starlark_text(key)}: {starlark_text(part)}" for key, part in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, Unknown):
        return "..."
    return str(value)
