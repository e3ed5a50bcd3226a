"""Values that are made nameless and get their name from the global variable that holds them when
their module ends. Bazel: `StarlarkExportable`."""

from __future__ import annotations

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic


class Exportable(starlark.Value):
    """A value that is named by the global variable that it is first assigned to."""

    __slots__ = ("name",)
    name: str

    def export(self, name: str) -> Diagnostic | None:
        """Gives the value its name, unless it has one; Bazel's error if it may not have it."""
        if not self.name:
            self.name = name
        return None

    def to_repr(self) -> str:
        return f"<{self.starlark_type} {self.name}>" if self.name else f"<{self.starlark_type}>"
