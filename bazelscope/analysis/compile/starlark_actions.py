"""The command lines of actions that Starlark rules register, word by word as far as known.

Bazel: `StarlarkActionFactory`, `StarlarkCustomCommandLine`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.compile.words import FromAction, Word
from bazelscope.analysis.rules.actions import Action
from bazelscope.analysis.rules.args import Args, Piece, pieces_of, text_of
from bazelscope.analysis.rules.files import FileValue
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.values.structs import Struct

_SHELL = "/bin/bash"


@dataclass(frozen=True, slots=True)
class StarlarkLine:
    """One action: what it makes, and its words, the program first. An action that runs no program
    (`write`, `symlink`) has none, or those that it writes."""

    mnemonic: str
    outputs: tuple[str, ...]
    words: tuple[Word, ...]


def line_of(action: Action) -> StarlarkLine:
    """The line of an action as an implementation has registered it."""
    outputs = tuple(_path(file) for file in action.outputs)
    return StarlarkLine(action.mnemonic, outputs, tuple(_words(action)))


def _words(action: Action) -> Iterator[Word]:
    origin = FromAction(f"ctx.actions.{action.kind}", action.location)
    given = action.given
    if action.kind == "run":
        yield _word(given.get("executable"), origin, "the program")
        yield from _arguments(given.get("arguments"), origin)
    elif action.kind == "run_shell":
        command = given.get("command")
        yield Word(_SHELL, origin)
        yield Word("-c", origin)
        yield _word(command, origin, "the command")
        if given.get("arguments"):
            yield Word("", origin)
            yield from _arguments(given.get("arguments"), origin)
    elif action.kind == "write" and isinstance(content := given.get("content"), Args):
        yield from _arguments([content], origin)


def _arguments(given: object, origin: FromAction) -> Iterator[Word]:
    return (_shown(piece, origin) for piece in pieces_of(given))


def _shown(piece: Piece, origin: FromAction) -> Word:
    return Word("...", origin, piece) if isinstance(piece, Unknown) else Word(piece, origin)


def _word(value: object, origin: FromAction, what: str) -> Word:
    if isinstance(value, Struct):  # FilesToRunProvider
        value = value.fields.get("executable")
    if value is None:
        return Word("...", origin, Unknown(Reason.NEEDS_ANALYSIS, what))
    if isinstance(value, list | tuple):
        texts = [text_of(one) for one in value]
        return Word(" ".join(str(one) for one in texts), origin)
    return _shown(text_of(value), origin)


def _path(file: FileValue) -> str:
    path = file.path
    return file.short_path if isinstance(path, Unknown) else path
