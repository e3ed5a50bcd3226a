"""What a package is made from now, where it was kept and its files have changed in ways that change
nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.kept.pack import Input
from bazelscope.loading.cache.file_stamps import (
    FileStamps,
    InputChecker,
    UnsettledInputError,
    is_of_module,
    renewed_inputs,
)
from bazelscope.loading.cache.package_cache import Renewed

if TYPE_CHECKING:
    from bazelscope.loading.cache.comment_edits import CommentEdits
    from bazelscope.loading.evaluation.bzl_files.seen_values import ModuleValues


@dataclass(eq=False)
class Renewal:
    """Renews what kept packages were made from; `edits` and `values` are made when first needed."""

    _checker: InputChecker
    _stamps: FileStamps
    _edits: Callable[[], CommentEdits | None]
    _values: Callable[[], ModuleValues]

    def renewed(self, inputs: tuple[Input, ...], seen: bytes) -> Renewed | None:
        """What a package is made from now, where its BUILD file has other comments, or `.bzl` files
        have other texts and that sees the same of them; None where it may see something else."""
        holds, moved = self._checker.holds, None
        changed = tuple(one for one in inputs if not (is_of_module(one) or holds(one)))
        if changed:
            edits = self._edits()
            renewed = edits.renewed(inputs, changed) if edits is not None else None
            if renewed is None or all(map(holds, renewed.inputs)):
                return renewed
            inputs, moved = renewed
        values = self._values()
        told = values.plain(seen)
        if told is None or not values.are_seen(told):
            return None
        try:
            modules = values.modules_of(told)
            now = renewed_inputs(inputs, modules, self._stamps, self._checker.digest)
            return None if now is None else Renewed(now, moved)
        except UnsettledInputError:
            return None
