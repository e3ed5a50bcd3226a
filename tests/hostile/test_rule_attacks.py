"""Attacks where Starlark is run dry end in their sentences, and touch nothing.

A seeded sample; `scripts/hostile.py attacks` runs all.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.hostile.rule_attacks import (
    PLACES,
    REACHED,
    Attack,
    attacks,
    controls,
    fault_of,
    floods_of_places,
    warm_up,
)

_OF_ALL = 150


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    warm_up()


def test_there_are_many_and_each_has_its_name() -> None:
    names = [attack.name for attack in attacks()]
    assert len(names) == len(set(names)) >= 800
    assert len([*floods_of_places()]) >= 100


@pytest.mark.parametrize("control", controls(), ids=lambda attack: attack.name)
def test_every_place_is_one_that_is_reached(control: Attack) -> None:
    fault, told = fault_of(control)
    assert not fault
    assert REACHED in told


@pytest.mark.parametrize("kind", PLACES)
def test_no_attack_breaks_a_promise(kind: str) -> None:
    own = [attack for attack in attacks() if attack.name.startswith(f"{kind}-")]
    sample = Random(21).sample(own, min(len(own), _OF_ALL // len(PLACES)))
    assert {attack.name: fault for attack in sample if (fault := fault_of(attack)[0])} == {}


def test_a_broken_promise_is_seen() -> None:
    control = controls()[0]
    for body, fault in (
        ('fail("E" + "SCAPED")', "ESCAPED"),
        ('fail("<func" + "tion f at 0x7f>")', "Python's words"),
    ):
        files = {
            path: text.replace(f'fail("{REACHED}")', body) for path, text in control.files.items()
        }
        assert fault in fault_of(Attack("x", files, control.words, control.version))[0]
