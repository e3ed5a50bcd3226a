"""What the campaign feeds: each subject makes a text and gives it to the part that reads it.

A reader may refuse a text with an error of the one family; anything else that it raises, and a
defect that is told as a diagnostic, is a crash.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from bazelscope import starlark
from bazelscope.analysis.configuration import platform_mappings
from bazelscope.base import label
from bazelscope.base.errors import FAULT, BazelscopeError
from bazelscope.base.source import SourceFile
from bazelscope.bazel.release import Release
from bazelscope.cli import main
from bazelscope.flags import rcfile
from bazelscope.loading.modules import lock_file, module_versions
from bazelscope.loading.modules.module_file import ModuleSettings, evaluate_module_file
from bazelscope.query.language import query_parser
from bazelscope.query.language.signatures import Command
from tests.hostile.fuzz_inputs import Derivation, derivation, mutated
from tests.unit.flags.flag_world import resolve

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
RELEASES = ("0.24.1", "2.1.0", "4.2.3", "6.5.0", "7.7.1", "8.1.0", "9.1.0")
_EXIT_INTERNAL = 70
_OWN_FAULT = "an error of bazelscope, please report"


class CrashError(Exception):
    """A defect that a reader told of, instead of raising it."""


@dataclass(frozen=True)
class Subject:
    """One reader: `make` a text for it, `read` the text. `weight` is its share of a campaign."""

    name: str
    weight: int
    make: Callable[[Random], str]
    read: Callable[[str], None]

    def feed(self, text: str) -> None:
        """Gives the reader one text; raises what is a crash."""
        with contextlib.suppress(BazelscopeError):
            self.read(text)


# ---- Starlark

_STARLARK_WORDS = {
    "NAME": (*"abcdxyz", "len", "str", "range", "glob", "struct", "fail", "dict", "sorted",
             "depset",
             "select", "repr", "hash", "type", "print", "zip", "enumerate", "getattr", "native"),
    "INT": ("0", "1", "2", "-1", "7", "255", "0x10", "0o17", "9999999999999999999999"),
    "FLOAT": ("1.5", ".5", "1e3", "1e308"),
    "STRING": ('""', '"a"', "'b c'", '"%s %d"', '"{}{a}"', 'r"\\d"', '"""x\ny"""', '"\\n\\x41"',
             '"é\U0001d7d8"'),
    "BYTES": ('b"a"',),
}  # fmt: skip
_NATIVE_PIECES = (
    'name = "a"', 'srcs = ["a"]', 'deps = [":b"]', "visibility = []", 'cmd = "$(location a)"',
    'select({"//conditions:default": []})', 'select({":s": ["x"]})', 'glob(["**"])', "**{}", "*[]",
    'load(":x.bzl", "f")', "package(default_visibility = [])", 'outs = ["o"]',
    'values = {"cpu": "k8"}',
    "rule(implementation = f)", "attr.label_list()", "attr.string_dict()", "provider()", "struct()",
    "native.existing_rules()", "depset([1], transitive = [])", "[x for x in range(9)]",
    "def f(): pass",
    "repository_rule(implementation = f)", "module_extension(implementation = f)", "transition()",
    "config_setting", "cc_library", "genrule", "filegroup", "alias", "test_suite", "package_group",
)  # fmt: skip


@cache
def _starlark_grammar() -> Derivation:
    return derivation("starlark", "file", {k: tuple(v) for k, v in _STARLARK_WORDS.items()})


@cache
def _texts(*patterns: str) -> tuple[str, ...]:
    """The texts of the fixtures' files that match."""
    paths = sorted(path for pattern in patterns for path in FIXTURES.rglob(pattern))
    return tuple(path.read_text(errors="surrogateescape") for path in paths if path.is_file())


def _starlark(random: Random) -> str:
    if random.random() < 0.4:
        return _starlark_grammar().text(random, random.choice((5, 30, 120)))
    if random.random() < 0.3:
        derived = [_starlark_grammar().text(random, 40) for _ in range(3)]
        return mutated(random, derived, _NATIVE_PIECES)
    return mutated(random, _texts("BUILD", "*.bzl", "WORKSPACE", "*.BUILD"), _NATIVE_PIECES)


def _no_load(statement: starlark.LoadStatement) -> starlark.Module:
    return starlark.Module(statement.module, {}, {})


def _run_starlark(text: str) -> None:
    """Parses, resolves, compiles and runs it, as the kind of file that its length draws."""
    kinds = list(starlark.FileKind)
    predeclared = starlark.universe()
    program = starlark.load_program(
        SourceFile("p/f", text), kinds[len(text) % len(kinds)], frozenset(predeclared)
    )
    limits = starlark.Limits(steps=20_000)
    thread = starlark.Thread(limits=limits, print_handler=lambda _: None)
    starlark.execute(program, predeclared, _no_load, thread)


