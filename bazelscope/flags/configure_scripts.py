"""The configure scripts of a workspace: what a user runs once, before Bazel can build it.

TensorFlow's `configure` writes `.tf_configure.bazelrc`; those of projects around it write
`.bazelrc` itself, with the variables that repository rules ask for, or directories that
WORKSPACE names.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile, Span
from bazelscope.flags.rc_file_reading import Files, FileText, join
from bazelscope.flags.rc_search import RcFiles
from bazelscope.flags.request import FlagRequest

_NAMES = ("configure", "configure.sh", "configure.py", "configure.cmd")
_STARTED = lazy_pattern(r"\w[\w./-]*\.(?:py|sh)\b")
_MOST_STARTED = 10
"""The scripts that are looked into of those that one names."""
_LARGEST = 512 * 1024
"""A script of more characters is not looked into; TensorFlow's largest has a tenth of that."""
_MOST_PLACES = 100
"""The places in a script that are looked at for one that is no comment."""
_MOST_MISSING = 20
"""The rc files that are not there and that scripts are looked into for."""

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


class ConfigureScripts:
    """The configure scripts at a workspace's root, and the scripts that these name."""

    def __init__(self, read: ReadScript) -> None:
        self._read = read

    def mention_of(self, words: str) -> ScriptMention | None:
        """Returns the first line that is no comment and holds `words`, whole; None if none does."""
        pattern = re.compile(rf"(?<![\w.-]){re.escape(words)}(?![\w.-])")
        for script, file in self._files:
            if words not in file.text:
                continue
            for found in islice(pattern.finditer(file.text), _MOST_PLACES):
                place = file.span(found.start(), found.end())
                if not file.line(place.line).lstrip().startswith(("#", "::", "rm ")):
                    return ScriptMention(script, place)
        return None

    @cached_property
    def _files(self) -> tuple[tuple[str, SourceFile], ...]:
        """Each file that is looked into, after the script that a user runs for it."""
        return tuple((script, file) for script in _NAMES for file in self._started_by(script))

    def _started_by(self, script: str) -> Iterator[SourceFile]:
        file = self._read(script)
        if file is None or len(file.text) > _LARGEST:
            return
        yield file
        started = (posixpath.normpath(name) for name in _STARTED.findall(file.text))
        inside = (name for name in started if name != script and not name.startswith(".."))
        for name in islice(dict.fromkeys(inside), _MOST_STARTED):
            other = self._read(name)
            if other is not None and len(other.text) <= _LARGEST:
                yield other


def mentions_of_missing(
    request: FlagRequest, rc_files: RcFiles, files: Files
) -> dict[str, ScriptMention]:
    """Returns, for each rc file of the workspace that is not there, where a configure script
    names it."""
    root, missing = request.workspace_root, rc_files.missing[:_MOST_MISSING]
    if root is None or not missing:
        return {}

    def read(path: str) -> SourceFile | None:
        content = files.read(join(root, path))
        return SourceFile(path, content.text) if isinstance(content, FileText) else None

    scripts = ConfigureScripts(read)
    named = {file.path: scripts.mention_of(posixpath.basename(file.path)) for file in missing}
    return {path: mention for path, mention in named.items() if mention is not None}
