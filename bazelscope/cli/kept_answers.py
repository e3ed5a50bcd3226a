"""Answers of earlier runs, printed again where all that they rest on is as it was.

An answer is made of the command line, the environment, the terminal, bazelscope's own code, and of
what the run looked at on the disk (`base.looks`). What is equal in the first four finds the answer;
each path that was looked at is then looked at again. A stamp (see `contents`) that is as it was
saves reading; where it is another one, the content decides, and the new stamp is kept. What has
changed while a run looked at it does not hold the next time; a run that a limit cut short, or that
met a fault, leaves no answer.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import zlib

from bazelscope.base import looks
from bazelscope.cli import said
from bazelscope.cli.environment import environment
from bazelscope.cli.said import Said
from bazelscope.kept.kept_files import KeptFiles, default_cache_dir, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:  # To print what is kept takes as long as importing `pathlib` and `typing`.
    from collections.abc import Callable, Sequence
    from typing import Any

_COMMANDS = frozenset(
    {
        "cquery", "deps", "diff", "effects", "explain", "flag", "mod", "path", "query", "rdeps",
        "repos", "select", "settings", "when", "why",
    }
)  # fmt: skip
"""Those that look at the machine's disk alone, and write nothing but their answer."""
_HELP = "--help"
_MOST, _MOST_BYTES = 48, 16 << 20
"""How many answers are kept, and of how many bytes together, compressed."""
_LARGEST = 64 << 20
"""A longer answer is not kept: to compress it would take longer than many a question."""
_PLAIN = 2
"""The newest form of `marshal` in which equal values are written alike."""
_KEPT_CODES = frozenset({0, 1, 3, 7})
_NOTHING, _FILE, _DIRECTORY, _NO_LINK = "n", "f", "d", "L"
"""What is at a path; of the last, it only matters that it is no link. As capitals: and the path
itself is none of a link."""
_KINDS = "nNfFdD"
_FEW = 100
"""To look into fewer paths takes less than to read what an earlier answer rests on."""

_Row = tuple[looks.Stamp, bytes]
"""The stamp of what is at a path, and its digest."""
_Rows = dict[str, _Row]
"""By what is at a path, and the path, as one text: as `looks.Looks.held` has it."""

_Kept = tuple[_Rows, dict[str, str], Said, int]
"""What an answer rests on, where its paths lead to, what was said, and the exit code."""


def run(
    arguments: Sequence[str],
    main: Callable[[Sequence[str]], int],
    cannot_write: Callable[[OSError], int],
) -> int:
    """Prints the answer of an earlier run, or lets `main` answer and keeps that. Returns the exit
    code; where an earlier answer cannot be printed, that of `cannot_write`."""
    words = list(arguments)
    place = _place(words) if _has_streams() else None
    if place is None:
        return main(words)
    files, name = place
    noted = looks.Looks()
    kept = _read(files, name)
    if kept is not None and _holds(files, name, kept, noted.began):
        _, _, printed, code = kept
        try:
            said.say(printed)
        except OSError as error:
            return cannot_write(error)
        return code
    heard: Said = []
    looks.current = noted
    try:
        code = int(said.listening(heard, lambda: main(words)))
    finally:
        looks.current = None
    is_whole = noted.is_whole or _is_help(words)
    is_short = sum(len(data) for _, data, _ in heard) <= _LARGEST
    if code in _KEPT_CODES and is_whole and not noted.doubt and is_short:
        rows = _rows_of(noted, lambda: kept[0] if kept is not None else _rows_of_newest(files))
        if rows is not None:
            ways = {path: real for path, real in noted.ways.items() if path != real}
            _write(files, name, rows, ways, heard, code)
    return code


def _has_streams() -> bool:
    return all(hasattr(stream, "buffer") for stream in (sys.stdout, sys.stderr))


# ---- What finds an answer ----


def _place(words: list[str]) -> tuple[KeptFiles, str] | None:
    """Where the answer to a command line is kept; None where none is."""
    is_kept = _is_help(words) or (words[:1] and words[0] in _COMMANDS)
    if not is_kept or os.name == "nt":
        return None  # A stamp of Windows has no time of the last change of state.
    if any(word.startswith(("--no-cache", "--trace")) for word in words):
        return None
    directory = _cache_dir(words)
    try:
        asked: Any = (_code(), words, *_surroundings(words), *_machine())
        if directory is None:
            directory = default_cache_dir()
        name = name_of((marshal.dumps(asked, _PLAIN),))
        return KeptFiles(os.path.join(directory, "answers"), _MOST, _MOST_BYTES), name
    except (OSError, RuntimeError, ValueError):
        return None


