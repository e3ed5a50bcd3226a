"""What Starlark files say that some release of Bazel has taken away, as it is written.

Each with the releases that had it; `removed_natives.py` has the rules and providers that went.
Bazel: the issues of its `--incompatible_*` flags, and its release notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.facts import Fact
from bazelscope.bazel.facts.fact import until
from bazelscope.bazel.release import Release


@dataclass(frozen=True, slots=True)
class RemovedFunction:
    """Something that can be written in Starlark, how it looks there, and what to write now."""

    what: str
    pattern: re.Pattern[str]
    had_by: Fact
    remedy: str
    only_build_files: bool = False


def _removed(
    what: str, pattern: str, had_by: Fact, remedy: str, only_build_files: bool = False
) -> RemovedFunction:
    return RemovedFunction(what, re.compile(pattern), had_by, remedy, only_build_files)


_FUNCTIONS = (
    _removed('`cfg = "host"`', r"\bcfg\s*=\s*[\"']host[\"']", until(7), 'write `cfg = "exec"`'),
    _removed('`cfg = "data"`', r"\bcfg\s*=\s*[\"']data[\"']", until(6), "leave `cfg` out"),
    _removed(
        "`native` in a BUILD file", r"(?<![\w.])native\.\w+", Release.native_in_build_files,
        "call the function itself", True,
    ),
    _removed("`attr(non_empty)`", r"\bnon_empty\s*=", Release.old_attribute_parameters,
             "write `allow_empty = False`"),
    _removed("`attr(single_file)`", r"\bsingle_file\s*=", Release.old_attribute_parameters,
             "write `allow_single_file = True`"),
    _removed("`ctx.host_configuration`", r"\bctx\.host_configuration\b", until(7),
             "write `ctx.configuration`"),
    _removed("`ctx.new_file`", r"\bctx\.new_file\(", until(1), "write `ctx.actions.declare_file`"),
    _removed("`ctx.action`", r"\bctx\.action\(", until(1), "write `ctx.actions.run`"),
    _removed("`ctx.template_action`", r"\bctx\.template_action\(", until(1),
             "write `ctx.actions.expand_template`"),
    _removed("`ctx.file_action`", r"\bctx\.file_action\(", until(1), "write `ctx.actions.write`"),
    _removed("`FileType`", r"(?<![\w.])FileType\(", until(1), "write a list of suffixes"),
    _removed("a native `http_archive` or its like",
             r"(?<![\w.])(native\.)?(new_)?(http_archive|http_file|http_jar|git_repository)\(",
             Release.native_archive_rules, "load it from @bazel_tools//tools/build_defs/repo"),
    _removed("`maven_jar`", r"(?<![\w.])(native\.)?maven_(jar|server)\(",
             Release.native_maven_rules, "take rules_jvm_external"),
    _removed("`android_sdk_repository` and `android_ndk_repository`",
             r"(?<![\w])(native\.)?android_[sn]dk_repository\(",
             Release.native_android_repositories, "load it from rules_android, rules_android_ndk"),
    _removed("`bind()`", r"(?<![\w.])(native\.)?bind\(", Release.native_android_repositories,
             "depend on the target itself"),
    _removed("`distribs()`", r"(?<![\w.])distribs\(", Release.native_android_repositories,
             "delete the call"),
    _removed('`python_version = "PY2"`', r"\bpython_version\s*=\s*[\"']PY2[\"']", until(7),
             'write `python_version = "PY3"`, or leave it out'),
    _removed("`@bazel_tools//tools/python:toolchain.bzl`",
             r"@bazel_tools//tools/python:toolchain\.bzl", until(8),
             "load it from @rules_python//python:py_runtime_pair.bzl"),
    _removed("`@bazel_tools//tools/build_defs/pkg`", r"@bazel_tools//tools/build_defs/pkg\b",
             until(6), "take rules_pkg"),
    _removed("constraints in `@bazel_tools//platforms`",
             r"@bazel_tools//platforms:(?!host_platform|target_platform)\w+", until(6),
             "take @platforms//cpu and @platforms//os"),
    _removed("`@bazel_tools//tools/cpp:toolchain_utils.bzl`",
             r"@bazel_tools//tools/cpp:toolchain_utils\.bzl", until(9),
             "load it from @rules_cc//cc:find_cc_toolchain.bzl"),
    _removed("`exec_tools` of a genrule", r"\bexec_tools\s*=", until(7), "write `tools`"),
)  # fmt: skip


def removed_between(own: Release, target: Release) -> Iterator[RemovedFunction]:
    """What `own` has and `target` has not."""
    for function in _FUNCTIONS:
        if function.had_by.holds(own) and not function.had_by.holds(target):
            yield function
