"""The envelope of an answer as text: what stands before the answer, and what below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bazelscope.base.label import at_sign
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.questions.shared.completeness import Completeness, PackageDiagnostics
from bazelscope.questions.shared.endpoint_answers import NameAnswer
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.named_configs import DefinerKind, PossibleDefiner, UndefinedConfig
from bazelscope.questions.shared.phrases import begun_list, listed, location_text, place_text
from bazelscope.questions.shared.setup import Setup
from bazelscope.questions.shared.text_endpoints import namesake_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, bad, quiet, row, warning

_UNKNOWNS_SHOWN = 3


def head_blocks(
    envelope: Envelope, tells_setup: bool = False, full: bool = False
) -> Iterator[list[Row]]:
    """What stands before an answer, each of it apart: the set-up where `tells_setup`, and
    configs that nothing defines, where what Bazel refuses does not say so already."""
    if tells_setup:
        yield [row(quiet(setup_text(envelope.setup)))]
    for config in envelope.undefined_configs if full or not envelope.refusals else ():
        yield list(undefined_config_rows(config, envelope.setup.command, full))


def add_head(
    document: Document, envelope: Envelope, tells_setup: bool = False, full: bool = False
) -> None:
    """Appends what stands before an answer."""
    for rows in head_blocks(envelope, tells_setup, full):
        document.add(rows)


def add_foot(
    document: Document,
    envelope: Envelope,
    full: bool,
    told_setup: bool = False,
    names: Iterable[NameAnswer | None] = (),
) -> None:
    """Appends what stands below an answer: what else its `names` could have meant, how much of it
    is known, and, unless the answer began with the set-up, which Bazel was assumed, where the
    tree's own files ask for it."""
    asked = [name for name in names if name and name.label is not None and name.candidates]
    rows = [line for name in asked for line in namesake_rows(name, full)]
    completeness = envelope.completeness
    if not full and completeness.unknowns:
        untold = tuple(one for one in completeness.unknowns if not document.says(str(one)))
        completeness = replace(completeness, unknowns=untold)
    rows += completeness_rows(completeness, full, envelope.not_covered)
    if len(rows) > 1 and not full:
        rows = [row(quiet(_foot_text(completeness, envelope.not_covered, asked)))]
    document.add(rows)
    if not told_setup:
        document.add(hint_rows(envelope.setup))


def _not_covered_text(configs: Sequence[str]) -> str:
    """The configs with which other packages are loaded, of which nothing is said."""
    load = "load" if len(configs) > 1 else "loads"
    return f"{', '.join(f'--config={name}' for name in configs)} {load}"


def setup_text(setup: Setup) -> str:
    """`bazel build as Bazel 3.1.0 (.bazelversion) on linux`."""
    text = f"bazel {setup.command} as Bazel {setup.bazel_version}"
    text += f" ({setup.version_source}) on {setup.host}"
    if setup.hint:
        text += f"; {setup.hint}"
    return text


def hint_rows(setup: Setup) -> Iterator[Row]:
    """For answers that do not begin with the set-up: which Bazel was assumed, where the tree's
    own files ask for it."""
    if setup.hint:
        yield row(quiet(f"as Bazel {setup.bazel_version} ({setup.version_source}): {setup.hint}"))


def undefined_config_rows(
    config: UndefinedConfig, command: str, full: bool = True
) -> Iterator[Row]:
    """A `--config` without a definition, and who would define it."""
    yield row(
        bad(config.written),
        f" is not defined for `{command}`: Bazel stops here",
        aside=place_text(config.origin),
    )
    written = {definer.writes for definer in config.definers if definer.writes}
    for definer in config.definers:
        # That a script writes the missing file says that it is missing.
        is_told = definer.kind is DefinerKind.MISSING_RC_FILE and definer.text in written
        if full or not is_told:
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


def completeness_rows(
    completeness: Completeness, full: bool, not_covered: Sequence[str] = ()
) -> Iterator[Row]:
    """The foot of an answer: one line on what is not known of it, nothing where all is; `full`
    tells all of it, with what was counted. `not_covered`: the configs that load other packages,
    of which the answer says nothing."""
    if not full:
        text = _foot_text(completeness, not_covered)
        if text:
            yield row(quiet(text))
        return
    if not_covered:
        told = _not_covered_text(not_covered)
        yield row(quiet(f"Not looked at: the packages that {told} (`when` does)."))
    parts = []
    for count in completeness.counts:
        if not count.total:
            continue
        text = f"{count.known:,} of {count.total:,} {count.what}"
        kinds = (("in part", count.partly), ("modelled", count.modelled))
        some = ", ".join(f"{number:,} {kind}" for kind, number in kinds if number)
        text += f" ({some})" if some else ""
        parts.append(text)
    if parts:
        yield row(quiet("Known: " + ", ".join(parts) + "."))
    if completeness.unknown_targets:
        where = ", ".join(_unknown_target_places(completeness))
        yield row(quiet(f"Unknown targets: {where}."))
    yield from packages_in_error_rows(completeness.packages_in_error, full)
    yield from (row(quiet(f"cut short: {why}")) for why in completeness.cut_short)
    yield from _unknown_rows(completeness.assumptions, "")
    yield from _unknown_rows(completeness.unknowns, "unknown: ")
    yield from _unknown_rows(completeness.elsewhere, "unknown elsewhere: ")


_FOOT_WIDTH = 100
_HOW = " (--full)"


