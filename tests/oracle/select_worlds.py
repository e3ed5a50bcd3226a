"""Generated workspaces for select() and config_setting, one package each.

Packages share one Bazel workspace, so that one run of Bazel answers for all of them:
`//wN` never names another `//wM`. What they share are flags (`//flags`), constraints and
platforms (`//con`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

FLAGS_BZL = """\
def _impl(ctx):
    return []

string_flag = rule(implementation = _impl, build_setting = config.string(flag = True))
bool_flag = rule(implementation = _impl, build_setting = config.bool(flag = True))
int_flag = rule(implementation = _impl, build_setting = config.int(flag = True))
string_list_flag = rule(
    implementation = _impl,
    build_setting = config.string_list(flag = True),
)
string_setting = rule(implementation = _impl, build_setting = config.string())
"""

FLAGS_BUILD = """\
load(":flags.bzl", "bool_flag", "int_flag", "string_flag", "string_list_flag", "string_setting")

package(default_visibility = ["//visibility:public"])

string_flag(name = "color", build_setting_default = "red")
bool_flag(name = "fast", build_setting_default = False)
int_flag(name = "size", build_setting_default = 7)
string_list_flag(name = "parts", build_setting_default = ["a", "b"])
string_setting(name = "fixed", build_setting_default = "on")
alias(name = "color_alias", actual = ":color")
config_feature_flag(name = "feature", allowed_values = ["x", "y"], default_value = "x")
"""

CONSTRAINTS_BUILD = """\
package(default_visibility = ["//visibility:public"])

constraint_setting(name = "hue", default_constraint_value = ":plain")
constraint_value(name = "plain", constraint_setting = ":hue")
constraint_value(name = "bright", constraint_setting = ":hue")
constraint_setting(name = "shape")
constraint_value(name = "round", constraint_setting = ":shape")
constraint_value(name = "square", constraint_setting = ":shape")
alias(name = "bright_alias", actual = ":bright")

platform(name = "base", constraint_values = [":round", "@platforms//os:linux"])
platform(
    name = "child",
    constraint_values = [":bright", ":square"],
    parents = [":base"],
)
"""

_VALUES = {
    "cpu": ["k8", "arm", "aarch64"],
    "compilation_mode": ["opt", "OPT", "dbg", "fastbuild"],
    "stamp": ["1", "true", "yes", "0", "False"],
    "define": ["a=1", "a=2", "b=1", "a=1,b=1"],
    "copt": ["-O3", "-g"],
    "force_pic": ["true", "no"],
    "host_cpu": ["k8"],
    "test_arg": ["x"],
    "strip": ["never", "ALWAYS"],
}
_BAD_VALUES = {
    "keep_going": "true",
    "no_such_option": "1",
    "stamp": "perhaps",
    "c": "opt",
    "compilation_mode": "fast",
    "define": "a",
}
_FLAG_VALUES = {
    "//flags:color": ["red", "blue"],
    "//flags:fast": ["true", "0", "NO", "1"],
    "//flags:size": ["7", "8", "0x7"],
    "//flags:parts": ["a", "b", "c"],
    "//flags:fixed": ["on", "off"],
    "//flags:color_alias": ["red", "blue"],
    "//flags:feature": ["x", "y"],
}
_BAD_FLAG_VALUES = {"//flags:size": "07", "//flags:fast": "", "//flags:parts": "a,b"}
_CONSTRAINTS = [
    "//con:plain",
    "//con:bright",
    "//con:round",
    "//con:square",
    "//con:bright_alias",
    "@platforms//os:linux",
    "@platforms//cpu:x86_64",
    "@platforms//os:windows",
]
_FLAG_WORDS = [
    "--cpu=arm",
    "--cpu=aarch64",
    "-c opt",
    "-c dbg",
    "--stamp",
    "--nostamp",
    "--define=a=1",
    "--define=a=2",
    "--define=b=1",
    "--define=a=1,b=1",
    "--copt=-O3",
    "--copt=-g",
    "--force_pic",
    "--strip=never",
    "--//flags:color=blue",
    "--//flags:fast",
    "--//flags:fast=true",
    "--//flags:size=8",
    "--//flags:parts=c,a",
    "--platforms=//con:base",
    "--platforms=//con:child",
    "--host_compilation_mode=dbg",
    "--host_cpu=arm",
]
FILES = tuple(f"f{index}" for index in range(8))


def _quote(items: object) -> str:
    return repr(items).replace("'", '"')


def _of_version(text: str, version: str) -> str:
    """A BUILD file for that Bazel: before 0.28 the constraints are Bazel's own."""
    if version != "0.24.1":
        return text
    for package in ("cpu", "os"):
        text = text.replace(f"@platforms//{package}:", "@bazel_tools//platforms:")
    return text


