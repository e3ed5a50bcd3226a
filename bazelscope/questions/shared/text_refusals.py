"""What Bazel refuses, as the first thing that a text answer says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.phrases import location_text
from bazelscope.render.counting import plural
from bazelscope.render.document import Block, Document, Row, bad, name, quiet, row, strong

_SHOWN = 3
"""So many refusals are told with their causes, and so many targets of each are named."""
_LATER_SHOWN = 2
"""So many of what would be refused next are told; more are only counted."""

_OF_ALL_BELOW = (RefusalKind.MISSING_PACKAGE, RefusalKind.PACKAGE, RefusalKind.REPOSITORY_RULE)
"""What is wrong of a package or a repository, whoever depends on whatever is in it."""

_OF_BAZEL = (":", "$")
"""How attributes begin that Bazel itself gives to rules."""


_WHAT_WOULD_BE = "What follows is what would be, were it not refused."


def with_refusals(envelope: Envelope, document: Document, full: bool, in_a_line: bool) -> Document:
    """`document`, begun by the refusals (or by how many they are), and marked as what would be
    without them; where the Bazel is only assumed, with how to ask about another."""
    refusals, setup = envelope.refusals, envelope.setup
    if in_a_line and not full:
        count = plural(sum(not one.also for one in refusals) or len(refusals), "error")
        told = f": {count} (see `explain`). "
        line = row(bad("Bazel refuses this"), told, quiet(_WHAT_WOULD_BE))
        head, *rest = document.blocks or [Block((), ())]
        if head.title:
            head, rest = Block((), ()), [head, *rest]
        return Document([Block((), (line, *head.rows)), *rest])
    begun = refusals_document(refusals, full)
    rows = [row(quiet(_WHAT_WOULD_BE))]
    if setup.version_source.startswith("assumed"):
        release = f"Bazel {setup.bazel_version} is only assumed"
        rows.insert(0, row(quiet(f"{release}: `--bazel-version` asks about another.")))
    begun.blocks.append(Block((), tuple(rows)))
    begun.blocks.extend(document.blocks)
    return begun


def refusals_document(refusals: Sequence[Refusal], full: bool) -> Document:
    """The refusals alone: what is the same of several targets is told once."""
    document = Document()
    firsts = [one for one in refusals if not one.also] or list(refusals)
    groups: dict[object, list[Refusal]] = {}
    for refusal in firsts:
        groups.setdefault(_key(refusal), []).append(refusal)
    shown = list(groups.values())
    told = shown if full else shown[:_SHOWN]
    document.add([row(bad("Bazel refuses this"), f": {plural(len(firsts), 'error')}.")])
    for group in told:
        document.add(_rows(group, full))
    rest = sum(len(group) for group in shown[len(told) :])
    later = [one for one in refusals if one not in firsts]
    notes = []
    if rest:
        notes.append(f"{plural(rest, 'more error')} (--full tells all)")
    # What is wrong with a target besides may be so for what is wrong with it first.
    refused = {one.target for one in firsts}
    apart = [one for one in later if one.target not in refused]
    next_ones = apart if len(apart) <= _LATER_SHOWN else []
    count = len(later) - len(next_ones)
    if count:
        notes.append(f"{count:,} that Bazel would come to once these are mended (JSON has them)")
    document.add([row(quiet("; ".join(notes))), *_remedies(shown[len(told) :])] if notes else [])
    if next_ones:
        document.add(
            [row(quiet("Once these are mended, Bazel would come to:")), *map(_later_row, next_ones)]
        )
    return document


def _remedies(groups: Sequence[Sequence[Refusal]]) -> Iterator[Row]:
    """What would mend the most of the errors that are only counted."""
    counts = Counter(one.remedy for group in groups for one in group if one.remedy)
    for remedy, count in counts.most_common(_SHOWN):
        if count > 1:
            yield row(f"to mend {count:,} of them: ", remedy, indent=1)


def _later_row(refusal: Refusal) -> Row:
    about = f"{refusal.target}: " if refusal.target is not None else ""
    return row(strong(about), refusal.message, aside=location_text(refusal.location), indent=1)


def _key(refusal: Refusal) -> object:
    if _is_of_repository(refusal):
        # Of a repository that is none, every package is missing for the same reason.
        reason = _without_user(refusal).partition("': ")[2]
        return (refusal.kind, reason, refusal.causes, refusal.remedy)
    if refusal.dependency is not None and refusal.kind in _OF_ALL_BELOW:
        return (refusal.kind, refusal.dependency.package_id, refusal.causes, refusal.remedy)
    if refusal.dependency is not None and refusal.kind is RefusalKind.MISSING_TARGET:
        # One target to declare, or one name to correct, whoever writes it.
        return (refusal.kind, refusal.dependency, refusal.causes, refusal.remedy)
    if refusal.target is None or not refusal.causes:
        return refusal
    if refusal.attribute.startswith(_OF_BAZEL):
        # Bazel's own attribute: its causes are to be mended, not what stands at each target, of
        # whatever class its rule is.
        return (refusal.kind, refusal.causes, refusal.remedy)
    return (refusal.kind, refusal.attribute, refusal.location, refusal.causes, refusal.remedy)


def _is_of_repository(refusal: Refusal) -> bool:
    """Whether a package is missing of which Bazel says why its repository is none."""
    is_missing = refusal.kind is RefusalKind.MISSING_PACKAGE and refusal.dependency is not None
    return is_missing and "': The repository '" in refusal.message


def _without_user(refusal: Refusal) -> str:
    return refusal.message.removesuffix(f" and referenced by '{refusal.target}'")


def _rows(group: Sequence[Refusal], full: bool) -> Iterator[Row]:
    first = group[0]
    targets = list(dict.fromkeys(str(one.target) for one in group if one.target is not None))
    # So that what the groups say adds up to what the head does.
    errors = f" ({len(group):,} errors)" if len(group) > max(len(targets), 1) else ""
    if len(targets) > 1:
        named = targets if full else targets[:_SHOWN]
        more = f" and {len(targets) - len(named):,} more" if len(named) < len(targets) else ""
        yield row(
            strong(f"{len(targets):,} targets{errors}: "),
            name(", ".join(named) + more),
            aside=location_text(first.location)
            if len({one.location for one in group}) == 1
            else "",
        )
    elif targets:
        attribute = f" ({first.attribute})" if first.attribute else ""
        yield row(strong(targets[0]), name(attribute), errors, aside=location_text(first.location))
    else:
        yield row(strong(first.kind.value), errors, aside=location_text(first.location))
    message = _without_user(first) if len(targets) > 1 else first.message
    packages = list(dict.fromkeys(_without_user(one).partition("': ")[0] for one in group))
    is_of_repository = _is_of_repository(first) and len(packages) > 1
    if is_of_repository:
        message = message.partition("': ")[2]
    yield row(message, indent=1)
    if is_of_repository:
        named = [one.partition("'")[2] for one in packages]
        listed = ", ".join(named if full else named[:_SHOWN])
        more = "" if full or len(named) <= _SHOWN else f" and {len(named) - _SHOWN:,} more"
        yield row(quiet(f"{plural(len(named), 'package')}: {listed}{more}"), indent=1)
    messages = len({one.message for one in group})
    if messages > 1 and first.attribute.startswith(_OF_BAZEL):
        others = plural(messages - 1, "other class", "other classes")
        yield row(quiet(f"and alike of rules of {others}"), indent=1)
    for cause in first.causes:
        is_said = cause.text in message and cause.location == first.location
        if not is_said:
            yield row(quiet(cause.text), aside=location_text(cause.location), indent=1)
    if first.remedy:
        yield row("to mend it: ", first.remedy, indent=1)
