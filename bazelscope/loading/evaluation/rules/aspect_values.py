"""What `aspect()` returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from bazelscope.base.label import Label
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.values.exportable import Exportable


class Aspect(Exportable):
    """What `aspect()` returns."""

    starlark_type: ClassVar[str] = "Aspect"
    __slots__ = ("file", "options", "requires", "specs")

    def __init__(
        self,
        specs: Mapping[str, AttributeSpec],
        requires: tuple[Aspect, ...] = (),
        options: Mapping[str, object] | None = None,
    ) -> None:
        self.name = ""
        self.file: Label | None = None
        """The file that gave it its name."""
        self.options = dict(options or {})
        self.specs = specs
        self.requires = requires

    def shown(self, style: Callable[[Label], str]) -> str:
        """It as Bazel names it, once a file has given it its name."""
        return self.name if self.file is None else f"{style(self.file)}%{self.name}"

    def with_required(self) -> Iterator[Aspect]:
        """The aspects that this one requires, and itself."""
        for aspect in self.requires:
            yield from aspect.with_required()
        yield self
