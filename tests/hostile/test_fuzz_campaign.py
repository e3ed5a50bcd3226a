"""A part of the campaign with a fixed seed, and that a breach is seen: the campaign itself.

`scripts/fuzz.py` runs as many as one likes, with other seeds.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

import pytest

from tests.hostile.fuzz_campaign import SUBJECTS, campaign, feed, share, text_of
from tests.hostile.fuzz_subjects import CrashError, Subject

INPUTS = int(os.environ.get("BAZELSCOPE_FUZZ_INPUTS", "8000"))
SEED = int(os.environ.get("BAZELSCOPE_FUZZ_SEED", "20261122"))


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_no_text_breaks_a_promise(subject: Subject) -> None:
    assert feed(subject, SEED, range(share(subject, INPUTS))) == []


def test_a_text_is_its_seed_and_number() -> None:
    subject = SUBJECTS[0]
    again = {text_of(subject, 7, number) for number in (3, 3, 3)}
    assert len(again) == 1
    assert text_of(subject, 8, 3) not in again


def _text(random: Random) -> str:
    return str(random.randrange(6))


def _broken_reader(text: str) -> None:
    """Fails in all the ways that the campaign has to see, by what the text says."""
    if text == "1":
        raise ValueError("a reader's own defect")
    if text == "2":
        raise CrashError("told, not raised")
    if text == "3":
        os.kill(os.getpid(), 9)
    if text == "4":
        began = time.process_time()
        while time.process_time() - began < 5.2:
            pass
    if text == "5":
        assert len(b"x" * (600 << 20))


def test_each_kind_of_breach_is_seen() -> None:
    broken = Subject("broken", 1, _text, _broken_reader)
    numbers = {}
    for number in range(200):
        numbers.setdefault(text_of(broken, 1, number), number)
    faults = {}
    for text, number in numbers.items():
        for breach in feed(broken, 1, range(number, number + 1)):
            assert (breach.text, breach.number) == (text, number)
            faults[text] = breach.fault.strip().splitlines()[-1]
    assert "own defect" in faults["1"] and "not raised" in faults["2"]
    assert faults["3"] == "the process died (9)"
    assert faults["4"].endswith("s of CPU")
    assert faults["5"].endswith(("MB", "s of CPU"))  # On a busy machine it is slow, too.
    assert "0" not in faults


def test_a_stopped_campaign_goes_on(tmp_path: Path) -> None:
    state = tmp_path / "state"
    names = ["short", "lock"]
    stopped = campaign(1000, 3, state, names, time.monotonic() + 60, block=100)
    first = next(stopped)
    stopped.close()
    rest = list(campaign(1000, 3, state, names, time.monotonic() + 60, block=100))
    assert (first[0], first[1]) not in [(name, count) for name, count, _ in rest]
    by_name = {name: count for name, count, _ in rest}
    assert by_name == {one.name: share(one, 1000) for one in SUBJECTS if one.name in names}
    assert list(campaign(1000, 3, state, names, time.monotonic() + 60)) == []
