"""What the campaign feeds: each subject makes a text and gives it to the part that reads it.

A reader may refuse a text with an error of the one family; anything else that it raises, and a
defect that is told as a diagnostic, is a crash.
"""

from __future__ import annotations

import contextlib
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
from bazelscope.flags import rcfile
from bazelscope.loading.evaluation.values.refused_syntax import check_syntax
from bazelscope.loading.modules import lock_file, module_versions
from bazelscope.loading.modules.module_file import ModuleSettings
from bazelscope.loading.modules.module_file_evaluation import evaluate_module_file
from bazelscope.query.language import query_parser
from bazelscope.query.language.signatures import Command
from tests.hostile.fuzz_inputs import Derivation, derivation, mutated
from tests.unit.flags.flag_world import resolve

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
RELEASES = ("0.24.1", "2.1.0", "4.2.3", "6.5.0", "7.7.1", "8.1.0", "9.1.0")


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
NATIVE_PIECES = (
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
        return mutated(random, derived, NATIVE_PIECES)
    return mutated(random, _texts("BUILD", "*.bzl", "WORKSPACE", "*.BUILD"), NATIVE_PIECES)


def _no_load(statement: starlark.LoadStatement) -> starlark.Module:
    return starlark.Module(statement.module, {}, {})


def _run_starlark(text: str) -> None:
    """Parses, resolves, compiles and runs it, as the kind of file that its length draws."""
    kinds = list(starlark.FileKind)
    predeclared = starlark.universe()
    source, kind = SourceFile("p/f", text), kinds[len(text) % len(kinds)]
    release = Release.read(RELEASES[len(text) % len(RELEASES)])
    assert release is not None
    with contextlib.suppress(BazelscopeError):
        check_syntax(source, release, is_build=kind is starlark.FileKind.BUILD)
    program = starlark.load_program(source, kind, frozenset(predeclared))
    limits = starlark.Limits(steps=20_000)
    thread = starlark.Thread(limits=limits, print_handler=lambda _: None)
    starlark.execute(program, predeclared, _no_load, thread)


# ---- rc files and command lines

RC_PIECES = (
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
    return mutated(random, _texts("*.bazelrc", ".bazelrc*", "*.rc"), RC_PIECES)


def _read_rc(text: str) -> None:
    release = RELEASES[len(text) % len(RELEASES)]
    rcfile.parse(SourceFile(".bazelrc", text))
    _no_fault(resolve(text, "--config=a", "--config=mkl", version=release).diagnostics)


def _line(random: Random) -> str:
    words = [random.choice(RC_PIECES) for _ in range(random.randint(1, 8))]
    return mutated(random, [" ".join(words)], RC_PIECES)


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

MODULE_PIECES = (
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
MAPPINGS_TEXT = """platforms:
  //p:x86
    --cpu=k8
    --compilation_mode=opt
flags:
  --cpu=arm
  --apple_platform_type=ios
    //p:arm
"""


def _module(random: Random) -> str:
    texts = (*_texts("MODULE.bazel"), "\n".join(random.choices(MODULE_PIECES, k=6)))
    return mutated(random, texts, MODULE_PIECES)


def _read_module(text: str) -> None:
    def read(path: str) -> SourceFile:
        return SourceFile(path, 'bazel_dep(name = "b", version = "2")\n')

    release = Release.read(RELEASES[3 + len(text) % 4])
    assert release is not None
    limits = starlark.Limits(steps=20_000)
    settings = ModuleSettings(read, bool(len(text) & 1), None, limits, release)
    file = evaluate_module_file(SourceFile("MODULE.bazel", text), settings)
    _no_fault(file.diagnostics)


JSON_PIECES = (
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
    return mutated(random, [_LOCK_TEXT], JSON_PIECES)


def _read_lock(text: str) -> None:
    lock = lock_file.parse_lock(text, Release.of("8.5.0"))
    assert len(lock.asked) <= len(lock.hashes)


def _mappings(random: Random) -> str:
    return mutated(
        random, [MAPPINGS_TEXT], ("platforms:", "flags:", "  //p:x", "  --cpu=a", *RC_PIECES)
    )


def _read_mappings(text: str) -> None:
    _no_fault(platform_mappings.parse(SourceFile("platform_mappings", text)).diagnostics)


# ---- queries, labels, versions

QUERY_WORDS = {
    "WORD": ("//a:b", "//...", "deps", "rdeps", "kind", "attr", "filter", "somepath", "allpaths",
             "labels",
             "tests", "buildfiles", "loadfiles", "rbuildfiles", "siblings", "visible",
             "same_pkg_direct_rdeps",
             "some", "let", "in", "x", "$x", "1", "99999999999", "config", "target", "@a//b"),
    "QUOTED": ('"//a:b"', "'a b'", '"(a+)+$"', '"[z-a]"', '"\\\\p{L}"'),
}  # fmt: skip


@cache
def _query_grammar() -> Derivation:
    return derivation("query", "start", {k: tuple(v) for k, v in QUERY_WORDS.items()})


def _query(random: Random) -> str:
    text = _query_grammar().text(random, random.choice((5, 30)))
    return (
        text
        if random.random() < 0.3
        else mutated(random, [text, "deps(//a:b)"], QUERY_WORDS["WORD"])
    )


def _read_query(text: str) -> None:
    release = RELEASES[len(text) % len(RELEASES)]
    for command in Command:
        with contextlib.suppress(BazelscopeError):
            query_parser.parse(text, command, release)


LABELS = (
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
    return mutated(random, (*LABELS, *_VERSIONS), (*LABELS, *_VERSIONS))


def _read_short(text: str) -> None:
    here = label.PackageId("", "a/b")
    for read in (label.parse_label, label.parse_pattern):
        with contextlib.suppress(BazelscopeError):
            read(text, here)
    Release.read(text)
    if module_versions.is_version(text):
        module_versions.version_order(module_versions.normalized(text))


READERS = (
    Subject("starlark", 20, _starlark, _run_starlark),
    Subject("rc", 12, _rc, _read_rc),
    Subject("line", 8, _line, _read_line),
    Subject("module", 12, _module, _read_module),
    Subject("lock", 10, _lock, _read_lock),
    Subject("mappings", 8, _mappings, _read_mappings),
    Subject("query", 12, _query, _read_query),
    Subject("short", 15, _short, _read_short),
)
