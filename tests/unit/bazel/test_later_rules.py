"""The rows of `later_rules.txt`: each is about a rule and an attribute that there are."""

from __future__ import annotations

from pathlib import Path

import pytest

import bazelscope.bazel
from bazelscope.bazel.rule_classes import NativeRules

FILE = Path(bazelscope.bazel.__file__).with_name("later_rules.txt")
LINES = [
    line
    for line in FILE.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
ROWS = [line for line in LINES if not line.startswith(" ")]
TABLES = [NativeRules(release) for release in ("0.24.1", "2.1.0", "4.2.3")]


def test_rows_are_about_rules_of_a_table_or_about_new_ones() -> None:
    known = {name for table in TABLES for name in table.names} | {"*"}
    unknown = []
    for row in ROWS:
        release, rules = row.split(": ")
        if release.endswith(" new"):
            known |= set(rules.split())
        unknown += [rule for rule in rules.split() if rule not in known]
    assert unknown == []


@pytest.mark.parametrize("mark", ["-", "~"])
def test_what_went_or_changed_was_there(mark: str) -> None:
    """In a table, or in a row before."""
    had = {name for table in TABLES for rule in table.names for name in table.get(rule).attributes}
    missing = []
    for line in LINES:
        if line.startswith(" "):
            its, name = line.split()[:2]
            if its == "+":
                had.add(name.rstrip(":"))
            elif its == mark and name.rstrip(":") not in had:
                missing.append(name)
    assert missing == []
