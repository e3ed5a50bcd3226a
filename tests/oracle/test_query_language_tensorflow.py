"""Questions that real Bazel 0.24.1 answered about TensorFlow 1.14.0, put to bazelscope.

The answers and the world lie beside the checkout (`../shared/oracle`, `../oracle`); without them
the test is skipped, loudly. Bazel 0.24.1 printed its answers sorted.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.query.formats.written import ask_query
from bazelscope.query.language.query_parser import QueryError
from tests.support.parts import need_sibling, need_tensorflow

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

BAZEL = "0.24.1"


@pytest.fixture(scope="module")
def tensorflow() -> ConfiguredWorkspace:
    world = need_sibling("BAZELSCOPE_ORACLE", "oracle")
    tree = need_tensorflow("1.14")
    flags = (world / "flags.txt").read_text().split()
    words = [*flags, "--keep_going", "--noimplicit_deps"]
    return Workspace.open(tree, bazel_version=BAZEL).configure(words, command="query")


def _answers(folder: Path) -> list[tuple[str, int, list[str]]]:
    text = gzip.decompress((folder / "tf-1.14.0" / "queries.json.gz").read_bytes())
    return [(item["expr"], item["exit"], item["answer"]) for item in json.loads(text)]


def test_every_question(tensorflow: ConfiguredWorkspace) -> None:
    answers = _answers(need_sibling("BAZELSCOPE_SHARED", "shared") / "oracle")
    assert len(answers) > 30
    wrong = [
        expression
        for expression, exit_code, wanted in answers
        if _ask(tensorflow, expression, refused=exit_code == 2) != sorted(wanted)
    ]
    assert not wrong


def _ask(tensorflow: ConfiguredWorkspace, expression: str, refused: bool) -> list[str]:
    root = str(tensorflow.workspace.root)
    package = tensorflow.directory_package
    try:
        asked = ask_query(tensorflow.world, tensorflow.envelope_of_flags, expression, root, package)
    except QueryError:
        assert refused, expression
        return []
    assert not refused, expression
    return sorted(asked.text().splitlines())
