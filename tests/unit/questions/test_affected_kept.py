"""What one `affected` keeps for the next: nothing is looked at twice, and nothing is missed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace
from bazelscope.loading import evaluators
from bazelscope.questions.affected.kept_prints import KeptPrints, PrintsCache
from bazelscope.questions.affected.text import affected_document
from bazelscope.render.console import to_text
from tests.support.files import write_files
from tests.support.repositories import Repository
from tests.unit.questions.affected_world import ALL, FILES, X, affected, names, replace, write


def test_a_second_run_loads_nothing_where_source_files_alone_differ(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bazelscope.api import affected_question

    assert names(affected(repository)) == set()
    made: list[str] = []
    actual = affected_question.prints_of

    def noted(state: Any, *words: Any) -> Any:
        made.append(state.name)
        return actual(state, *words)

    monkeypatch.setattr(affected_question, "prints_of", noted)
    write("p/y.txt", "1")(repository.root)
    assert names(affected(repository)) == {"chosen", "above", "test"}
    assert made == []
    replace("p/BUILD", '["a"]', '["b"]')(repository.root)
    assert names(affected(repository)) == {"chosen", "above", "test"}
    assert made == []  # What is in the package alone is made anew.
    # Other flags, and another commit, have fingerprints of their own.
    assert names(affected(repository, *X)) == {"chosen", "above", "test"}
    repository.commit()
    assert names(affected(repository)) == set()
    assert made == ["HEAD", "HEAD"]
    write("p/g/new", "")(repository.root)
    assert names(affected(repository)) == {"globbed"}
    assert made[-1] == ":worktree"


def test_a_line_of_an_rc_file_makes_no_state_be_looked_at_anew(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it makes another configuration, that alone makes everything be affected."""
    affected(repository)
    made: list[Any] = []
    monkeypatch.setattr(
        "bazelscope.api.affected_question.prints_of", lambda *words: made.append(words)
    )
    for line in ("build:more --copt=-DX", "build --jobs=3", "# nothing"):
        write(".bazelrc", f"{FILES['.bazelrc']}{line}\n")(repository.root)
        assert names(affected(repository)) == set()
    write(".bazelrc", f"{FILES['.bazelrc']}build --copt=-DX\n")(repository.root)
    answer = affected(repository)
    assert names(answer) == ALL
    assert {(len(one.way), one.causes[0].subject) for one in answer.targets} == {(1, "copt")}
    assert made == []


def test_what_a_transition_sets_hangs_on_no_line(repository: Repository) -> None:
    write_files(
        repository.root,
        {
            "moved/rules.bzl": """
def _impl(ctx):
    return []
def _set(settings, attr):
    return {"//command_line_option:copt": ["-DMINE"]}
_mine = transition(implementation = _set, inputs = [], outputs = ["//command_line_option:copt"])
moved = rule(implementation = _impl, cfg = _mine, attrs = {
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/whitelists/function_transition_whitelist"),
})
""",
            "moved/BUILD": 'load(":rules.bzl", "moved")\nmoved(name = "m")\n'
            'filegroup(name = "f")\n',
        },
    )
    repository.commit()
    write(".bazelrc", f"build --copt=-DX\n{FILES['.bazelrc']}")(repository.root)
    assert names(affected(repository, "//moved:all")) == {"f"}
    write(".bazelrc", f"build --linkopt=-lx\n{FILES['.bazelrc']}")(repository.root)
    assert names(affected(repository, "//moved:all")) == {"m", "f"}