class Package:
    """The text of one random package and the names of its targets."""

    def __init__(self, name: str, seed: int, version: str = "4.2.3") -> None:
        self.name = name
        self._version = version
        self._bad_flag_values = dict(_BAD_FLAG_VALUES)
        if version == "2.1.0":
            # That Bazel crashes on it.
            del self._bad_flag_values["//flags:parts"]
        self._random = random.Random(seed)
        self._lines: list[str] = [f"exports_files({_quote(list(FILES))})"]
        self.settings: list[str] = []
        self.groups: list[str] = []
        self.targets: list[str] = []
        self._fill()

    def _fill(self) -> None:
        for index in range(self._random.randint(2, 6)):
            self._setting(index)
        for index in range(self._random.randint(0, 3)):
            self._group(index)
        for index in range(self._random.randint(2, 5)):
            self._target(index)
        for index in range(self._random.randint(0, 2)):
            self._generator(index)

    @property
    def text(self) -> str:
        return _of_version("\n".join(self._lines) + "\n", self._version)

    @property
    def labels(self) -> list[str]:
        return [f"//{self.name}:{target}" for target in self.targets]

    def _setting(self, index: int) -> None:
        pick = self._random
        bad = pick.random() < 0.04
        values: dict[str, str] = {}
        for key in pick.sample(sorted(_VALUES), pick.choice([0, 1, 1, 2])):
            values[key] = pick.choice(_VALUES[key])
        if bad and pick.random() < 0.6:
            key = pick.choice(sorted(_BAD_VALUES))
            values[key] = _BAD_VALUES[key]
        defines: dict[str, str] = {}
        if pick.random() < 0.4:
            defines = dict.fromkeys(pick.sample(["a", "b"], pick.randint(1, 2)), "1")
        flags: dict[str, str] = {}
        if pick.random() < 0.35:
            known = sorted(_FLAG_VALUES)
            if self._version == "0.24.1" and pick.random() < 0.9:
                # That Bazel refuses all others.
                known = ["//flags:feature"]
            for key in pick.sample(known, pick.randint(1, min(2, len(known)))):
                flags[key] = pick.choice(_FLAG_VALUES[key])
        if bad and pick.random() < 0.4:
            key = pick.choice(sorted(self._bad_flag_values))
            flags[key] = self._bad_flag_values[key]
        constraints: list[str] = []
        if pick.random() < 0.2:
            constraints = pick.sample(_CONSTRAINTS, pick.choice([1, 1, 2]))
        if pick.random() < 0.3 and index:
            # A copy of an earlier one with an entry more: refinement.
            copied, before = self._made[pick.randrange(len(self._made))], values
            values = {**copied[0], **before}
            defines = {**copied[1], **defines}
            flags = {**copied[2], **flags}
        if not hasattr(self, "_made"):
            self._made: list[tuple[dict[str, str], dict[str, str], dict[str, str]]] = []
        self._made.append((values, defines, flags))
        entries = [
            f"{name} = {_quote(entry)}"
            for name, entry in (
                ("values", values),
                ("define_values", defines),
                ("flag_values", flags),
                ("constraint_values", constraints),
            )
            if entry
        ]
        if not entries and pick.random() < 0.9:
            entries = ['define_values = {"a": "1"}']
        name = f"c{index}"
        self.settings.append(name)
        self._lines.append(f'config_setting(name = "{name}", {", ".join(entries)})')

    def _group(self, index: int) -> None:
        pick = self._random
        name = f"g{index}"
        known = [*self.settings, *self.groups]
        first, second = pick.choice(known), pick.choice(known)
        kind = pick.choice(["alias", "all", "any"])
        default = "//conditions:default"
        actual: object = f":{first}"
        if kind == "all":
            actual = f"select({_quote({f':{first}': f':{second}', default: f':{first}'})})"
        elif kind == "any":
            actual = f"select({_quote({f':{first}': f':{first}', default: f':{second}'})})"
        else:
            actual = f'"{actual}"'
        self.groups.append(name)
        self._lines.append(f'alias(name = "{name}", actual = {actual})')

    def _select(self) -> str:
        pick = self._random
        keys = [f":{key}" for key in (*self.settings, *self.groups)]
        if pick.random() < 0.15:
            keys += pick.sample(_CONSTRAINTS[:4], 1)
        branches: dict[str, object] = {}
        for key in pick.sample(keys, min(len(keys), pick.randint(1, 4))):
            branches[key] = [pick.choice(FILES)] if pick.random() < 0.85 else []
        if pick.random() < 0.7:
            branches["//conditions:default"] = [pick.choice(FILES)] if pick.random() < 0.8 else None
        return f"select({_quote(branches)})"

    def _target(self, index: int) -> None:
        pick = self._random
        parts = [self._select()]
        if pick.random() < 0.2:
            parts.append("[]")
        if pick.random() < 0.25:
            name = f"h{index}"
            self._lines.append(
                f'filegroup(name = "{name}", srcs = ["README"], data = {self._select()})'
            )
            parts.insert(0, f'[":{name}"]')
        self._lines.append(f'filegroup(name = "t{index}", srcs = {" + ".join(parts)})')
        self.targets.append(f"t{index}")

    def _generator(self, index: int) -> None:
        # Not a top-level target itself: cquery shows a label in one configuration only.
        tool = f"u{index}"
        self._lines.append(f'filegroup(name = "{tool}", srcs = {self._select()})')
        self._lines.append(
            f'genrule(name = "x{index}", outs = ["o{index}"], cmd = "", tools = [":{tool}"])'
        )
        self.targets.append(f"x{index}")


