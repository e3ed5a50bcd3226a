"""What `query` knows in a universe, what it loads past what its options leave out, and how it
writes what differs between releases: beside real Bazels.

A server that has been asked before knows what it loaded for others as well, so that each universe
makes it forget all of it first.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.bazel import Bazel
from tests.support.files import write_files
from tests.support.universes import (
    BELOW,
    DIRECT,
    FILES,
    IN_UNIVERSES,
    SKY,
    WRITTEN,
    as_lines,
)

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

VERSIONS = ("0.24.1", "2.1.0", "4.2.3")


@pytest.fixture
def ask_both(
    warm_root: Path, bazel: Callable[[str], Bazel], capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., tuple[tuple[int, object], tuple[int, object]]]:
    """Asks bazelscope and a Bazel; each answer is the exit code and what was printed."""
    write_files(warm_root, FILES)

    def ask(version: str, *words: str) -> tuple[tuple[int, object], tuple[int, object]]:
        theirs = bazel(version).run(warm_root, "query", "--noshow_progress", *words)
        own = ["-w", str(warm_root), "--bazel-version", version, "--no-cache"]
        capfdbinary.readouterr()
        code = main(["query", *own, *words])
        mine = capfdbinary.readouterr().out.decode("utf-8", "surrogateescape")
        is_ordered = "--order_output=no" not in words
        printed = [text if is_ordered else as_lines(text) for text in (mine, theirs.stdout)]
        return (code, printed[0]), (theirs.exit_code, printed[1])

    return ask


@pytest.mark.parametrize("version", VERSIONS)
def test_in_a_universe(
    version: str,
    warm_root: Path,
    bazel: Callable[[str], Bazel],
    ask_both: Callable[..., tuple[object, object]],
) -> None:
    before = ""
    for universe, expression, *flags in IN_UNIVERSES:
        if universe != before:
            bazel(version).run(warm_root, "clean").checked()
        before = universe
        mine, theirs = ask_both(version, *SKY, f"--universe_scope={universe}", *flags, expression)
        assert mine == theirs, (universe, expression)


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_loaded_below(version: str, ask_both: Callable[..., tuple[object, object]]) -> None:
    for words in (*BELOW, *DIRECT, *WRITTEN):
        mine, theirs = ask_both(version, *words)
        assert mine == theirs, words
