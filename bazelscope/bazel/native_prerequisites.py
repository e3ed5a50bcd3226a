"""What attributes of native rules take: files by their endings, rules by class or provider.

The table is what real Bazels said of each attribute and one target of each native rule
(`scripts/measure_prerequisites.py`); a release takes the nearest older measured one. An attribute
that is not in it takes whatever it gets. Bazel: `RuleContext.Builder.validateDirectPrerequisite`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bazelscope.bazel.release import Release

_FILE = Path(__file__).parent / "native_prerequisites.json"
_VERSIONED = re.compile(r"\.so(\.\d+\w*)+$")


class Taken(NamedTuple):
    """What one attribute of a native rule takes; None stands for anything."""

    endings: tuple[str, ...] | None
    rules: frozenset[str] | None
    providers: tuple[str, ...] = ()
    """A rule with one of these is taken, too."""
    is_listed: bool = False
    """Whether Bazel has a list of classes, besides what the providers let in."""
    is_single: bool = False
    asks_files: bool = False
    """Whether one of a rule's files must be of a type that is taken."""

    def takes_file(self, name: str) -> bool:
        """Whether a file of that name may stand there."""
        if self.endings is None or name.endswith(self.endings or "\0"):
            return True
        return ".so" in self.endings and _VERSIONED.search(name) is not None


class NativePrerequisites:
    """The table for one release."""

    def __init__(self, release: Release) -> None:
        content = _content()
        known = sorted(Release.of(text) for text in content["rules"])
        older = [one for one in known if one <= release]
        version = (older[-1] if older else known[0]).text
        self.tried = frozenset(content["measured"][version])
        """The native rules that each attribute was given."""
        self._rules: dict[str, dict[str, Any]] = content["rules"][version]
        self._taken: dict[str, Mapping[str, Taken]] = {}

    def of(self, rule_class: str) -> Mapping[str, Taken]:
        """By attribute: what the native rule takes there."""
        known = self._taken.get(rule_class)
        if known is None:
            own = self._rules.get(rule_class)
            if own is None and rule_class.endswith("_test"):
                own = self._rules.get(f"{rule_class.removesuffix('_test')}_binary")
            known = self._taken[rule_class] = {
                name: _taken(one) for name, one in (own or {}).items()
            }
        return known


def _taken(facts: dict[str, Any]) -> Taken:
    files, rules = facts.get("files"), facts.get("rules")
    return Taken(
        None if files is None else tuple(files),
        None if rules is None else frozenset(rules),
        tuple(facts.get("providers", ())),
        bool(facts.get("listed")),
        bool(facts.get("single")),
        bool(facts.get("asks_files")),
    )


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return content
