"""Random worlds of few atoms, of which every assignment can be asked: settings of all kinds,
refinement, groups, aliases, sums, defaults, constraints, flags, tools, incompatible targets."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import NamedTuple

from bazelscope.analysis.configuration.configuration import Configuration
from tests.unit.analysis.analysis_world import (
    BOOL_FLAG,
    LIST_FLAG,
    STRING_FLAG,
    Select,
    World,
    label,
    select,
)

DEFAULT = "//conditions:default"
SIZE = 7
START = label("//t:n0")
ENDS = [label(f"//t:n{number}") for number in range(1, SIZE)]

_HUES, _SHAPES = ("plain", "bright", "dark"), ("round", "")


class Family(NamedTuple):
    """Words that exclude each other, one for each value that conditions can tell apart; and
    settings that look at it."""

    words: tuple[str, ...]
    settings: tuple[dict[str, object], ...]


def _with_host(option: str, *values: str) -> tuple[str, ...]:
    pairs = itertools.product(values, repeat=2)
    return tuple(f"--{option}={one} --host_{option}={other}" for one, other in pairs)


FAMILIES = {
    "a": Family(
        ("", "--define=a=1", "--define=a=2"),
        ({"define_values": {"a": "1"}}, {"values": {"define": "a=2"}}),
    ),
    "b": Family(("", "--define=b=1"), ({"define_values": {"b": "1"}},)),
    "mode": Family(
        _with_host("compilation_mode", "opt", "dbg", "fastbuild"),
        ({"values": {"compilation_mode": "opt"}}, {"values": {"compilation_mode": "dbg"}}),
    ),
    "cpu": Family(_with_host("cpu", "k8", "arm"), ({"values": {"cpu": "arm"}},)),
    "copt": Family(_with_host("copt", "-O1", "-g"), ({"values": {"copt": "-g"}},)),
    "quick": Family(
        ("", "--//c:quick=true"),
        ({"flag_values": {"//c:quick": "True"}}, {"flag_values": {"//c:quick": "False"}}),
    ),
    "color": Family(
        ("", "--//c:color=blue", "--//c:color=green"),
        ({"flag_values": {"//c:color": "red"}}, {"flag_values": {"//c:color": "blue"}}),
    ),
    "parts": Family(
        ("", "--//c:parts=x", "--//c:parts=y", "--//c:parts=x,y"),
        ({"flag_values": {"//c:parts": "x"}}, {"flag_values": {"//c:parts": "y"}}),
    ),
    "platform": Family(
        tuple(
            f"--platforms=//c:p_{h}_{s} --host_platform=//c:p_{h2}_{s}"
            for h, h2, s in itertools.product(_HUES, _HUES, _SHAPES)
        ),
        (
            {"constraint_values": ["//c:bright"]},
            {"constraint_values": ["//c:plain"]},
            {"constraint_values": ["//c:round"]},
        ),
    ),
}
_MOST_LINES = 1024


class SmallWorld:
    """A world, and every line that its conditions can tell apart."""

    def __init__(self, seed: int) -> None:
        self._choose = choose = random.Random(f"small worlds {seed}")
        names = choose.sample(sorted(FAMILIES), choose.randint(3, len(FAMILIES)))
        self._families: list[Family] = []
        count = 1
        for name in names:
            if count * len(FAMILIES[name].words) <= _MOST_LINES:
                self._families.append(FAMILIES[name])
                count *= len(FAMILIES[name].words)
        self.world = World("4.2.3")
        self._flags()
        self._conditions = self._settings()
        for number in range(SIZE):
            self._target(number)

    def configurations(self) -> Iterator[Configuration]:
        """Every configuration that the conditions can tell apart."""
        for words in itertools.product(*(family.words for family in self._families)):
            yield self.world.configuration(*" ".join(words).split())

    def _flags(self) -> None:
        world = self.world
        world.rule(BOOL_FLAG, "//c:quick", build_setting_default=False)
        world.rule(STRING_FLAG, "//c:color", build_setting_default="red")
        world.rule(LIST_FLAG, "//c:parts", build_setting_default=[])
        world.rule("constraint_setting", "//c:hue", default_constraint_value="//c:plain")
        world.rule("constraint_setting", "//c:shape")
        for name in _HUES:
            public = ["//visibility:public"]
            world.rule(
                "constraint_value", f"//c:{name}", constraint_setting="//c:hue", visibility=public
            )
        for name in filter(None, _SHAPES):
            world.rule("constraint_value", f"//c:{name}", constraint_setting="//c:shape")
        for hue, shape in itertools.product(_HUES, _SHAPES):
            values = [f"//c:{name}" for name in (hue, shape) if name not in ("plain", "")]
            world.rule("platform", f"//c:p_{hue}_{shape}", constraint_values=values)

    def _settings(self) -> list[str]:
        """Settings of one entry and of several, groups of them, aliases."""
        choose, world = self._choose, self.world
        plain = [one for family in self._families for one in family.settings]
        choose.shuffle(plain)
        written: list[str] = []
        for number, entries in enumerate(plain[: choose.randint(3, 8)]):
            made = dict(entries)
            if written and choose.random() < 0.4:  # Refines an earlier one, or part of it.
                for key, entry in choose.choice(plain).items():
                    made.setdefault(key, entry)
            name = f"//c:s{number}"
            world.rule("config_setting", name, **made)
            written.append(name)
        for number in range(choose.randint(0, 3)):
            one, other = choose.choice(written), choose.choice(written)
            kinds: tuple[object, ...] = (
                one,
                select({one: one, DEFAULT: other}),
                select({one: other, DEFAULT: one}),
            )
            world.rule("alias", f"//c:g{number}", actual=choose.choice(kinds))
            written.append(f"//c:g{number}")
        return written

    def _target(self, number: int) -> None:
        choose, world = self._choose, self.world
        later = [f"//t:n{n}" for n in range(number + 1, SIZE)]

        def some(most: int) -> list[str]:
            return sorted(choose.sample(later, min(len(later), choose.randint(0, most))))

        def value() -> Select:
            written = Select(some(1))
            for _ in range(choose.randint(0, 2)):
                keys = choose.sample(
                    self._conditions, min(len(self._conditions), choose.randint(1, 4))
                )
                branches: dict[str, object] = {key: some(2) for key in keys}
                if choose.random() < 0.8:
                    branches[DEFAULT] = None if choose.random() < 0.1 else some(2)
                written = written + select(branches)
            return written

        name = f"//t:n{number}"
        kind = choose.random()
        more: dict[str, object] = {}
        if choose.random() < 0.2:
            more["target_compatible_with"] = select(
                {choose.choice(self._conditions): ["//c:bright"], DEFAULT: []}
            )
        if kind < 0.25:
            outs = [f"out{number}"]
            world.rule("genrule", name, outs=outs, cmd="", srcs=value(), tools=value(), **more)
        elif kind < 0.35 and later:
            world.rule("alias", name, actual=choose.choice(later))
        else:
            world.rule("filegroup", name, srcs=value(), data=value(), **more)