def _foot_text(
    completeness: Completeness, not_covered: Sequence[str], asked: Sequence[NameAnswer] = ()
) -> str:
    """What matters most of what is not known, in one line of a usual width; before it how many
    more targets have the names that were `asked` for."""
    whole = _FOOT_WIDTH - len(_HOW)
    others = list(_namesakes(asked)) if asked else []
    told = whole - len(f"{others[-1]}; ") if others else whole
    text = ""
    parts = list(_foot_parts(completeness))
    if not_covered:
        load = "load" if len(not_covered) > 1 else "loads"
        counted = f"what {plural(len(not_covered), 'config')} {load} was not looked at"
        named = [f"what {_not_covered_text(not_covered)} was not looked at"]
        # Names have room where nothing else has to be told.
        brief = f"{plural(len(not_covered), 'config')} not looked at"
        parts.insert(0, [brief if asked else counted] if parts else [*named, counted])
    for choices in parts:
        before = f"{text}; " if text else ""
        fitting = [part for part in choices if len(before + part) <= told]
        if not fitting and text:
            continue
        text = before + (fitting[0] if fitting else choices[-1])
    for choice in others if text else ():
        if choice == others[-1] or len(f"{choice}; {text}") <= whole:
            text = f"{choice}; {text}"
            break
    return f"{text}{_HOW}" if text else ""


def _namesakes(asked: Sequence[NameAnswer]) -> Iterator[str]:
    """How many more targets have names that were asked for, in words that get shorter."""
    if len(asked) == 1:
        yield f"{plural(len(asked[0].candidates), 'more target')} called `{asked[0].asked}`"
    names = "that name" if len(asked) == 1 else "these names"
    yield f"{sum(len(one.candidates) for one in asked):,} more of {names}"


def _foot_parts(completeness: Completeness) -> Iterator[list[str]]:
    """Each fact of the foot, in words that get shorter and shorter."""
    in_error = completeness.packages_in_error
    if in_error:
        count = plural(len(in_error), "package")
        verb = "is" if len(in_error) == 1 else "are"
        names = [package.package for package in in_error]
        yield [*(f"{some} {verb} in error" for some in _named(names)), f"{count} {verb} in error"]
    if completeness.cut_short:
        cut = completeness.cut_short[0]
        yield [cut, cut.rpartition("/")[2], "a limit was reached"]
    # Bazel's own tools are modelled as far as answers need them.
    places = [one for one in completeness.unknown_targets if one.repository != "bazel_tools"]
    unknown = sum(place.count for place in places)
    if unknown:
        total = sum(one.total for one in completeness.counts if one.what == "targets")
        text = f"{unknown:,} of {total:,} loaded targets could not be read"
        missing: dict[str, int] = {}
        for place in places:
            if place.repository and place.reason is Reason.NOT_FETCHED:
                missing[place.repository] = missing.get(place.repository, 0) + place.count
        verb = "is" if len(missing) == 1 else "are"
        named = _named([at_sign(name) for name in sorted(missing, key=lambda n: -missing[n])])
        why = [f"{some} {verb} not downloaded" for some in named]
        if not missing and any(place.reason is Reason.OUTSIDE for place in places):
            why = ["behind links out of the workspace, see --links-to"]
        yield [*(f"{text}: {one}" for one in why), text]
    elif completeness.unknowns:
        yield _counted_unknowns(completeness.unknowns)
    if completeness.assumptions:
        first = completeness.assumptions[0]
        count = plural(len(completeness.assumptions), "assumption")
        more = len(completeness.assumptions) - 1
        rest = f", and {plural(more, 'more assumption')}" if more else ""
        brief = first.detail.partition(", since ")[0]
        # What is said of "its" exit code says nothing without its subject.
        brief = f"{first.subject}: {brief}" if " its " in brief else brief
        yield [f"{first}{rest}", f"{brief}{rest}", f"rests on {count}"]
    if unknown:
        # What is not downloaded was said of the targets that cannot be read for it.
        others = [
            one
            for one in completeness.unknowns
            if one.reason is not Reason.NOT_FETCHED and one.location is not None
        ]
        if others:
            yield _counted_unknowns(others)


def _counted_unknowns(unknowns: Sequence[Unknown]) -> list[str]:
    first = unknowns[0]
    more = len(unknowns) - 1
    rest = f", and {plural(more, 'more unknown')}" if more else ""
    at = f" ({first.location.short})" if first.location else ""
    count = plural(len(unknowns), "unknown")
    return [f"unknown: {first}{at}{rest}", f"unknown: {first.subject}{rest}", count]


def _named(names: Sequence[str]) -> Iterator[str]:
    """Names in one breath, from three of them down to one, the rest counted."""
    for shown in range(min(_UNKNOWNS_SHOWN, len(names)), 0, -1):
        yield listed(names, shown, "")


def packages_in_error_rows(packages: tuple[PackageDiagnostics, ...], full: bool) -> Iterator[Row]:
    """Which packages Bazel would not load whole."""
    if packages:
        shown = some_text((package.package for package in packages), full)
        hint = "" if full else " (--full says why)"
        yield row(warning("In error: "), quiet(f"{shown}{hint}."))


def _unknown_target_places(completeness: Completeness) -> Iterator[str]:
    """`26 in @com_google_absl (repository-not-fetched)`, and so on."""
    for place in completeness.unknown_targets:
        where = at_sign(place.repository) if place.repository else "the workspace"
        yield f"{place.count:,} in {where} ({place.reason.value})"


def _unknown_rows(unknowns: tuple[Unknown, ...], before: str) -> Iterator[Row]:
    for unknown in unknowns:
        yield row(quiet(f"{before}{unknown}"), aside=location_text(unknown.location))


def some_text(names: Iterable[str], full: bool) -> str:
    """The first of many names, and how many more there are; with `full`, all."""
    return begun_list(list(names), _UNKNOWNS_SHOWN, full, "")
