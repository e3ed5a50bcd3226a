"""Answers of `cquery` in a form that two programs can share.

Bazel's hashes of configurations become their kinds, by which we call them; and what Bazel lists in
an order of its own is sorted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

KINDS = """
def format(target):
    options = build_options(target)
    if not options:
        return "null"
    for kind in ("host", "exec"):
        if options["//command_line_option:is %s configuration" % kind]:
            return kind
    return "target"
"""
_HASH = re.compile(r"(?<=[( ])([0-9a-f]{7}|HOST)(?=\)|,|\n|$)")
_CHECKSUM = re.compile(r'(?<=checksum: ")([0-9a-f]{64})(?=")|(?<="checksum": ")([0-9a-f]{64})')


def with_kinds(text: str, kinds: Mapping[str, str]) -> str:
    """Bazel's answer with the kind of a configuration for its hash; `kinds` is by short hash."""

    def kind(match: re.Match[str]) -> str:
        found = match[0][:7]
        return "host" if found == "HOST" else kinds.get(found, found)

    return _CHECKSUM.sub(kind, _HASH.sub(kind, text))


def without_hashes(text: str) -> str:
    """An answer, Bazel's or ours, without what releases before 3 do not tell of configurations: all
    but whether it is the host's. What stands in a message has an order of its own there."""
    text = _HASH.sub(lambda match: "host" if match[0] == "HOST" else "target", text)
    text = re.sub(r"\((?:[0-9a-f]{32}|[0-9a-f]{64}|exec)\)", "(target)", text)
    # Behind the arrow of a transition the host's has its hash, too.
    text = re.sub(r"\( -> [^)]*\)", "( -> x)", text)
    text = re.sub(r'checksum: "[^"]*"', 'checksum: "x"', text)
    # The first and the last are like the others: which these are, is Bazel's own affair.
    text = text.strip("\n")
    messages = f"\n{text}".split("\nresults {\n")
    if "target {" in text:
        messages = ["\n".join(sorted(message.split("\n"))) for message in messages]
    return "\nresults {\n".join(messages)


def comparable(text: str, output: str) -> list[str]:
    """The parts of an answer, sorted; those of one target stay together."""
    if output == "transitions":
        parts = [_with_sorted_toolchains(part) for part in re.split(r"\n(?! )", text)]
    elif output == "build":
        parts = re.split(r"\n\n(?=# )", text)
    elif output == "textproto":
        parts = re.split(r"\n(?=results)", text)
    elif output == "jsonproto":
        found = json.loads(text) if text else {}
        parts = [json.dumps(result, indent=1) for result in found.pop("results", [])]
        parts.append(json.dumps(found))
    else:
        parts = text.split("\n")
    return sorted(part.strip("\n") for part in parts)


def _with_sorted_toolchains(block: str) -> str:
    """A target and its dependencies. Among toolchains they come by a hash of Java's."""
    head, *lines = re.split(r"\n  (?! )", block.rstrip("\n"))
    toolchains = sorted(line for line in lines if line.startswith("[toolchain"))
    others = [line for line in lines if not line.startswith("[toolchain")]
    return "\n  ".join([head, *others, *toolchains])
