"""Which toolchain of a CROSSTOOL file Bazel takes, and where it stands. Its flags are not read.

Old releases read the flags of a `cc_toolchain` without `toolchain_config` from the file CROSSTOOL
beside it, a text of the protocol message `CrosstoolRelease`. Bazel: `CrosstoolConfigurationLoader`,
`CToolchainSelectionUtils`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bazelscope.base.lazy_dataclass import dataclass

FILE = "CROSSTOOL"
_TOKEN = re.compile(
    r'(?P<skipped>\s+|\#[^\n]*)|(?P<text>"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<word>[\w.+-]+)|(?P<mark>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class CrosstoolEntry:
    """A message `toolchain` of the file: its identifier, and the line where it begins."""

    identifier: str
    line: int


def chosen_toolchain(text: str, identifier: str, cpu: str, compiler: str) -> CrosstoolEntry | None:
    """The toolchain of that identifier, or for both the cpu and the compiler: what the attributes
    of the `cc_toolchain` say. None where the file has no such, or they do not say enough."""
    for fields, line in _toolchains(text):
        own = fields.get("toolchain_identifier", "")
        is_fit = (fields.get("target_cpu"), fields.get("compiler")) == (cpu, compiler)
        if own == identifier if identifier else is_fit:
            return CrosstoolEntry(own, line)
    return None


def _toolchains(text: str) -> Iterator[tuple[Mapping[str, str], int]]:
    """The plain fields of each message `toolchain`, and the line where it begins."""
    fields: dict[str, str] = {}
    name, kind, begun, depth, line = "", "", 0, 0, 1
    for token in _TOKEN.finditer(text):
        shown = token[0]
        if shown == "{":
            depth += 1
            if depth == 1:
                kind, begun, fields = name, line, {}
        elif shown == "}":
            depth -= 1
            if depth == 0 and kind == "toolchain":
                yield fields, begun
        elif token["text"] and depth == 1:
            fields.setdefault(name, shown[1:-1])
        elif token["word"]:
            name = shown
        line += shown.count("\n")
