"""Which findings are told: those whose codes are asked for, that no comment waives, and that
no baseline knows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import ReadSource
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding

_WAIVER = lazy_pattern(r"#\s*bazelscope:\s*ignore\[([\w\s,]+)\]")


@dataclass(frozen=True, slots=True)
class Selection:
    """The codes that are asked for and those that are not, by their beginnings: `BZS1` is every
    code of rc files. Without `codes`, every code."""

    codes: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @staticmethod
    def of(codes: Iterable[str], ignored: Iterable[str]) -> Selection:
        """The selection that words such as `BZS101,BZS2` make. Raises `UsageError` for one that
        begins no code."""
        return Selection(_prefixes(codes), _prefixes(ignored))

    def takes(self, code: str) -> bool:
        """Whether findings of that code are told."""
        if any(code.startswith(prefix) for prefix in self.ignored):
            return False
        return not self.codes or any(code.startswith(prefix) for prefix in self.codes)

    def takes_any(self, codes: Iterable[str]) -> bool:
        """Whether findings of one of these codes are told."""
        return any(map(self.takes, codes))


def _prefixes(words: Iterable[str]) -> tuple[str, ...]:
    prefixes = [part.strip().upper() for word in words for part in word.split(",") if part.strip()]
    for prefix in prefixes:
        if not any(code.startswith(prefix) for code in CODES):
            known = f"codes are {min(CODES)} to {max(CODES)}, or what they begin with: BZS1"
            raise UsageError(Diagnostic("no-such-code", f"`{prefix}` begins no code", hint=known))
    return tuple(prefixes)


def is_waived(finding: Finding, read: ReadSource) -> bool:
    """Whether a comment `# bazelscope: ignore[CODE]` stands on a line of the finding, or alone on
    the line above."""
    span = finding.span
    source = read(span.path) if span is not None else None
    if span is None or source is None:
        return False
    lines = [source.line(number) for number in range(span.line, span.end_line + 1)]
    above = source.line(span.line - 1)
    if above.lstrip().startswith("#"):
        lines.append(above)
    return any(
        finding.code in re.split(r"[\s,]+", match[1])
        for line in lines
        for match in _WAIVER.finditer(line)
    )


def read_baseline(text: str, path: str) -> Counter[tuple[str, str, str]]:
    """What an earlier answer of `check --format json` tells, by code, file and subject, and how
    often: lines may move. Raises `UsageError`."""
    try:
        findings = json.loads(text)["findings"]
        return Counter(
            (str(one["code"]), str((one["span"] or {}).get("path", "")), str(one["subject"]))
            for one in findings
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        hint = "make one by `bazelscope check --format json`"
        problem = Diagnostic("no-baseline", f"`{path}` is no answer of `check`", hint=hint)
        raise UsageError(problem) from error


def without_known(
    findings: Iterable[Finding], baseline: Counter[tuple[str, str, str]]
) -> list[Finding]:
    """The findings that a baseline does not know, each of its entries counting once."""
    left = baseline.copy()
    new: list[Finding] = []
    for finding in findings:
        key = (finding.code, finding.path, finding.subject)
        if left[key] > 0:
            left[key] -= 1
        else:
            new.append(finding)
    return new
