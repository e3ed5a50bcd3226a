"""Findings about secrets in rc files. The secret itself is never told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding
from bazelscope.check.rc_files.rc_facts import RcFacts

_TOKENS = lazy_pattern(
    r"AKIA[0-9A-Z]{16}"  # of Amazon
    r"|gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{22,}"
    r"|glpat-[\w-]{20}"
    r"|xox[abprs]-[\w-]{10,}"  # of Slack
    r"|AIza[\w-]{35}"  # of Google
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}"  # a JSON web token
)
_LOGIN = lazy_pattern(r"\w+://[^/\s:@$]+:([^/\s@$<{]+)@")
_HEADER = lazy_pattern(
    r"(?:authorization|[\w-]*(?:api[-_]?key|token|secret|password))=(?:bearer |basic )?(.+)",
    re.IGNORECASE,
)
_VARIABLE = lazy_pattern(
    r"\w*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)=(.+)", re.IGNORECASE
)
_HEADERS = ("bes_header", "remote_cache_header", "remote_downloader_header", "remote_exec_header",
            "remote_header", "experimental_remote_downloader_header")  # fmt: skip
_VARIABLES = ("action_env", "define", "host_action_env", "repo_env", "test_env")
_NO_SECRET = lazy_pattern(
    r"[<$%{].*|x+|\*+|(?:your|my|insert|some|example|changeme|redacted|dummy|fake|test).*"
    r"|true|false|yes|no|\d{1,3}|[./~].*",
    re.IGNORECASE,
)
_SHORTEST = 8


def secrets(facts: RcFacts) -> Iterator[Finding]:
    """Words of rc files that hold a password, a key or a token."""
    for section in facts.sections:
        previous = ""
        for word in section.words():
            name, equals, value = word.text.lstrip("-").partition("=")
            if not equals:
                name, value = previous.lstrip("-"), word.text
            previous = word.text
            what = _secret(name, value)
            if what is not None:
                message = f"`--{name}` has {what} written into a file that others read"
                remedy = "take it away and revoke it; give it by an rc file outside of the tree"
                yield CODES["BZS109"].at(word.origin.span, f"--{name}", message, remedy)


def _secret(name: str, value: str) -> str | None:
    if _TOKENS.search(value):
        return "an access token"
    login = _LOGIN.search(value)
    if login is not None and _is_secret(login[1]):
        return "a password"
    pattern = _HEADER if name in _HEADERS else _VARIABLE if name in _VARIABLES else None
    match = pattern.fullmatch(value) if pattern is not None else None
    return "a secret" if match is not None and _is_secret(match[1]) else None


def _is_secret(text: str) -> bool:
    return len(text) >= _SHORTEST and _NO_SECRET.fullmatch(text) is None
