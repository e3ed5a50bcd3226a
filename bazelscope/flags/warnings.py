"""What goes wrong silently in rc files and command lines, as warnings with place and hint."""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope.base.errors import Diagnostic, Misspelling, Note, Severity
from bazelscope.base.nearest import nearest
from bazelscope.base.source import SourceFile, Span
from bazelscope.bazel.flag_catalog import Catalog, FlagDefinition
from bazelscope.bazel.option_history import lifetime
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import FlagInstance, FromRc
from bazelscope.flags.rc_file_reading import ReadFailure
from bazelscope.flags.rcfile import RcLine
from bazelscope.flags.startup import StartupOption
from bazelscope.flags.words import Word

NOT_APPLIED = {
    "experimental_resolved_file_instead_of_workspace": "WORKSPACE is read instead",
    "package_path": "packages are looked for in the workspace alone",
}
"""Options that would change what is loaded, and what is done instead."""


def warning(
    code: str,
    message: str,
    span: Span | None,
    hint: str | None = None,
    notes: tuple[Note, ...] = (),
) -> Diagnostic:
    """A diagnostic that Bazel would not stop at."""
    return Diagnostic(code, message, span, notes, hint, severity=Severity.WARNING)


def file_not_read(
    name: str, failure: ReadFailure = ReadFailure.OUTSIDE, span: Span | None = None
) -> Diagnostic:
    """Warns of a file that decides about the answer and was left out."""
    message = f"`{name}` was not read: {failure.value}"
    hint = "Bazel would read it; what it sets is missing from this answer"
    return warning("file-not-read", message, span, hint)


def textual(source: SourceFile) -> list[Diagnostic]:
    """The traps that one file's text shows by itself."""
    problems: list[Diagnostic] = []
    if source.text.startswith("\ufeff"):
        problems.append(
            warning(
                "byte-order-mark",
                "a byte order mark begins the file; it becomes part of the first word",
                source.span(0, 1),
                "save the file as UTF-8 without a byte order mark",
            )
        )
    if "\\\n" in source.text or "\\\r\n" in source.text:
        problems += _continued_comments(source)
    return problems


def line_of_one_word(line: RcLine) -> list[Diagnostic]:
    """A line that Bazel ignores without a word, because nothing follows its first word."""
    head = line.words[0]
    if head.text.startswith("-"):
        return [_missing_command(head.text, line.span)]
    return [
        warning(
            "empty-line",
            f"`{head.text}` alone sets nothing, and defines no config",
            line.span,
            "write a flag behind it, or delete the line",
        )
    ]


def _missing_command(word: str, span: Span) -> Diagnostic:
    return warning(
        "missing-command",
        f"the line begins with `{word}`, not with a command; Bazel ignores it",
        span,
        f"put a command first: `build {word}`, or `common` for every command",
    )


def equals_in_section(line: RcLine) -> Diagnostic:
    """A first word with an `=`: Bazel moves what follows it into the options."""
    head = line.words[0]
    section, _, rest = head.text.partition("=")
    if not section:
        message = f"`{head.text}` begins with `=`; Bazel refuses the file"
        return Diagnostic("invalid-section", message, head.span)
    return warning(
        "equals-in-section",
        f"`{head.text}` is read as the section `{section}`, and each word after it as "
        f"`{rest}=WORD`",
        head.span,
    )


def _continued_comments(source: SourceFile) -> list[Diagnostic]:
    """Comments that swallow the next line, and comments that cut a continued line short."""
    problems: list[Diagnostic] = []
    text = source.text
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        parts = [(start, end)]
        while end < len(text) and _continues(text, start, end):
            following = text.find("\n", end + 1)
            following = len(text) if following < 0 else following
            parts.append((end + 1, following))
            start, end = end + 1, following
        if len(parts) > 1:
            problems += _comment_in(source, parts)
        start = end + 1
    return problems


def _continues(text: str, start: int, end: int) -> bool:
    if end > start and text[end - 1] == "\r":
        end -= 1
    return end > start and text[end - 1] == "\\"


def _comment_in(source: SourceFile, parts: list[tuple[int, int]]) -> list[Diagnostic]:
    for number, (start, end) in enumerate(parts):
        position = _comment_start(source.text, start, end)
        if position is None or number == len(parts) - 1:
            continue
        swallowed = source.text[parts[number + 1][0] : parts[number + 1][1]].strip()
        if not swallowed or (swallowed.startswith("#") and number + 2 >= len(parts)):
            continue
        message = "a comment that ends in a backslash swallows the next line"
        if number or source.text[start:position].strip():
            message = "a comment inside a continued line swallows the rest of that line"
        lost = source.span(*parts[number + 1])
        return [
            warning(
                "comment-swallows-line",
                message,
                source.span(position, end),
                "end the line without a backslash, or move the comment above it",
                (Note("this line does not count", lost),),
            )
        ]
    return []


