"""Every mistake of `support.mistakes` is reported in the words that the table has for it, once.

`tests/oracle/test_mistakes.py` asks a real Bazel for its words.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import PackageId
from bazelscope.query.graphs.unconfigured_environment import TargetEnvironment
from bazelscope.query.language.environment import QuerySettings
from bazelscope.query.language.query_evaluation import Evaluator
from bazelscope.query.language.query_parser import parse
from bazelscope.query.language.signatures import Command
from tests.support import ours
from tests.support.mistakes import MISTAKES, Mistake, expected, lay_out

VERSION = "4.2.3"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mistakes") / "workspace"
    lay_out(folder)
    return folder


def _reports(root: Path, mistake: Mistake) -> list[Diagnostic]:
    """What the package holds against itself, and what the query finds missing."""
    loader = ours.open_loader(root, VERSION)
    environment = TargetEnvironment(loader, QuerySettings(VERSION, keep_going=True))
    Evaluator(environment).evaluate(parse(mistake.query, Command.QUERY, VERSION))
    package = loader.package(PackageId("", mistake.name))
    own = list(getattr(package, "diagnostics", ()))
    return own + environment.diagnostics


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_words_of_a_mistake(root: Path, mistake: Mistake) -> None:
    found = _reports(root, mistake)
    says = expected(mistake).ours
    if says is None:
        assert found == []
        return
    assert [report.message for report in found].count(says) == 1
    (report,) = [report for report in found if report.message == says]
    assert report.span is not None or report.code == "no-such-package"


def test_what_is_missing_is_reported_once_with_all_that_ask(root: Path) -> None:
    (mistake,) = [item for item in MISTAKES if item.name == "missing_target_elsewhere"]
    (report,) = _reports(root, mistake)
    assert str(report.span) == "missing_target_elsewhere/BUILD:1:10"
    assert [(note.message, str(note.span)) for note in report.notes] == [
        (
            "and referenced by '//missing_target_elsewhere:z'",
            "missing_target_elsewhere/BUILD:2:10",
        )
    ]


def test_two_definitions_of_a_name_say_where_the_first_is(root: Path) -> None:
    (mistake,) = [item for item in MISTAKES if item.name == "two_rules"]
    (report,) = _reports(root, mistake)
    (note,) = report.notes
    assert (note.message, str(note.span)) == ("first defined here", "two_rules/BUILD:1:10")
