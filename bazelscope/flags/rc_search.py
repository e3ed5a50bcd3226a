"""Finds the rc files of a command line, follows their imports, and sorts their words.

The result is what Bazel's client sends to its server: for each section (`build`,
`test:ci`) chunks of words, one chunk per stretch of one file. Bazel: `OptionProcessor::
GetRcFiles`, `RcFile::ParseFile`, and `BlazeOptionHandler.structureRcOptionsAndConfigs`.
"""

from __future__ import annotations

import os.path
from collections.abc import Collection, Mapping

from bazelscope.base.errors import Diagnostic, Note
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile, Span
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.flags import rcfile, warnings
from bazelscope.flags.flag_values import FromRc, RcFile, RcStatus
from bazelscope.flags.rc_chunks import Chunk, Stretches, chunks_of
from bazelscope.flags.rc_file_reading import Files, FileText, ReadFailure, join
from bazelscope.flags.rcfile import RcLine, RcWord
from bazelscope.flags.request import FlagRequest
from bazelscope.flags.startup import StartupOption, StartupOptions
from bazelscope.flags.words import SectionWord

MAX_IMPORTS = 2000
"""Files read at most; imports can double at each level, and Bazel would follow them all."""

MAX_DEPTH = 200
"""Imports inside one another."""

_IMPORT, _TRY_IMPORT = "import", "try-import"
_CONDITIONAL_IMPORT = "try-import-if-bazel-version"
_OLD_RC = "tools/bazel.rc"
_WORKSPACE_RC = ".bazelrc"
_WORKSPACE_PREFIX = "%workspace%/"

_LEFT_OUT = frozenset({ReadFailure.OUTSIDE, ReadFailure.TOO_LARGE})
"""Why files are left out that Bazel would read."""

_NOT_KNOWN = frozenset(one.value for one in (*_LEFT_OUT, ReadFailure.MISSING))
"""Why nobody can tell what a file that is needed would set."""


@dataclass(frozen=True, slots=True)
class RcFiles:
    """Every rc file that was looked for, and the words of all that were read.

    `sections` maps a section's name to its chunks, in the order of reading; `startup` are
    the words of `startup` lines. `missing` are the workspace's own and the try-imports that
    are not there. `sources` holds the text of each file read, by the path that users know.
    """

    files: tuple[RcFile, ...]
    sections: Mapping[str, tuple[Chunk, ...]]
    startup: tuple[SectionWord, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]

    @property
    def left_out(self) -> tuple[RcFile, ...]:
        """Those that would be read and were not: they lie outside, are too large, or not there
        though they must be."""
        return tuple(file for file in self.files if file.detail in _NOT_KNOWN)

    def config_names(self, commands: Collection[str]) -> list[str]:
        """The configs that sections of these commands define, sorted."""
        parts = (section.partition(":") for section in self.sections)
        return sorted({config for command, colon, config in parts if colon and command in commands})

    @property
    def missing(self) -> tuple[RcFile, ...]:
        return tuple(
            file
            for file in self.files
            if (file.imported_at is not None or file.path == _WORKSPACE_RC)
            and file.status is RcStatus.NOT_FOUND
            and not file.detail
        )


def read_rc_files(
    request: FlagRequest, files: Files, catalog: Catalog, startup: StartupOptions
) -> RcFiles:
    """Reads the rc files that Bazel would read for `request`, in its order.

    What Bazel would stop at (an import that is missing, a loop) is a diagnostic of
    severity error, and reading goes on after it.
    """
    reader = _Reader(request, files, catalog)
    if startup.switch("ignore_all_rc_files", False):
        return reader.finish()
    reader.read_search_order(startup)
    return reader.finish()


