"""A package of a world of refusals while it is made: random targets that depend on one another."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass
class Rule:
    """One rule of a package: its class, and its attributes as they are written."""

    kind: str
    name: str
    labels: list[str] = field(default_factory=list)
    """Of the attribute that takes most: `deps`, or `srcs`."""
    sums: list[str] = field(default_factory=list)
    """What is added to it: select()s."""
    more: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        attribute = "srcs" if self.kind in ("filegroup", "genrule") else "deps"
        listed = "[" + ", ".join(f'"{label}"' for label in dict.fromkeys(self.labels)) + "]"
        parts = [f'name = "{self.name}"']
        parts.append(f"{attribute} = " + " + ".join([listed, *self.sums]))
        more = dict(self.more)
        if self.kind == "genrule":
            more = {"outs": f'["{self.name}.out"]', "cmd": '""', **more}
        if self.kind == "r":
            more = {"must": '"m"', **more}
        if self.kind == "alias":
            actual = self.labels[0] if self.labels else "//lib:public"
            parts = [f'name = "{self.name}"', f'actual = "{actual}"']
        parts += [f"{key} = {value}" for key, value in more.items()]
        return f"{self.kind}({', '.join(parts)})\n"


_LOADED = (
    *("declares", "expands", "gives", "implies_file", "implies_for_tests", "implies_gone"),
    *("implies_private", "implies_refused", "offers_for_tests"),
    *("offers_gone", "offers_private", "offers_refused", "r", "r_test", "served", "shells"),
    *("wants", "with_aspect"),
)


class Package:
    """One package while it is made."""

    def __init__(self, name: str, random_: random.Random) -> None:
        self.name = name
        self.random = random_
        self.rules: list[Rule] = []
        self.head: list[str] = []
        self.tail: list[str] = []
        self.extra: dict[str, str] = {}
        self.raw: list[str] = []
        for number in range(random_.randint(3, 7)):
            kinds = ["filegroup", "r", "r", "genrule", "alias", "served"]
            rule = Rule(random_.choice(kinds), f"t{number}")
            for other in self.rules:
                if random_.random() < 0.4:
                    rule.labels.append(f":{other.name}")
            if rule.kind == "alias":
                rule.labels = rule.labels[:1]
            self.rules.append(rule)

    def any(self) -> Rule:
        """A rule that takes many labels."""
        return self.random.choice(
            [rule for rule in self.rules if rule.kind != "alias"] or [self.add("filegroup")]
        )

    def custom(self) -> Rule:
        """A rule of our own class."""
        own = [rule for rule in self.rules if rule.kind == "r"]
        return self.random.choice(own) if own else self.add("r")

    def add(self, kind: str, *labels: str) -> Rule:
        rule = Rule(kind, f"t{len(self.rules)}", list(labels))
        self.rules.append(rule)
        return rule

    def text(self) -> str:
        names = ", ".join(f'"{name}"' for name in _LOADED)
        load = f'load("//defs:defs.bzl", {names})\n'
        return (
            load
            + "".join(self.head)
            + "".join(r.text() for r in self.rules)
            + "".join(self.raw)
            + "".join(self.tail)
        )
