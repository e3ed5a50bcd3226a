"""What of a query's answer nobody can tell: unknown targets in it, and what may hide others.

What was walked is looked at: below an unknown target, or behind an attribute that cannot be told,
there may be more than the answer has; so there may be in a package that a pattern stands for.
"""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import Label, PackageId, at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.unknown import BAZELS_OWN, Reason, Unknown
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import UnknownPackage, UnknownResult
from bazelscope.questions.shared.target_unknowns import unknowns_of
from bazelscope.render.counting import plural

_OF_BAZEL = "bazel_tools"
_NAMED = 3
"""So many repositories are named."""
_REPOSITORY = lazy_pattern(r"@@?([\w.~+-]+)//")


@dataclass(frozen=True, slots=True)
class Unsettled:
    """How many targets of an answer are unknown, how many targets and packages that were looked
    at may hide others, and the repositories whose files would tell, the most wanted first."""

    unknown: int = 0
    hiding: int = 0
    repositories: tuple[str, ...] = ()
    of_bazel: int = 0
    """How many of the unknown targets are Bazel's own, which nobody downloads."""
    why: str = ""
    """Why the first of what no download would tell is unknown."""
    assumed: tuple[str, ...] = ()
    """The classes of rules that are called so in BUILD files and whose files are not here: they
    may be macros."""


SETTLED = Unsettled()


def what_is_unsettled(
    loader: Loader,
    graph: TargetGraph,
    answered: Iterable[Label],
    walked: Iterable[Label],
    named: Iterable[Label],
    opened: Iterable[PackageId],
) -> Unsettled:
    """Counts what is unknown among the targets `answered`, below those `walked`, among those that
    patterns have `named`, and in the packages `opened`, all of whose targets a pattern stands
    for."""
    wanted: dict[str, int] = {}
    others: list[Unknown] = []

    def note(unknown: Unknown, repository: str) -> None:
        # Of what failed here, no download of its own repository would tell more.
        failed = unknown.reason in (Reason.FAILED, Reason.LIMIT)
        text = unknown.detail if failed else f"{unknown.subject} {unknown.detail}"
        named = _REPOSITORY.search(text)
        name = named[1] if named else "" if failed else repository
        if not name or unknown.reason is Reason.OUTSIDE:
            others.append(unknown)
        elif name != _OF_BAZEL and unknown.detail != BAZELS_OWN:
            wanted[name] = wanted.get(name, 0) + 1

    unknown: set[Label] = set()
    of_bazel: set[Label] = set()
    unique = dict.fromkeys(answered)
    for label in unique:
        if graph.is_open(label) and not graph.has(label):
            target = graph.node(label)
            if isinstance(target, UnknownResult):
                unknown.add(label)
                if label.repository == _OF_BAZEL or target.unknown.detail == BAZELS_OWN:
                    of_bazel.add(label)
                note(target.unknown, label.repository)
    assumed: dict[str, None] = {}
    for label in dict.fromkeys((*unique, *named)):
        rule_class = graph.shape(label).rule_class
        if rule_class is not None and not rule_class.is_known:
            assumed[rule_class.name] = None
    hiding = 0
    for label in dict.fromkeys(walked):
        if not graph.is_open(label):
            continue
        reasons = [why for _, why in unknowns_of(loader, graph, label, label.package_id)]
        hiding += bool(reasons)
        if label not in unknown:
            for why in reasons:
                note(why, label.repository)
    for id in dict.fromkeys(opened):
        package = loader.package(id)
        if isinstance(package, UnknownPackage):
            hiding += 1
            note(package.unknown, id.repository)
        elif isinstance(package, Package):
            lacks = package.may_declare or package.may_lack
            if lacks is not None:
                hiding += 1
                note(lacks, id.repository)
    ranked = sorted(wanted, key=lambda name: (-wanted[name], name))
    first = str(others[0]) if others else ""
    return Unsettled(len(unknown), hiding, tuple(ranked), len(of_bazel), first, tuple(assumed))


def is_told_by(unsettled: Unsettled, message: str) -> bool:
    """Whether the line on what is unknown says what `message` does, too: that something of a
    repository is not there."""
    named = _REPOSITORY.search(message)
    told = unsettled.repositories[:_NAMED]
    return message == unsettled.why or (named is not None and named[1] in told)


def assumed_text(unsettled: Unsettled) -> str:
    """One line on the classes of rules that are assumed; empty where none is."""
    if not unsettled.assumed:
        return ""
    names = [f"`{name}`" for name in unsettled.assumed[:_NAMED]]
    more = len(unsettled.assumed) - len(names)
    shown = ", ".join(names) + (f" and {more:,} more" if more else "")
    one = len(unsettled.assumed) == 1
    what = (
        "is taken for a rule, and may be a macro"
        if one
        else "are taken for rules, and may be macros"
    )
    return f"{shown} {what}: {'its file is' if one else 'their files are'} not here"


def unsettled_text(unsettled: Unsettled, total: int) -> str:
    """One line on what is unknown of an answer of `total` targets; empty where nothing is."""
    if not unsettled.unknown and not unsettled.hiding:
        return ""
    named = [at_sign(name) for name in unsettled.repositories[:_NAMED]]
    more = len(unsettled.repositories) - len(named)
    rest = plural(more, "more repository", "more repositories")
    who = ", ".join(named) + (f" and {rest}" if more > 0 else "")
    would_tell = f": {who} would tell (not downloaded)" if who else ""
    if unsettled.why and not who:
        would_tell = f": {unsettled.why}"
    if unsettled.unknown:
        own = unsettled.of_bazel
        whose = "all" if own == unsettled.unknown else f"{own:,} of them"
        bazels = f" ({whose} Bazel's own)" if own else ""
        return f"unknown targets: {unsettled.unknown:,} of {total:,}{bazels}{would_tell}"
    parts = "1 part" if unsettled.hiding == 1 else f"{unsettled.hiding:,} parts"
    return f"the answer may lack something, for {parts} of what was looked at{would_tell}"
