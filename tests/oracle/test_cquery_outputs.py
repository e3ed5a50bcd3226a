"""`cquery --output=starlark` and `--transitions` beside what Bazel 4.2.3 prints.

Bazel's hashes of configurations are mapped to their kinds: what is the host's and what is of an
execution platform it says itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.base.errors import Severity
from bazelscope.bazel.flag_catalog import FlagKind
from bazelscope.bazel.flag_catalog import load as load_catalog
from bazelscope.bazel.native_options import hidden_default, is_configuration_option
from bazelscope.bazel.release import Release
from bazelscope.query.formats.written import ask_query
from tests.oracle.cquery_answers import KINDS, comparable, with_kinds
from tests.oracle.query_language_world import lay_out
from tests.support.bazel import Bazel
from tests.support.ours import share_packages

pytestmark = pytest.mark.oracle

VERSION = "4.2.3"
WORLD = Path(__file__).parent / "data" / "transitions"
OPTIONS = """
LEFT_OUT = ["output directory name", "transition directory name fragment"]

def format(target):
    options = build_options(target) or {}
    kind = [key for key in options if key.endswith(" configuration") and options[key]]
    left_out = ["//command_line_option:" + name for name in LEFT_OUT]
    shown = ["%s=%r" % (key, options[key]) for key in sorted(options) if key not in left_out]
    return "\\n".join(["%s %s %s" % (target.label, kind, option) for option in shown])
"""
WALKER = """
def _none(*arguments): return []
walk = aspect(
    implementation = _none,
    attr_aspects = ["deps"],
    attrs = {
        "_tools": attr.label_list(default = ["//q:one", "//q:two"]),
        "_walker": attr.label(default = "//q:one"),
    },
)
walked = rule(implementation = _none, attrs = {"deps": attr.label_list(aspects = [walk])})
"""
WALKED = """
load(":r.bzl", "walked")
walked(name = "some", deps = [":two"])
walked(name = "none")
filegroup(name = "one")
filegroup(name = "two")
"""
ASKED_OF_CONFIGURATIONS = (
    "config(//p:own, target)",
    "config(deps(//p:r), target)",
    "config(//p:f + deps(//p:r), target)",
    "config(deps(//p:r), host)",
    "config(deps(//p:all), null)",
    "//p:f ^ deps(//p:r)",
    "labels(deps, //p:r) + labels(s, //p:r)",
    "labels(data, //p:t)",
    "labels(srcs, //p:al)",
)
EXPRESSIONS = (
    "",
    "target.label.name",
    "str(target)",
    "type(target)",
    "target.label.package + ':' + target.label.name",
    "None",
    "[1, 'a', (target.label,)]",
    "bool(build_options(target))",
    "build_options(target)['//command_line_option:cpu'] if build_options(target) else 'no'",
    "[file.path for file in target.files.to_list()]",
    "[file.basename for file in target.files.to_list()]",
)
ASKED = "//p:al + //p:f + //p:f.txt + //p:g + //p:g.out + //p:t + //p:c"


@dataclass(frozen=True)
class Asked:
    """A workspace with transitions, and the flags by which Bazel finds what it loads there."""

    root: Path
    flags: tuple[str, ...]
    bazel: Bazel
    opened: Workspace
    _loaded: list[ConfiguredWorkspace] = field(default_factory=list)

    def ours(self, expression: str, *flags: str) -> list[str]:
        return sorted(self.told(expression, *flags))

    def told(self, expression: str, *flags: str) -> list[str]:
        words = (*self.flags, "--noimplicit_deps", *flags, expression)
        asked = self.opened.configure(words, command="cquery")
        # Questions of the same loading share what is evaluated.
        share_packages(asked, self._loaded)
        # A deprecated option is told as one, and asked all the same.
        assert not [d for d in asked.flags.diagnostics if d.severity is Severity.ERROR]
        query = ask_query(
            asked.world,
            asked.envelope_of_flags,
            expression,
            str(self.root),
            asked.directory_package,
        )
        assert not query.diagnostics
        text = query.text()
        assert isinstance(text, str)
        return text.splitlines()

    def theirs(self, expression: str, *flags: str) -> list[str]:
        """In Bazel's order, which is the same for one question within one server."""
        words = (*self.flags, *flags, "--noimplicit_deps")
        return list(self.bazel.cquery(self.root, expression, *words).checked().lines)