class _Reader:
    def __init__(self, request: FlagRequest, files: Files, catalog: Catalog) -> None:
        self._request = request
        self._files = files
        self._catalog = catalog
        self._found: list[RcFile] = []
        self._diagnostics: list[Diagnostic] = []
        self._sources: dict[str, SourceFile] = {}
        self._parsed: dict[str, tuple[RcLine, ...]] = {}
        self._stretches: list[Stretches] = []
        self._startup: list[SectionWord] = []
        self._reads = 0
        self._limit_reached = False
        self._read_at: dict[str, Span | None] = {}

    def finish(self) -> RcFiles:
        return RcFiles(
            tuple(self._found),
            chunks_of(self._stretches),
            tuple(self._startup),
            tuple(self._diagnostics),
            self._sources,
        )

    def read_search_order(self, startup: StartupOptions) -> None:
        seen: set[str] = set()
        for path, switch in self._standard_places():
            if switch is not None and not startup.switch(switch, True):
                self._found.append(
                    RcFile(self._display(path), RcStatus.SKIPPED, detail=f"--no{switch}")
                )
                continue
            self._read_top_level(path, seen, required_by=None)
        for name in self._environment_files():
            self._read_top_level(self._absolute(name), seen, required_by="$BAZELRC")
        for option in self._bazelrc_options(startup):
            path = self._absolute(option.value or "")
            self._read_top_level(path, seen, required_by="--bazelrc")
        self._look_for_abandoned_file()

    def _look_for_abandoned_file(self) -> None:
        root = self._request.workspace_root
        if root is None or self._catalog.release.tools_rc:
            return
        canonical = self._files.canonical(join(root, _OLD_RC))
        if canonical is not None and canonical not in self._read_at:
            self._diagnostics.append(warnings.abandoned_file(_OLD_RC, self._catalog))

    def _standard_places(self) -> list[tuple[str, str | None]]:
        request = self._request
        places: list[tuple[str, str | None]] = []
        if request.workspace_root is not None and self._catalog.release.tools_rc:
            places.append((join(request.workspace_root, _OLD_RC), None))
        if request.system_rc is not None:
            places.append((request.system_rc, "system_rc"))
        if request.workspace_root is not None:
            places.append((join(request.workspace_root, _WORKSPACE_RC), "workspace_rc"))
        if request.home:
            places.append((join(request.home, ".bazelrc"), "home_rc"))
        return places

    def _environment_files(self) -> list[str]:
        if not self._catalog.release.environment_rc:
            return []
        value = self._request.environment.get("BAZELRC", "")
        names: list[str] = []
        for name in value.split(","):
            if name:
                names.append(name)
            if name == "/dev/null":
                break
        return names

    def _bazelrc_options(self, startup: StartupOptions) -> list[StartupOption]:
        options = [o for o in startup.options if o.name == "bazelrc" and o.value is not None]
        if not self._catalog.release.every_bazelrc:
            for option in options[1:]:
                self._diagnostics.append(warnings.ignored_bazelrc(option, self._catalog))
            return options[:1]
        for number, option in enumerate(options):
            if option.value == "/dev/null":
                return options[: number + 1]
        return options

    def _absolute(self, path: str) -> str:
        if path.startswith("~") and self._request.home:
            return join(self._request.home, path[1:].lstrip("/"))
        return join(self._request.directory, path)

    def _read_top_level(self, path: str, seen: set[str], required_by: str | None) -> None:
        display = self._display(path)
        canonical = path if path == "/dev/null" else self._files.canonical(path)
        if canonical is None:
            detail = ReadFailure.MISSING.value if required_by is not None else ""
            self._found.append(RcFile(display, RcStatus.NOT_FOUND, detail=detail))
            if required_by is not None:
                notes = (Note(f"{required_by} names it"),)
                self._error("rc-file-missing", f"cannot read the rc file `{display}`", notes=notes)
            return
        if canonical in seen:
            self._found.append(RcFile(display, RcStatus.SKIPPED, detail="read already"))
            return
        seen.add(canonical)
        self._stretches.append({})
        self._read(path, None, [path], forgiving=None)

    def _read(
        self,
        path: str,
        imported: tuple[RcLine, str] | None,
        stack: list[str],
        forgiving: RcLine | None,
    ) -> bool:
        """Reads one file and what it imports.

        The answer is False if the file, or one that it imports without `try-`, cannot be
        read, and `forgiving`, the innermost `try-import` on the way, forgives that. Bazel
        then gives up the files in between, from the failing line on.
        """
        display = self._display(path)
        span = imported[0].span if imported is not None else None
        self._reads += 1
        if self._reads > MAX_IMPORTS or len(stack) > MAX_DEPTH:
            if not self._limit_reached:
                message = "too many rc files are imported, or too deep; the rest are not read"
                self._error("import-limit", message, span)
                self._limit_reached = True
            self._found.append(RcFile(display, RcStatus.SKIPPED, span, "too many imports"))
            return True
        content = self._files.read(path)
        if isinstance(content, ReadFailure):
            self._not_read(display, content, imported, forgiving)
            return False
        self._found.append(RcFile(display, RcStatus.READ, span))
        if content.canonical in self._read_at:
            first = self._read_at[content.canonical]
            self._diagnostics.append(warnings.repeated_file(display, first, span))
        else:
            self._read_at[content.canonical] = span
        for line in self._lines(display, content):
            head = line.words[0].text
            if head in (_IMPORT, _TRY_IMPORT):
                read = self._import(line, line.words[1:], head, stack, forgiving)
                if not read and head == _IMPORT and forgiving is not None:
                    return False
            elif head == _CONDITIONAL_IMPORT and self._catalog.release.try_import_if_version:
                self._conditional_import(line, stack)
            else:
                self._section(line, content.canonical)
        return True

    def _not_read(
        self,
        display: str,
        failure: ReadFailure,
        imported: tuple[RcLine, str] | None,
        forgiving: RcLine | None,
    ) -> None:
        missing = failure is ReadFailure.MISSING
        status = RcStatus.NOT_FOUND if missing else RcStatus.UNREADABLE
        span = imported[0].span if imported is not None else None
        must_exist = imported is None or (imported[1] == _IMPORT and forgiving is None)
        detail = "" if missing and not must_exist else failure.value
        self._found.append(RcFile(display, status, span, detail))
        if failure in _LEFT_OUT:
            self._diagnostics.append(warnings.file_not_read(display, failure, span))
        elif imported is not None and imported[1] == _IMPORT and forgiving is not None:
            self._diagnostics.append(warnings.forgiven_import(display, imported[0], forgiving))
        elif imported is None or imported[1] == _IMPORT:
            self._error(
                "import-not-found" if imported else "rc-file-missing",
                f"cannot read the rc file `{display}`: {failure.value}",
                span,
                "`try-import` forgives a missing file" if imported else None,
            )
        else:
            self._diagnostics.append(warnings.try_import_found_nothing(display, imported[0].span))

    def _lines(self, display: str, content: FileText) -> tuple[RcLine, ...]:
        lines = self._parsed.get(display)
        if lines is None:
            source = SourceFile(display, content.text)
            self._sources[display] = source
            lines = self._parsed[display] = rcfile.parse(source)
            self._diagnostics += warnings.textual(source)
        return lines

    def _import(
        self,
        line: RcLine,
        words: tuple[RcWord, ...],
        kind: str,
        stack: list[str],
        forgiving: RcLine | None,
    ) -> bool:
        if len(words) != 1:
            message = f"`{kind}` takes one path, not {len(words) or 'none'}"
            hint = "a path with spaces needs quotes" if len(words) > 1 else None
            self._error("invalid-import", message, line.span, hint)
            return True
        path = words[0].text
        if path.startswith(_WORKSPACE_PREFIX):
            if self._request.workspace_root is None:
                message = "`%workspace%` means nothing outside of a workspace"
                self._error("invalid-import", message, words[0].span)
                return True
            rest = path[len(_WORKSPACE_PREFIX) :].lstrip("/")
            path = join(self._request.workspace_root, rest)
        if path in stack:
            notes = tuple(Note(f"through `{self._display(name)}`") for name in stack)
            message = f"`{self._display(path)}` imports itself"
            self._error("import-loop", message, line.span, notes=notes)
            return True
        stack.append(path)
        if kind == _TRY_IMPORT:
            forgiving = line
        absolute = join(self._request.directory, path)
        read = self._read(absolute, (line, kind), stack, forgiving)
        if read or kind == _TRY_IMPORT or forgiving is None:
            # A forgiven failure further in leaves its own entry, as it does in Bazel.
            stack.pop()
        return read

    def _conditional_import(self, line: RcLine, stack: list[str]) -> None:
        words = line.words[1:]
        if len(words) != 2:
            message = f"`{_CONDITIONAL_IMPORT}` takes a condition and a path"
            hint = "operator and version are one word: `>=8.0.0`"
            self._error("invalid-import", message, line.span, hint)
            return
        holds = self._catalog.release.meets(words[0].text)
        if holds is None:
            message = f"`{words[0].text}` is no condition on Bazel's version"
            hint = "an operator (> >= < <= == != ~) and a version, in one word"
            self._error("invalid-import", message, words[0].span, hint)
        elif holds:
            self._import(line, words[1:], _TRY_IMPORT, stack, None)
        else:
            path = words[1].text.replace(_WORKSPACE_PREFIX, "", 1)
            detail = f"Bazel is not {words[0].text}"
            self._found.append(RcFile(path, RcStatus.SKIPPED, line.span, detail))

    def _section(self, line: RcLine, file: str) -> None:
        section = line.words[0].text
        if len(line.words) == 1:
            self._diagnostics += warnings.line_of_one_word(line)
            return
        prefix = ""
        if "=" in section:
            # The client hands `SECTION=WORD` to the server, which cuts at the first `=`.
            self._diagnostics.append(warnings.equals_in_section(line))
            section, _, rest = section.partition("=")
            prefix = f"{rest}="
            if not section:
                return
        words = [
            SectionWord(prefix + word.text, FromRc(word.span, section), line)
            for word in line.words[1:]
        ]
        if section == "startup" and not prefix:
            self._startup += words
            return
        self._stretches[-1].setdefault(section, []).append((file, words))

    def _error(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        self._diagnostics.append(Diagnostic(code, message, span, notes, hint))

    def _display(self, path: str) -> str:
        root = self._request.workspace_root
        if root is not None:
            prefix = root.rstrip("/") + "/"
            normal = os.path.normpath(path)
            if normal.startswith(prefix):
                return normal[len(prefix) :]
        return path
