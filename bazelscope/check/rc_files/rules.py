"""The rules about rc files, in the order of their codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bazelscope.check.finding import Finding
from bazelscope.check.of_diagnostics import of_flags
from bazelscope.check.rc_files.rc_facts import RcFacts


def _diagnosed(facts: RcFacts) -> Iterator[Finding]:
    return of_flags(facts.flags.diagnostics)


RULES: tuple[Callable[[RcFacts], Iterable[Finding]], ...] = (_diagnosed,)


def rc_findings(facts: RcFacts) -> tuple[Finding, ...]:
    """Everything that the rules say of the rc files."""
    return tuple(dict.fromkeys(found for rule in RULES for found in rule(facts)))
