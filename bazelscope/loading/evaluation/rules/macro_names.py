"""What targets and symbolic macros in a symbolic macro may be called. Bazel: `TargetRecorder`."""

from __future__ import annotations

from bazelscope import starlark
from bazelscope.loading.evaluation.evaluation_context import CurrentPackage


def check_for_macro(builder: CurrentPackage, name: str, what: str) -> None:
    """Refuses the name of a target or macro that is a macro's, which it is not made by."""
    if name not in builder.macro_names:
        return
    around = builder.macros[-1] if builder.macros else None
    if around is None or around.name != name or around.has_main:
        starlark.fail_with(
            f"{what} '{name}' conflicts with an existing macro (and was not created by it)"
        )
