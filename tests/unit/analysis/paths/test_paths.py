"""Paths and what they take, unconfigured and configured."""

from __future__ import annotations

from bazelscope.analysis.conditions.configured_edges import Taken
from bazelscope.analysis.conditions.match_result import NoMatch
from bazelscope.analysis.conditions.select_choice import Chosen
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.paths.clashes import ClashKind
from bazelscope.analysis.paths.configured_paths import ConfiguredPath, find_configured_path
from bazelscope.analysis.paths.path_finder import Path
from bazelscope.base.unknown import Unknown
from tests.unit.analysis.analysis_world import Select, World, label, select
from tests.unit.analysis.paths.found_paths import Found

DEFAULT = "//conditions:default"


def small_world() -> World:
    """`//t:top` reaches `//d:dnn` through a select on `mkl`, and more besides."""
    world = World()
    world.rule("config_setting", "//c:mkl", define_values={"mkl": "true"})
    world.rule("config_setting", "//c:mkl_open", define_values={"mkl": "true", "open": "true"})
    world.rule("config_setting", "//c:cuda", define_values={"cuda": "true"})
    world.rule("config_setting", "//c:nocuda", define_values={"cuda": "false"})
    world.rule("config_setting", "//c:k8", values={"cpu": "k8"})
    world.rule("config_setting", "//c:arm", values={"cpu": "arm"})
    world.rule("filegroup", "//d:dnn")
    world.rule("filegroup", "//d:ml")
    world.rule(
        "filegroup",
        "//t:core",
        srcs=Select([]) + select({"//c:mkl": ["//d:dnn"], DEFAULT: []}),
        data=select({"//c:mkl_open": [], "//c:mkl": ["//d:ml"], DEFAULT: []}),
    )
    world.rule("filegroup", "//t:top", srcs=["//t:lib"])
    world.rule("filegroup", "//t:lib", srcs=["//t:core"])
    return world


def search(world: World, source: str, target: str, *flags: str) -> Found:
    graph = TargetGraph(world, world.bazel_version)
    return Found(graph, label(source), label(target), world.configuration(*flags))


def path(world: World, source: str, target: str, *flags: str) -> Path:
    found = search(world, source, target, *flags).best()
    assert found is not None
    return found


def needs(world: World, source: str, target: str, *flags: str) -> list[list[str]]:
    """All ways to make the best path."""
    found = search(world, source, target, *flags)
    best = found.best()
    assert best is not None
    return found.needs(best)


def configured(world: World, source: str, target: str, *flags: str) -> ConfiguredPath:
    graph = ConfiguredGraph(TargetGraph(world, world.bazel_version), world.configuration(*flags))
    found = find_configured_path(graph, label(source), label(target))
    assert found is not None
    return found


def names(found: Path | ConfiguredPath) -> list[str]:
    return [at.name for at in found.labels]


def test_the_path_says_what_it_needs() -> None:
    found = path(small_world(), "//t:top", "//d:dnn")
    assert names(found) == ["top", "lib", "core", "dnn"]
    assert needs(small_world(), "//t:top", "//d:dnn") == [["--define=mkl=true"]]
    step = found.steps[-1]
    assert step.edge.attribute == "srcs"
    assert step.edge.branch is not None
    assert step.edge.branch.branch.condition == label("//c:mkl")


def test_a_more_specific_branch_must_not_match() -> None:
    found = needs(small_world(), "//t:top", "//d:ml")
    assert found == [["--define=mkl=true", "not --define=open=true"]]


def test_a_default_branch_needs_none_of_the_others() -> None:
    world = small_world()
    world.rule("filegroup", "//t:x", srcs=select({"//c:mkl": [], DEFAULT: ["//t:y"]}))
    world.rule("filegroup", "//t:y")
    assert needs(world, "//t:x", "//t:y") == [["not --define=mkl=true"]]


def test_an_unconditional_detour_beats_a_short_condition() -> None:
    world = small_world()
    world.rule("filegroup", "//t:x", srcs=Select(["//t:a"]) + select({"//c:cuda": ["//t:end"]}))
    world.rule("filegroup", "//t:a", srcs=["//t:b"])
    world.rule("filegroup", "//t:b", srcs=["//t:end"])
    world.rule("filegroup", "//t:end")
    assert names(path(world, "//t:x", "//t:end")) == ["x", "a", "b", "end"]


def test_flags_in_force_anyway_cost_nothing() -> None:
    world = small_world()
    end = ["//t:end"]
    world.rule("filegroup", "//t:x", srcs=select({"//c:cuda": end, "//c:k8": ["//t:a"]}))
    world.rule("filegroup", "//t:a", srcs=["//t:end"])
    world.rule("filegroup", "//t:end")
    found = path(world, "//t:x", "//t:end")
    assert names(found) == ["x", "a", "end"]
    assert needs(world, "//t:x", "//t:end") == [["--cpu=k8", "not --define=cuda=true"]]