# ---- rc files and command lines

_RC_PIECES = (
    "build", "build:a", "common", "common:a", "test", "startup", "always", "import", "try-import",
    "--config=a", "--config", "-c opt", "--copt=-g", "--define=a=b", "--nocopt", "--//f:x",
    "--@@m+//f",
    "%workspace%/.bazelrc", "%workspace%/o.rc", "--enable_platform_specific_config", "build:linux",
    "--",
    "--test_timeout=1,2", "--jobs=auto", "--repo_env=A", "--action_env=A=b", "--per_file_copt=a@b",
    "--platforms=//:p", "--flag_alias=a=//f:x", "--no//f:x", "--all_incompatible_changes", "-k-",
    "-j4",
)  # fmt: skip


def _rc(random: Random) -> str:
    return mutated(random, _texts("*.bazelrc", ".bazelrc*", "*.rc"), _RC_PIECES)


def _read_rc(text: str) -> None:
    release = RELEASES[len(text) % len(RELEASES)]
    rcfile.parse(SourceFile(".bazelrc", text))
    _no_fault(resolve(text, "--config=a", "--config=mkl", version=release).diagnostics)


def _line(random: Random) -> str:
    words = [random.choice(_RC_PIECES) for _ in range(random.randint(1, 8))]
    return mutated(random, [" ".join(words)], _RC_PIECES)


def _read_line(text: str) -> None:
    words = tuple(text.split(" "))
    release = RELEASES[len(text) % len(RELEASES)]
    rc = "build:a --copt=-g\nbuild:b --config=a\n"
    _no_fault(resolve(rc, *words, version=release).diagnostics)
    _no_fault(resolve(rc, command="query", startup=words, version=release).diagnostics)


def _no_fault(diagnostics: Sequence[object]) -> None:
    for diagnostic in diagnostics:
        if getattr(diagnostic, "code", "") == FAULT:
            raise CrashError(str(diagnostic))


# ---- modules, lock files, mappings

_MODULE_PIECES = (
    'module(name = "m", version = "1.0")', 'bazel_dep(name = "a", version = "1")',
    "dev_dependency = True",
    'use_extension("//:e.bzl", "e")', 'use_repo(e, "r", s = "t")',
    'single_version_override(module_name = "a")',
    'archive_override(module_name = "a", urls = [])', 'include("//:x.MODULE.bazel")',
    "e.tag(a = 1)",
    'register_toolchains("//:all")', 'flag_alias(name = "a", starlark_flag = "//f")',
    "repo_name = None",
    'use_repo_rule("//:r.bzl", "r")', "override_repo(e, r = 's')", "inject_repo(e, 'r')",
    'version = "1.0-rc.1+b"',
)  # fmt: skip
_LOCK_TEXT = """{"lockFileVersion": 18, "registryFileHashes": {
  "https://r/modules/a/1.0/MODULE.bazel": "00", "https://r/modules/a/1.0/source.json": null},
 "selectedYankedVersions": {}, "moduleExtensions": {
    "//:e.bzl%e": {"general": {"bzlTransitiveDigest": "x", "usagesDigest": "y",
     "generatedRepoSpecs": {"r": {"repoRuleId": "@@x//:d.bzl%http_archive",
     "attributes": {"urls": ["u"]}}},
     "recordedRepoMappingEntries": [["", "a", "a+"]]}}}}
"""
_MAPPINGS_TEXT = """platforms:
  //p:x86
    --cpu=k8
    --compilation_mode=opt
flags:
  --cpu=arm
  --apple_platform_type=ios
    //p:arm
"""


def _module(random: Random) -> str:
    texts = (*_texts("MODULE.bazel"), "\n".join(random.choices(_MODULE_PIECES, k=6)))
    return mutated(random, texts, _MODULE_PIECES)


def _read_module(text: str) -> None:
    def read(path: str) -> SourceFile:
        return SourceFile(path, 'bazel_dep(name = "b", version = "2")\n')

    release = Release.read(RELEASES[3 + len(text) % 4])
    assert release is not None
    limits = starlark.Limits(steps=20_000)
    settings = ModuleSettings(read, bool(len(text) & 1), None, limits, release)
    file = evaluate_module_file(SourceFile("MODULE.bazel", text), settings)
    _no_fault(file.diagnostics)


_JSON_PIECES = (
    "{}",
    "[]",
    "null",
    "true",
    "1e999",
    '"a"',
    "-0",
    "[[",
    '"a":',
    "NaN",
    '"\\ud800"',
    "1" * 5000,
)


def _lock(random: Random) -> str:
    return mutated(random, [_LOCK_TEXT], _JSON_PIECES)


def _read_lock(text: str) -> None:
    lock = lock_file.parse_lock(text)
    assert len(lock.asked) <= len(lock.hashes)


