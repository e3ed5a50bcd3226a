"""Subjects of the campaign that go through the whole program.

A workspace with one file changed, any command line of ours, any expression of query, cquery, mod.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shlex
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

import click

from bazelscope.cli import main
from bazelscope.cli.entry import cli
from tests.hostile.fuzz_inputs import ODD_PIECES, Derivation, derivation, mutated
from tests.hostile.fuzz_subjects import (
    LABELS,
    MAPPINGS_TEXT,
    MODULE_PIECES,
    NATIVE_PIECES,
    QUERY_WORDS,
    RC_PIECES,
    RELEASES,
    CrashError,
    Subject,
)

_EXIT_INTERNAL = 70
OWN_FAULT = "an error of bazelscope, please report"

# ---- a workspace with one file changed

_QUESTIONS = (
    "explain", "explain //p:all --config=a", "query deps(//p:all)",
    "cquery deps(//p:all) --define=a=1",
    "deps //p:a", "path //p:a //p:b", "when //p:a //p:b", "select //p:a", "settings", "repos",
    "configs",
    "flag copt", "rdeps //p:b", "graph //p:a", "mod graph", "effects copt",
    "query //... --output=xml",
    "diff --before= --after=--config=a //p:a", "explain --why //p:a",
    "canonicalize-flags -- --copt=-g",
)  # fmt: skip
WORLD = {
    "BUILD": """exports_files(["x"])
config_setting(name = "s", values = {"define": "a=1"})
""",
    "p/BUILD": """load(":f.bzl", "f", "r")
f(name = "a", deps = select({"//:s": [":b"], "//conditions:default": []}))
filegroup(name = "b", srcs = glob(["*.cc"]))
r(name = "c", dep = ":b", n = 3)
""",
    "p/f.bzl": """def f(name, deps):
    native.filegroup(name = name, srcs = deps)

def _r(ctx):
    return [DefaultInfo()]

r = rule(implementation = _r, attrs = {"dep": attr.label(), "n": attr.int(default = 2)})
""",
    ".bazelrc": "build:a --define=a=1 --copt=-g\ncommon --repo_env=X=1\n",
    "WORKSPACE": 'load("//:repo.bzl", "repo")\nrepo(name = "r", n = "1")\n',
    "repo.bzl": """def _i(ctx):
    ctx.file("BUILD", 'filegroup(name = "g")')
    ctx.template("t", Label("//:x"))

