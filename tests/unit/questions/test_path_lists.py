"""`path --all-paths`, routes and the flags that make a path, from files to the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from bazelscope.analysis.conditions.configured_edges import Taken
from bazelscope.analysis.paths.clashes import ClashKind
from bazelscope.analysis.paths.configured_paths import follow
from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.questions.path.answer import ListedPath, PathAnswer, Tried
from bazelscope.questions.path.text import path_document
from bazelscope.questions.path.text_all_paths import paths_document
from bazelscope.questions.shared.endpoint_answers import PathOutcome
from bazelscope.render.console import to_text
from tests.support.files import write_files
from tests.support.parts import FIXTURES

FILES = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3\n",
    ".bazelrc": (
        "build:both --define=mkl=true --cpu=arm\n"
        "build:mkl --define=mkl=true\n"
        "build:spoilt --define=mkl=true --define=cuda=true\n"
    ),
    "c/BUILD": """\
package(default_visibility = ["//visibility:public"])
config_setting(name = "mkl", define_values = {"mkl": "true"})
config_setting(name = "cuda", define_values = {"cuda": "true"})
config_setting(name = "arm", values = {"cpu": "arm"})
config_setting(name = "k8", values = {"cpu": "k8"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
constraint_setting(name = "hue")
constraint_value(name = "red", constraint_setting = ":hue")
constraint_value(name = "blue", constraint_setting = ":hue")
config_setting(name = "is_red", constraint_values = [":red"])
config_setting(name = "is_blue", constraint_values = [":blue"])
platform(name = "red_machine", constraint_values = [":red"])
""",
    "t/BUILD": """\
filegroup(name = "top", srcs = [":a", ":b"], data = [":c"])
filegroup(name = "a", srcs = select({"//c:arm": [":d"], "//conditions:default": []}))
filegroup(name = "b", srcs = select({"//c:k8": [":d"], "//conditions:default": []}))
filegroup(name = "c", srcs = [":d"])
filegroup(name = "d", srcs = select({"//c:arm": [":e"], "//conditions:default": []}))
filegroup(
    name = "e",
    srcs = select({"//c:cuda": [], "//c:mkl": [":end"], "//conditions:default": []}),
)
filegroup(name = "end")

genrule(name = "gen", outs = ["made.txt"], cmd = "", tools = [":tool"], srcs = [":onlyk8"])
filegroup(name = "tool", srcs = select({"//c:opt": [":end"], "//conditions:default": []}))
filegroup(name = "onlyk8", srcs = select({"//c:k8": [":armtool"], "//conditions:default": []}))
genrule(name = "armtool", outs = ["out.txt"], cmd = "", tools = [":inner"])
filegroup(name = "inner", srcs = select({"//c:arm": [":last"], "//conditions:default": []}))
filegroup(name = "last")

filegroup(name = "red", srcs = select({"//c:is_red": [":blue"], "//conditions:default": []}))
filegroup(name = "blue", srcs = select({"//c:is_blue": [":end"], "//conditions:default": []}))
alias(name = "alias", actual = ":c")
filegroup(name = "notk8", srcs = select({"//c:k8": [], "//conditions:default": [":end"]}))
filegroup(name = "above", srcs = [":notk8"], data = [":inner"])
""",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("paths")
    write_files(root, FILES)
    return root


def workspace(root: Path) -> Workspace:
    return Workspace.open(root, host="linux")


def labels(path: ListedPath | PathAnswer) -> list[str]:
    return [step.node.label.name for step in path.steps]


def test_contradictory_paths_are_left_out_and_counted(root: Path) -> None:
    found = workspace(root).configure().paths("//t:top", "//t:end")
    # By way of `b` the cpu would be k8 and, from `d` on, arm.
    assert [labels(path) for path in found.paths] == [
        ["top", "c", "d", "e", "end"],
        ["top", "a", "d", "e", "end"],
    ]
    (left_out,) = found.left_out
    assert left_out.kind is ClashKind.TWO_VALUES
    assert [need.text for need in left_out.needs] == ["--cpu=arm", "--cpu=k8"]
    assert left_out.paths == 1
    assert (found.more, found.is_complete) == (0, True)


def test_the_bound_is_kept_and_the_rest_counted(root: Path) -> None:
    found = workspace(root).configure().paths("//t:top", "//t:end", most=1)
    assert len(found.paths) == 1
    # Two more, one of which would turn out to be contradictory.
    assert (found.more, found.is_complete) == (2, False)


def test_flags_and_configs_are_tried(root: Path) -> None:
    flags = workspace(root).configure().path("//t:top", "//t:end").flags
    assert flags is not None
    assert flags.options == ("--cpu=arm", "--define=mkl=true")
    assert flags.tried is Tried.CONFIRMED
    assert [source.config for source in flags.configs] == ["both"]


def test_a_config_that_sets_too_much_is_no_way(root: Path) -> None:
    answer = workspace(root).configure().path("//t:e", "//t:end")
    assert [source.config for source in answer.needs[0].configs] == ["both", "mkl", "spoilt"]
    assert answer.flags is not None
    assert [source.config for source in answer.flags.configs] == ["both", "mkl"]


def test_what_must_not_hold_gets_another_value(root: Path) -> None:
    answer = workspace(root).configure().path("//t:notk8", "//t:end")
    assert answer.needs == ()
    assert answer.flags is not None
    # k8 is the default; the other cpu that a condition here mentions would do.
    assert (answer.flags.options, answer.flags.unmet[0].text) == ((), "--cpu=k8")


def test_a_value_that_is_mentioned_off_the_way_serves(root: Path) -> None:
    answer = workspace(root).configure().path("//t:above", "//t:end")
    assert labels(answer) == ["above", "notk8", "end"]
    assert answer.flags is not None
    assert answer.flags.options == ("--cpu=arm",)  # which `inner` asks for
    assert answer.flags.tried is Tried.CONFIRMED


def test_a_value_that_something_mentions_serves(root: Path) -> None:
    answer = (
        workspace(root).configure(["--define=cuda=true"]).path("//t:e", "//t:end", configured=False)
    )
    assert answer.flags is not None
    assert set(answer.flags.options) == {"--define=cuda=false", "--define=mkl=true"}
    assert answer.flags.tried is Tried.CONFIRMED


def test_tools_have_flags_of_their_own(root: Path) -> None:
    configured = workspace(root).configure()
    answer = configured.path("//t:gen", "//t:last")
    assert answer.clash is None
    assert answer.flags is not None
    assert answer.flags.options == ("--host_cpu=arm",)
    assert answer.flags.tried is Tried.CONFIRMED
    # The compilation mode of tools is `opt` by default: nothing has to be added.
    tool = configured.path("//t:made.txt", "//t:end")
    assert [(need.text, need.holds) for need in tool.needs] == [
        ("--host_compilation_mode=opt", True)
    ]


def test_constraints_take_a_platform(root: Path) -> None:
    configured = workspace(root).configure()
    answer = configured.path("//t:red", "//t:blue")
    assert answer.flags is not None
    assert answer.flags.options == ("--platforms=//c:red_machine",)
    assert answer.flags.tried is Tried.CONFIRMED
    blue = configured.path("//t:blue", "//t:end").flags
    assert blue is not None
    assert [need.text for need in blue.unmet] == ["a platform with //c:blue"]


def test_two_constraints_of_one_setting_exclude_each_other(root: Path) -> None:
    answer = workspace(root).configure().path("//t:red", "//t:end")
    assert answer.clash is not None
    assert answer.clash.kind is ClashKind.TWO_VALUES
    assert answer.flags is None


@pytest.mark.parametrize(
    ("route", "expected"),
    [
        ({"avoid": ["//t:c"]}, [["top", "a", "d", "e", "end"]]),
        ({"avoid": ["c"]}, [["top", "a", "d", "e", "end"]]),
        ({"via": ["//t:c", "//t:e"]}, [["top", "c", "d", "e", "end"]]),
        ({"via": ["//t:e", "//t:c"]}, []),
        ({"through": ["srcs"]}, [["top", "a", "d", "e", "end"]]),
        ({"through": ["srcs", "data"], "via": ["c"]}, [["top", "c", "d", "e", "end"]]),
        ({"avoid": ["//t/..."]}, []),
    ],
)
def test_routes(root: Path, route: dict[str, list[str]], expected: list[list[str]]) -> None:
    configured = workspace(root).configure()
    found = configured.paths("//t:top", "//t:end", **route)
    assert [labels(path) for path in found.paths] == expected
    assert found.outcome is (PathOutcome.FOUND if expected else PathOutcome.NO_PATH)
    one = configured.path("//t:top", "//t:end", **route)
    assert labels(one) == (expected[0] if expected else [])
    flags = ["--cpu=arm", "--define=mkl=true"]
    under_flags = workspace(root).configure(flags).paths("//t:top", "//t:end", **route)
    assert [labels(path) for path in under_flags.paths] == expected


def test_aliases_and_generated_files_are_looked_through(root: Path) -> None:
    configured = workspace(root).configure()
    assert labels(configured.path("//t:alias", "//t:d", through=["srcs"])) == ["alias", "c", "d"]
    through_tools = configured.path("//t:made.txt", "//t:tool", through=["tools"])
    assert labels(through_tools) == ["made.txt", "gen", "tool"]


@pytest.mark.parametrize(
    ("route", "outcome"),
    [
        ({"via": ["nowhere"]}, PathOutcome.NAME_UNKNOWN),
        ({"avoid": ["//t:nowhere"]}, PathOutcome.NAME_UNKNOWN),
        ({"avoid": ["//t:"]}, PathOutcome.NAME_UNKNOWN),
    ],
)
def test_a_name_that_means_nothing_is_an_answer(
    root: Path, route: dict[str, list[str]], outcome: PathOutcome
) -> None:
    configured = workspace(root).configure()
    for found in (
        configured.path("//t:top", "//t:end", **route),
        configured.paths("//t:top", "//t:end", **route),
    ):
        assert found.outcome is outcome
        assert len(found.route.problems) == 1


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(root: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> tuple[int, str]:
        capfd.readouterr()
        command, *rest = words
        code = main([command, "-w", str(root), "--no-cache", "--host", "linux", *rest])
        out, err = capfd.readouterr()
        assert err == ""
        return code, out

    return run


def test_the_command_lists_paths(run: Run) -> None:
    code, text = run("path", "//t:top", "end", "--all-paths")
    assert code == 0
    assert "2 paths, shortest first; there are no others." in text
    assert "Path 1, 4 edges\n" in text
    assert "only with --cpu=arm and --define=mkl=true, unless --define=cuda=true\n" in text
    assert "1 path: --cpu=arm against --cpu=k8" in text


def test_what_paths_share_is_told_once_within_forty_lines(tmp_path: Path) -> None:
    layers = [
        f'filegroup(name = "{layer}{n}", srcs = [":{below}0", ":{below}1", ":{below}2"])'
        for layer, below in pairwise("abcde")
        for n in range(3)
    ]
    ends = [f'filegroup(name = "e{n}", srcs = [":end"])' for n in range(3)]
    top = 'filegroup(name = "top", srcs = [":a0"])\nfilegroup(name = "end")'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": "\n".join((*layers, *ends, top))})
    answer = workspace(tmp_path).configure().paths("//:top", "//:end")
    told = to_text(paths_document(answer), 100).splitlines()
    assert len(told) <= 40
    assert "Path 2, 6 edges: as path 1 to //:d0" in told
    whole = to_text(paths_document(answer, full=True), 100)
    assert whole.count("//:end") == len(answer.paths)
    assert "as path" not in whole


def test_the_command_says_what_was_asked_of_a_path_that_is_not_there(run: Run) -> None:
    code, text = run("path", "//t:top", "end", "--through-attr", "deps", "--avoid", "//c/...")
    assert code == 1
    assert "No path from //t:top to //t:end that avoids //c/... through deps alone." in text


def test_the_command_answers_in_json(run: Run) -> None:
    code, text = run("path", "//t:top", "end", "--all-paths", "--max-paths=1", "--format=json")
    document = json.loads(text)
    assert (code, document["answer"], len(document["paths"])) == (0, "paths", 1)
    assert (document["more"], document["is_complete"]) == (2, False)


PAIRS = (
    ("tf-1.14-cuda-debug", "build_pip_package", "nccl_archive"),
    ("tf-1.14-cuda-debug", "build_pip_package", "cub_archive"),
    ("tf-2.4-mkl", "build_pip_package", "mkl_dnn"),
    ("tf-2.4-mkl", "build_pip_package", "eigen"),
    ("tf-2.4-mkl", "build_pip_package", "llvm_openmp"),
    ("tf-2.4-windows-ampere", "build_pip_package", "eigen_archive"),
    ("tf-2.18-cuda-wheel", "wheel", "onednn"),
    ("tf-2.18-cuda-wheel", "wheel", "cuda_cudart"),
)


@pytest.mark.parametrize(("fixture", "source", "target"), PAIRS)
def test_the_stated_flags_make_the_paths_of_the_fixtures(
    fixture: str, source: str, target: str
) -> None:
    opened = Workspace.open(FIXTURES / fixture, host="linux")
    found = opened.configure().paths(source, target, most=8)
    assert found.paths
    for path in found.paths:
        assert path.flags is not None
        if path.flags.unmet:
            continue
        world = opened.configure(path.flags.options).world
        taken = follow(world.configured, tuple(step.node.label for step in path.steps))
        expected = Taken.UNKNOWN if path.flags.tried is Tried.UNCERTAIN else Taken.YES
        assert taken is expected, path.flags.options


def test_of_many_configs_that_make_a_path_the_first_are_told(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "WORKSPACE": "",
            ".bazelrc": "".join(f"build:c{n} --define=a=1\n" for n in range(20)),
            "BUILD": (
                'config_setting(name = "s", values = {"define": "a=1"})\n'
                'filegroup(name = "y")\n'
                'filegroup(name = "x", srcs = select({":s": [":y"],'
                ' "//conditions:default": []}))\n'
            ),
        },
    )
    answer = Workspace.open(tmp_path).configure([]).path("//:x", "//:y")
    told = to_text(path_document(answer), 100)
    assert told.count("--config=c") == 5
    assert "and 15 more configs (--full lists all)" in told
    assert to_text(path_document(answer, full=True), 100).count("--config=c") >= 20
