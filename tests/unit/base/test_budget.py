"""What a question may use: where it ends, what is told, and that nothing cut short is kept."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.api import BudgetError, BudgetLimits, Workspace
from bazelscope.base import budget
from bazelscope.base.errors import LimitError
from bazelscope.base.source import SourceFile
from bazelscope.cli import main

ENDLESS = "def f():\n    for a in range(1000000000):\n        pass\nf()\n"


def execute(text: str) -> None:
    names = starlark.universe()
    source = SourceFile("a.bzl", text)
    program = starlark.load_program(source, starlark.FileKind.BZL, frozenset(names))
    thread = starlark.Thread(starlark.Limits(steps=None))
    starlark.execute(program, names, lambda statement: starlark.Module("", {}, {}), thread)


def test_a_file_ends_by_the_clock() -> None:
    with (
        budget.spending(BudgetLimits(seconds=3)) as account,
        pytest.raises(LimitError, match=r"one file takes more than 0\.2 s .* \(--max-seconds"),
    ):
        execute(ENDLESS)
    assert account.cuts == 1


def test_a_file_ends_by_memory() -> None:
    with (
        budget.spending(BudgetLimits(seconds=None, memory=100)),
        pytest.raises(
            LimitError, match=r"80% of 100 MB of memory is used up, .*; --max-memory gives"
        ),
    ):
        execute("def f():\n    return [list(range(1000000)) for _ in range(1000)]\nf()\n")


def test_a_file_of_too_many_tokens_is_not_read() -> None:
    with (
        budget.spending(BudgetLimits(memory=64)),
        pytest.raises(LimitError, match="more than 16384 tokens: --max-memory"),
    ):
        execute("x = 1\n" * 20_000)


def test_a_question_ends_by_the_clock() -> None:
    with budget.spending(BudgetLimits(seconds=0.01)) as account:
        for _ in range(200_000):
            pass
        while account.spent_on_files() is None:
            pass
        with pytest.raises(BudgetError, match=r"all of 0\.01 s of CPU time is used up; --max-s"):
            while True:
                account.check()


def test_threads_have_accounts_of_their_own() -> None:
    seen: list[budget.Budget] = []
    with budget.spending(BudgetLimits(seconds=1)) as own:
        thread = threading.Thread(target=lambda: seen.append(budget.current()))
        thread.start()
        thread.join()
        assert budget.current() is own
    assert seen[0] is not own


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "w"
    for name, text in {
        "WORKSPACE": "",
        "a/BUILD": 'load("//a:a.bzl", "f")\nf()\n',
        "a/a.bzl": ENDLESS.removesuffix("f()\n"),
        "b/BUILD": 'filegroup(name = "b")\n',
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_what_was_cut_short_is_told_and_not_kept(
    tree: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    words = ["query", "//...", "-w", str(tree), "--cache-dir", str(tmp_path / "c")]
    for _ in range(2):
        assert main([*words, "--max-seconds", "2"]) == 3
        out, err = capfd.readouterr()
        assert out == "//b:b\n"
        assert "takes more than" in err
        assert "a/a.bzl:2:" in err


def test_questions_of_the_api_have_limits(tree: Path) -> None:
    asked = Workspace.open(tree, limits=BudgetLimits(seconds=1e-9)).configure([])
    assert "--max-seconds gives more" in repr(asked.deps("//b:b"))


def test_a_cut_is_of_its_question_alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Workspace.open(tree).configure([])
    with monkeypatch.context() as patched:
        patched.setattr(budget.Budget, "spent_on_files", _cut)
        cut = asked.deps("//b:b")
    assert "no more" in repr(cut)
    answer = asked.query("//b:b")
    assert [str(target.label) for target in answer.targets] == ["//b:b"]
    assert "no more" not in repr(answer)


def test_a_question_that_a_limit_ends_leaves_nothing(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace.open(tree)
    asked, other = workspace.configure(["//b:b"]), workspace.configure(["-k"])
    loader = asked.loader
    with monkeypatch.context() as patched:
        patched.setattr(budget.Budget, "_used_up", lambda self, share: "no more")
        with pytest.raises(BudgetError, match="no more"):
            asked.query("//b:b")
    assert asked.loader is not loader
    first, second = asked.loader, other.loader
    asked.query("//b:b")
    assert asked.loader is first, "what no limit cut is kept"
    with monkeypatch.context() as patched:
        patched.setattr(budget.Budget, "spent_on_files", _cut)
        asked.differences(before=other)
    assert other.loader is not second, "the line that it was compared with was cut too"


def _cut(account: budget.Budget) -> str:
    account.cuts += 1
    return "no more"
