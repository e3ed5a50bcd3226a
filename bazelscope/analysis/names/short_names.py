"""Which target people mean by a name: `build_pip_package`, `mkl_dnn`, `pip_package:setup`.

A full label means itself. A short name means every target so named; where several are, a
rule is meant rather than a file, and of the two ends of a path those are meant between
which a path leads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.analysis.graph.arrivals import Arrivals
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import meant_by, nearest
from bazelscope.base.unknown import Unknown
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import (
    NoSuchPackage,
    NoSuchTarget,
    Rule,
    TargetResult,
    UnknownPackage,
    UnknownTarget,
)

_NO_MAPPING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """Several targets are meant by `text`."""

    text: str
    candidates: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class NoSuchName:
    """No target is meant by `text`. `missing` is what the loader says of a full label."""

    text: str
    nearest: tuple[str, ...] = ()
    missing: TargetResult | None = None
    message: str = ""

    @property
    def unknown(self) -> Unknown | None:
        """What may have declared it although nothing known does."""
        return self.missing.unknown if isinstance(self.missing, UnknownTarget) else None


NameResult = Label | AmbiguousName | NoSuchName


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Both ends of a path; `others` are further targets that either name could mean, and that no
    path joins."""

    start: Label
    end: Label
    others: tuple[Label, ...] = ()


def is_full_label(text: str) -> bool:
    return text.startswith(("//", "@"))


def resolve_name(
    source: Loader, text: str, repo_mapping: Mapping[str, str] = _NO_MAPPING
) -> NameResult:
    """The target that `text` means by itself, without looking at what reaches it."""
    labels = candidates(source, text, repo_mapping)
    if isinstance(labels, NoSuchName):
        return labels
    preferred = _prefer_rules(source, labels)
    return preferred[0] if len(preferred) == 1 else AmbiguousName(text, preferred)


def candidates(
    source: Loader, text: str, repo_mapping: Mapping[str, str] = _NO_MAPPING
) -> tuple[Label, ...] | NoSuchName:
    """Every target that `text` may mean, sorted; never empty."""
    if is_full_label(text):
        return _full_label(source, text, repo_mapping)
    package, colon, name = text.rpartition(":")
    if not colon:
        whole = _relative_package(source, text)
        if whole is not None:
            return (whole,)
        package, _, name = text.rpartition("/")
    labels: Iterable[Label] = source.find_targets(name)
    if not colon and package:
        # `dir/file.cc` may be a target name with slashes in it.
        labels = [*source.find_targets(text), *labels]
    matching = {label for label in labels if _is_in(label, package, text, bool(colon))}
    if matching:
        return tuple(sorted(matching))
    return NoSuchName(text, _nearest_names(source, name))


def _is_in(label: Label, package: str, text: str, has_colon: bool) -> bool:
    if not package or (not has_colon and label.name == text):
        return True
    whole = label.package
    return whole == package or whole.endswith(f"/{package}") or label.repository == package


def _relative_package(source: Loader, text: str) -> Label | None:
    """`tensorflow/core` for `//tensorflow/core:core`, as on Bazel's own command line, and the path
    of a file."""
    if "/" not in text:
        return None
    try:
        label = parse_label(f"//{text}", MAIN_ROOT)
    except LabelError:
        return None
    meant = label if exists(source.target(label)) else owner_of_path(source, text)
    return meant if meant is not None and exists(source.target(meant)) else None


def _full_label(
    source: Loader, text: str, repo_mapping: Mapping[str, str]
) -> tuple[Label, ...] | NoSuchName:
    try:
        label = parse_label(text, MAIN_ROOT, repo_mapping)
    except LabelError as error:
        return NoSuchName(text, message=str(error))
    target = source.target(label)
    if isinstance(target, NoSuchTarget):
        package = source.package(label.package_id)
        names = package.targets if isinstance(package, Package) else ()
        close = tuple(str(label.sibling(name)) for name in nearest(label.name, names))
        return NoSuchName(text, close, target, target.message)
    if isinstance(target, UnknownTarget) and target.message:
        close = tuple(str(label.sibling(name)) for name in target.suggestions)
        return NoSuchName(text, close, target, target.message)
    if isinstance(target, NoSuchPackage):
        return NoSuchName(text, in_nearest_packages(source, label), target, target.message)
    return (label,)


