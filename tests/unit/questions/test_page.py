"""What the explorer page knows of a workspace, and the file that it becomes."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace
from bazelscope.questions.page.find import option_words
from bazelscope.questions.page.model import NOT_KNOWN, OTHER, PageModel
from bazelscope.questions.page.packing import Room, pack
from bazelscope.questions.page.writing import write_page
from bazelscope.questions.shared.conditions.flag_conditions import Now
from tests.support.files import write_files
from tests.support.parts import FIXTURES

_FILES = {
    "WORKSPACE": 'load("//:r.bzl", "r")\nr(name = "made")\n',
    ".bazelrc": "build:a --define=a=1\nbuild:n --repo_env=NEED=1\nbuild:c -c fast\n",
    "r.bzl": (
        "def _r(ctx):\n"
        '    more = "\\":more\\"" if ctx.os.environ.get("NEED") == "1" else ""\n'
        '    ctx.file("BUILD", "filegroup(name=\'lib\', srcs = [" + more + "]," +'
        " \"visibility=['//visibility:public'])\\nfilegroup(name='more')\\n\")\n"
        'r = repository_rule(implementation = _r, environ = ["NEED"])\n'
    ),
    "BUILD": (
        'config_setting(name = "set", values = {"define": "a=1"})\n'
        'filegroup(name = "with")\n'
        'filegroup(name = "top", srcs = ["@made//:lib"] + select({":set": [":with"],'
        ' "//conditions:default": []}))\n'
    ),
}


def _page(root: Path, *words: str, **options: Any) -> PageModel:
    write_files(root, _FILES)
    line = Workspace.open(root, bazel_version="7.7.1").configure(("//:top", *words))
    _, model = line.page(**options)
    assert model is not None
    return model


def test_edges_have_formulas_over_variables(tmp_path: Path) -> None:
    model = _page(tmp_path)
    top = next(target for target in model.loads[0].targets.values() if target.label.name == "top")
    conditional = [edge for edge in top.edges if edge.target.name == "with"]
    (way,) = conditional[0].ways
    node = model.nodes[model.numbers[way.formula] - 2]
    assert (node.yes, node.no) == (1, 0)
    assert model.variables[node.variable].values[node.value].text == "--define=a=1"
    ((reason,),) = [model.alternatives[way.formula]]
    assert reason.literals == ((node.variable, node.value, True),)


def test_words_say_what_they_set_and_what_bazel_has_against_them(tmp_path: Path) -> None:
    (base,) = _page(tmp_path).bases
    words = {one.words: one for one in base.words}
    assert words["--config=a",].sets == ((0, 0),)
    assert not words["--config=a",].problem
    assert "fast" in words["--config=c",].problem
    assert words["--config=n",].environment == (("NEED", "1"),)


def test_what_a_platform_has_that_is_not_downloaded_is_not_known(tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": 'bazel_dep(name = "platforms", version = "0.0.11")\n'
        'bazel_dep(name = "away", version = "1")\n',
        "BUILD": """
platform(name = "far", parents = ["@away//:platform"])
filegroup(name = "top", srcs = select({
    "@platforms//os:none": [":none"], "//conditions:default": [":other"]}))
