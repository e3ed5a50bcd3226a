"""Values with fixed fields that repository rules and module extensions are given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from bazelscope import starlark


class Record(starlark.Value):
    """A struct-like value with fixed fields (`repository_ctx.attr`, `exec_result`)."""

    starlark_type: ClassVar[str] = "struct"
    __slots__ = ("fields", "kind")

    def __init__(self, kind: str, fields: Mapping[str, object]) -> None:
        self.kind = kind
        self.fields = fields

    def get_attr(self, name: str) -> object:
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(name) from None

    def attr_names(self) -> Iterable[str]:
        return tuple(sorted(self.fields))

    def hash(self) -> int:
        return id(self)

    def to_repr(self) -> str:
        return f"<{self.kind}>"