def _is_help(words: list[str]) -> bool:
    """Whether a command line asks for help, which looks at no file but bazelscope's own."""
    return words[-1:] == [_HELP] and (len(words) == 1 or (len(words) == 2 and words[0][:1] != "-"))


def _surroundings(words: list[str]) -> tuple[object, ...]:
    """The directory and the environment."""
    variables = environment()
    if _is_help(words):
        variables.pop("PWD", None)
        return (sorted(variables.items()),)
    return os.getcwd(), sorted(variables.items())


def _cache_dir(words: list[str]) -> str | None:
    for number, word in enumerate(words):
        if word.startswith("--cache-dir="):
            return word.partition("=")[2]
        if word == "--cache-dir" and number + 1 < len(words):
            return words[number + 1]
    return None


def _machine() -> tuple[object, ...]:
    """What an answer may depend on besides: who asks, on which machine, on what terminal."""
    who = (os.geteuid(), os.getegid(), os.getgroups()) if hasattr(os, "geteuid") else ()
    machine = (tuple(os.uname())[:2], os.uname().machine) if hasattr(os, "uname") else ()
    terminals = []
    for stream in (sys.stdout, sys.stderr):
        is_terminal = stream is not None and stream.isatty()
        terminals.append(tuple(os.get_terminal_size(stream.fileno())) if is_terminal else None)
    return sys.version, sys.platform, who, machine, terminals


def _code() -> list[tuple[str, looks.Stamp]]:
    """The stamps of bazelscope's own files, and of the folders that hold what it imports."""
    beside: list[tuple[str, looks.Stamp]] = []
    looks.add_stamps(beside, os.path.join(os.path.dirname(looks.PACKAGE), "grammars"))
    folders = [(folder, looks.stamp_of(folder)) for folder in sys.path]
    return [*looks.own_files(), *sorted(beside), *folders]


# ---- What an answer rests on ----


def _rows_of(noted: looks.Looks, former: Callable[[], _Rows]) -> _Rows | None:
    """What was at the paths that a run has looked at; None where one of them might change without
    a trace, or did before it was read. What is `former`, known of the same stamps, saves reading:
    if a path has changed since, it has another stamp, and its content another hash."""
    from bazelscope.loading.tree.contents import is_settled

    rows = dict(noted.held)
    straight = {path for path, real in noted.ways.items() if path == real}
    known: _Rows = {}
    unknown = 0
    digests = noted.digests
    for path, stamp in noted.stamps.items():
        held = rows.get(_FILE + path) or rows.get(_DIRECTORY + path)
        if held is not None:
            if held[0] != stamp:
                return None
            continue
        if not stamp:
            kind, row = _NOTHING, (stamp, b"")
        else:
            kind = _DIRECTORY if (_DIRECTORY, path) in digests else _FILE
            before = digests.get((kind, path))
            if before is None or before[0] != stamp:
                unknown += 1
                known = former() if unknown == _FEW else known
                found = _looked_at(noted, path, path in straight, known)
                if found is None:
                    return None
                kind, row = found
            elif is_settled(stamp, noted.began):
                row = before
            else:
                return None
        rows[kind + path] = row
    for kind in (_NOTHING, _FILE, _DIRECTORY):
        for path in straight:
            if (kind + path) in rows:
                rows[kind.upper() + path] = rows.pop(kind + path)
    for path in straight | _directories_above(straight):
        if not any((kind + path) in rows for kind in _KINDS):
            rows[_NO_LINK + path] = (), b""
    return rows


def _looked_at(
    noted: looks.Looks, path: str, is_straight: bool, former: _Rows
) -> tuple[str, _Row] | None:
    """What is at a path of which nobody knows what it holds, and its row; None where it is not as
    it was at the first look."""
    from bazelscope.loading.tree.contents import content_digest, is_settled
    from bazelscope.loading.tree.disk import MACHINE

    stamp = noted.stamps[path]
    for kind in (_FILE, _DIRECTORY):
        row = former.get(kind + path) or former.get(kind.upper() + path)
        if row is not None and row[0] == stamp and (row[1] or path not in noted.read):
            return kind, row
    status = _status(path, is_straight)
    if status is None or looks.stamp_from(status) != stamp or not is_settled(stamp, noted.began):
        return None
    kind = _DIRECTORY if stat.S_ISDIR(status.st_mode) else _FILE
    if kind == _FILE and not stat.S_ISREG(status.st_mode):
        return None
    digest = b""
    if kind != _FILE or path in noted.read:
        digest, is_plain = content_digest(MACHINE, kind, path)
        if kind == _FILE and not is_plain:
            return None
        # Ends of links change without the directory: who looked at them has noted them.
    return kind, (stamp, digest)


