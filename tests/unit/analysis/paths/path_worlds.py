"""Random worlds for paths: targets that depend on each other through selects and tools."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import Label
from tests.unit.analysis.analysis_world import BOOL_FLAG, Select, World, select

DEFAULT = "//conditions:default"
CONDITIONS = ("a1", "a2", "b1", "a1b1", "opt", "dbg", "fast", "slow", "a1_or_fast", "a1_and_b1")
VALUES = (
    ("", "--define=a=1", "--define=a=2"),
    ("", "--define=b=1"),
    ("", "--compilation_mode=opt", "--compilation_mode=dbg"),
    ("--host_compilation_mode=fastbuild", "--host_compilation_mode=dbg", ""),
    ("", "--//c:quick=true"),
)
"""Every value that the conditions can tell apart, flag by flag."""


def path_world(seed: int, *, size: int = 7, cycles: bool = False) -> World:
    """Targets `//t:n0`, `//t:n1`, ...; without `cycles` each depends on later ones only."""
    choose = random.Random(f"paths {seed}")
    world = World("4.2.3")
    world.rule("config_setting", "//c:a1", define_values={"a": "1"})
    world.rule("config_setting", "//c:a2", values={"define": "a=2"})
    world.rule("config_setting", "//c:b1", define_values={"b": "1"})
    world.rule("config_setting", "//c:a1b1", define_values={"a": "1", "b": "1"})
    world.rule("config_setting", "//c:opt", values={"compilation_mode": "opt"})
    world.rule("config_setting", "//c:dbg", values={"compilation_mode": "dbg"})
    world.rule(BOOL_FLAG, "//c:quick", build_setting_default=False)
    for name, value in (("fast", "True"), ("slow", "False")):
        world.rule("config_setting", f"//c:{name}", flag_values={"//c:quick": value})
    either = select({"//c:a1": "//c:a1", DEFAULT: "//c:fast"})
    both = select({"//c:a1": "//c:b1", DEFAULT: "//c:a1"})
    world.rule("alias", "//c:a1_or_fast", actual=either)
    world.rule("alias", "//c:a1_and_b1", actual=both)
    for number in range(size):
        _target(world, choose, number, size, cycles)
    return world


def _target(world: World, choose: random.Random, number: int, size: int, cycles: bool) -> None:
    others = [n for n in range(size) if (n != number if cycles else n > number)]

    def some(most: int) -> list[str]:
        count = min(len(others), choose.randint(0, most))
        return [f"//t:n{n}" for n in sorted(choose.sample(others, count))]

    def value() -> Select:
        written = Select(some(1))
        for _ in range(choose.randint(0, 2)):
            conditions = choose.sample(CONDITIONS, choose.randint(1, 3))
            branches: dict[str, object] = {f"//c:{name}": some(2) for name in conditions}
            if choose.random() < 0.7:
                branches[DEFAULT] = some(2)
            written = written + select(branches)
        return written

    name = f"//t:n{number}"
    if choose.random() < 0.25:
        world.rule("genrule", name, outs=[f"out{number}"], cmd="", srcs=value(), tools=value())
    elif choose.random() < 0.15 and others:
        world.rule("alias", name, actual=f"//t:n{choose.choice(others)}")
    else:
        world.rule("filegroup", name, srcs=value(), data=value())


def configurations(world: World) -> Iterator[Configuration]:
    """Every configuration that the conditions can tell apart."""
    for flags in itertools.product(*VALUES):
        yield world.configuration(*(flag for flag in flags if flag))


def simple_paths(graph: TargetGraph, source: Label, target: Label) -> list[tuple[Label, ...]]:
    """Every simple path of labels, by trying them all."""
    found: list[tuple[Label, ...]] = []

    def walk(path: tuple[Label, ...]) -> None:
        if path[-1] == target:
            found.append(path)
            return
        for after in sorted({edge.target for edge in graph.edges(path[-1])} - set(path)):
            walk((*path, after))

    walk((source,))
    return sorted(found, key=lambda path: (len(path), path))