repo = repository_rule(implementation = _i, attrs = {"n": attr.string()}, environ = ["X"])
""",
    "MODULE.bazel": 'module(name = "m")\nbazel_dep(name = "rules_cc", version = "0.1.1")\n',
    ".bazelignore": "q\n",
    "platform_mappings": MAPPINGS_TEXT,
    "x": "{A} %{B}\n",
    ".bazelversion": "7.1.0\n",
}


def _world(random: Random) -> str:
    """A question, the file that is changed, and its text, as lines."""
    name = random.choice(sorted(WORLD))
    text = mutated(random, [WORLD[name]], (*NATIVE_PIECES, *RC_PIECES, *MODULE_PIECES))
    question = random.choice(_QUESTIONS)
    if random.random() < 0.2:
        question = mutated(random, [question], (*_QUESTIONS, *RC_PIECES, *LABELS))
    return f"{question}\n{name}\n{text}".replace("\0\n", "\n")


def _read_world(text: str) -> None:
    question, name, content = (*text.split("\n", 2), "", "")[:3]
    if name not in WORLD:
        name = "p/BUILD"
    with tempfile.TemporaryDirectory() as folder:
        write_world(Path(folder), {name: content})
        words = _words(question)
        if any(word.startswith(("-o", "--out", "--cache-dir")) for word in words):
            return
        ours = ["--no-cache", "--max-seconds=20"]
        if name != ".bazelversion":
            ours.append(f"--bazel-version={RELEASES[len(text) % len(RELEASES)]}")
        run_here([*words[:1], *ours, *words[1:]], folder)


def write_world(root: Path, changed: Mapping[str, str]) -> None:
    """Writes the usual workspace, some of its files with other texts."""
    for path, text in {**WORLD, **changed}.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, errors="surrogatepass")


@cache
def usual_world() -> str:
    """A workspace that stays as it is, and is there for the next campaign, too."""
    key = hashlib.sha256(repr(WORLD).encode()).hexdigest()[:16]
    kept = Path(tempfile.gettempdir(), f"bazelscope-fuzz-{os.getuid()}-{key}")
    if not kept.exists():
        made = Path(tempfile.mkdtemp())
        write_world(made, {})
        with contextlib.suppress(OSError):  # Another process was faster.
            made.rename(kept)
    return str(kept)


def run_here(words: list[str], folder: str) -> None:
    before = Path.cwd()
    out, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", "replace") for _ in range(2))
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = main(words)
    finally:
        os.chdir(before)
    said = ""
    for stream in (out, errors):
        stream.flush()
        said += bytes(stream.buffer.getvalue()).decode("utf-8", "replace")  # type: ignore[attr-defined]
    if code == _EXIT_INTERNAL or OWN_FAULT in said:
        raise CrashError(said[-3000:])


# ---- any command line of ours

_LSP = "lsp"
"""Reads standard input; what it gets there is a subject of its own."""
_WRITES = frozenset({"out", "output", "cache_dir", "trace", "scheduler", "processes", "log"})
_TARGETS = ("//p:a", "//p:b", "//p:c", "//p:all", "//...", "//:x", "//:s", "@r//:g", "a", "p/BUILD")


def _command_line(random: Random) -> str:
    """A command with some of the options that it has, as words of a shell."""
    commands = cli.every_command()
    name = random.choice(sorted({*commands} - {_LSP}))
    command = commands[name]
    words = [name]
    options = [one for one in command.params if isinstance(one, click.Option)]
    options = [one for one in options if one.name not in _WRITES and not one.is_eager]
    for option in random.choices(options, k=random.randrange(4)) if options else ():
        words.append(random.choice(option.opts))
        if not option.is_flag and random.random() < 0.95:
            words.append(_value_of(option, random))
    for _ in range(random.choice((0, 1, 1, 2, 2, 3))):
        words.append(random.choice(random.choice((_TARGETS, _TARGETS, RC_PIECES, LABELS))))
    line = shlex.join(words)
    return mutated(random, [line], (*RC_PIECES, *_TARGETS)) if random.random() < 0.4 else line


def _value_of(option: click.Option, random: Random) -> str:
    if isinstance(option.type, click.Choice) and random.random() < 0.8:
        return str(random.choice(option.type.choices))
    if random.random() < 0.5:
        return random.choice(("0", "1", "-1", "7", "1e3", "4.2.3", "9.1.0", "linux", "k8", "//p:b"))
    return random.choice(random.choice((_TARGETS, RELEASES, ODD_PIECES, RC_PIECES)))


def _read_command_line(text: str) -> None:
    words = _words(text)
    if not words or _names_a_file(words):
        return
    run_here([words[0], "--no-cache", "--max-seconds=20", *words[1:]], usual_world())


def _names_a_file(words: list[str]) -> bool:
    """Whether a line, as it was mutated, may write a file, start processes or call a cluster."""
    begun = ("-o", "--o", "--cache", "--trace", "--log", "--proc", "--sched", "--tr", "--ca")
    return any(word.startswith(begun) or word == _LSP for word in words)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


# ---- any expression

_FORMATS = ("label", "label_kind", "build", "graph", "xml", "proto", "jsonproto", "minrank",
            "maxrank", "package", "location", "textproto", "streamed_jsonproto", "transitions",
            "starlark", "files", "text", "json", "nothing")  # fmt: skip
_OPTIONS = ("--order_output=full", "--order_output=no", "--notool_deps", "--noimplicit_deps",
            "--keep_going", "--strict_test_suite", "--relative_locations", "--line_terminator_null",
            "--xml:default_values", "--proto:locations", "--graph:factored", "--nograph:factored",
            "--starlark:expr=target.label", "--starlark:expr=str(target)", "--define=a=1",
            "--graph:node_limit=1", "--universe_scope=//...", "--infer_universe_scope", "--full",
            "--format=json", "--depth=1", "--from=<root>", "--include_unused", "--verbose",
            "--extension_info=all", "--charset=ascii", "--transitions=full")  # fmt: skip
_MODULES = ("<root>", "rules_cc", "rules_cc@0.1.1", "@m", "@@m", "//:e.bzl%e", "@@rules_cc+")
_MOD = ("graph", "deps", "path", "all_paths", "explain", "show_repo", "show_extension",
        "dump_repo_mapping")  # fmt: skip


@cache
def _expressions() -> Derivation:
    words = {**QUERY_WORDS, "WORD": (*QUERY_WORDS["WORD"], *_TARGETS * 4)}
    return derivation("query", "start", {kind: tuple(some) for kind, some in words.items()})


def _expression(random: Random) -> str:
    """The command, its options, and at last the expression, in lines."""
    command = random.choice(("query", "query", "cquery", "mod"))
    options = random.choices(_OPTIONS, k=random.choice((0, 0, 1, 2)))
    if random.random() < 0.5:
        options.append(f"--output={random.choice(_FORMATS)}")
    if command == "mod":
        asked = shlex.join([random.choice(_MOD), *random.choices(_MODULES, k=random.randrange(3))])
    else:
        asked = _expressions().text(random, random.choice((3, 8, 25)))
    if random.random() < 0.3:
        asked = mutated(random, [asked], (*QUERY_WORDS["WORD"], *_MODULES))
    return f"{shlex.join([command, *options])}\n{asked}"


def _read_expression(text: str) -> None:
    first, _, asked = text.partition("\n")
    words = first.split()
    asking = _words(asked) if words[:1] == ["mod"] else [asked]
    ours = [f"--bazel-version={RELEASES[len(text) % len(RELEASES)]}", "--no-cache"]
    run_here([*words[:1], *ours, *words[1:], "--", *asking], usual_world())


QUESTIONS = (
    Subject("world", 3, _world, _read_world),
    Subject("command", 2, _command_line, _read_command_line),
    Subject("expression", 3, _expression, _read_expression),
)