def contradictory_world() -> World:
    world = small_world()
    world.rule("filegroup", "//t:x", srcs=select({"//c:cuda": ["//t:y"], DEFAULT: []}))
    world.rule("filegroup", "//t:y", srcs=select({"//c:nocuda": ["//t:end"], DEFAULT: ["//t:z"]}))
    world.rule("filegroup", "//t:z", srcs=select({"//c:mkl": ["//t:end"], DEFAULT: []}))
    world.rule("filegroup", "//t:end")
    return world


def test_a_path_does_not_contradict_itself() -> None:
    found = path(contradictory_world(), "//t:x", "//t:end")
    assert names(found) == ["x", "y", "z", "end"]
    assert needs(contradictory_world(), "//t:x", "//t:end") == [
        ["--define=cuda=true", "--define=mkl=true"]
    ]
    assert found.clash is None


def test_a_contradiction_is_told_where_there_is_nothing_else() -> None:
    world = contradictory_world()
    world.rule("filegroup", "//t:z")
    found = path(world, "//t:x", "//t:end")
    assert names(found) == ["x", "y", "end"]
    assert found.clash is not None
    assert found.clash.kind is ClashKind.TWO_VALUES
    assert [need.text for need in found.clash.needs] == [
        "--define=cuda=false",
        "--define=cuda=true",
    ]
    assert [edge.target.name for edge in found.clash.edges] == ["y", "end"]


def test_groups_give_alternatives() -> None:
    world = small_world()
    world.rule("alias", "//c:any", actual=select({"//c:cuda": "//c:cuda", DEFAULT: "//c:mkl"}))
    world.rule("alias", "//c:all", actual=select({"//c:cuda": "//c:mkl", DEFAULT: "//c:cuda"}))
    world.rule("filegroup", "//t:x", srcs=select({"//c:any": ["//t:end"], DEFAULT: []}))
    world.rule("filegroup", "//t:y", srcs=select({"//c:all": ["//t:end"], DEFAULT: []}))
    world.rule("filegroup", "//t:end")
    assert needs(world, "//t:x", "//t:end") == [["--define=cuda=true"], ["--define=mkl=true"]]
    assert needs(world, "//t:y", "//t:end") == [["--define=cuda=true", "--define=mkl=true"]]


def test_no_path_is_none() -> None:
    assert search(small_world(), "//d:dnn", "//t:top").best() is None


def test_the_configured_path_takes_chosen_branches_only() -> None:
    found = configured(small_world(), "//t:top", "//d:dnn", "--define=mkl=true")
    assert found.exists
    assert names(found) == ["top", "lib", "core", "dnn"]
    assert isinstance(found.steps[-1].edge.choice, Chosen)


def test_a_cut_path_names_the_condition_that_cuts_it() -> None:
    found = configured(small_world(), "//t:top", "//d:dnn", "--define=mkl=false")
    (cut,) = found.cuts
    assert cut.index == 2
    assert isinstance(cut.match, NoMatch)
    (diff,) = cut.match.diffs
    assert (diff.wanted, diff.got) == ("true", "false")
    assert diff.set_by is not None
    assert diff.set_by.text == "--define=mkl=false"


def test_the_best_cut_path_has_the_fewest_cuts() -> None:
    found = configured(contradictory_world(), "//t:x", "//t:end", "--define=cuda=true")
    assert names(found) == ["x", "y", "end"]
    assert len(found.cuts) == 1


def test_tools_are_configured_for_the_execution_platform() -> None:
    world = small_world()
    opt = {"compilation_mode": "opt"}
    world.rule("config_setting", "//c:opt", values=opt)
    world.rule("genrule", "//t:gen", outs=["out"], cmd="", tools=["//t:tool"])
    world.rule("filegroup", "//t:tool", srcs=select({"//c:opt": ["//t:fast"], DEFAULT: []}))
    world.rule("filegroup", "//t:fast")
    world.rule("filegroup", "//t:top2", srcs=["//t:out", "//t:tool"])
    graph = ConfiguredGraph(TargetGraph(world, "4.2.3"), world.configuration())
    nodes = {(n.label.name, n.description) for n in graph.deps([label("//t:top2")])}
    assert nodes == {
        ("top2", "target"),
        ("out", "target"),
        ("gen", "target"),
        ("tool", "target"),
        ("tool", "host"),
        ("opt", "target"),
        ("opt", "host"),
        ("fast", "host"),
    }


def test_an_unknown_condition_makes_an_uncertain_step() -> None:
    world = small_world()
    world.unknown_packages.add(label("@gone//:x").package_id)
    branches = {"@gone//:x": ["//t:end"], DEFAULT: []}
    world.rule("filegroup", "//t:x", srcs=select(branches))
    world.rule("filegroup", "//t:end")
    found = configured(world, "//t:x", "//t:end")
    assert found.exists
    (step,) = found.uncertain
    assert step.edge.taken is Taken.UNKNOWN
    searched = search(world, "//t:x", "//t:end")
    best = searched.best()
    assert best is not None
    (way,) = searched.ways(best)
    assert isinstance(way[0].asked, Unknown)