def in_nearest_packages(source: Loader, label: Label) -> tuple[str, ...]:
    """The targets that a label may mean whose package is misspelt; where no package of nearly
    that name has such a target, those packages."""
    known = {str(id): id for id in source.trees.packages(label.repository)}
    close = nearest(str(label.package_id), known)
    there = [Label(*known[text], label.name) for text in close]
    return tuple(str(one) for one in there if exists(source.target(one))) or close


def owner_of_path(source: TargetSource, path: str, repository: str = "") -> Label | None:
    """The label of a file or directory in the package that it belongs to; None if it is in none."""
    package, _, name = path.rpartition("/")
    while not isinstance(source.package(PackageId(repository, package)), Package):
        if not package:
            return None
        package, _, last = package.rpartition("/")
        name = f"{last}/{name}"
    return Label(repository, package, name)


def of_path(source: TargetSource, path: str, repository: str = "") -> tuple[str, ...]:
    """The target that a path is, or those of its package that it may be a slip of the pen for."""
    label = owner_of_path(source, path, repository)
    package = source.package(label.package_id) if label is not None else None
    if label is None or not isinstance(package, Package):
        return ()
    if exists(source.target(label)):
        return (str(label),)
    return tuple(str(label.sibling(name)) for name in nearest(label.name, package.targets))


def of_name(source: Loader, name: str, most: int = 3) -> tuple[str, ...]:
    """The targets of a name, wherever they are, those nearest to the root first: what a label may
    mean whose package is another."""

    def distance(label: Label) -> tuple[bool, int, Label]:
        return bool(label.repository), label.package.count("/"), label

    labels = sorted(source.find_targets(name), key=distance)
    return tuple(map(str, _prefer_rules(source, labels)))[:most]


def exists(target: TargetResult) -> bool:
    """Tells whether something known declares the target."""
    absent = (NoSuchPackage, NoSuchTarget, UnknownPackage, UnknownTarget)
    return not isinstance(target, absent)


def _prefer_rules(source: TargetSource, labels: Iterable[Label]) -> tuple[Label, ...]:
    """Only the rules, if there are any, without those that only stand for another one."""
    every = tuple(labels)
    if len(every) < 2:
        return every
    rules = {label: source.target(label) for label in every}
    kept = [label for label, target in rules.items() if isinstance(target, Rule)]
    meant = frozenset(kept)
    direct = [label for label in kept if _actual(rules[label]) not in meant]
    return tuple(direct or kept or every)


