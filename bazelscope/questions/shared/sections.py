"""The sections of an explanation, in the order in which they are read."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.nearest import did_you_mean


class Section(enum.Enum):
    """One part of an explanation. What is not asked for is not worked out either."""

    LINE = "line"
    """What each word of the command line does."""
    TARGETS = "targets"
    """What the targets are, and the calls that made them."""
    SELECTS = "selects"
    ATTRIBUTES = "attributes"
    DEPENDENCIES = "deps"
    REPOSITORIES = "repos"
    CONDITIONS = "conditions"
    CONFIGS = "configs"
    FLAGS = "flags"
    DEFINES = "defines"
    RC_FILES = "rc"
    UNKNOWN = "unknown"


EVERY_SECTION = frozenset(Section)

OF_FLAGS = frozenset(
    {Section.LINE, Section.CONFIGS, Section.FLAGS, Section.DEFINES, Section.RC_FILES}
)
"""The sections that flags alone can fill."""

OF_THE_CLOSURE = frozenset({Section.LINE, Section.REPOSITORIES, Section.CONDITIONS})
"""The sections that look at everything the targets depend on."""


def parse_sections(texts: Iterable[str]) -> frozenset[Section]:
    """Returns the sections that lists of names (`flags,selects`) mean. Raises `UsageError`."""
    known = [section.value for section in Section]
    sections = set()
    for name in (name.strip() for text in texts for name in text.split(",")):
        if name not in known:
            hint = did_you_mean(name, known) or f"there are {', '.join(known)}"
            raise UsageError(
                Diagnostic("no-section", f"an explanation has no section `{name}`", hint=hint)
            )
        sections.add(Section(name))
    return frozenset(sections)
