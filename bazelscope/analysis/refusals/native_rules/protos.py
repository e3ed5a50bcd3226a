"""What rules for protocol buffers refuse. Bazel: `ProtoCommon`, `CcProtoLibrary`; since 6
`proto_library.bzl`, `cc_proto_library.bzl`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.analysis.refusals.native_rules.configured_rule import Check, ConfiguredRule, Problem
from bazelscope.analysis.refusals.native_rules.paths import is_normal, joined, of_stripped

_PREFIX = "import_prefix"
_STRIPPED = "strip_import_prefix"


def _of_library(rule: ConfiguredRule) -> Iterator[Problem]:
    package = rule.label.package_id
    for edge in rule.edges("srcs"):
        if edge.target.label.package_id != package:
            message = f"Proto source with label '{edge.target.label}' must be in same package"
            yield Problem(f"{message} as consuming rule.", "srcs")
    prefix, stripped = rule.text(_PREFIX), rule.text(_STRIPPED)
    odd = [
        name
        for name, text in ((_PREFIX, prefix), (_STRIPPED, stripped))
        if text is not None and not is_normal(text)
    ]
    for name in odd:
        message = "should be normalized (without uplevel references or '.' path segments)"
        yield Problem(message, name)
    if prefix is not None and prefix.startswith("/"):
        yield Problem("should be a relative path", _PREFIX)
    elif stripped is not None and not odd:
        folder = joined("" if stripped.startswith("/") else package.package, stripped)
        yield from of_stripped(rule, "srcs", ".proto file", folder)


def _of_cc_library(rule: ConfiguredRule) -> Iterator[Problem]:
    targets = rule.targets("deps")
    if targets is not None and len(targets) != 1:
        yield Problem("'deps' attribute must contain exactly one label", "deps")


CHECKS: Mapping[str, Check] = {"cc_proto_library": _of_cc_library, "proto_library": _of_library}
