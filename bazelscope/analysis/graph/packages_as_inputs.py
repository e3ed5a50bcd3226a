"""What is kept of many packages at once rests on each of them, with all it was made from."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.base.label import PackageId
from bazelscope.kept.pack import Input
from bazelscope.loading.loader import Loader


def package_inputs(source: Loader, others: Iterable[PackageId] = ()) -> tuple[Input, ...] | None:
    """Every package that counts so far, and `others`, as inputs; None where one cannot be told."""
    ids = dict.fromkeys((*source.packages_rested_on(), *sorted(others)))
    inputs = tuple([(*id, source.maker.inputs_digest(id)) for id in ids])
    return None if any(digest is None for _, _, digest in inputs) else inputs


def package_holds(source: Loader, input: Input) -> bool:
    """Whether a package is made from what it was made from when `input` was."""
    digest: bytes = input[2]
    return source.maker.inputs_digest(PackageId(input[0], input[1])) == digest