filegroup(name = "none")
filegroup(name = "other")
""",
        ".bazelrc": "build:far --platforms=//:far\n",
    }
    write_files(tmp_path, files)
    workspace = Workspace.open(tmp_path, bazel_version="8.4.2")
    _, model = workspace.configure(("//:top",)).page()
    assert model is not None
    ((number, value),) = [
        pair
        for values, pairs in model.bases[0].platform_values.items()
        if values[0] == "//:far"
        for pair in pairs
    ]
    assert model.variables[number].values[0].is_constraint
    assert value == NOT_KNOWN
    when = workspace.configure(("--config=far",)).when("//:top", "//:none").condition
    assert when is not None and when.now is Now.UNKNOWN


def test_what_loads_otherwise_is_loaded_apart(tmp_path: Path) -> None:
    model = _page(tmp_path)
    first, second = model.loads
    assert (first.environment, second.environment) == ({"NEED": ""}, {"NEED": "1"})
    assert {label.name for label in second.targets} == {"lib", "more"}


def test_no_more_is_loaded_than_asked_for(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    line = Workspace.open(tmp_path, bazel_version="7.7.1").configure(("//:top",))
    answer, model = line.page(most_loads=1)
    assert model is not None
    assert len(model.loads) == 1
    assert answer.unloaded == ("--config=n",)


def test_a_name_that_means_nothing_makes_no_page(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    answer, model = Workspace.open(tmp_path).configure(("//:topp",)).page()
    assert model is None
    assert answer.is_negative
    assert answer.asked[0].suggestions == ("//:top",)


def test_an_option_and_its_value_are_one() -> None:
    line = Workspace.open(FIXTURES / "tf-2.4-mkl").configure(("-c", "opt", "--config=mkl"))
    words = option_words(line.flags.parsed, line.line.words)
    assert words == (("-c", "opt"), ("--config=mkl",))


def test_a_page_that_is_too_large_leaves_out_terms_first() -> None:
    line = Workspace.open(FIXTURES / "tf-2.4-mkl").configure(
        ("//tensorflow/tools/pip_package:build_pip_package",)
    )
    _, model = line.page()
    assert model is not None
    whole, nothing = write_page(model, "x", "w")
    assert nothing == ()
    smaller, left_out = write_page(model, "x", "w", len(whole) - 1)
    assert left_out == ("which term of an expression each label came from",)
    smallest, left_out = write_page(model, "x", "w", 1000)
    assert left_out[-1] == "attributes"
    assert len(whole) > len(smaller) > len(smallest)
    _, details = pack(model, "x", "w", Room.NO_ATTRIBUTES)
    assert all(len(detail) == 3 for load in details["loads"] for detail in load)


@pytest.mark.parametrize("title", ("a", "</title><script>", "@SCRIPT@", '"'))
def test_the_file_holds_its_data_and_allows_its_code_alone(tmp_path: Path, title: str) -> None:
    text, _ = write_page(_page(tmp_path), "x", title)
    assert text.count("<script") == text.count("</script>") == 3
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "default-src &#x27;none&#x27;" in policy[1]
    assert "unsafe" not in policy[1]
    data = re.search(r'id="data">([A-Za-z0-9+/=]*)</script>', text)
    assert data is not None
    document = json.loads(zlib.decompress(base64.b64decode(data[1]), -15))
    assert document["workspace"] == title


def test_a_label_setting_leads_to_its_value(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "WORKSPACE": "",
            ".bazelrc": "build:b --//:backend=//:other\n",
            "BUILD": (
                'label_flag(name = "backend", build_setting_default = ":none")\n'
                'filegroup(name = "none")\nfilegroup(name = "other")\n'
                'filegroup(name = "top", srcs = [":backend"])\n'
            ),
        },
    )
    _, model = Workspace.open(tmp_path, bazel_version="7.7.1").configure(("//:top",)).page()
    assert model is not None
    (load,) = model.loads
    assert {label.name for label in load.targets} == {"top", "backend", "none", "other"}
    (words,) = (one for one in model.bases[0].words if one.words == ("--config=b",))
    ((number, value),) = words.sets
    assert model.variables[number].values[value].wanted == "//:other"
    # Of a value that nothing names the page has no target, and offers none.
    assert model.variables[number].is_closed and model.variables[number].is_label


def test_a_label_flag_that_a_platform_sets_to_an_unnamed_target_is_none_of_its_values(
    tmp_path: Path,
) -> None:
    write_files(
        tmp_path,
        {
            "WORKSPACE": "",
            ".bazelrc": "build:board --platforms=//:board\n",
            "BUILD": (
                'label_flag(name = "backend", build_setting_default = ":none")\n'
                'filegroup(name = "none")\nfilegroup(name = "other")\n'
                'platform(name = "board", flags = ["--//:backend=//:other"])\n'
                'filegroup(name = "top", srcs = [":backend"])\n'
            ),
        },
    )
    _, model = Workspace.open(tmp_path, bazel_version="8.2.1").configure(("//:top",)).page()
    assert model is not None
    (words,) = (one for one in model.bases[0].words if one.words == ("--config=board",))
    (number,) = (n for n, one in enumerate(model.variables) if one.is_label)
    assert (number, OTHER) in (*words.sets, *words.resets)
