"""The words that options are made of, each with where it stands: of rc files, and of a command
line into which configs were expanded."""

from __future__ import annotations

from dataclasses import field

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Span
from bazelscope.flags.flag_values import FlagInstance, FromRc, Origin, span_of
from bazelscope.flags.rcfile import RcLine


@dataclass(frozen=True, slots=True)
class SectionWord:
    """One word of a section, and the line that it stands on."""

    text: str
    origin: FromRc
    line: RcLine


@dataclass(slots=True, eq=False)
class ConfigNode:
    """One expansion of a config: what stands in it, in order, and inside which other.

    `instance` is the `--config=NAME` itself; it is missing while only the definition's
    words are known, and stays missing if an option before it swallows it as its value.
    """

    name: str
    parent: ConfigNode | None = None
    instance: FlagInstance | None = None
    defined_at: list[Span] = field(default_factory=list)
    children: list[FlagInstance | ConfigNode] = field(default_factory=list)

    @property
    def nearest_instance(self) -> FlagInstance | None:
        node: ConfigNode | None = self
        while node is not None:
            if node.instance is not None:
                return node.instance
            node = node.parent
        return None


@dataclass(frozen=True, slots=True)
class Word:
    """One word that is to be parsed as part of a command line.

    `node` is the config expansion that it comes from; `opens` the expansion that follows
    it, if it is a `--config=NAME` inside a definition. `lenient`: from a `common` section,
    where an option that only other commands have is skipped.
    """

    text: str
    origin: Origin
    node: ConfigNode | None = None
    opens: ConfigNode | None = None
    lenient: bool = False

    @property
    def span(self) -> Span | None:
        """Where it stands, if that is in a file."""
        return span_of(self.origin)
