"""The configure scripts of a workspace: what a user runs once, before Bazel can build it.

TensorFlow's `configure` writes `.tf_configure.bazelrc`; those of projects around it write
`.bazelrc` itself, with the variables that repository rules ask for, or directories that
WORKSPACE names.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from itertools import islice

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile, Span
from bazelscope.flags.rc_file_reading import Files, FileText, join
from bazelscope.flags.rc_search import RcFiles
from bazelscope.flags.request import FlagRequest

_NAMES = ("configure", "configure.sh", "configure.py", "configure.cmd")
_STARTED = lazy_pattern(r"\w[\w./-]*\.(?:py|sh)\b")
_MOST_STARTED = 20
"""The scripts that are looked into for one that names more."""

ReadScript = Callable[[str], SourceFile | None]
"""Returns the file at a path below the workspace's root; None where none can be read."""


@dataclass(frozen=True, slots=True)
class ScriptMention:
    """The configure script that a user runs, and where it, or one that it starts, names what was
    looked for."""

    script: str
    place: Span

    @property
    def remedy(self) -> str:
        """What the user may do, with the place of the line."""
        return f"run `./{self.script}`, which names it ({self.place.path}:{self.place.line})"


def mention_of(words: str, read: ReadScript) -> ScriptMention | None:
    """Returns the first line that is no comment and holds `words`, whole, of the configure
    scripts at the workspace's root and of the scripts that these name. None if none does."""
    pattern = re.compile(rf"(?<![\w.-]){re.escape(words)}(?![\w.-])")
    for script in _NAMES:
        for file in _with_started(script, read):
            for found in pattern.finditer(file.text):
                place = file.span(found.start(), found.end())
                if not file.line(place.line).lstrip().startswith(("#", "::", "rm ")):
                    return ScriptMention(script, place)
    return None


def mentions_of_missing(
    request: FlagRequest, rc_files: RcFiles, files: Files
) -> dict[str, ScriptMention]:
    """Returns, for each rc file of the workspace that is not there, where a configure script
    names it."""
    root = request.workspace_root
    if root is None or not rc_files.missing:
        return {}

    def read(path: str) -> SourceFile | None:
        content = files.read(join(root, path))
        return SourceFile(path, content.text) if isinstance(content, FileText) else None

    named = {
        file.path: mention_of(posixpath.basename(file.path), read) for file in rc_files.missing
    }
    return {path: mention for path, mention in named.items() if mention is not None}


def _with_started(script: str, read: ReadScript) -> Iterator[SourceFile]:
    file = read(script)
    if file is None:
        return
    yield file
    started = (posixpath.normpath(name) for name in _STARTED.findall(file.text))
    inside = (name for name in started if name != script and not name.startswith(".."))
    for name in islice(dict.fromkeys(inside), _MOST_STARTED):
        other = read(name)
        if other is not None:
            yield other
