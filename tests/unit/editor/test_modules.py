"""What an editor tells of the dependencies of MODULE.bazel."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.check.finding import Finding
from bazelscope.editor.completion import complete
from bazelscope.editor.facts import DependencyFacts
from bazelscope.editor.hover import hover
from bazelscope.editor.problems import problems
from bazelscope.editor.state import EditorState
from bazelscope.editor.wording import to_markdown
from tests.unit.editor.editor_world import cursor, make_workspace, marked, show, state_of

_MODULE = """module(name = "demo")
bazel_dep(name = "platforms", version = "0.0.5", repo_name = "where")
bazel_dep(name = "near")
local_path_override(module_name = "near", path = "near")
"""


@pytest.fixture
def state(tmp_path: Path) -> EditorState:
    files = {
        "MODULE.bazel": _MODULE,
        ".bazelversion": "8.1.0",
        "BUILD": "",
        "near/MODULE.bazel": 'module(name = "near", version = "3")\n',
    }
    return state_of(make_workspace(tmp_path, files))


def told(state: EditorState, around: str) -> tuple[DependencyFacts, str]:
    found = hover(state, *cursor(state, "MODULE.bazel", around))
    assert found is not None
    assert isinstance(found.facts, DependencyFacts)
    return found.facts, to_markdown(found.facts)


@pytest.mark.parametrize(
    "around", ['"plat‸forms"', '"0.0‸.5"', "repo_‸name", 'bazel‸_dep(name = "platforms"']
)
def test_a_dependency_says_which_version_is_built(state: EditorState, around: str) -> None:
    facts, text = told(state, around)
    assert facts.chosen is not None
    assert (facts.written, facts.repository, facts.canonical) == ("0.0.5", "where", "platforms")
    assert f"**`platforms@{facts.chosen.version}`** is what is built." in text
    assert "Not `0.0.5`, as is written, since others ask for it:\n\n- Bazel itself\n" in text
    assert "Its files are those of `@where`, `@@platforms`." in text
    assert f"The central registry had `{facts.newest}` on {facts.date}." in text


def test_a_dependency_from_elsewhere_names_what_says_so(state: EditorState) -> None:
    _, text = told(state, 'bazel_dep(name = "ne‸ar"')
    assert "**`near`** is what is built." in text
    assert "`local_path_override` says so." in text
    assert "@@near+`" in text
    assert "central registry" not in text


def test_a_version_that_is_raised_is_told_while_one_types(state: EditorState) -> None:
    show(state, "MODULE.bazel", "\n" + _MODULE)
    (found,) = problems(state, "MODULE.bazel")
    assert isinstance(found, Finding)
    assert (found.code, found.span and found.span.line) == ("BZS306", 3)
    show(state, "MODULE.bazel", _MODULE.replace('"0.0.5"', f'"{_chosen(state)}"'))
    assert problems(state, "MODULE.bazel") == ()
    show(state, "MODULE.bazel", f"# bazelscope: ignore[BZS306]\n{_MODULE[22:]}")
    assert problems(state, "MODULE.bazel") == ()


def _chosen(state: EditorState) -> str:
    facts, _ = told(state, '"plat‸forms"')
    assert facts.chosen is not None
    return facts.chosen.version


def test_names_and_versions_of_the_central_registry_are_offered(state: EditorState) -> None:
    def offered(text: str) -> list[str]:
        return [one.text for one in complete(state, *marked(state, "MODULE.bazel", text))]

    assert "rules_python" in offered('bazel_dep(name = "rules_py‸')
    assert "rules_python" in offered('bazel_dep(\n    "rules_py‸"\n)\n')
    versions = offered('bazel_dep(name = "platforms", version = "0.0.‸")\n')
    assert versions.index("0.0.11") < versions.index("0.0.9") < versions.index("0.0.5")
    assert offered('bazel_dep(name = "platforms", repo_name = "0.0.‸")\n') == []
    assert offered('bazel_dep(version = "0.0.‸")\n') == []