@pytest.fixture(scope="module")
def world(clear_room: Callable[[], Path], bazel: Callable[[str], Bazel]) -> Asked:
    folder = clear_room()
    flags = lay_out(folder)[1]
    root = folder / "w"
    for name in ("WORKSPACE", "p/BUILD", "p/r.bzl", "p/f.txt", "p/f.cc", "p/t.sh"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        source = WORLD / f"{name}.txt"
        path.write_text(source.read_text() if source.exists() else "")
    (root / "q").mkdir()
    (root / "q" / "BUILD").write_text(WALKED)
    (root / "q" / "r.bzl").write_text(WALKER)
    (root / "options.cquery").write_text(OPTIONS)
    (root / "kinds.cquery").write_text(KINDS)
    return Asked(root, flags, bazel(VERSION), Workspace.open(root, bazel_version=VERSION))


@pytest.mark.parametrize("program", EXPRESSIONS)
def test_expressions(program: str, world: Asked) -> None:
    flags = ("--output=starlark", f"--starlark:expr={program}")
    found = world.ours(ASKED, *flags)
    assert len(found) >= ASKED.count("//")
    assert found == sorted(world.theirs(ASKED, *flags))


@pytest.mark.parametrize("flags", [(), ("-c", "opt", "--copt=-a", "--define=a=b")])
def test_options(flags: tuple[str, ...], world: Asked) -> None:
    """Every option of every kind of configuration, but for those that a hash is part of."""
    flags = (*flags, "--output=starlark", "--starlark:file=options.cquery")
    found = set(world.ours("deps(//p:all)", *flags))
    wanted = set(world.theirs("deps(//p:all)", *flags))
    assert not found ^ wanted, sorted(found ^ wanted)


@pytest.mark.parametrize("tools", ["--tool_deps", "--notool_deps"])
@pytest.mark.parametrize("question", ASKED_OF_CONFIGURATIONS)
def test_configurations(question: str, tools: str, world: Asked) -> None:
    world.bazel.run(world.root, "clean").checked()
    shown = "--output=starlark", "--starlark:file=kinds.cquery"
    lines, kinds = world.theirs(question, tools), world.theirs(question, tools, *shown)
    names = {line.rpartition("(")[2][:-1]: kind for line, kind in zip(lines, kinds, strict=True)}
    wanted = [with_kinds(line, names) for line in lines]
    assert world.ours(question, tools) == sorted(wanted)


@pytest.mark.parametrize("question", ["deps(//p:r)", "deps(//p:all)", "//p:f + deps(//p:r)"])
def test_rules_of_several_configurations(question: str, world: Asked) -> None:
    """Each is printed once."""
    found = "\n".join(world.told(question, "--output=build"))
    theirs = "\n".join(world.theirs(question, "--output=build"))
    assert comparable(found, "build") == comparable(theirs, "build")


@pytest.mark.parametrize("aspect_deps", ["conservative", "precise", "off"])
@pytest.mark.parametrize("target", ["//q:some", "//q:none"])
def test_aspects_in_messages(target: str, aspect_deps: str, world: Asked) -> None:
    """Whether the aspect meets anything or not, what it needs stands in the message by default."""
    words = ("--output=textproto", "--noproto:include_configurations", "--implicit_deps")
    words += (f"--aspect_deps={aspect_deps}",)
    theirs = world.bazel.cquery(world.root, target, *world.flags, *words).checked()
    found = world.told(target, *words)
    is_met = aspect_deps == "precise" and target == "//q:some"
    assert ("$walker" in theirs.stdout) is (is_met or aspect_deps == "conservative")
    base = world.bazel.run(world.root, "info", "output_base").checked().stdout.strip()
    assert found == [line.replace(f"{base}/", "") for line in theirs.lines]


TRANSITION_FLAGS = (
    (),
    ("-c", "opt", "--copt=-O3", "--host_copt=-g", "--stamp", "--action_env=A=B", "--action_env=C"),
    (
        "--cpu=armeabi-v7a",
        "--host_compilation_mode=dbg",
        "--fission=dbg,opt",
        "--ios_minimum_os=7.5",
    ),
)


@pytest.mark.parametrize("flags", TRANSITION_FLAGS)
@pytest.mark.parametrize("level", ["lite", "full"])
def test_transitions(level: str, flags: tuple[str, ...], world: Asked) -> None:
    """Byte for byte but for the order of the targets: how options are written, which class of
    options comes first, and the hash of what transitions changed are Bazel's."""
    question = "deps(//p:all)"
    kinds = world.theirs(question, *flags, "--output=starlark", "--starlark:file=kinds.cquery")
    lines = world.theirs(question, *flags)
    names = {line.rpartition("(")[2][:-1]: kind for line, kind in zip(lines, kinds, strict=True)}
    words = (*flags, f"--transitions={level}")
    found = with_kinds("\n".join(world.theirs(question, *words)), names)
    # What a transition makes may be no configuration that anything is in.
    wanted = re.sub(r"(?<= )[0-9a-f]{7}(?=,|$)", "host", found, flags=re.MULTILINE)
    mine = comparable("\n".join(world.told(question, *words)), "transitions")
    assert mine == comparable(wanted, "transitions")


def test_every_option(world: Asked) -> None:
    """An option set to something else, one after the other in handfuls: how it is written, and
    whether tools keep it."""
    flags = _flags_for_every_option()
    assert len(flags) > OPTIONS_ASKED
    handfuls = [flags[start : start + 12] for start in range(0, len(flags), 12)]
    differences: list[str] = []
    refused: list[str] = []
    for words in handfuls:
        question = ("//p:g + //p:f", *words, "--transitions=full", "--noimplicit_deps")
        answer = world.bazel.cquery(world.root, *question, *world.flags)
        wanted = {line for line in answer.lines if line.startswith("    ")}
        if not wanted:
            # Some cannot be set together, or not to that; each is asked by itself then.
            handfuls += [[word] for word in words if len(words) > 1]
            refused += words if len(words) == 1 else []
            continue
        found = world.told("//p:g + //p:f", *words, "--transitions=full")
        own = {line for line in found if line.startswith("    ")}
        differences += sorted(f"Bazel's: {line}" for line in wanted - own)
        differences += sorted(f"ours: {line}" for line in own - wanted)
    assert not differences, "\n".join(differences)
    assert len(refused) < 8, refused


OPTIONS_ASKED = 230
_VALUES = {
    "cs_fdo_absolute_path": "/x",
    "python_path": "/x",
    "runs_per_test": None,
    "experimental_action_listener": None,
    # Refused without another option, or by every rule there is.
    "experimental_dynamic_configs": None,
    **dict.fromkeys(("message_translations", "translations")),
    **dict.fromkeys(("python2_path", "python3_path", "python_top")),
    # What may be built, and where.
    **dict.fromkeys(("allow_analysis_failures", "auto_cpu_environment_group", "flag_alias")),
    **dict.fromkeys(("distinct_host_configuration", "enforce_constraints", "target_environment")),
    **dict.fromkeys(("extra_execution_platforms", "extra_toolchains", "host_platform")),
    **dict.fromkeys(("platforms", "toolchain_resolution_override", "trim_test_configuration")),
}
"""Values that no kind of option tells; None for an option that is left out."""
_OF_KIND = {
    FlagKind.ASSIGNMENT: "a=b",
    FlagKind.INTEGER: "7",
    FlagKind.LABEL: "//p:f",
    FlagKind.LIST: "a,b",
    FlagKind.OPTIONAL_ASSIGNMENT: "a=b",
    FlagKind.PATH: "/x",
    FlagKind.STRING: "x",
    FlagKind.TRISTATE: "yes",
}


def _flags_for_every_option() -> list[str]:
    """A value besides the default for each option of a configuration that takes one."""
    found = []
    release = Release.of(VERSION)
    for definition in load_catalog(VERSION).definitions():
        is_taken = "cquery" in definition.commands
        if not is_taken or not is_configuration_option(definition, release):
            continue
        name, default = definition.name, definition.default
        value = _OF_KIND.get(definition.kind)
        if definition.negatable:
            value = "0" if (default or hidden_default(definition, release)) == "true" else "1"
        elif definition.kind is FlagKind.ENUM:
            others = [word for word in definition.enum_values if word.lower() != str(default)]
            value = others[0]
        value = _VALUES.get(name, value)
        if value is not None:
            found.append(f"--{name}={value}")
    return found
