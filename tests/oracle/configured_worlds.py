"""Generated workspaces for the configured graph: selects in every type of attribute, under
transitions, in tools, behind aliases, outputs, build settings and platforms.

Like those of `select_worlds`, packages are worlds of their own that share flags, rules and
platforms, so that one run of Bazel answers for all of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.oracle import select_worlds
from tests.oracle.configured_rules import (
    ALLOWLIST,
    LOAD,
    MAPPINGS,
    MORE_CONSTRAINTS,
    MORE_FLAGS,
    RULE_NAMES,
    RULES_BZL,
)
from tests.oracle.select_worlds import FILES, _quote

_DEFAULT = "//conditions:default"
_SHARED_CONDITIONS = ("//con:always", "//con:other", "//flags:condition")
_TRANSITIONS = ("arm_deps", "base_deps", "color_deps", "mode_deps", "split_deps")
_COMPATIBLE = ("//con:round", "//con:plain", "@platforms//os:linux", "//con:bright_alias")
_FLAG_WORDS = (
    # 4.2.3 crashes where cquery shows the options of a build with a list flag.
    *(word for word in select_worlds._FLAG_WORDS if "parts" not in word),
    "--//flags:pick=//con:two",
    "--//flags:condition=//con:other",
    "--platforms=//con:grandchild",
    "--platforms=//con:base_alias",
    "--platforms=//con:empty",
    "--host_platform=//con:child",
    "--cpu=aarch64 -c dbg",
)


class World(select_worlds.Package):
    """One package: conditions as in `select_worlds`, and rules of many kinds that use them."""

    def __init__(self, name: str, seed: int, version: str = "4.2.3") -> None:
        self._dependencies: list[str] = []
        super().__init__(name, seed, version)
        self._lines.insert(0, LOAD)

    def _fill(self) -> None:
        pick = self._random
        for index in range(pick.randint(2, 5)):
            self._setting(index)
        for index in range(pick.randint(0, 3)):
            self._group(index)
        for index in range(pick.randint(0, 2)):
            self._chain(index)
        for index in range(pick.randint(2, 6)):
            pick.choice([self._thing, self._thing, self._thing, self._native])(index)
            # Nothing depends on what is asked for: cquery finds a label in any configuration
            # that the server has ever analysed it in.
            self._lines.append(f'filegroup(name = "top{index}", srcs = [":t{index}"])')
            self.targets.append(f"top{index}")

    def _chain(self, index: int) -> None:
        pick = self._random
        known = [f":{key}" for key in (*self.settings, *self.groups)]
        if len(known) < 2:
            return
        parts = pick.sample(known, min(len(known), pick.randint(2, 3)))
        kind = pick.choice(["group_all", "group_any"])
        self._lines.append(f'{kind}("m{index}", {_quote(parts)})')
        self.groups.append(f"m{index}")

    def _keys(self) -> list[str]:
        pick = self._random
        keys = [f":{key}" for key in (*self.settings, *self.groups)]
        if pick.random() < 0.2:
            keys.append(pick.choice(_SHARED_CONDITIONS))
        if pick.random() < 0.1:
            keys.append(pick.choice(select_worlds._CONSTRAINTS))
        return pick.sample(keys, min(len(keys), pick.randint(1, 4)))

    def _choice(self, value: Callable[[], object]) -> str:
        """A select() whose branches are values that `value` makes."""
        pick = self._random
        branches: dict[str, object] = {key: value() for key in self._keys()}
        if pick.random() < 0.93:
            branches[_DEFAULT] = value() if pick.random() < 0.85 else None
        elif pick.random() < 0.5:
            return f'select({_quote(branches)}, no_match_error = "choose")'
        return f"select({_quote(branches)})"

    def _value(self, value: Callable[[], object], sums: bool = True) -> str:
        pick = self._random
        form = pick.random()
        if form < 0.3:
            return _quote(value())
        if form < 0.8 or not sums:
            return self._choice(value)
        parts = [self._choice(value), _quote(value())]
        pick.shuffle(parts)
        if pick.random() < 0.3:
            parts.append(self._choice(value))
        return " + ".join(parts)

    def _label(self) -> str:
        pick = self._random
        return pick.choice(self._dependencies) if self._dependencies else pick.choice(FILES[:3])

    def _any_label(self) -> str:
        pick = self._random
        return self._label() if pick.random() < 0.7 else pick.choice(FILES[:3])

    def _labels(self, unused: list[str]) -> Callable[[], object]:
        """Makes lists that never name a label twice in one attribute."""
        pick = self._random

        def some() -> object:
            count = min(len(unused), pick.choice([0, 1, 1, 2]))
            return [unused.pop(pick.randrange(len(unused))) for _ in range(count)]

        return some

    def _thing(self, index: int) -> None:
        pick = self._random
        rule = pick.choice(RULE_NAMES)
        text = lambda: pick.choice(["", "x", "yy"])  # noqa: E731
        color = lambda: pick.choice(["red", "blue"])  # noqa: E731
        makers: dict[str, Callable[[], str]] = {
            # A rule's own transition cannot see an attribute that is a select.
            "color": lambda: _quote(color()) if rule == "color_thing" else self._value(color),
            "count": lambda: self._value(lambda: pick.choice([-1, 0, 7]), sums=False),
            "counts": lambda: self._value(lambda: pick.sample([1, 2, 3], pick.randint(0, 3))),
            "dep": lambda: self._value(self._any_label, sums=False),
            "keyed": lambda: self._value(lambda: {self._any_label(): text()}, sums=False),
            "lists": lambda: self._value(lambda: {"k": [text()], "l": []}, sums=False),
            "names": lambda: self._value(lambda: [text() for _ in range(pick.randint(0, 2))]),
            "on": lambda: self._value(lambda: pick.choice([True, False]), sums=False),
            "table": lambda: self._value(lambda: {"k": text()}, sums=False),
            "text": lambda: self._value(text),
            "tags": lambda: '["manual"]',
            "target_compatible_with": lambda: self._value(self._labels(list(_COMPATIBLE))),
        }
        for name in ("deps", "deps", "exec_deps", "host_deps"):
            makers[name] = lambda: self._value(self._labels([*self._dependencies, *FILES[:3]]))
        # A file that comes by two transitions makes 4.2.3 crash.
        for name, file in zip(_TRANSITIONS, FILES[3:], strict=True):
            makers[name] = lambda file=file: self._value(self._labels([*self._dependencies, file]))
        weights = [0.35 if name == "target_compatible_with" else 1.0 for name in makers]
        chosen = dict.fromkeys(pick.choices(list(makers), weights, k=pick.randint(1, 5)))
        attributes = "".join(f", {name} = {makers[name]()}" for name in chosen)
        self._lines.append(f'{rule}(name = "t{index}"{attributes})')
        self._dependencies.append(f":t{index}")
        if pick.random() < 0.2:
            actual = f":t{index}"
            if len(self._dependencies) > 1 and pick.random() < 0.5:
                actual = self._choice(self._label)
            self._lines.append(
                f'alias(name = "a{index}", actual = '
                + (actual if actual.startswith("select") else _quote(actual))
                + ")"
            )
            self._dependencies.append(f":a{index}")

    def _native(self, index: int) -> None:
        pick = self._random
        labels = lambda: self._value(self._labels([*self._dependencies, *FILES]))  # noqa: E731
        if pick.random() < 0.4:
            self._lines.append(
                f'filegroup(name = "t{index}", srcs = {labels()}, data = {labels()})'
            )
        else:
            tools = pick.choice(["tools", "exec_tools", "tools"])
            # Without `cmd` (None), the rule's implementation fails.
            cmd = self._value(lambda: pick.choice(["true", "echo"])).replace("None", '"x"')
            self._lines.append(
                f'genrule(name = "t{index}", outs = ["o{index}"], cmd = {cmd},'
                f" srcs = {labels()}, {tools} = {labels()})"
            )
            self._dependencies.append(f":o{index}")
        self._dependencies.append(f":t{index}")


def flag_sets(count: int, seed: int) -> list[list[str]]:
    """Random command lines; the first is empty."""
    pick = random.Random(seed)
    sets: list[list[str]] = [[]]
    while len(sets) < count:
        chosen = pick.sample(_FLAG_WORDS, pick.randint(1, 6))
        sets.append([word for words in chosen for word in words.split(" ")])
    return sets


def write(root: Path, count: int, seed: int, *, mappings: bool) -> list[World]:
    """Lays out the shared packages and `count` random ones below `root`."""
    write_shared(root, mappings=mappings)
    worlds = [World(f"w{index}", seed * 100_019 + index) for index in range(count)]
    select_worlds.write_packages(root, worlds)
    return worlds


def write_shared(root: Path, *, mappings: bool) -> None:
    """The packages of flags, platforms and rules."""
    select_worlds.write_shared(root)
    with (root / "flags" / "BUILD").open("a") as file:
        file.write(MORE_FLAGS)
    with (root / "con" / "BUILD").open("a") as file:
        file.write(MORE_CONSTRAINTS)
    allowlist = 'package_group(name = "function_transition_allowlist", packages = ["//..."])\n'
    for name, text in {
        f"{ALLOWLIST}/BUILD": allowlist,
        "lib/rules.bzl": RULES_BZL,
        "lib/BUILD": "",
        **({"platform_mappings": MAPPINGS} if mappings else {}),
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
