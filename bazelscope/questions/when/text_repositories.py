"""The answer to `when TARGET --repositories` as text: who is always needed, who when."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.label import at_sign
from bazelscope.questions.shared.conditions.flag_conditions import FlagCondition, Now, Verdict
from bazelscope.questions.shared.phrases import begun
from bazelscope.questions.shared.text_endpoints import name_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.shared.text_flag_conditions import (
    condition_rows,
    how_so,
    now_rows,
    refused_words,
    unknown_rows,
)
from bazelscope.questions.when.answer import RepositoryConditionsAnswer, RepositoryGroup
from bazelscope.questions.when.text import packages_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Part, Row, good, quiet, row, strong, warning

_SHOWN = 6
_REFUSED_SHOWN = 4
_GLANCE = 2
"""Words of a combination that are read at a glance."""
_NOW: dict[Now, Part] = {
    Now.YES: good("Needed now: "),
    Now.NO: "Not needed now: ",
    Now.REFUSED: warning("Bazel refuses the flags as they are: "),
    Now.UNKNOWN: warning("Nobody can tell whether it is needed now: "),
}
_ALWAYS = "Needed whatever the flags: "
_TOO_MANY = "Needed under some flags, too many cases to say which: "


def repositories_document(answer: RepositoryConditionsAnswer, full: bool = False) -> Document:
    """Which repositories are always needed, then which others, and under which flags."""
    document = Document()
    add_head(document, answer.envelope)
    document.add(name_rows(answer.source, full))
    if answer.source.label is not None:
        document.add([row(strong(_summary(answer)))])
    for group in answer.groups:
        rows = list(_condition_rows(group.condition, full)) if _hangs_on_flags(group) else []
        document.add(rows or [_title(group, full)], _title(group, full).parts if rows else ())
    document.add(_refused(answer, full))
    conditions = [group.condition for group in answer.groups]
    document.add(unknown_rows(conditions), "Nobody can tell from the files")
    document.add(packages_rows(answer.packages, full))
    add_foot(document, answer.envelope, full, names=(answer.source,))
    return document


def _hangs_on_flags(group: RepositoryGroup) -> bool:
    return group.condition.verdict is Verdict.SOMETIMES


def _condition_rows(condition: FlagCondition, full: bool) -> Iterator[Row]:
    yield from condition_rows(condition, full)
    if condition.is_long and not full:
        yield from now_rows(condition, full)


def _summary(answer: RepositoryConditionsAnswer) -> str:
    source = answer.source.label
    count = sum(len(group.repositories) for group in answer.groups)
    hanging = sum(len(group.repositories) for group in answer.groups if _hangs_on_flags(group))
    if not count:
        written = "by dependencies that are written"
        return f"{source} needs no external repository {written}, whatever the flags."
    repositories = plural(count, "external repository", "external repositories")
    which = f"{hanging} of them under some flags only" if hanging else "whatever the flags"
    return f"{source} needs {repositories}, {which}."


def _title(group: RepositoryGroup, full: bool) -> Row:
    shown = begun(group.repositories, _SHOWN, full)
    more = len(group.repositories) - len(shown)
    rest = quiet(f" and {more} more (--full lists all)" if more else "")
    names: tuple[Part, ...] = strong(", ".join(map(at_sign, shown))), rest
    condition = group.condition
    if not _hangs_on_flags(group):
        return row(_ALWAYS if condition.verdict is Verdict.ALWAYS else _TOO_MANY, *names)
    return row(_NOW[condition.now], *names, f"; {how_so(condition, full)}:")


def _refused(answer: RepositoryConditionsAnswer, full: bool) -> Iterator[Row]:
    """What Bazel refuses of the flags that are told, each combination once; in brief those that
    are read at a glance."""
    refused = dict.fromkeys(one for group in answer.groups for one in group.condition.conflicts)
    plain = [
        one for one in refused if len(one.words) <= _GLANCE and all(w.is_so for w in one.words)
    ]
    shown = tuple(refused) if full else plain[:_REFUSED_SHOWN]
    for one in shown:
        yield row(*refused_words(one))
    if len(shown) < len(refused):
        more = plural(len(refused) - len(shown), "other combination")
        yield row(quiet(f"and {more} (--full lists all)" if shown else f"Bazel refuses {more}"))
