"""The formats that write one line for each target: label, label_kind, location, package, ranks."""

from __future__ import annotations

from bazelscope.query.formats.results import OutputOptions, Result, shown_location
from bazelscope.query.language.graph_orders import maximal_ranks, minimal_ranks


def to_label(result: Result, options: OutputOptions) -> str:
    return _lines([row.text(options) for row in result.rows], options)


def to_label_kind(result: Result, options: OutputOptions) -> str:
    return _lines([f"{row.kind} {row.text(options)}" for row in result.rows], options)


def to_location(result: Result, options: OutputOptions) -> str:
    lines = []
    for row in result.rows:
        where = shown_location(row, options) or "<unknown location>"
        lines.append(f"{where}: {row.kind} {row.text(options)}")
    return _lines(lines, options)


def to_package(result: Result, options: OutputOptions) -> str:
    packages = set()
    for row in result.rows:
        id = row.label.package_id
        if options.label_text is not str:
            packages.add(options.label_text(row.label._replace(name="x")).removesuffix(":x"))
        else:
            packages.add(str(id) if id.repository else id.package)
    return _lines(sorted(packages), options)


def to_minrank(result: Result, options: OutputOptions) -> str:
    ranked = minimal_ranks(result.successors, key=lambda index: result.rows[index].sort_key)
    return _lines([f"{rank} {result.rows[index].text(options)}" for rank, index in ranked], options)


def to_maxrank(result: Result, options: OutputOptions) -> str:
    ranked = maximal_ranks(result.successors, key=lambda index: result.rows[index].sort_key)
    return _lines([f"{rank} {result.rows[index].text(options)}" for rank, index in ranked], options)


def _lines(lines: list[str], options: OutputOptions) -> str:
    end = "\0" if options.null_terminated else "\n"
    return "".join(f"{line}{end}" for line in lines)
