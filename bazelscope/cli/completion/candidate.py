"""What completion offers: whole words, or the shell's own search for files."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple


class Candidate(NamedTuple):
    """A whole word that may stand at the cursor, and what it is about."""

    text: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """All candidates; `kind` is `files` or `directories` where the shell finds them itself."""

    candidates: tuple[Candidate, ...] = ()
    kind: str = "words"
