"""The workspace as an editor sees it: files, unsaved texts in place of some, a command line.

What an edit does not touch is kept: packages rest on the texts that they were made from, and
only those that rest on a changed text are evaluated again, when they are next asked for. A text
that Bazel could not read while it is typed does not count yet: the last good one does, and
places in it are told as where their lines stand now.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from bazelscope.api import BudgetLimits, ConfiguredWorkspace, Workspace
from bazelscope.base.budget import Budget, BudgetError, PutOffError, spending
from bazelscope.base.errors import Diagnostic, LoadingError, StarlarkError, is_severe
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.paths import read_file
from bazelscope.base.source import Location, SourceFile
from bazelscope.editor.file_kinds import TextKind, kind_of
from bazelscope.editor.pointed_starlark import pieces_of
from bazelscope.editor.said_words import SaidWords, Words
from bazelscope.editor.select_uses import SelectUses
from bazelscope.editor.settings import ClientSettings
from bazelscope.editor.texts import Shift
from bazelscope.loading.origins.syntax_pieces import SyntaxPieces
from bazelscope.loading.tree.overlaid_disk import EditedDisk
from bazelscope.starlark import check, parse, sharing_tree

_T = TypeVar("_T")

_OF_WORKSPACE = frozenset({".bazeliskrc", ".bazelversion", "MODULE.bazel"})
"""Files that decide which Bazel a workspace has, and how its flags are called."""
_MOST_PIECES = 32
_MOST_LINES = 4
"""So many command lines beside the editor's own stay warm."""


@dataclass
class OpenText:
    """One text that the editor shows. `good` is the last text of it that Bazel could read;
    `problems` is what keeps this one from being read, or warnings of it."""

    source: SourceFile
    kind: TextKind
    good: SourceFile | None
    problems: tuple[Diagnostic, ...] = ()

    @property
    def is_good(self) -> bool:
        return self.good is self.source

    @cached_property
    def pieces(self) -> SyntaxPieces:
        """The statements of the text as it is."""
        return pieces_of(self.source)

    @cached_property
    def shift(self) -> Shift:
        """From the last good text to this one."""
        good = self.good if self.good is not None else self.source
        return Shift(good.text, self.source.text)


