"""Generated workspaces that mix what `configured_worlds` leaves out: toolchains, aspects,
splits by name and by attribute, macros that build selects, bindings, private conditions,
and options of every type as conditions and as flags.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.oracle import configured_worlds, mixed_rules, select_worlds
from tests.oracle.configured_rules import RULES_BZL
from tests.oracle.select_worlds import FILES, _quote

_DEFAULT = "//conditions:default"
_SHARED = (
    "//con:always",
    "//con:dbg",
    "//con:for_some",
    "//con:hidden",
    "//con:other",
    "//external:condition",
    "//flags:condition",
)
_BOUND = ("//con:by_flag", "//con:by_mode", "//external:again", "//external:one")
_VALUES: dict[str, list[str]] = {
    "action_env": ["A=1"],
    "collect_code_coverage": ["true", "0"],
    "compiler": ["gcc"],
    "conlyopt": ["-std=c99"],
    "copt": ["-O3", "-g", "-DHOST"],
    "cpu": ["k8", "arm", "aarch64"],
    "cxxopt": ["-std=c++14"],
    "features": ["x", "-x", "red"],
    "force_pic": ["true", "no"],
    "host_compilation_mode": ["opt", "dbg"],
    "host_copt": ["-DHOST", "-g"],
    "host_cpu": ["k8", "arm"],
    "host_cxxopt": ["-std=c++14"],
    "host_javacopt": ["-g"],
    "javacopt": ["-g"],
    "linkopt": ["-lm", "-pthread"],
    "run_under": ["//con:one"],
    "stamp": ["1", "False"],
    "strip": ["never", "ALWAYS"],
    "test_arg": ["x", "y"],
}
_FLAG_WORDS = (
    *configured_worlds._FLAG_WORDS,
    "--define=a=2 --define=a=1",
    "--define b=1 --define=b=2",
    "--features=x",
    "--features=x --features=-x",
    "--features=red --features=x",
    "--copt=-O3 --copt=-g --copt=-O3",
    "--cxxopt=-std=c++14",
    "--conlyopt=-std=c99",
    "--linkopt=-lm --linkopt=-pthread",
    "--host_copt=-g",
    "--host_cxxopt=-std=c++14",
    "--host_compilation_mode=opt",
    "--host_cpu=k8",
    "--test_arg=x --test_arg=y",
    "--compilation_mode opt",
    "--cpu=k8",
    "--strip=always",
    "--extra_toolchains=//tc/more:linux",
    "--extra_toolchains=//tc/more:all",
    "--extra_execution_platforms=//con:child",
    "--extra_execution_platforms=//con:base_alias",
    "--extra_toolchains=//tc/more:bright",
    "--host_platform=//con:base_alias",
    "--nodistinct_host_configuration",
    "--action_env=A=1",
    "--test_env=A=1",
    "--compiler=gcc",
    "--host_compiler=gcc",
    "--collect_code_coverage",
    "--javacopt=-g",
    "--host_javacopt=-g",
    "--host_linkopt=-lm",
    "--fission=dbg",
    "--noenforce_constraints",
    "--//flags:size=8 --//flags:size=9",
    "--//flags:color=red --//flags:color=blue",
)
_SINCE_4 = (
    "--incompatible_enforce_config_setting_visibility",
    " ".join(
        (
            "--incompatible_enforce_config_setting_visibility",
            "--incompatible_config_setting_private_default_visibility",
        )
    ),
)


class World(configured_worlds.World):
    """One package; what that Bazel does not have is left out of it."""

    def __init__(self, name: str, seed: int, version: str) -> None:
        super().__init__(name, seed, version)
        self._lines.insert(0, mixed_rules.LOAD)

    def _fill(self) -> None:
        self._dependencies += self._random.sample(_BOUND, self._random.randint(0, 2))
        super()._fill()

    def _setting(self, index: int) -> None:
        pick = self._random
        if pick.random() < 0.5:
            super()._setting(index)
            return
        entries = []
        values = {
            key: pick.choice(_VALUES[key])
            for key in pick.sample(sorted(_VALUES), pick.choice([1, 1, 2, 3]))
        }
        entries.append(f"values = {_quote(values)}")
        flags: dict[str, str] = {}
        if pick.random() < 0.4:
            entries.append(f'define_values = {{"{pick.choice("ab")}": "{pick.choice("12")}"}}')
        if pick.random() < 0.4:
            known = select_worlds._FLAG_VALUES
            for key in pick.sample(sorted(known), pick.randint(1, 2)):
                flags[key] = pick.choice(known[key])
            entries.append(f"flag_values = {_quote(flags)}")
        if pick.random() < 0.3:
            some = pick.sample(select_worlds._CONSTRAINTS, pick.choice([1, 1, 2]))
            entries.append(f"constraint_values = {_quote(some)}")
        self.settings.append(f"c{index}")
        made = ", ".join(entries)
        self._lines.append(f'config_setting(name = "c{index}", {made})')
        # What `_setting` of the base class may copy, to refine it.
        self.__dict__.setdefault("_made", []).append((values, {}, flags))

    def _keys(self) -> list[str]:
        keys = super()._keys()
        pick = self._random
        if pick.random() < 0.25:
            keys.insert(pick.randint(0, len(keys)), pick.choice(_SHARED))
        return list(dict.fromkeys(keys))

    def _thing(self, index: int) -> None:
        if self._random.random() < 0.35:
            super()._thing(index)
        else:
            self._mixed(index)

    def _mixed(self, index: int) -> None:
        pick = self._random
        rule = pick.choice(mixed_rules.RULE_NAMES)
        colors = lambda: pick.sample(["red", "blue", "green"], pick.randint(0, 2))  # noqa: E731
        platform = lambda: pick.choice(["", "//con:base", "//con:grandchild"])  # noqa: E731
        makers: dict[str, Callable[[], str]] = {
            "colors": lambda: self._value(colors, sums=False),
            "platform": lambda: self._value(platform, sums=False),
            "cpu_split_dep": lambda: self._value(self._label, sums=False),
        }
        for name in ("deps", "deps", "aspect_deps", "exec_deps", "host_too_deps", "same_deps"):
            makers[name] = lambda: self._value(self._labels([*self._dependencies, *FILES[:3]]))
        # A file that comes by two transitions makes 4.2.3 crash.
        splits = ("color_split_deps", "cpu_split_deps", "platform_deps")
        for name, file in zip(splits, FILES[3:6], strict=True):
            makers[name] = lambda file=file: self._value(self._labels([*self._dependencies, file]))
        chosen = dict.fromkeys(pick.choices(list(makers), k=pick.randint(1, 5)))
        attributes = "".join(f", {name} = {makers[name]()}" for name in chosen)
        self._lines.append(f'{rule}(name = "t{index}"{attributes})')
        self._dependencies.append(f":t{index}")

    def _native(self, index: int) -> None:
        if self._random.random() < 0.5:
            super()._native(index)
        else:
            self._macro(index)

    def _macro(self, index: int) -> None:
        pick = self._random
        name = f"t{index}"
        form = pick.choice(["picked", "summed", "wrapped"])
        unused = [*self._dependencies, *FILES]
        some = self._labels(unused)
        first: dict[str, object] = {key: some() for key in self._keys()}
        second: dict[str, object] = {key: some() for key in self._keys()}
        second[_DEFAULT] = some()
        if form == "summed":
            first[_DEFAULT] = some()
            self._lines.append(f'summed("{name}", {_quote([first, second])})')
        elif form == "picked":
            self._lines.append(
                f'picked("{name}", {_quote(first)}, {_quote(second)}, {_quote(some())})'
            )
        else:
            self._lines.append(f'wrapped("{name}", {_quote(first)}, {_quote(second)})')
        self._dependencies.append(f":{name}")

    @property
    def text(self) -> str:
        text = super().text
        if self._version == "4.2.3":
            return text
        # That attribute came later.
        lines = text.split("\n")
        return "\n".join(_without(line, "target_compatible_with") for line in lines)


def _without(line: str, attribute: str) -> str:
    """A rule in one line without its attribute, which is any sum of lists and selects."""
    start = line.find(f", {attribute} = ")
    if start < 0:
        return line
    depth = 0
    end = start + len(f", {attribute} = ")
    while depth or line[end] not in ",)":
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(line[end], 0)
        end += 1
    return line[:start] + line[end:]


def flag_sets(count: int, seed: int, version: str) -> list[list[str]]:
    """Random command lines; the first is empty."""
    pick = random.Random(seed)
    words = _FLAG_WORDS + (_SINCE_4 if version == "4.2.3" else ())
    sets: list[list[str]] = [[]]
    while len(sets) < count:
        chosen = pick.sample(words, pick.randint(1, 7))
        sets.append([word for one in chosen for word in one.split(" ")])
    return sets


def write(root: Path, count: int, seed: int, version: str, *, mappings: bool) -> list[World]:
    """Lays out the shared packages and `count` random ones below `root`."""
    configured_worlds.write_shared(root, mappings=mappings)
    texts = {
        "WORKSPACE": mixed_rules.WORKSPACE,
        "lib/rules.bzl": RULES_BZL,
        "lib/mixed.bzl": mixed_rules.BZL.replace(
            "ALLOWLIST", "_allowlist_function_transition"
        ).replace("LABEL", "//tools/allowlists/function_transition_allowlist"),
        "tc/BUILD": mixed_rules.TOOLCHAINS,
        "tc/a.txt": "",
        "tc/b.txt": "",
        "tc/more/BUILD": mixed_rules.MORE_TOOLCHAINS,
        "con/BUILD": (root / "con" / "BUILD").read_text() + mixed_rules.CONSTRAINTS,
    }
    for name, text in texts.items():
        if version != "4.2.3":
            text = text.replace("_allowlist_function", "_whitelist_function").replace(
                "//tools/allowlists/function_transition_allowlist",
                "@bazel_tools//tools/whitelists/function_transition_whitelist",
            )
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    worlds = [World(f"w{index}", seed * 100_043 + index, version) for index in range(count)]
    select_worlds.write_packages(root, worlds)
    return worlds
