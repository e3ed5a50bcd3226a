"""Findings as GitHub's workflow commands: annotations on the lines of a pull request."""

from __future__ import annotations

from bazelscope.check.answer import CheckAnswer
from bazelscope.check.finding import Finding, FindingSeverity
from bazelscope.render.visible import visible

_COMMANDS = {
    FindingSeverity.ERROR: "error",
    FindingSeverity.WARNING: "warning",
    FindingSeverity.NOTE: "notice",
}


def to_annotations(answer: CheckAnswer) -> str:
    """One workflow command for each finding."""
    return visible("".join(map(_command, answer.findings)))


def _command(finding: Finding) -> str:
    properties = {"title": finding.code}
    span = finding.span
    if span is not None:
        properties = {
            "file": span.path,
            "line": str(span.line),
            "endLine": str(span.end_line),
            "col": str(span.column),
            **properties,
        }
    written = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    lines = [finding.message, *(cause.message for cause in finding.causes), finding.remedy]
    text = _escaped("\n".join(line for line in lines if line))
    return f"::{_COMMANDS[finding.severity]} {written}::{text}\n"


def _escaped(text: str) -> str:
    """GitHub: `escapeData` of the toolkit."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
