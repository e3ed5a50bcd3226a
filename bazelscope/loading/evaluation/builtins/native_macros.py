"""What Bazel's own macros and initializers set on native rules, where a BUILD file says nothing.

Bazel: `cc_test_wrapper.bzl` and later `cc_test_initializer`, `java_binary_wrapper.bzl`.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope import starlark
from bazelscope.base.label import PackageId, parse_label
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.symbolic_values import select


def completed(
    name: str, keywords: Mapping[str, object], context: EvaluationContext
) -> Mapping[str, object]:
    """The arguments of a rule `name`, with those that come from Bazel."""
    if name == "cc_test":
        if "linkstatic" in keywords:
            return keywords
        windows = _bazels(context, "@platforms//os:windows")
        by_platform = starlark.Dict({windows: True, "//conditions:default": False})
        return {**keywords, "linkstatic": select(by_platform)}
    if keywords.get("create_executable", True) is False:
        return keywords
    if keywords.get("use_launcher", True) is False:
        return {**keywords, "launcher": None}
    if keywords.get("launcher"):
        return keywords
    return {**keywords, "launcher": _bazels(context, "@bazel_tools//tools/jdk:launcher_flag_alias")}


def _bazels(context: EvaluationContext, text: str) -> LabelValue:
    """A label as files of Bazel's own mean it."""
    home = PackageId("bazel_tools", "")
    return context.label_value(parse_label(text, home, context.mapping_of(home.repository)))
