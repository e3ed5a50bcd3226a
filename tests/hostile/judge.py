"""What a flood must not do, whatever it asks for."""

from __future__ import annotations

from tests.hostile.floods import EVERY_TARGET, Flood
from tests.hostile.trial import Ending

FILE_SECONDS = 25
"""Of one file to blame: its budget of 20 s, and what comes before and after it."""
SECONDS = 310
MEGABYTES = 2253


def fault_of(flood: Flood, ending: Ending) -> str:
    """The promise that was broken; empty if none was."""
    if ending.code < 0:
        return f"killed by signal {-ending.code}"
    if ending.code not in (0, 1, 2, 3, 7):
        return f"exit {ending.code}: {ending.err[-300:]!r}"
    if "Traceback" in ending.err or "error of bazelscope" in ending.err:
        return f"a fault of ours: {ending.err[-400:]!r}"
    if ending.seconds > (FILE_SECONDS if flood.blames else SECONDS):
        return f"{ending.seconds:.0f} s"
    if ending.megabytes > MEGABYTES:
        return f"{ending.megabytes} MB"
    if flood.blames and flood.words == EVERY_TARGET and "//ok:ok" not in ending.out:
        return f"the other package is missing: {ending.err[-300:]!r}"
    return ""
