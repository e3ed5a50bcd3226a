"""Options of rc files, and defaults, that another release of Bazel has otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.errors import is_severe
from bazelscope.base.source import Span
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.bazel.idle_options import IdleOption, idle_option
from bazelscope.bazel.option_history import lifetime
from bazelscope.bazel.release import Release
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.of_diagnostics import remedy_of
from bazelscope.check.rc_files.rc_facts import RcFacts
from bazelscope.flags.option_parsing import ParsedOption

_MOST_PLACES = 8
_DECISIVE = frozenset(
    {
        *("java_language_version", "legacy_important_outputs", "remote_download_outputs"),
        "sandbox_default_allow_network",
        *("tool_java_language_version", "zip_undeclared_test_outputs"),
    }
)
"""Options besides `incompatible_...` whose default decides what comes out of a build."""


def option_findings(facts: RcFacts, target: Catalog) -> Iterator[Finding]:
    """Options that `target` refuses, or has under another name, each with all its lines."""
    refused: dict[str, list[tuple[Span | None, str, str]]] = {}
    now = {p.span for one in facts.sections for p in one.diagnostics if is_severe(p)}
    for section in facts.sections_under(target):
        for problem in section.diagnostics:
            if is_severe(problem) and problem.span not in now:
                refused.setdefault(problem.message, []).append(
                    (problem.span, problem.hint or "", problem.message)
                )
    for message, places in refused.items():
        causes = tuple(FindingCause("and here", span) for span, _, _ in places[1:_MOST_PLACES])
        remedy = remedy_of(places[0][1]) or "delete it"
        yield CODES["BZS501"].at(
            places[0][0], message, f"{target.bazel_version}: {message}", remedy, causes, len(places)
        )
    for name, uses in _written(facts).items():
        new = target.find(name)
        if new is None:
            continue
        own = uses[0].definition
        span = uses[0].instance.span
        causes = tuple(FindingCause("and here", one.instance.span) for one in uses[1:_MOST_PLACES])
        if new.name != own.name:
            message, remedy = f"`--{name}` is called `--{new.name}`", f"write `--{new.name}`"
            causes = (FindingCause(f"Bazel has it {lifetime(new.name)}"), *causes)
        elif idle := _newly_idle(name, facts.catalog, target):
            message = f"`--{name}` does nothing under Bazel {target.bazel_version}"
            remedy = idle.remedy
            causes = (FindingCause(f"so says {idle.source}"), *causes)
        elif new.deprecated is not None and own.deprecated is None:
            message = f"`--{name}` is deprecated"
            remedy = new.deprecated or "delete it"
        else:
            continue
        yield CODES["BZS502"].at(span, name, message, remedy, causes, len(uses))


def _newly_idle(name: str, own: Catalog, target: Catalog) -> IdleOption | None:
    """Why an option does nothing under `target`, where it does something now."""
    if idle_option(name, Release.of(own.bazel_version)) is not None:
        return None
    return idle_option(name, Release.of(target.bazel_version))


def _written(facts: RcFacts) -> dict[str, list[ParsedOption]]:
    by_name: dict[str, list[ParsedOption]] = {}
    for section in facts.sections:
        for option in section.options:
            by_name.setdefault(option.definition.name, []).append(option)
    return by_name


def default_findings(facts: RcFacts, target: Catalog) -> Iterator[Finding]:
    """Defaults that decide what is built or refused, and that `target` has otherwise, but for
    those that an rc line sets."""
    written = _written(facts)
    for own in facts.catalog.definitions("build"):
        new = target.find(own.name)
        if new is None or own.name in written or new.name != own.name:
            continue
        told = not (own.hidden or new.hidden) and own.is_certain and new.is_certain
        if not told or own.default is None or new.default is None or own.default == new.default:
            continue
        if not own.name.startswith("incompatible_") and own.name not in _DECISIVE:
            continue
        message = f"`--{own.name}` is {new.default} by default, no longer {own.default}"
        text = f"{own.name}={own.default}"
        remedy = f"nothing, or for now `common --{text}`"
        yield CODES["BZS503"].at(None, f"--{own.name}", message, remedy)
