"""What Starlark files say that some release of Bazel has taken away, as it is written.

Each with the releases that had it; `removed_natives.py` has the rules and providers that went.
Bazel: the issues of its `--incompatible_*` flags, and its release notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.facts.fact import Fact, until
from bazelscope.bazel.release import Release

PLATFORMS_INSTEAD = "take @platforms//cpu and @platforms//os"


@dataclass(frozen=True, slots=True)
class Removed:
    """Something that can be written in Starlark, how it looks there, and what to write now. Where
    the pattern has a group `place`, what matches without it is something else. `word` is part of
    each place: a text without it need not be searched, which is much faster."""

    what: str
    pattern: str
    had_by: Fact
    remedy: str
    only_build_files: bool = False
    word: str = ""


_ARGUMENTS = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*?"
"""What stands before an argument of a call: others, with calls in them."""

_FUNCTIONS = (
    Removed('`cfg = "host"`', r"\bcfg\s*=\s*[\"']host[\"']", until(7), 'write `cfg = "exec"`',
            word="host"),
    Removed('`cfg = "data"`', r"\bcfg\s*=\s*[\"']data[\"']", until(6), "leave `cfg` out",
            word="data"),
    Removed(
        "`native` in a BUILD file", r"(?<![\w.])native\.\w+", Release.native_in_build_files,
        "call the function itself", True, word="native.",
    ),
    Removed("`attr(non_empty)`", r"\bnon_empty\s*=", Release.old_attribute_parameters,
            "write `allow_empty = False`", word="non_empty"),
    Removed("`attr(single_file)`", r"\bsingle_file\s*=", Release.old_attribute_parameters,
            "write `allow_single_file = True`", word="single_file"),
    Removed("`ctx.host_configuration`", r"\bctx\.host_configuration\b", until(7),
            "write `ctx.configuration`", word="host_configuration"),
    Removed("`ctx.new_file`", r"\bctx\.new_file\(", until(1), "write `ctx.actions.declare_file`",
            word="ctx.new_file"),
    Removed("`ctx.action`", r"\bctx\.action\(", until(1), "write `ctx.actions.run`",
            word="ctx.action("),
    Removed("`ctx.template_action`", r"\bctx\.template_action\(", until(1),
            "write `ctx.actions.expand_template`", word="ctx.template_action"),
    Removed("`ctx.file_action`", r"\bctx\.file_action\(", until(1), "write `ctx.actions.write`",
            word="ctx.file_action"),
    Removed("`FileType`", r"(?<![\w.])FileType\(", until(1), "write a list of suffixes",
            word="FileType"),
    Removed("a native `http_archive` or its like",
            r"(?<![\w.])(native\.)?(new_)?(http_archive|http_file|http_jar|git_repository)\(",
            Release.native_archive_rules, "load it from @bazel_tools//tools/build_defs/repo"),
    Removed("`maven_jar`", r"(?<![\w.])(native\.)?maven_(jar|server)\(",
            Release.native_maven_rules, "take rules_jvm_external", word="maven_"),
    Removed("`android_sdk_repository` and `android_ndk_repository`",
            r"(?<![\w])(native\.)?android_[sn]dk_repository\(",
            Release.native_android_repositories, "load it from rules_android, rules_android_ndk",
            word="dk_repository"),
    Removed("`bind()`", r"(?<![\w.])(native\.)?bind\(", Release.native_android_repositories,
            "depend on the target itself", word="bind("),
    Removed("`distribs()`", r"(?<![\w.])distribs\(", Release.native_android_repositories,
            "delete the call", word="distribs"),
    # `py_runtime` still takes it.
    Removed('`python_version = "PY2"`',
            r"\bpy_runtime\([^()]*\)|(?P<place>\bpython_version\s*=\s*[\"']PY2[\"'])", until(7),
            'write `python_version = "PY3"`, or leave it out', word="PY2"),
    Removed("`@bazel_tools//tools/python:toolchain.bzl`",
            r"@bazel_tools//tools/python:toolchain\.bzl", until(8),
            "load it from @rules_python//python:py_runtime_pair.bzl"),
    Removed("`@bazel_tools//tools/build_defs/pkg`", r"@bazel_tools//tools/build_defs/pkg\b",
            until(6), "take rules_pkg"),
    Removed("constraints in `@bazel_tools//platforms`",
            r"@bazel_tools//platforms:(?!host_platform|target_platform)[\w%{]+", until(6),
            PLATFORMS_INSTEAD),
    Removed("`@bazel_tools//tools/cpp:toolchain_utils.bzl`",
            r"@bazel_tools//tools/cpp:toolchain_utils\.bzl", until(9),
            "load it from @rules_cc//cc:find_cc_toolchain.bzl"),
    Removed("`exec_tools` of a genrule", r"\bexec_tools\s*=", until(7), "write `tools`",
            word="exec_tools"),
    # Bazel's issue 25836.
    Removed("strings in an attribute's `providers`",
            rf"\battr\.label\w*\({_ARGUMENTS}(?P<place>\bproviders\s*=\s*\[\s*\[?\s*[\"'])",
            until(9), "write the providers themselves, or leave it out", word="providers"),
    # What the values of an old option are compared with need not be there.
    Removed("labels in `//external`", r"[\"']//external:(?!android/)\w*",
            Release.native_android_repositories, "write the label of the target itself",
            word="//external:"),
    Removed("`JavaInfo.transitive_exports`", r"\[JavaInfo\]\.transitive_exports\b", until(5),
            "do without it"),
    Removed("`JavaInfo.transitive_deps`", r"\[JavaInfo\]\.transitive_deps\b", until(7),
            "write `transitive_compile_time_jars`"),
    Removed("`JavaInfo.transitive_runtime_deps`", r"\[JavaInfo\]\.transitive_runtime_deps\b",
            until(7), "write `transitive_runtime_jars`"),
)  # fmt: skip

STRUCTS_RETURNED = {"rule": until(8), "aspect": until(9)}
"""Which releases let the implementation of each return a `struct` (Bazel's issues 7347, 25836)."""
STRUCTS_ASKED_FOR = until(9)
"""Which releases let them go on under `--noincompatible_disallow_struct_provider_syntax`."""


def places_of(function: Removed, code: str) -> Iterator[tuple[re.Match[str], int, int]]:
    """Where a text has it: the match, and from where to where."""
    if function.word not in code:
        return
    pattern = re.compile(function.pattern)
    group = "place" if "place" in pattern.groupindex else 0
    for match in pattern.finditer(code):
        start, end = match.span(group)
        if start >= 0:
            yield match, start, end


def removed_between(own: Release, target: Release) -> Iterator[Removed]:
    """What `own` has and `target` has not."""
    for function in _FUNCTIONS:
        if function.had_by.holds(own) and not function.had_by.holds(target):
            yield function
