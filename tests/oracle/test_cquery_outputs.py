"""`cquery --output=starlark` and `--output=transitions` beside what Bazel 4.2.3 prints.

Bazel's hashes of configurations are mapped to their kinds: what is the host's and what is of an
execution platform it says itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from query_language_world import lay_out

from bazelscope.api import Workspace
from bazelscope.render.query.written import ask_query
from support.bazel import Bazel

pytestmark = pytest.mark.oracle

VERSION = "4.2.3"
WORLD = Path(__file__).parent / "data" / "transitions"
KINDS = """
def format(target):
    options = build_options(target)
    if not options:
        return "null"
    for kind in ("host", "exec"):
        if options["//command_line_option:is %s configuration" % kind]:
            return kind
    return "target"
"""
OPTIONS = """
LEFT_OUT = ["output directory name", "transition directory name fragment"]

def format(target):
    options = build_options(target) or {}
    kind = [key for key in options if key.endswith(" configuration") and options[key]]
    left_out = ["//command_line_option:" + name for name in LEFT_OUT]
    shown = ["%s=%r" % (key, options[key]) for key in sorted(options) if key not in left_out]
    return "\\n".join(["%s %s %s" % (target.label, kind, option) for option in shown])
"""
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

    def ours(self, expression: str, *flags: str) -> list[str]:
        workspace = Workspace.open(self.root, bazel_version=VERSION)
        words = (*self.flags, *flags, "--noimplicit_deps", expression)
        asked = workspace.configure(words, command="cquery")
        assert not asked.flags.diagnostics
        query = ask_query(
            asked.world, asked.setup, expression, str(self.root), asked.directory_package
        )
        assert not query.diagnostics
        text = query.text()
        assert isinstance(text, str)
        return sorted(text.splitlines())

    def theirs(self, expression: str, *flags: str) -> list[str]:
        """In Bazel's order, which is the same for one question within one server."""
        words = (*self.flags, *flags, "--noimplicit_deps")
        return list(self.bazel.cquery(self.root, expression, *words).checked().lines)


@pytest.fixture(scope="module")
def world(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("outputs")
    flags = lay_out(folder)[1]
    root = folder / "w"
    for name in ("WORKSPACE", "p/BUILD", "p/r.bzl", "p/f.txt", "p/f.cc", "p/t.sh"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        source = WORLD / f"{name}.txt"
        path.write_text(source.read_text() if source.exists() else "")
    (root / "options.cquery").write_text(OPTIONS)
    (root / "kinds.cquery").write_text(KINDS)
    bazel = Bazel(VERSION, folder / "bazel")
    yield Asked(root, flags, bazel)
    bazel.shutdown()


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


def test_transitions(world: Asked) -> None:
    question = "deps(//p:all)"
    kinds = world.theirs(question, "--output=starlark", "--starlark:file=kinds.cquery")
    lines = world.theirs(question)
    names = {line.rpartition("(")[2][:-1]: kind for line, kind in zip(lines, kinds, strict=True)}
    hashes = re.compile(r"(?<=[( ])(?:[0-9a-f]{7}|HOST)\b")
    wanted = [
        hashes.sub(lambda match: names.get(match[0], "host"), line)
        for line in world.theirs(question, "--transitions=lite")
    ]
    assert world.ours(question, "--transitions=lite") == sorted(wanted)
