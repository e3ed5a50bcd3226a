"""Which branch a select takes, by Bazel version where versions differ."""

from __future__ import annotations

import pytest

from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import (
    Ambiguous,
    Chosen,
    NoBranch,
    UnknownChoice,
    resolve_value,
)
from bazelscope.bazel.attribute_types import Selector, SelectorList, selectors_of
from bazelscope.loading.packages.targets import Rule
from tests.unit.analysis.analysis_world import Select, World, label, select

DEFAULT = "//conditions:default"


def settings(version: str = "4.2.3") -> World:
    world = World(version)
    world.rule("config_setting", "//p:a", define_values={"a": "1"})
    world.rule("config_setting", "//p:a2", values={"define": "a=1"})
    world.rule("config_setting", "//p:b", define_values={"b": "1"})
    world.rule("config_setting", "//p:ab", define_values={"a": "1", "b": "1"})
    world.rule("config_setting", "//p:a_k8", define_values={"a": "1"}, values={"cpu": "k8"})
    world.rule("config_setting", "//p:stamp1", values={"stamp": "1"})
    world.rule(
        "config_setting", "//p:stamp_opt", values={"stamp": "true", "compilation_mode": "opt"}
    )
    world.rule("alias", "//p:a_alias", actual=":a")
    world.unknown_packages.add(label("@gone//:x").package_id)
    return world


def choose(world: World, written: Select, *flags: str) -> object:
    name = world.rule("filegroup", "//p:target", srcs=written)
    rule = world.target(name)
    assert isinstance(rule, Rule)
    value = rule.attributes["srcs"].value
    assert isinstance(value, SelectorList)
    (selector,) = selectors_of(value)
    return Conditions(world, world.configuration(*flags)).resolve(selector)


CHOICES = [
    # branches (condition: file), flags, the chosen file
    ({":a": ["1"], DEFAULT: ["2"]}, "--define=a=1", "1"),
    ({":a": ["1"], DEFAULT: ["2"]}, "", "2"),
    ({":a": ["1"], ":ab": ["2"]}, "--define=a=1 --define=b=1", "2"),
    ({":ab": ["2"], ":a": ["1"], ":b": ["3"]}, "--define=a=1 --define=b=1", "2"),
    ({":a2": ["1"], ":a_k8": ["2"]}, "--define=a=1", "2"),
    ({":a": ["1"], ":b": ["2"]}, "--define=a=1 --define=b=1", Ambiguous),
    ({":a": ["1"], ":b": ["1"]}, "--define=a=1 --define=b=1", Ambiguous),
    ({":a": ["1"], ":a_alias": ["1"]}, "--define=a=1", Ambiguous),
    ({":stamp1": ["1"], ":stamp_opt": ["2"]}, "--stamp=1 --compilation_mode=opt", Ambiguous),
    ({":a": ["1"]}, "", NoBranch),
    ({":a": ["1"], "@gone//:x": ["2"]}, "", UnknownChoice),
    ({":a": ["1"], "//p:a": ["2"], DEFAULT: ["3"]}, "--define=a=1", "2"),
]


@pytest.mark.parametrize(("branches", "flags", "expected"), CHOICES)
def test_choice(branches: dict[str, object], flags: str, expected: str | type) -> None:
    chosen = choose(settings(), select(branches), *flags.split())
    if isinstance(expected, str):
        assert isinstance(chosen, Chosen)
        assert chosen.branch.value == (label(f"//p:{expected}"),)
    else:
        assert type(chosen) is expected


def test_equal_values_are_no_ambiguity_since_6_2() -> None:
    written = select({":a": ["1"], ":b": ["1"]})
    flags = ("--define=a=1", "--define=b=1")
    chosen = choose(settings("6.2.0"), written, *flags)
    assert isinstance(chosen, Chosen)
    assert chosen.branch.condition == label("//p:a")
    assert type(choose(settings("6.1.0"), written, *flags)) is Ambiguous


def test_an_alias_beside_its_target_is_one_key_in_0_24() -> None:
    chosen = choose(settings("0.24.1"), select({":a": ["1"], ":a_alias": ["2"]}), "--define=a=1")
    assert isinstance(chosen, Chosen)
    assert chosen.branch.value == (label("//p:2"),)


def test_outcomes_tell_every_branch() -> None:
    written = select({":a": ["1"], ":ab": ["2"], ":b": ["3"], DEFAULT: []})
    chosen = choose(settings(), written, "--define=a=1", "--define=b=1")
    assert isinstance(chosen, Chosen)
    told = {
        o.branch.condition.name: (o.is_chosen, [c.name for c in o.beaten_by])
        for o in chosen.outcomes
    }
    assert told == {
        "a": (False, ["ab"]),
        "ab": (True, []),
        "b": (False, ["ab"]),
        "default": (False, []),
    }


