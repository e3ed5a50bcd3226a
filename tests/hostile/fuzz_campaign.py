"""Feeds texts to the subjects in a process of its own, and says what broke a promise.

A text is numbered: subject, seed and number make it again. The promises: no crash, 5 s of CPU at
most, 500 MB of memory at most that the text takes by itself.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import resource
import struct
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from tests.hostile.fuzz_editor import EDITOR
from tests.hostile.fuzz_questions import QUESTIONS
from tests.hostile.fuzz_subjects import READERS, Subject

SUBJECTS: tuple[Subject, ...] = (*READERS, *QUESTIONS, *EDITOR)

SECONDS = 5.0
MEGABYTES = 500
_WALL = 60.0
"""Seconds after which a text that does not end, not even by our own budget, is killed."""


@dataclass(frozen=True)
class Breach:
    """A text that broke a promise, and how."""

    subject: str
    seed: int
    number: int
    fault: str
    text: str


def text_of(subject: Subject, seed: int, number: int) -> str:
    """Makes the text of that number again."""
    return subject.make(Random(f"{subject.name} {seed} {number}"))


def share(subject: Subject, inputs: int) -> int:
    """Returns how many of a campaign's texts are this subject's."""
    return max(1, inputs * subject.weight // sum(one.weight for one in SUBJECTS))


def feed(subject: Subject, seed: int, numbers: range) -> list[Breach]:
    """Feeds the texts of those numbers, in processes that are begun anew when one dies."""
    breaches: list[Breach] = []
    first = numbers.start
    while first < numbers.stop:
        got, first = _in_a_process(subject, seed, range(first, numbers.stop))
        breaches += got
    return breaches


def _in_a_process(subject: Subject, seed: int, numbers: range) -> tuple[list[Breach], int]:
    """Feeds until the end, or until the process dies; and where to go on."""
    current = mmap.mmap(-1, 16)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reader)
            with os.fdopen(writer, "w") as out:
                _feed_here(subject, seed, numbers, current, out.fileno())
            code = 0
        finally:
            # Whatever went wrong, the child must not go on as the process that started it.
            os._exit(code)
    os.close(writer)
    breaches, killed = _collect(reader, child, current)
    _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) == 0:
        return breaches, numbers.stop
    number = _current(current)[0]
    why = f"no end within {_WALL:g} s" if killed else f"the process died ({status})"
    breaches.append(Breach(subject.name, seed, number, why, text_of(subject, seed, number)))
    return breaches, number + 1


def _current(current: mmap.mmap) -> tuple[int, float]:
    number, since = struct.unpack("qd", current[:16])
    return number, since


def _collect(reader: int, child: int, current: mmap.mmap) -> tuple[list[Breach], bool]:
    """Reads breaches until the child closes its end; kills it where one text takes too long."""
    import select
    import signal

    content, killed = b"", False
    poll = select.poll()  # select() takes no more than 1024 files.
    poll.register(reader, select.POLLIN)
    while True:
        if poll.poll(1000):
            read = os.read(reader, 1 << 16)
            if not read:
                break
            content += read
        elif not killed and time.monotonic() - (_current(current)[1] or time.monotonic()) > _WALL:
            os.kill(child, signal.SIGKILL)
            killed = True
    os.close(reader)
    return [
        Breach(**json.loads(line)) for line in content.splitlines() if line.endswith(b"}")
    ], killed


def _feed_here(subject: Subject, seed: int, numbers: range, current: mmap.mmap, out: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    # What the parent holds, after thousands of tests, is not the text's to look through.
    gc.freeze()
    for number in numbers:
        current[:16] = struct.pack("qd", number, time.monotonic())
        text = text_of(subject, seed, number)
        fault = _fault(subject, text)
        if fault:
            breach = Breach(subject.name, seed, number, fault, text)
            os.write(out, json.dumps(asdict(breach)).encode() + b"\n")


def _fault(subject: Subject, text: str) -> str:
    memory = _peak()
    began = time.process_time()
    try:
        subject.feed(text)
    except Exception:  # any at all is what the campaign looks for: it is told as a breach
        return traceback.format_exc(limit=-6)
    seconds = time.process_time() - began
    if seconds > SECONDS:
        return f"{seconds:.1f} s of CPU"
    grown = _peak() - memory
    return f"{grown} MB" if grown > MEGABYTES else ""


def _peak() -> int:
    """Returns the most memory that this process had so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def campaign(
    inputs: int, seed: int, state: Path, names: Sequence[str], until: float, block: int = 2000
) -> Iterator[tuple[str, int, list[Breach]]]:
    """Feeds `inputs` texts in blocks, each subject's share, and goes on where `state` says that an
    earlier run stopped. Yields subject, texts so far, and the block's breaches; ends at `until`
    (of time.monotonic)."""
    done: dict[str, int] = json.loads(state.read_text()) if state.exists() else {}
    subjects = [one for one in SUBJECTS if not names or one.name in names]
    left = True
    while left and time.monotonic() < until:
        left = False
        for subject in subjects:
            key = f"{subject.name} {seed}"
            first, all_of_it = done.get(key, 0), share(subject, inputs)
            if first >= all_of_it or time.monotonic() >= until:
                continue
            step = max(1, block * subject.weight // SUBJECTS[0].weight)
            last = min(all_of_it, first + step)
            breaches = feed(subject, seed, range(first, last))
            done[key] = last
            state.write_text(json.dumps(done))
            left = left or last < all_of_it
            yield subject.name, last, breaches