def flag_sets(count: int, seed: int, version: str = "4.2.3") -> list[list[str]]:
    """Random command lines; the first is as empty as that Bazel lets it be."""
    pick = random.Random(seed)
    always = ["--experimental_build_setting_api"] if version == "0.24.1" else []
    sets: list[list[str]] = [always]
    while len(sets) < count:
        chosen = pick.sample(_FLAG_WORDS, pick.randint(1, 6))
        sets.append([*always, *(word for words in chosen for word in words.split(" "))])
    return sets


def write(root: Path, count: int, seed: int, version: str = "4.2.3") -> list[Package]:
    """Lays out the shared packages and `count` random ones below `root`."""
    write_shared(root, version)
    packages = [Package(f"w{index}", seed * 100_003 + index, version) for index in range(count)]
    write_packages(root, packages)
    return packages


def write_shared(root: Path, version: str = "4.2.3") -> None:
    """The packages of flags, constraints and platforms."""
    (root / "flags").mkdir(parents=True)
    (root / "con").mkdir()
    (root / "WORKSPACE").write_text('workspace(name = "w")\n')
    (root / "flags" / "flags.bzl").write_text(FLAGS_BZL)
    (root / "flags" / "BUILD").write_text(FLAGS_BUILD)
    (root / "con" / "BUILD").write_text(_of_version(CONSTRAINTS_BUILD, version))


def write_packages(root: Path, packages: Sequence[Package]) -> None:
    """The random packages, each with its source files."""
    for package in packages:
        folder = root / package.name
        folder.mkdir()
        (folder / "BUILD").write_text(package.text)
        for name in (*FILES, "README"):
            (folder / name).write_text("")