def test_an_unknown_condition_lists_what_may_be_taken() -> None:
    written = select({":a": ["1"], "@gone//:x": ["2"], ":b": ["3"], DEFAULT: ["4"]})
    chosen = choose(settings(), written, "--define=a=1")
    assert isinstance(chosen, UnknownChoice)
    assert [b.condition.name for b in chosen.possible] == ["a", "x"]
    undecided = choose(settings(), written)
    assert isinstance(undecided, UnknownChoice)
    assert [b.condition.name for b in undecided.possible] == ["x", "default"]


def test_the_message_of_no_match_carries_the_reasons() -> None:
    chosen = choose(settings(), select({":a": ["1"]}, no_match_error="pick one"))
    assert isinstance(chosen, NoBranch)
    assert "pick one" in chosen.diagnostic.message
    assert [note.message for note in chosen.diagnostic.notes] == [
        "//p:a: wanted --define=a=1, is not set"
    ]


def test_parts_resolve_each_on_its_own() -> None:
    world = settings()
    written = (
        Select(["x"]) + select({":a": ["1"], DEFAULT: ["2"]}) + select({":b": None, DEFAULT: ["3"]})
    )
    name = world.rule("filegroup", "//p:target", srcs=written)
    rule = world.target(name)
    assert isinstance(rule, Rule)
    value = rule.attributes["srcs"].value
    conditions = Conditions(world, world.configuration("--define=a=1"))
    resolved = resolve_value(value, conditions, ())
    assert resolved.value == tuple(label(f"//p:{n}") for n in ("x", "1", "3"))
    both = Conditions(world, world.configuration("--define=a=1", "--define=b=1"))
    assert resolve_value(value, both, ()).value == tuple(label(f"//p:{n}") for n in "x1")


def test_none_means_the_default_of_the_attribute() -> None:
    world = settings()
    name = world.rule("genrule", "//p:g", cmd=select({":a": None, DEFAULT: "x"}))
    rule = world.target(name)
    assert isinstance(rule, Rule)
    value = rule.attributes["cmd"].value
    conditions = Conditions(world, world.configuration("--define=a=1"))
    assert resolve_value(value, conditions, "").value == ""
    assert resolve_value(Selector(()), conditions).choices[0].__class__ is NoBranch


@pytest.mark.parametrize(("version", "expected"), [("4.2.3", Ambiguous), ("7.0.0", Chosen)])
def test_constraint_values_refine_in_newer_versions(version: str, expected: type) -> None:
    world = settings(version)
    world.rule("constraint_setting", "//p:s", default_constraint_value="//p:v")
    world.rule("constraint_value", "//p:v", constraint_setting=":s")
    world.rule("config_setting", "//p:only_v", constraint_values=[":v"])
    world.rule("config_setting", "//p:a_v", constraint_values=[":v"], define_values={"a": "1"})
    world.rule("constraint_setting", "//p:s2", default_constraint_value="//p:w")
    world.rule("constraint_value", "//p:w", constraint_setting=":s2")
    world.rule("config_setting", "//p:v_w", constraint_values=[":v", ":w"])
    more = choose(world, select({":only_v": ["1"], ":a_v": ["2"]}), "--define=a=1")
    assert isinstance(more, Chosen)
    assert more.branch.condition == label("//p:a_v")
    assert type(choose(world, select({":only_v": ["1"], ":v_w": ["2"]}))) is expected


@pytest.mark.parametrize(("version", "refused"), [("5.0.0", True), ("5.1.0", False)])
def test_aliases_may_ask_for_a_constraint_value_since_5_1(version: str, refused: bool) -> None:
    # bazel#14754, "[5.1] Support select() on constraint_value for aliases"
    world = settings(version)
    world.rule("constraint_setting", "//p:s", default_constraint_value="//p:v")
    world.rule("constraint_value", "//p:v", constraint_setting=":s")
    world.rule("alias", "//p:which", actual=select({":v": ":a"}))
    rule = world.target(label("//p:which"))
    assert isinstance(rule, Rule)
    value = rule.attributes["actual"].value
    assert isinstance(value, SelectorList)
    (selector,) = selectors_of(value)
    conditions = Conditions(world, world.configuration())
    found = conditions.constraint_without_toolchains(rule, selector)
    assert found == (label("//p:v") if refused else None)