def _comment_start(text: str, start: int, end: int) -> int | None:
    quote = ""
    position = start
    while position < end:
        character = text[position]
        if character == "\\":
            position += 1
        elif quote:
            if character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character == "#":
            return position
        position += 1
    return None


def unknown_command(section: str, word: str, span: Span, catalog: Catalog) -> Diagnostic:
    """A line whose section names no command of this Bazel."""
    if section.startswith("-"):
        return _missing_command(section, span)
    near = nearest(word, sorted(catalog.commands | {"common", "startup"}), 1)
    hint = f"did you mean `{section.replace(word, near[0], 1)}`?" if near else None
    if word == "startup":
        hint = "startup options have no configs: write `startup OPTION`"
    if word == "always":
        hint = (
            f"Bazel knows `always` since {Release.always_section.first}; before, `common` does that"
        )
    if word in ("import", "try-import") or word.startswith("try-import"):
        hint = "an import is a line of its own: `import PATH`"
    return warning(
        "unknown-command",
        f"`{section}` names no command of Bazel {catalog.bazel_version}; the line is ignored",
        span,
        hint,
    )


def try_import_found_nothing(path: str, span: Span) -> Diagnostic:
    return warning("try-import-not-found", f"nothing to import: `{path}` does not exist", span)


def forgiven_import(path: str, line: RcLine, forgiving: RcLine) -> Diagnostic:
    """An import that fails inside a file that somebody else only tries to import."""
    return warning(
        "import-forgiven",
        f"cannot read `{path}`; Bazel silently skips the rest of this file",
        line.span,
        "if the file is optional, write `try-import` here too",
        (Note("this `try-import` forgives it", forgiving.span),),
    )


def dashes_swallow(word: Word, after: Sequence[Word]) -> Diagnostic:
    """`--` in an rc file, and what it turns into targets."""
    assert isinstance(word.origin, FromRc)
    hint = None
    if any(other.text.startswith("-") for other in after):
        hint = "`--` ends the options of all further lines of this section in this file"
    return warning(
        "dashes-swallow-words",
        f"after `--` nothing is an option any more: {len(after)} words become targets",
        word.origin.span,
        hint,
        tuple(Note(f"`{other.text}` is a target now", other.span) for other in after[:3]),
    )


def ignored_bazelrc(option: StartupOption, catalog: Catalog) -> Diagnostic:
    return warning(
        "bazelrc-ignored",
        f"`{option.text}` is not read: Bazel {catalog.bazel_version} reads only the first "
        "`--bazelrc`",
        None,
        f"Bazel reads each of them since {Release.every_bazelrc.first}",
    )


def explicit_option_beaten(new: FlagInstance, old: FlagInstance) -> Diagnostic:
    """A config, or another option that expands, beats an option written before it."""
    cause = new.chain[0].text
    return warning(
        "explicit-option-overridden",
        f"`{cause}` sets `{new.text}`, which beats `{old.text}` on the command line",
        new.span,
        f"put `{old.text}` after `{cause}`",
    )


def expanded_twice(new: FlagInstance, old: FlagInstance) -> Diagnostic:
    """Two configs, or other options that expand, set an option differently."""
    first, second = old.chain[0].text, new.chain[0].text
    both = f"both `{first}` and `{second}` set" if first != second else f"`{first}` sets"
    return warning(
        "option-expanded-twice",
        f"{both} `--{new.name}`, to different values; `{new.text}` counts, being the last",
        new.span,
        notes=_note_of(old),
    )


def implied_twice(new: FlagInstance, old: FlagInstance) -> Diagnostic:
    """Two options imply different values of a third."""
    return warning(
        "option-implied",
        f"`{old.chain[0].text}` implies `{old.text}`, and `{new.chain[0].text}` implies "
        f"`{new.text}`, which counts",
        new.span,
    )


def implied_option_wins(new: FlagInstance, old: FlagInstance) -> Diagnostic:
    """An option implies a value of another that beats the one that was given."""
    return warning(
        "option-implied",
        f"`{new.chain[0].text}` implies `{new.text}`, which beats `{old.text}`",
        new.span,
        notes=_note_of(old),
    )


