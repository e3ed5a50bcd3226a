"""Small rules of Starlark, each called in a package of its own, most of them wrongly.

The cases, and Bazel's words for each, are in `starlark_rules.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_IMPLEMENTATION = "def _impl(ctx):\n    pass\n\n"
_CASE = re.compile(r"(?ms)^=== (?P<name>\w+)\n(?P<bzl>.*?)^--- BUILD\n(?P<calls>.*?)(?=^===|^!|\Z)")
_DEFINED = re.compile(r"(?m)^(?:def )?(\w+)(?: = |\()")


@dataclass(frozen=True)
class RuleCase:
    """The end of `defs.bzl`, the calls in the BUILD file, and Bazel's errors about both."""

    name: str
    bzl: str
    calls: str
    says: tuple[str, ...]

    def write(self, root: Path) -> None:
        package = root / self.name
        package.mkdir(parents=True)
        (package / "defs.bzl").write_text(_IMPLEMENTATION + self.bzl)
        called = set(re.findall(r"(?m)^(\w+)\(", self.calls))
        names = [name for name in _DEFINED.findall(self.bzl) if name in called]
        loaded = ", ".join(f'"{name}"' for name in dict.fromkeys(names))
        (package / "BUILD").write_text(f'load(":defs.bzl", {loaded})\n\n{self.calls}')


def _read() -> Iterator[RuleCase]:
    text = Path(__file__).with_name("starlark_rules.txt").read_text(encoding="utf-8")
    for match in _CASE.finditer(text):
        end = text.find("\n===", match.end() - 1)
        rest = text[match.end() : end if end >= 0 else None].replace("\n! + ", "\0")
        says = (line[2:].replace("\0", "\n") for line in rest.split("\n") if line[:2] == "! ")
        yield RuleCase(
            match["name"], match["bzl"], match["calls"].rstrip("\n") + "\n", tuple(sorted(says))
        )


CASES = tuple(_read())


def lay_out(root: Path) -> None:
    """Writes a workspace of all cases."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "WORKSPACE").touch()
    for case in CASES:
        case.write(root)
