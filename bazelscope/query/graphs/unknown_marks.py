"""What Bazel's machine-readable outputs mark as known to nobody: whole targets, rules of a class
that is only guessed, and parts of attributes."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.graph.dependency_edges import unknowns_in
from bazelscope.loading.packages.targets import Rule

MARK = "$bazelscope_unknown"
"""The attribute that holds the marks where a format has attributes only. Bazel has none such."""


def unknown_parts(rule: Rule) -> Iterator[tuple[str, str]]:
    """What of a rule cannot be told: an attribute and why. Behind no name stands why its class is
    guessed."""
    if not rule.rule_class.is_known:
        yield "", f"the class `{rule.rule_class.name}` is assumed: its file is not there"
    for attribute in rule.attributes.values():
        for unknown in unknowns_in(attribute.value):
            yield attribute.name, str(unknown)
