"""A release is added to the flag table from its own facts alone."""

from __future__ import annotations

import importlib.util
import json
from types import ModuleType
from typing import Any

import pytest

from tests.support.parts import CHECKOUT

TABLE = CHECKOUT / "bazelscope" / "bazel" / "options.jsonl"
NEW = {
    **{"type": "an integer", "default": "3", "multiple": False, "negatable": False},
    **{"abbreviation": None, "requires_value": True, "commands": ["build"], "expands_to": []},
}


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    file = CHECKOUT / "scripts" / "make_flag_catalog.py"
    spec = importlib.util.spec_from_file_location("make_flag_catalog", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def histories(table: str) -> dict[str, list[list[Any]]]:
    lines = (line.split("\t", 1) for line in table.splitlines()[1:])
    return {name: json.loads(states) for name, states in lines}


def added(maker: ModuleType, **release: Any) -> str:
    facts = json.loads(maker.FACTS.read_text(encoding="utf-8"))
    table: str = maker.with_release(TABLE.read_text(encoding="utf-8"), release, facts)
    return table


def test_a_release_is_added_behind_the_newest(maker: ModuleType) -> None:
    before = histories(TABLE.read_text(encoding="utf-8"))
    table = added(maker, bazel="99.0.0", flags={"brand_new": NEW, "jobs": NEW}, command_inherits={})
    after = histories(table)
    releases = json.loads(table.partition("\n")[0])["releases"]
    newest = len(releases) - 1
    assert releases[-1] == "99.0.0"
    assert [states[0][0] for name, states in after.items() if name not in before] == [newest]
    assert after["jobs"][-1][0] == newest and after["jobs"][-1][2] == "3"
    # The page leaves out what is hidden; what it had before and has no more is gone.
    assert after["incompatible_disallow_empty_glob"][-1] == [newest]
    hidden = next(n for n, s in before.items() if len(s[-1]) > 3 and s[-1][3] & maker.HIDDEN)
    assert after[hidden] == before[hidden]
    for name, states in before.items():
        assert after[name][: len(states)] == states


def test_a_binary_leaves_nothing_out(maker: ModuleType) -> None:
    after = histories(added(maker, bazel="99.0.0", flags={"brand_new": NEW}))
    newest = after["brand_new"][-1][0]
    assert {name for name, states in after.items() if states[-1] != [newest]} >= {"brand_new"}
    assert not [n for n, states in after.items() if len(states[-1]) > 1 and n != "brand_new"]


def test_only_a_newer_release_is_added(maker: ModuleType) -> None:
    with pytest.raises(SystemExit, match="is not newer than"):
        added(maker, bazel="6.0.0", flags={})