def implied_option_beaten(new: FlagInstance, old: FlagInstance) -> Diagnostic:
    """A given value of an option beats the one that another option before it implies."""
    return warning(
        "option-implied",
        f"`{new.text}` beats `{old.text}`, which `{old.chain[0].text}` implies",
        new.span,
    )


def _note_of(old: FlagInstance) -> tuple[Note, ...]:
    place = old.span
    return (Note(f"`{old.text}` here", place),) if place is not None else ()


def repeated_file(path: str, first: Span | None, again: Span | None) -> Diagnostic:
    """An rc file that is read more than once."""
    notes = (Note("read here before", first),) if first is not None else ()
    return warning(
        "rc-file-repeated",
        f"`{path}` is read more than once;"
        " its repeatable flags (such as --copt) are added each time",
        again,
        notes=notes,
    )


def abandoned_file(path: str, catalog: Catalog) -> Diagnostic:
    """An rc file at a place where only old Bazels look."""
    return warning(
        "rc-file-abandoned",
        f"`{path}` exists, but Bazel {catalog.bazel_version} does not read it",
        None,
        f"Bazel reads `.bazelrc` since {Release.tools_rc.first_without}; move the contents, or"
        " import the file there",
    )


def unknown_option(
    text: str, word: Word, catalog: Catalog, command: str, suggest: bool
) -> Diagnostic:
    """An option that the command does not have: where it does exist, or what is near it.

    Without `suggest` no near name is looked for.
    """
    span = word.span
    name = text.lstrip("-").partition("=")[0]
    version = catalog.bazel_version
    if len(text) == 2:
        return Diagnostic("unknown-option", f"unrecognized option: `{text}`", span)
    positive = name.removeprefix("no")
    definition = catalog.find(name) or catalog.find(positive)
    if definition is not None:
        commands = sorted(definition.commands)
        message = f"`{command}` has no option `--{name}`"
        if commands == ["startup"]:
            return Diagnostic(
                "unknown-option",
                message,
                span,
                hint="it is a startup option: it goes before the command, or on a `startup` line",
            )
        shown = ", ".join(f"`{name}`" for name in commands[:4])
        more = f" and {len(commands) - 4} more commands" if len(commands) > 4 else ""
        return Diagnostic("unknown-option", message, span, hint=f"it is an option of {shown}{more}")
    message = f"unrecognized option: `--{name}`"
    when = lifetime(name) or lifetime(positive)
    if when:
        return Diagnostic("unknown-option", message, span, hint=f"Bazel has it {when}")
    nearest = catalog.nearest(name, command, 1) if suggest else ()
    hint = f"did you mean `--{nearest[0]}`?" if nearest else None
    if catalog.documented_only and hint is None:
        hint = f"Bazel {version} may have it undocumented"
    slip = Misspelling(name, nearest[0]) if nearest else None
    return Diagnostic("unknown-option", message, span, hint=hint, misspelling=slip)


def assumed_option(definition: FlagDefinition, word: Word, catalog: Catalog) -> Diagnostic:
    """An option that this Bazel perhaps has: one of the releases on both sides of it has, or
    its documentation, which is all that is known of it, leaves the option out."""
    when = lifetime(definition.name)
    if when:
        why = f"Bazel has it for certain {when}"
    elif catalog.documented_only:
        why = f"the documentation of Bazel {catalog.table_version}, which leaves out some, lacks it"
    else:
        why = f"{catalog.neighbours} do not have it"
    return warning(
        "unverified-option",
        f"whether Bazel {catalog.bazel_version} has `--{definition.name}` is not known here",
        word.span,
        f"{why}; it is taken as written",
    )


def changed_between_releases(names: Sequence[str], catalog: Catalog) -> Diagnostic:
    """Options in use that the releases on both sides of this Bazel read differently."""
    shown = ", ".join(f"`--{name}`" for name in names)
    return warning(
        "version-table",
        f"{catalog.neighbours} do not read {shown} alike; which of them Bazel "
        f"{catalog.bazel_version} follows is not known here, and {catalog.table_version} is taken",
        None,
    )


def deprecated_option(definition: FlagDefinition, span: Span | None) -> Diagnostic:
    """An option that this Bazel warns of."""
    message = f"option `--{definition.name}` is deprecated"
    return warning("deprecated-option", message, span, definition.deprecated or None)


def not_applied(name: str, span: Span | None) -> Diagnostic:
    """An option of this Bazel's, one of `NOT_APPLIED`, that answers here do not heed."""
    return warning("option-not-applied", f"`--{name}` is not applied: {NOT_APPLIED[name]}", span)
