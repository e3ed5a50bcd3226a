"""Edits that load what was a native: load() statements, and calls without the `native.`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from bazelscope.base.edits import Edit, appended, line_end, lines_above
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile
from bazelscope.bazel.removed_natives import loaded_from, of_module
from bazelscope.loading.origins.syntax_pieces import SyntaxPieces

LabelOf = Callable[[str], tuple[str, bool]]
"""Tells how a workspace calls a file of a rule set, and whether that file surely is there."""

_TEXT = lazy_pattern(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*', re.DOTALL)
_STATEMENT = lazy_pattern(r"^[^\s#)\]}\"']", re.MULTILINE)


def without_comments(text: str) -> str:
    """Returns a text with its comments and its strings in three quotes as blanks."""

    def blank(match: re.Match[str]) -> str:
        matched = match[0]
        if matched.startswith('"') and not matched.startswith('"""'):
            return matched
        return re.sub(r"[^\n]", " ", matched)

    return _TEXT.sub(blank, text)


def loading(source: SourceFile, name: str) -> tuple[Edit, ...]:
    """Returns what has a native loaded that a file names, and that is not defined there."""
    code = without_comments(source.text)
    matches = [*re.finditer(rf"(?<![\w.\"'])(native\.)?({name})(?![\w\"'])", code)]
    return load_edits(
        source, code, frozenset(), {name: matches}, lambda file: (of_module(file), False)
    ).get(name, ())


def load_edits(
    source: SourceFile,
    code: str,
    own: frozenset[str],
    named: Mapping[str, Sequence[re.Match[str]]],
    label_of: LabelOf,
) -> dict[str, tuple[Edit, ...]]:
    """Returns for each native that a file names what has it loaded, by its name.

    `code` is the text without comments and texts in three quotes, which are blank there; `named`:
    where it names each native, from the `native.` before it on; `own`: what the file defines or
    loads. All natives of a file are loaded at once, so that what is returned for several goes
    together; but those whose files are there without those whose are not.
    """
    wanted: dict[bool, dict[str, list[str]]] = {True: {}, False: {}}
    local: dict[str, tuple[str, bool]] = {}
    for name, matches in sorted(named.items()):
        home = loaded_from(name)
        alias = f"_{name}" if name in own or _is_elsewhere(code, name, len(matches)) else name
        if home is None or alias in own or (alias != name and any(m[1] is None for m in matches)):
            continue
        label, is_there = label_of(home)
        local[name] = alias, is_there
        text = f'"{name}"' if alias == name else f'{alias} = "{name}"'
        wanted[is_there].setdefault(label, []).append(text)
    loads = {is_there: tuple(_loads(source, code, files)) for is_there, files in wanted.items()}
    return {
        name: (
            *loads[is_there],
            *(Edit(source.span(*m.span()), alias) for m in named[name] if m[0] != alias),
        )
        for name, (alias, is_there) in local.items()
    }


def _is_elsewhere(code: str, name: str, count: int) -> bool:
    """Whether the code has a name in more places than `count`: a parameter of that name would hide
    what is loaded."""
    if code.count(name) == count:
        return False
    return len(re.findall(rf"(?<![\w\"']){name}(?![\w\"'])", code)) > count


def _loads(source: SourceFile, code: str, wanted: Mapping[str, list[str]]) -> Iterator[Edit]:
    """The edits that load names: in a load() of that file which is there, or in a new one."""
    there = SyntaxPieces(lambda _: source).placed_loads(source.path)
    by_module = {str(load.module.value): (load, file) for load, file in there}
    new: list[str] = []
    end = line_end(source)
    for home, names in sorted(wanted.items()):
        if home in by_module:
            load, file = by_module[home]
            last = load.bindings[-1]
            yield appended(file.source, (last.start, last.end), names)
        else:
            new.append(f'load("{home}", {", ".join(names)}){end}')
    if new and there:
        line = max(file.span(load).end_line for load, file in there) + 1
        yield lines_above(source, line, "".join(new))
    elif new:
        yield lines_above(source, _first_line(source, code), "".join((*new, end)))


def _first_line(source: SourceFile, code: str) -> int:
    """The line that the first load() belongs on: behind the comments and the text that say what
    the file is, above what is said of the first statement."""
    first = _STATEMENT.search(code)
    line = source.location(first.start()).line if first is not None else len(source.line_starts)
    above = line
    while above > 1 and source.line(above - 1).startswith("#"):
        above -= 1
    return line if above == 1 else above