def _mappings(random: Random) -> str:
    return mutated(
        random, [_MAPPINGS_TEXT], ("platforms:", "flags:", "  //p:x", "  --cpu=a", *_RC_PIECES)
    )


def _read_mappings(text: str) -> None:
    _no_fault(platform_mappings.parse(SourceFile("platform_mappings", text)).diagnostics)


# ---- queries, labels, versions

_QUERY_WORDS = {
    "WORD": ("//a:b", "//...", "deps", "rdeps", "kind", "attr", "filter", "somepath", "allpaths",
             "labels",
             "tests", "buildfiles", "loadfiles", "rbuildfiles", "siblings", "visible",
             "same_pkg_direct_rdeps",
             "some", "let", "in", "x", "$x", "1", "99999999999", "config", "target", "@a//b"),
    "QUOTED": ('"//a:b"', "'a b'", '"(a+)+$"', '"[z-a]"', '"\\\\p{L}"'),
}  # fmt: skip


@cache
def _query_grammar() -> Derivation:
    return derivation("query", "start", {k: tuple(v) for k, v in _QUERY_WORDS.items()})


def _query(random: Random) -> str:
    text = _query_grammar().text(random, random.choice((5, 30)))
    return (
        text
        if random.random() < 0.3
        else mutated(random, [text, "deps(//a:b)"], _QUERY_WORDS["WORD"])
    )


def _read_query(text: str) -> None:
    release = RELEASES[len(text) % len(RELEASES)]
    for command in Command:
        with contextlib.suppress(BazelscopeError):
            query_parser.parse(text, command, release)


_LABELS = (
    "//a/b:c",
    "@r//a",
    "@@r+1.0//a:b",
    ":x",
    "a/b",
    "//a/...",
    "//...:all",
    "@//:x",
    "-//a:all-targets",
)
_VERSIONS = ("7.0.0", "v4.2.3", "8.0.0-pre.20240618.2", "7.0.0rc1", "fork/7.1.0", "7.x", "7.*",
             "latest-1", "rolling", "last_green", "1.2.3-a.b+c", "20240722.0",
             "1.0.bcr.1")  # fmt: skip


def _short(random: Random) -> str:
    return mutated(random, (*_LABELS, *_VERSIONS), (*_LABELS, *_VERSIONS))


def _read_short(text: str) -> None:
    here = label.PackageId("", "a/b")
    for read in (label.parse_label, label.parse_pattern):
        with contextlib.suppress(BazelscopeError):
            read(text, here)
    Release.read(text)
    if module_versions.is_version(text):
        module_versions.version_order(module_versions.normalized(text))


# ---- whole workspaces, by the command line

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
_WORLD = {
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
    "platform_mappings": _MAPPINGS_TEXT,
    "x": "{A} %{B}\n",
    ".bazelversion": "7.1.0\n",
}


def _world(random: Random) -> str:
    """A question, the file that is changed, and its text, as lines."""
    name = random.choice(sorted(_WORLD))
    text = mutated(random, [_WORLD[name]], (*_NATIVE_PIECES, *_RC_PIECES, *_MODULE_PIECES))
    question = random.choice(_QUESTIONS)
    if random.random() < 0.2:
        question = mutated(random, [question], (*_QUESTIONS, *_RC_PIECES, *_LABELS))
    return f"{question}\n{name}\n{text}".replace("\0\n", "\n")


def _read_world(text: str) -> None:
    question, name, content = (*text.split("\n", 2), "", "")[:3]
    if name not in _WORLD:
        name = "p/BUILD"
    with tempfile.TemporaryDirectory() as folder:
        for path, usual in _WORLD.items():
            file = Path(folder, path)
            file.parent.mkdir(exist_ok=True)
            file.write_text(content if path == name else usual, errors="surrogatepass")
        try:
            words = shlex.split(question)
        except ValueError:
            words = question.split()
        if any(word.startswith(("-o", "--out", "--cache-dir")) for word in words):
            return
        ours = ["--no-cache", "--max-seconds=20"]
        if name != ".bazelversion":
            ours.append(f"--bazel-version={RELEASES[len(text) % len(RELEASES)]}")
        _run([*words[:1], *ours, *words[1:]], folder)


def _run(words: list[str], folder: str) -> None:
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
    if code == _EXIT_INTERNAL or _OWN_FAULT in said:
        raise CrashError(said[-3000:])


SUBJECTS = (
    Subject("starlark", 20, _starlark, _run_starlark),
    Subject("rc", 12, _rc, _read_rc),
    Subject("line", 8, _line, _read_line),
    Subject("module", 12, _module, _read_module),
    Subject("lock", 10, _lock, _read_lock),
    Subject("mappings", 8, _mappings, _read_mappings),
    Subject("query", 12, _query, _read_query),
    Subject("short", 15, _short, _read_short),
    Subject("world", 3, _world, _read_world),
)