class EditorState:
    """One workspace under the settings of one client. Not for several threads at once.

    `environment` stands for the user's, `cache_dir` is where parsed files are kept. Raises
    `UsageError` when a question is put to it and there is no workspace.
    """

    def __init__(
        self,
        folder: Path,
        settings: ClientSettings,
        environment: Mapping[str, str],
        cache_dir: Path | None = None,
        host: str = "linux",
    ) -> None:
        self.settings = settings
        self.select_uses = SelectUses()
        self._folder = folder
        self._environment = environment
        self._cache_dir = None if settings.no_cache else settings.kept_in or cache_dir
        self._host = host
        self._open: dict[str, OpenText] = {}
        self._disk = EditedDisk()
        self._unsaved: dict[str, str] = {}
        self._pieces: dict[str, tuple[SourceFile, SyntaxPieces]] = {}
        """Of files that are not open, those asked about last."""
        self._changed: set[str] = set()
        self._said = SaidWords()
        self._workspace: Workspace | None = None
        self._build: ConfiguredWorkspace | None = None
        self._lines: dict[tuple[str, ...], ConfiguredWorkspace] = {}
        """Other command lines that were asked about last, over the same files as `_build`."""
        self._held: ConfiguredWorkspace | None = None
        """What was loaded before the edits of `_edited`, until all is evaluated again."""
        self._edited: set[str] = set()
        self._stand_in: ConfiguredWorkspace | None = None
        """What is asked for the moment instead of `_build`."""

    # ---- What the editor does

    def edit(self, path: str, text: str) -> None:
        """Takes in the text that the editor shows of the file at the absolute `path`."""
        shown = self.shown_path(path)
        kind = kind_of(path)
        source = SourceFile(shown, text)
        before = self._open.get(shown)
        good = before.good if before is not None else self._saved(path, shown)
        if good is not None and good.text == text:
            good = source
        opened = OpenText(source, kind, good)
        self._open[shown] = opened
        if not kind.is_read_by_bazel:
            return
        opened.problems = self._problems(opened)
        if any(is_severe(problem) for problem in opened.problems):
            return
        opened.good = source
        self._set_text(path, shown, text)

    def close(self, path: str) -> None:
        """The file at the absolute `path` counts again, not what the editor shows of it."""
        shown = self.shown_path(path)
        if self._open.pop(shown, None) is not None:
            self._set_text(path, shown, None)

    def saved(self, path: str) -> None:
        """The editor has written the file at the absolute `path`."""
        opened = self._open.get(self.shown_path(path))
        if opened is not None and opened.is_good:
            self._set_text(path, self.shown_path(path), opened.source.text)

    def files_changed(self) -> None:
        """Files have come or gone, or were written by others: everything is looked at anew."""
        self._build = None
        self.settle()

    def keep(self) -> None:
        """Keeps what was parsed and evaluated for later runs, as long as it is all of files."""
        if self._build is not None and not self._unsaved and not self._changed:
            for build in (self._build, *self._lines.values()):
                build.save()

    def configure(self, settings: ClientSettings) -> None:
        """Takes other settings."""
        if settings != self.settings:
            self.settings = settings
            self._build = None
            self.settle()

    def _set_text(self, path: str, shown: str, text: str | None) -> None:
        """Has a text stand in place of its file, unless it is the file's own."""
        path = self.absolute_path(shown) or path
        on_disk = self._saved(path, shown)
        if text is not None and on_disk is not None and on_disk.text == text:
            text = None
        if self._unsaved.get(path) == text:
            return
        if text is None:
            del self._unsaved[path]
        else:
            self._unsaved[path] = text
        content = None if text is None else text.encode("utf-8", "surrogatepass")
        if self._disk.put(path, content):
            self.files_changed()
        else:
            self._changed.add(shown)

    @staticmethod
    def _saved(path: str, shown: str) -> SourceFile | None:
        try:
            return SourceFile(shown, read_file(path).decode("utf-8"))
        except (OSError, ValueError):
            return None

    def _problems(self, opened: OpenText) -> tuple[Diagnostic, ...]:
        """What the parser says of a text, and which names of it nothing defines."""
        kind = opened.kind.starlark
        if kind is None:
            return ()
        names = self._predeclared(opened.kind)
        if names is not None:
            return check(opened.source, kind, names)
        try:
            parse(opened.source, kind)
        except StarlarkError as error:
            return (error.diagnostic,)
        return ()

    def _predeclared(self, kind: TextKind) -> frozenset[str] | None:
        loader = self.build.loader
        if kind is TextKind.BUILD:
            return loader.build_file_names
        return loader.parts.natives.for_bzl("").names if kind is TextKind.BZL else None

    # ---- What is asked

    @contextmanager
    def asking(self, is_waited_for: Callable[[], bool] | None = None) -> Iterator[Budget]:
        """What is done inside is within what one request may use: its account is what is yielded.
        Raises `BudgetError` where that is not enough, and `GaveWayError` where `is_waited_for`
        says that somebody waits for something else."""
        limits = BudgetLimits(self.settings.max_seconds, self.settings.max_memory)
        with sharing_tree(), spending(limits, is_waited_for) as account:
            try:
                yield account
            except BudgetError:
                self._lines = {}
                if self._build is not None:
                    self._build.forget_graphs()
                raise
            finally:
                if account.cuts and self._build is not None:
                    self._lines = {}
                    self._build.forget()

    @property
    def root(self) -> Path:
        return self.build.workspace.root

    @property
    def build(self) -> ConfiguredWorkspace:
        """The workspace under the command line, with all edits taken in. Raises `UsageError`."""
        if self._stand_in is not None:
            return self._stand_in
        before = self._build
        if before is None or not _OF_WORKSPACE.isdisjoint(self._changed):
            self._build = self._opened()
            self.settle()
        elif self._changed:
            self._hold(before)
            self._build = before.again(self._changed)
            if not self._build.is_loading:
                self.settle()
        self._changed = set()
        if self._build is not before:
            self._lines = {}
        assert self._build is not None
        return self._build

    def _hold(self, build: ConfiguredWorkspace) -> None:
        """Holds what is loaded, where edits of `.bzl` files are about to have it dropped."""
        kinds = {kind_of(path) for path in self._changed}
        if not kinds <= {TextKind.BUILD, TextKind.BZL}:
            self.settle()
            return
        if self._held is None and TextKind.BZL in kinds:
            self._held = build.held()
        if self._held is not None:
            self._edited |= self._changed

    def settle(self) -> None:
        """What was loaded before edits is not asked any more."""
        self._held, self._edited = None, set()

    @property
    def behind(self) -> tuple[str, ...]:
        """The files whose last edits the question that is being answered does not see."""
        return tuple(sorted(self._edited)) if self._stand_in is not None else ()

    def at_once(self, shown: str | None, question: Callable[[], _T]) -> _T:
        """The answer to a question about a file that is not to wait while packages are evaluated
        that an edit of a `.bzl` file has dropped: where it needs one of them, of the packages as
        they were before, if that file itself was not edited since."""
        build, held = self.build, self._held
        if held is None or shown in self._edited:
            return question()
        loader = build.loader
        loader.maker.put_off = held.loader.packages_made
        try:
            return question()
        except PutOffError:
            build.forget_graphs()
            self._stand_in = held
            return question()
        finally:
            loader.maker.put_off, self._stand_in = (), None

    def _opened(self) -> ConfiguredWorkspace:
        settings = self.settings
        self._workspace = Workspace.open(
            settings.workspace or self._folder,
            bazel_version=settings.bazel_version,
            host=settings.host or self._host,
            environment=self._environment,
            cache_dir=self._cache_dir,
            limits=BudgetLimits(settings.max_seconds, settings.max_memory),
        ).on(self._disk)
        return self._workspace.configure_line(settings.command_line)

    def line(self, words: tuple[str, ...]) -> ConfiguredWorkspace:
        """The workspace under another command line; those asked about last stay warm. Raises
        `UsageError`."""
        _ = self.build
        line = self._lines.pop(words, None)
        if line is None:
            assert self._workspace is not None
            line = self._workspace.configure_line(words)
        self._lines[words] = line
        while len(self._lines) > _MOST_LINES:
            del self._lines[next(iter(self._lines))]
        return line

    def opened(self, shown: str) -> OpenText | None:
        """What the editor shows of a file, by the path that answers show."""
        return self._open.get(shown)

    def source(self, shown: str) -> SourceFile | None:
        """The text of a file as it is now: the editor's, or else the file's."""
        opened = self._open.get(shown)
        return opened.source if opened is not None else self.build.read_source(shown)

    def words_of(self, shown: str) -> Words | None:
        """What a file of the workspace says as it is now; None where it cannot be read."""
        opened = self._open.get(shown)
        files = self.build.workspace.files
        state = (
            opened.source if opened is not None else files.disk.stamp(f"{self._root_text}/{shown}")
        )
        words = self._said.known(shown, state)
        if words is None:
            try:
                source = opened.source if opened is not None else files.read(shown)
            except LoadingError:
                return None
            words = self._said.read(shown, state, source)
        return words

    def open_paths(self) -> tuple[str, ...]:
        """The files that the editor shows, by the paths that answers show."""
        return tuple(self._open)

    def pieces(self, source: SourceFile) -> SyntaxPieces:
        """The statements of a text as it is now."""
        opened = self._open.get(source.path)
        if opened is not None and opened.source is source:
            return opened.pieces
        known = self._pieces.pop(source.path, None)
        if known is None or known[0] is not source:
            known = source, pieces_of(source)
        self._pieces[source.path] = known
        while len(self._pieces) > _MOST_PIECES:
            del self._pieces[next(iter(self._pieces))]
        return known[1]

    # ---- Places

    def shown_path(self, path: str) -> str:
        """The path under which answers show a file, by its absolute one."""
        for root in self._roots:
            if path.startswith(f"{root}/"):
                return path[len(root) + 1 :]
        return path

    def absolute_path(self, shown: str) -> str | None:
        """Where a file is that answers show; None for one that is no file of this machine."""
        if shown.startswith("<"):
            return None
        if shown.startswith("external/"):
            _, repository, *rest = shown.split("/", 2)
            content = self.build.loader.table.get(repository)
            root = content.root if content is not None else None
            return os.path.normpath(f"{root}/{rest[0]}") if root and rest else None
        return os.path.join(self._root_text, shown)  # noqa: PTH118  (`shown` may be absolute)

    @cached_property
    def _root_text(self) -> str:
        return str(self.root)

    @cached_property
    def _roots(self) -> tuple[str, ...]:
        """The root as it was given, and where it really is."""
        return self._root_text, os.path.realpath(self._root_text)

    def now(self, place: Location) -> Location:
        """Where a place of the last good text stands now."""
        opened = self._open.get(place.path)
        return place if opened is None or opened.is_good else opened.shift.location(place)

    def then(self, place: Location) -> Location:
        """Where a place of the text as it is stood in the last good one."""
        opened = self._open.get(place.path)
        if opened is None or opened.is_good:
            return place
        return place._replace(line=opened.shift.line_then(place.line))
