"""Results of dry runs as bytes for the cache: `marshal` of plain tuples."""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from typing import Any

from bazelscope.base.unknown import Unknown
from bazelscope.bazel.encoded_values import decode_unknown, encode_unknown
from bazelscope.loading.cache.diagnostic_codec import decode_diagnostic, encode_diagnostic
from bazelscope.loading.dry_run.run_result import Download, DryRunResult
from bazelscope.loading.packages.repository_content import VirtualFile


class _Unknowns:
    """The unknowns of one result, each written once: hundreds of files share some."""

    def __init__(self) -> None:
        self.numbers: dict[Unknown, int] = {}

    def number(self, unknown: Unknown) -> int:
        return self.numbers.setdefault(unknown, len(self.numbers))

    def all(self, unknowns: Iterable[Unknown]) -> tuple[int, ...]:
        return tuple([self.number(unknown) for unknown in unknowns])


def encode_result(result: DryRunResult) -> bytes:
    """The result as bytes. Raises `ValueError` where `marshal` cannot write something."""
    unknowns = _Unknowns()
    body = (
        tuple([_file_data(path, file, unknowns) for path, file in result.files.items()]),
        tuple([(path, unknowns.number(unknown)) for path, unknown in result.open_below.items()]),
        tuple([(one.urls, one.sha256, one.output) for one in result.downloads]),
        result.patches,
        result.programs,
        unknowns.all(result.assumptions),
        None if result.failure is None else encode_diagnostic(result.failure),
    )
    return marshal.dumps((tuple(map(encode_unknown, unknowns.numbers)), body))


def decode_result(content: bytes) -> DryRunResult:
    """The result that `encode_result` wrote. Raises `ValueError`, `TypeError`, `IndexError` or
    `EOFError` for anything else."""
    encoded, body = marshal.loads(content)
    unknowns = tuple(map(decode_unknown, encoded))
    files, open_below, downloads, patches, programs, assumptions, failure = body
    return DryRunResult(
        {data[0]: _file_of(data, unknowns) for data in files},
        {path: unknowns[number] for path, number in open_below},
        tuple([Download(*data) for data in downloads]),
        patches,
        programs,
        tuple([unknowns[number] for number in assumptions]),
        None if failure is None else decode_diagnostic(failure),
    )


def _file_data(path: str, file: VirtualFile, unknowns: _Unknowns) -> tuple[Any, ...]:
    names = tuple(
        [(name, unknowns.number(unknown)) for name, unknown in file.unknown_names.items()]
    )
    known = unknowns.all(file.unknowns)
    return (path, file.text, file.display_path, known, names, file.real_path)


def _file_of(data: tuple[Any, ...], unknowns: tuple[Unknown, ...]) -> VirtualFile:
    _, text, display_path, known, names, real_path = data
    return VirtualFile(
        text,
        display_path,
        tuple([unknowns[number] for number in known]),
        {name: unknowns[number] for name, number in names},
        real_path,
    )
