"""One thread: requests first, background work in steps, newer work instead of older."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from bazelscope.base.budget import GaveWayError
from bazelscope.editor.work import Worker


def test_requests_come_before_background_work_and_newer_work_supersedes() -> None:
    worker = Worker(lambda error: None)
    log: list[str] = []
    go_on, done = threading.Event(), threading.Event()

    def steps(name: str, last: bool) -> Iterator[None]:
        for number in range(3):
            log.append(f"{name}{number}")
            yield
        if last:
            done.set()

    worker.ask(go_on.wait)
    worker.in_background("a", lambda: steps("old", False))
    worker.in_background("a", lambda: steps("new", True))
    answer = worker.ask(lambda: log.append("asked"))
    go_on.set()
    answer.result(10)
    assert done.wait(10)
    assert log == ["asked", "new0", "new1", "new2"]
    worker.close()


def test_cancelled_requests_are_not_begun_and_errors_are_told() -> None:
    heard: list[BaseException] = []
    worker = Worker(heard.append)
    go_on = threading.Event()
    worker.ask(go_on.wait)
    begun: list[int] = []
    cancelled = worker.ask(lambda: begun.append(1))
    assert cancelled.cancel()

    def fails() -> Iterator[None]:
        yield
        raise ValueError("x")

    worker.in_background("f", fails)
    go_on.set()
    failing = worker.ask(lambda: 1 // 0)
    assert isinstance(failing.exception(10), ZeroDivisionError)
    settled = threading.Event()

    def last() -> Iterator[None]:
        settled.set()
        yield

    worker.in_background("g", last)
    assert settled.wait(10)
    assert begun == []
    for _ in range(1000):
        if heard:
            break
        worker.ask(lambda: None).result(10)
    assert [str(error) for error in heard] == ["x"]
    worker.close()


def test_a_step_is_left_when_somebody_waits_and_done_in_the_end() -> None:
    worker = Worker(lambda error: None)
    log: list[str] = []
    begun, done = threading.Event(), threading.Event()

    def steps() -> Iterator[None]:
        log.append("begun")
        yield
        begun.set()
        while not worker.is_waited_for():
            if log.count("asked") == 3:
                done.set()
                return
        raise GaveWayError

    worker.in_background("a", steps)
    assert begun.wait(10)
    for _ in range(3):
        worker.ask(lambda: log.append("asked")).result(10)
    assert done.wait(10)
    assert log[:3] == ["begun", "asked", "begun"]
    worker.close()


def test_who_asks_all_the_time_still_has_all_work_done() -> None:
    worker = Worker(lambda error: None)
    done = threading.Event()

    def steps() -> Iterator[None]:
        worker.ask(lambda: None)
        if worker.is_waited_for():
            raise GaveWayError
        done.set()
        yield

    worker.in_background("a", steps)
    assert done.wait(10)
    worker.close()
