"""The envelope of an answer as text: what stands before the answer, and what below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.base.label import at_sign
from bazelscope.base.unknown import Unknown
from bazelscope.questions.shared.completeness import Completeness, PackageDiagnostics
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.named_configs import DefinerKind, PossibleDefiner, UndefinedConfig
from bazelscope.questions.shared.phrases import location_text, place_text
from bazelscope.questions.shared.setup import Setup
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, bad, quiet, row, strong, warning

_UNKNOWNS_SHOWN = 3


def head_blocks(envelope: Envelope, tells_setup: bool = False) -> Iterator[list[Row]]:
    """What stands before an answer, each of it apart: the set-up where `tells_setup`, and
    configs that nothing defines."""
    if tells_setup:
        yield [row(quiet(setup_text(envelope.setup)))]
    for config in envelope.undefined_configs:
        yield list(undefined_config_rows(config, envelope.setup.command))


def add_head(document: Document, envelope: Envelope, tells_setup: bool = False) -> None:
    """Appends what stands before an answer."""
    for rows in head_blocks(envelope, tells_setup):
        document.add(rows)


def add_foot(document: Document, envelope: Envelope, full: bool, told_setup: bool = False) -> None:
    """Appends what stands below an answer: how much of it is known, and, unless the answer
    began with the set-up, which Bazel was assumed where the tree asks for another."""
    document.add(completeness_rows(envelope.completeness, full))
    if not told_setup:
        document.add(hint_rows(envelope.setup))


def setup_text(setup: Setup) -> str:
    """`bazel build as Bazel 3.1.0 (.bazelversion) on linux`."""
    text = f"bazel {setup.command} as Bazel {setup.bazel_version}"
    text += f" ({setup.version_source}) on {setup.host}"
    if setup.hint:
        text += f"; {setup.hint}"
    return text


def hint_rows(setup: Setup) -> Iterator[Row]:
    """For answers that do not begin with the set-up: which Bazel was assumed, where the tree
    asks for another."""
    if setup.hint:
        assumed = f"taken for Bazel {setup.bazel_version} ({setup.version_source})"
        yield row(strong("hint:"), f" {assumed}; {setup.hint}")


def undefined_config_rows(config: UndefinedConfig, command: str) -> Iterator[Row]:
    """A `--config` without a definition, and who would define it."""
    yield row(
        bad(config.written),
        f" is not defined for `{command}`: Bazel stops here",
        aside=place_text(config.origin),
    )
    for definer in config.definers:
        yield row(_definer_text(definer), indent=1)
    if config.similar:
        names = ", ".join(f"--config={similar}" for similar in config.similar)
        yield row(f"defined, with a similar name: {names}", indent=1)


def _definer_text(definer: PossibleDefiner) -> str:
    place = location_text(definer.location)
    if definer.kind is DefinerKind.MISSING_RC_FILE:
        return f"{definer.text} may define it: {place} imports that file, which does not exist"
    if definer.kind is DefinerKind.OTHER_COMMAND:
        return f"`{definer.text}` defines it, for another command: {place}"
    target = f" to {definer.writes}, which does not exist" if definer.writes else ""
    return f"{place} writes `{definer.text}`{target}: run that first"


def completeness_rows(completeness: Completeness, full: bool) -> Iterator[Row]:
    """The foot of an answer."""
    if completeness.counts:
        parts = []
        for count in completeness.counts:
            if not count.total:
                continue
            text = f"{count.known:,} of {count.total:,} {count.what}"
            if count.modelled:
                text += f" ({count.modelled} modelled)"
            parts.append(text)
        if parts:
            yield row(quiet("Known: " + ", ".join(parts) + "."))
    if completeness.unknown_targets:
        where = _some(_unknown_target_places(completeness), full)
        yield row(quiet(f"Unknown targets: {where}."))
    yield from packages_in_error_rows(completeness.packages_in_error, full)
    yield from _assumption_rows(completeness.assumptions, full)
    yield from _unknown_rows(completeness.unknowns, "", full)
    if full:
        yield from _unknown_rows(completeness.elsewhere, " elsewhere", full)
    elif completeness.elsewhere:
        things = plural(len(completeness.elsewhere), "thing")
        yield row(quiet(f"Elsewhere {things} cannot be told (--full lists them)."))


def packages_in_error_rows(packages: tuple[PackageDiagnostics, ...], full: bool) -> Iterator[Row]:
    """Which packages Bazel would not load whole."""
    if packages:
        shown = _some((package.package for package in packages), full)
        hint = "" if full else " (--full says why)"
        yield row(warning("In error: "), quiet(f"{shown}{hint}."))


def _unknown_target_places(completeness: Completeness) -> Iterator[str]:
    """`26 in @com_google_absl (repository-not-fetched)`, and so on."""
    for place in completeness.unknown_targets:
        where = at_sign(place.repository) if place.repository else "the workspace"
        yield f"{place.count:,} in {where} ({place.reason.value})"


def _assumption_rows(assumptions: tuple[Unknown, ...], full: bool) -> Iterator[Row]:
    """What was taken for granted where no file says it."""
    shown = assumptions if full else assumptions[:_UNKNOWNS_SHOWN]
    for assumption in shown:
        yield row(quiet(str(assumption)), aside=location_text(assumption.location))
    if len(shown) < len(assumptions):
        more = plural(len(assumptions) - len(shown), "assumption")
        yield row(quiet(f"and {more} more (--full lists all)"))


def _unknown_rows(unknowns: tuple[Unknown, ...], where: str, full: bool) -> Iterator[Row]:
    shown = unknowns if full else unknowns[:_UNKNOWNS_SHOWN]
    for unknown in shown:
        text = f"unknown{where}: {unknown}"
        yield row(quiet(text), aside=location_text(unknown.location))
    if len(shown) < len(unknowns):
        more = plural(len(unknowns) - len(shown), "unknown")
        yield row(quiet(f"and {more} more (--full lists all)"))


def _some(names: Iterable[str], full: bool) -> str:
    texts = list(names)
    if full or len(texts) <= _UNKNOWNS_SHOWN + 1:
        return ", ".join(texts)
    rest = len(texts) - _UNKNOWNS_SHOWN
    return ", ".join(texts[:_UNKNOWNS_SHOWN]) + f" and {rest} more"
