"""Findings as SARIF 2.1.0, which GitHub's code scanning and editors read."""

from __future__ import annotations

import hashlib
import json
from urllib.parse import quote

from bazelscope.base.edits import Edit, Fix
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Span
from bazelscope.check.answer import CheckAnswer
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding
from bazelscope.render.visible import visible_json

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "WORKSPACE"
"""What paths are relative to: the root of the workspace."""

_LINK = lazy_pattern(r"\[(?=[^\]]*\]\()")

Json = dict[str, object]


def to_sarif(answer: CheckAnswer, version: str) -> str:
    """The findings as a SARIF document of one run of bazelscope `version`."""
    used = sorted({finding.code for finding in answer.findings})
    rules: list[Json] = [
        {
            "id": code,
            "shortDescription": {"text": CODES[code].title},
            "defaultConfiguration": {"level": CODES[code].severity.value},
            "help": {"text": f"See {CODES[code].page}"},
        }
        for code in used
    ]
    numbers = {code: number for number, code in enumerate(used)}
    driver = {"name": "bazelscope", "semanticVersion": version, "rules": rules}
    run: Json = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, numbers) for finding in answer.findings],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return visible_json(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"


def _result(finding: Finding, numbers: dict[str, int]) -> Json:
    text = f"{finding.message}. {finding.remedy}" if finding.remedy else finding.message
    identity = "\0".join((finding.code, finding.path, finding.subject))
    result: Json = {
        "ruleId": finding.code,
        "ruleIndex": numbers[finding.code],
        "level": finding.severity.value,
        "message": _message(text),
        "partialFingerprints": {
            "bazelscope/1": hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:32]
        },
    }
    if finding.span is not None:
        result["locations"] = [{"physicalLocation": _place(finding.span)}]
    related = [
        {"id": number, "message": _message(cause.message), "physicalLocation": _place(cause.span)}
        for number, cause in enumerate(finding.causes)
        if cause.span is not None
    ]
    if related:
        result["relatedLocations"] = related
    if finding.fixes:
        result["fixes"] = [_fix(fix) for fix in finding.fixes]
    return result


def _fix(fix: Fix) -> Json:
    by_file: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        by_file.setdefault(edit.span.path, []).append(edit)
    changes = [
        {
            "artifactLocation": _artifact(path),
            "replacements": [
                {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
                for edit in edits
            ],
        }
        for path, edits in by_file.items()
    ]
    return {"description": _message(fix.title), "artifactChanges": changes}


def _message(text: str) -> Json:
    """A message without links: SARIF 3.11.6 would have `[text](target)` for one."""
    return {"text": _LINK.sub(r"\\[", text)}


def _place(span: Span) -> Json:
    return {"artifactLocation": _artifact(span.path), "region": _region(span)}


def _artifact(path: str) -> Json:
    artifact: Json = {"uri": quote(path, errors="replace")}
    if not path.startswith("/"):
        artifact["uriBaseId"] = _ROOT
    return artifact


def _region(span: Span) -> Json:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