def _directories_above(paths: set[str]) -> set[str]:
    directories: set[str] = set()
    for path in paths:
        above = path.rpartition("/")[0]
        while above and above not in directories:
            directories.add(above)
            above = above.rpartition("/")[0]
    return directories


def _status(path: str, is_straight: bool) -> os.stat_result | None:
    """The status of what is there; a link where none was is not what was there."""
    try:
        return os.lstat(path) if is_straight else os.stat(path)
    except (OSError, ValueError):
        return None


def _renewed(rows: _Rows, now: int) -> _Rows | None:
    """Checks that all is as it was: returns the rows whose stamps are others, with their new
    ones; None where something is not as it was."""
    changed: _Rows = {}
    look, look_straight = os.stat, os.lstat
    for name, row in rows.items():
        path = name[1:]
        try:
            status = look_straight(path) if name[0] <= "Z" else look(path)
        except (OSError, ValueError):
            if name[0].lower() != _NOTHING and name[0] != _NO_LINK:
                return None
            continue
        if row[0] == (
            status.st_dev,
            status.st_ino,
            status.st_mtime_ns,
            status.st_ctime_ns,
            status.st_size,
        ):
            continue
        if name[0] == _NO_LINK:
            if stat.S_ISLNK(status.st_mode):
                return None
            continue
        fresh = _looked_into(name, row, status, now)
        if fresh is None:
            return None
        if fresh is not row:
            changed[name] = fresh
    return changed


def _looked_into(name: str, row: _Row, status: os.stat_result, now: int) -> _Row | None:
    """The row of a path whose stamp is another one, if it holds what it held."""
    kind, path, digest = name[0].lower(), name[1:], row[1]
    is_kind = stat.S_ISREG if kind == _FILE else stat.S_ISDIR
    if kind == _NOTHING or not is_kind(status.st_mode) or not digest:
        return None
    from bazelscope.loading.tree.contents import content_digest, is_settled
    from bazelscope.loading.tree.disk import MACHINE

    if content_digest(MACHINE, kind, path)[0] != digest:
        return None
    stamp = looks.stamp_from(status)
    again = _status(path, kind != name[0])
    if again is None or looks.stamp_from(again) != stamp:
        return None
    return (stamp, digest) if is_settled(stamp, now) else row


# ---- The file ----


def _read(files: KeptFiles, name: str) -> _Kept | None:
    """What was kept under a name."""
    mapped = files.map(name)
    if mapped is None:
        return None
    try:
        rows, ways, printed, code = marshal.loads(zlib.decompress(mapped[0]))
    except (ValueError, EOFError, TypeError, zlib.error):
        return None
    return rows, ways, printed, code


def _rows_of_newest(files: KeptFiles) -> _Rows:
    """The rows of the answer that was kept last: it is often about the same tree."""
    try:
        with os.scandir(files.directory) as entries:
            newest = max(entries, key=lambda entry: entry.stat().st_mtime_ns, default=None)
    except OSError:
        return {}
    kept = _read(files, newest.name) if newest is not None else None
    return kept[0] if kept is not None else {}


def _holds(files: KeptFiles, name: str, kept: _Kept, now: int) -> bool:
    """Whether all that an answer rests on is as it was; keeps the stamps that are new."""
    rows, ways, printed, code = kept
    changed = _renewed(rows, now)
    if changed is None or any(_real(path) != real for path, real in ways.items()):
        return False
    if changed:
        rows.update(changed)
        _write(files, name, rows, ways, printed, code)
    return True


def _real(path: str) -> str | None:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return None


def _write(
    files: KeptFiles, name: str, rows: _Rows, ways: dict[str, str], heard: Said, code: int
) -> None:
    try:
        files.write(name, zlib.compress(marshal.dumps((rows, ways, heard, code)), 1))
    except ValueError:
        return  # What marshal cannot write is answered anew.
