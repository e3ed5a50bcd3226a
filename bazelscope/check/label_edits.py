"""Where a label that names nothing is written, and the edit that writes what was meant."""

from __future__ import annotations

from bazelscope.base.edits import Edit, Fix, fixes
from bazelscope.base.label import Label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Span
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.loading.origins.term import TermKind
from bazelscope.loading.origins.terms import why_label
from bazelscope.loading.packages.meant_labels import label_meant
from bazelscope.loading.packages.targets import Rule

_LITERAL = lazy_pattern(r"""("|')([^"'\\]+)\1""")


def label_fixes(
    facts: WorkspaceFacts, target: Label, attribute: str, wanted: Label
) -> tuple[str, tuple[Fix, ...]]:
    """Returns what the label `wanted`, which names nothing, was probably meant to be, as it would
    be written in an attribute of `target`, and the fix that writes it; no text where nothing is
    near, no fix where the text that the label comes from cannot be told or is put together."""
    loader = facts.world.loader
    meant = label_meant(loader, wanted)
    if meant is None or meant == target:
        return "", ()
    near = meant.name if meant.package_id == wanted.package_id else str(meant)
    rule = loader.target(target)
    if not isinstance(rule, Rule):
        return near, ()
    written = written_at(facts, rule, attribute, wanted)
    text = _respelt(written[1], wanted, meant) if written is not None else None
    if written is None or text is None:
        return near, ()
    return near, fixes(f"write `{text}`", (Edit(written[0], text),))


def written_at(
    facts: WorkspaceFacts, rule: Rule, attribute: str, label: Label
) -> tuple[Span, str] | None:
    """Returns where the text of a label stands that an attribute of a rule holds, without its
    quotes, and that text; None where it is put together, or cannot be followed."""
    term = why_label(facts.world.loader, rule, attribute, label)
    while term.via:
        term = term.via[-1]
    place = term.location
    source = facts.read(place.path) if place is not None else None
    if term.kind is not TermKind.LITERAL or place is None or source is None:
        return None
    literal = _LITERAL.match(source.line(place.line), place.column - 1)
    if literal is None:
        return None
    start, end = literal.span(2)
    return Span(place.path, place.line, start + 1, place.line, end + 1), literal[2]


def _respelt(text: str, wanted: Label, meant: Label) -> str | None:
    """Returns the text of a label with another name or another package, in the same form."""
    repository, slashes, rest = text.rpartition("//")
    package, colon, name = rest.rpartition(":")
    if not colon and slashes:
        package, name = rest, wanted.name
    if name != wanted.name or (slashes and package != wanted.package):
        return None
    is_short = not colon and meant.name == meant.package.rpartition("/")[2]
    if slashes:
        return f"{repository}//{meant.package}" + ("" if is_short else f":{meant.name}")
    return f"{colon}{meant.name}" if meant.package_id == wanted.package_id else None