def _nearest_to_root(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """Those in the main repository, of those the ones in the fewest nested directories."""

    least = min(map(_from_root, labels))
    return tuple(label for label in labels if _from_root(label) == least)


def _from_root(label: Label) -> tuple[bool, int]:
    return bool(label.repository), label.package.count("/") + bool(label.package)


def _actual(target: TargetResult) -> Label | None:
    if isinstance(target, Rule) and target.rule_class.name in ("alias", "bind"):
        actual = target.value("actual")
        return actual if isinstance(actual, Label) else None
    return None


def _nearest_names(source: Loader, name: str) -> tuple[str, ...]:
    names: dict[str, list[Label]] = {}
    for id in source.packages_to_search():
        package = source.package(id)
        if isinstance(package, Package):
            for target in package.targets.values():
                if isinstance(target, Rule):
                    names.setdefault(target.label.name, []).append(target.label)
    close = meant_by(name, names)
    return tuple(
        str(label)
        for match in close
        for label in sorted(_prefer_rules(source, names[match]), key=_from_root)[:2]
    )


def resolve_endpoints(
    graph: TargetGraph,
    source: Loader,
    start_text: str,
    end_text: str,
    repo_mapping: Mapping[str, str] = _NO_MAPPING,
) -> Endpoints | AmbiguousName | NoSuchName:
    """The two targets that a path is asked between.

    Where a name is ambiguous, the candidates that a path joins are taken if that leaves
    one. Of several starts the one nearest to the workspace's root is taken. Otherwise the
    result is `AmbiguousName` with the candidates that are left.
    """
    starts = candidates(source, start_text, repo_mapping)
    if isinstance(starts, NoSuchName):
        return _with_meant_first(
            starts,
            lambda name: resolve_endpoints(graph, source, name, end_text, repo_mapping),
            lambda ends: ends.start,
        )
    graph.prepare_below(starts[:_MAX_STARTS])
    closures = {start: graph.arrivals(start) for start in starts[:_MAX_STARTS]}
    reached = {
        start: _reached(source, closure, end_text, repo_mapping)
        for start, closure in closures.items()
    }
    joined = {start: ends for start, ends in reached.items() if ends}
    if not joined:
        apart = _apart(source, start_text, starts, end_text, repo_mapping)
        if isinstance(apart, NoSuchName) and apart.text == end_text:
            near = meant_by(
                end_text, sorted({label.name for c in closures.values() for label in c.labels()})
            )
            return _with_meant_first(
                replace(apart, nearest=tuple(dict.fromkeys((*near, *apart.nearest)))),
                lambda name: resolve_endpoints(graph, source, start_text, name, repo_mapping),
                lambda ends: ends.end,
            )
        return apart
    start_label = _nearest_to_root(_prefer_rules(source, joined))
    if len(start_label) > 1:
        return AmbiguousName(start_text, start_label)
    ends = _prefer_rules(source, joined[start_label[0]])
    if len(ends) > 1:
        return AmbiguousName(end_text, ends)
    others = {*starts, *joined[start_label[0]]} - {start_label[0], ends[0]}
    return Endpoints(start_label[0], ends[0], tuple(sorted(others)))


def _with_meant_first(
    missing: NoSuchName,
    resolve: Callable[[str], Endpoints | AmbiguousName | NoSuchName],
    taken: Callable[[Endpoints], Label],
) -> NoSuchName:
    """The suggestions, led by those that the question would have taken, spelled right."""
    names = dict.fromkeys(text.rpartition(":")[2] for text in missing.nearest)
    resolved = [resolve(name) for name in names if not is_full_label(missing.text)]
    meant = [str(taken(ends)) for ends in resolved if isinstance(ends, Endpoints)]
    others = (text for text in missing.nearest if is_full_label(text))
    return replace(missing, nearest=tuple(dict.fromkeys((*meant, *others))))


# A start that names more targets than this is too vague to search from each.
_MAX_STARTS = 32


def _reached(
    source: Loader, closure: Arrivals, text: str, repo_mapping: Mapping[str, str]
) -> tuple[Label, ...]:
    """The nodes of a closure that `text` may mean."""
    if is_full_label(text):
        try:
            label = parse_label(text, MAIN_ROOT, repo_mapping)
        except LabelError:
            return ()
        return tuple(closure.among([label]))
    package, colon, name = text.rpartition(":")
    if not colon:
        whole = _relative_package(source, text)
        if whole is not None:
            return tuple(closure.among([whole]))
        package, _, name = text.rpartition("/")
    labels = [
        label
        for label in closure.ending(f":{name}")
        if (label.name == name and _is_in(label, package, text, bool(colon)))
    ]
    if not colon:
        labels += [label for label in closure.ending(f":{text}") if label.name == text]
    if not labels and not colon:
        # The name of a repository means whatever of it is reached first.
        labels = closure.of_repository(text)[:1]
    return tuple(sorted(set(labels)))


def _apart(
    source: Loader,
    start_text: str,
    starts: tuple[Label, ...],
    end_text: str,
    repo_mapping: Mapping[str, str],
) -> Endpoints | AmbiguousName | NoSuchName:
    """Both ends, when no path joins any of their candidates."""
    ends = candidates(source, end_text, repo_mapping)
    if isinstance(ends, NoSuchName):
        return ends
    start = _nearest_to_root(_prefer_rules(source, starts))
    if len(start) > 1:
        return AmbiguousName(start_text, start)
    end = _prefer_rules(source, ends)
    if len(end) > 1:
        return AmbiguousName(end_text, end)
    return Endpoints(start[0], end[0])