def test_another_work_tree_of_the_same_commit_has_its_own_files(
    repository: Repository, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    repository.git.add_worktree("other", str(other))
    affected(repository)
    write("p/m.txt")(other)
    cache = tmp_path / "cache"
    there = Workspace.open(other, bazel_version="4.2.3", cache_dir=cache).configure()
    assert {"m_1", "m_2"} <= names(there.affected())


def test_kept_fingerprints_that_are_damaged_are_made_anew(repository: Repository) -> None:
    affected(repository)
    write("p/y.txt")(repository.root)
    for file in (repository.root.parent / "cache/affected").iterdir():
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2] + b"x" + content[len(content) // 2 + 1 :])
    assert names(affected(repository)) == {"chosen", "above", "test"}


def test_packages_that_other_processes_evaluated_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a commit rests on is kept, whichever process has read it."""
    monkeypatch.setattr(evaluators, "cores", lambda: 3)
    build = 'filegroup(name = "f", srcs = ["f.txt"])\n'
    packages = {f"p{number}/BUILD": build for number in range(16)}
    write_files(tmp_path / "w", {"WORKSPACE": "", **packages})
    repository = Repository(tmp_path / "w")
    repository.commit()
    kept: list[KeptPrints] = []
    put = PrintsCache.put

    def noted(self: PrintsCache, *given: Any) -> KeptPrints:
        kept.append(put(self, *given))
        return kept[-1]

    monkeypatch.setattr(PrintsCache, "put", noted)
    affected(repository)
    assert {str(repository.root / path) for path in packages} <= kept[0].touched


def test_what_was_made_of_a_work_tree_is_kept_until_a_file_of_it_differs(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bazelscope.api import affected_question

    made: list[object] = []
    actual = affected_question.prints_like

    def noted(*words: Any) -> Any:
        made.append(words)
        return actual(*words)

    monkeypatch.setattr(affected_question, "prints_like", noted)
    root = repository.root
    write("new.bzl", 'load("@r//:tags.bzl", "TAG")\nTAGS = [TAG]\n')(root)
    write("third/r/tags.bzl", 'TAG = "n"\n')(root)
    repository.commit()
    affected(repository)
    replace("defs.bzl", 'load(":', 'load(":new.bzl", "TAGS")\nload(":')(root)
    replace("defs.bzl", "srcs = [name", "tags = TAGS, srcs = [name")(root)
    assert names(affected(repository)) == {"m_2"}
    for path, text, told, is_made in (
        ("p/y.txt", "1", {"m_2", "chosen", "above", "test"}, False),
        ("p/y.txt", "", {"m_2"}, False),
        ("third/r/tags.bzl", 'TAG = "o"\n', {"m_2"}, True),
        ("third/r/tags.bzl", 'TAG = "n"\n', {"m_2"}, True),
        ("new.bzl", 'TAGS = ["o"]\n', {"m_2"}, True),
        ("p/y.txt", "2", {"m_2", "chosen", "above", "test"}, False),
        ("new.bzl", 'TAGS = ["p"]\n', {"m_2", "chosen", "above", "test"}, True),
        ("p/y.txt", "3", {"m_2", "chosen", "above", "test"}, False),
    ):
        made.clear()
        write(path, text)(root)
        assert names(affected(repository)) == told
        assert bool(made) == is_made, path


def test_a_select_whose_keys_another_has_settled_says_the_same(repository: Repository) -> None:
    select = 'select({"//p:x": ["x"], "//conditions:default": ["y"]})'
    first, second = (f'filegroup(name = "{one}", srcs = {select})\n' for one in "ab")
    write_files(repository.root, {"q/BUILD": f"{first}{second}"})
    repository.commit()
    affected(repository)
    other = second.replace('["x"]', '["z"]')
    write("q/BUILD", f"{first}{other}")(repository.root)
    assert names(affected(repository)) == set()


def test_what_a_macro_gives_many_targets_is_told_once(repository: Repository) -> None:
    macro = 'def f(name):\n    native.filegroup(name = name, tags = ["x"])\n'
    build = 'load("//:f.bzl", "f")\n[f(name = n) for n in ["a", "b", "c"]]\n'
    build += 'filegroup(name = "d", srcs = ["a"])\n'
    write_files(repository.root, {"f.bzl": macro, "q/BUILD": build})
    repository.commit()
    replace("f.bzl", '"x"', '"z"')(repository.root)
    told = to_text(affected_document(affected(repository)), 100)
    assert told.split("\n\n")[1].splitlines() == [
        "tags of 3 targets: without x, with z",
        *("  //q:a", "  //q:b", "  //q:c", "  //q:d  through //q:a"),
    ]
