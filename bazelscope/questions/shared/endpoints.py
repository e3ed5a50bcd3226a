"""The targets that the names in a question mean, or why they mean none."""

from __future__ import annotations

from dataclasses import replace
from posixpath import basename, normpath

from bazelscope.analysis.names.short_names import (
    AmbiguousName,
    Endpoints,
    NoSuchName,
    exists,
    owner_of_path,
    resolve_endpoints,
    resolve_name,
)
from bazelscope.base.errors import LabelError, is_bazels_error
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchTarget, Provenance, UnknownResult
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.endpoint_answers import NameAnswer, PathOutcome
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.target_groups import group_named, nearest_member, nothing_of
from bazelscope.questions.shared.world import World

_MOST_STARTS = 20
"""Targets of one name that are tried as the start of a path."""


def which_targets(
    world: World, source: str, target: str, configured: bool = False
) -> tuple[Endpoints | None, NameAnswer, NameAnswer, PathOutcome]:
    """Finds the two targets that names mean, or says why one of them means none.

    Of several targets that a path joins, the one nearest to the workspace's root is taken,
    if there is a single nearest one; the answer names the others. (So for the start of a path
    to a repository or a pattern, too.) Of a repository or a
    target pattern that is the one that the path meets first, with `configured` under the flags.
    """
    texts = [typed_there(world, source), typed_there(world, target)]
    names = world.loader.table.pattern_names
    passed_over: dict[int, tuple[Label, ...]] = {}
    group = group_named(world, target)
    if group is not None:
        start = which_target(world, source)
        members = {
            label: nearest_member(world, group, label, configured)
            for label in _named(start)[:_MOST_STARTS]
        }
        leading = tuple(label for label, member in members.items() if member is not None)
        if leading and start.label not in leading:
            nearest = _nearest_to_root(leading)
            start = _chosen(source, leading if nearest is None else _named(start), nearest)
        if start.label is None and start.candidates:
            open_end = NameAnswer(target, None, is_settled=False)
            return None, start, open_end, PathOutcome.NAME_AMBIGUOUS
        if start.label is not None:
            member = members[start.label]
            if member is None:
                why = f"{start.label} reaches no target of `{target}`, through any branch"
                node = world.graph.node(start.label)
                if isinstance(node, UnknownResult):
                    why = f"what {start.label} is cannot be told: {node.unknown}"
                nothing = nothing_of(world, target, group, why)
                return None, start, nothing, PathOutcome.NAME_UNKNOWN
            texts = [str(start.label), str(member)]
            passed_over[0] = start.candidates
    while True:
        ends = resolve_endpoints(world.graph, world.loader, texts[0], texts[1], names)
        if not isinstance(ends, AmbiguousName) or ends.text not in texts:
            break
        nearest = _nearest_to_root(ends.candidates)
        if nearest is None:
            break
        position = texts.index(ends.text)
        texts[position] = str(nearest)
        passed_over[position] = tuple(c for c in ends.candidates if c != nearest)
    if isinstance(ends, Endpoints):
        others = [passed_over.get(0, ()), passed_over.get(1, ())]
        start = NameAnswer(source, ends.start, others[0] or _namesakes(ends.start, ends.others))
        end = NameAnswer(target, ends.end, others[1] or _namesakes(ends.end, ends.others))
        start = replace(start, suggestions=respelt(world, source))
        end = replace(end, suggestions=respelt(world, target))
        return ends, start, end, PathOutcome.FOUND
    failed = unresolved(world, ends)
    outcome = (
        PathOutcome.NAME_AMBIGUOUS if isinstance(ends, AmbiguousName) else PathOutcome.NAME_UNKNOWN
    )
    if ends.text == texts[0]:
        return None, failed, NameAnswer(target, None, is_settled=False), outcome
    return None, NameAnswer(source, None, is_settled=False), failed, outcome


def unnamed(world: World, envelope: Envelope, *names: str) -> Envelope:
    """What stands around an answer of which one of the names means no target."""
    return envelope.closed(how_complete(world.loader, labels_of(*names)))


def which_target(world: World, text: str) -> NameAnswer:
    """Finds the target that one name means by itself."""
    there = typed_there(world, text)
    meant = resolve_name(world.loader, there, world.loader.table.pattern_names)
    if isinstance(meant, Label):
        return NameAnswer(text, meant, suggestions=respelt(world, text))
    nearest = _nearest_to_root(meant.candidates) if isinstance(meant, AmbiguousName) else None
    if nearest is not None and isinstance(meant, AmbiguousName):
        return NameAnswer(text, nearest, tuple(c for c in meant.candidates if c != nearest))
    return unresolved(world, meant)


def typed_there(world: World, text: str) -> str:
    """Returns the label that a name has where the command line stands, as Bazel reads `:x` and
    `x` in a directory, and of what shells complete: `./x.cc`, `../x.cc`, `/home/me/tree/x.cc`. A
    name that nothing there has stays as it is, and in the root any plain one."""
    directory, root = world.directory.package, f"{world.loader.workspace.root}/"
    if text.startswith(root):
        written = text.removeprefix(root)
    elif text.startswith(("/", "@")) or not (directory or text.startswith((":", "./", "../"))):
        return text
    else:
        written = f"{directory}/{text}".lstrip("/")
    path, colon, name = written.partition(":")
    path = normpath(path or ".")
    path = "" if path == "." else path
    if path.startswith(".."):
        return text
    meant = [Label("", path, name if colon else basename(path))] if name or not colon else []
    if not colon:
        meant = [*filter(None, [owner_of_path(world.loader, path)]), *meant]
    there = (label for label in meant if exists(world.loader.target(label)))
    return next(map(str, there), text)


def respelt(world: World, text: str) -> tuple[str, ...]:
    """A label or pattern with the repositories that its own may be a slip of the pen for, which
    nothing known defines."""
    table = world.loader.table
    name, slashes, rest = text.lstrip("@").partition("//")
    if not text.startswith("@") or name in table.definitions:
        return ()
    there = table.get(table.typed_names.get(name, name))
    is_there = there is not None and there.provenance is not Provenance.UNKNOWN
    if is_there and table.repository_of_module(name) is None:
        return ()
    from bazelscope.questions.shared.likely_names import in_repository, likely_repositories

    likely = likely_repositories(table, name)
    return tuple(in_repository(one, f"{slashes}{rest}") for one in likely)


def _named(start: NameAnswer) -> tuple[Label, ...]:
    """All targets of a name, the one that is meant by itself first."""
    named = start.candidates
    return (start.label, *named) if start.label is not None else named


def _chosen(text: str, named: tuple[Label, ...], label: Label | None) -> NameAnswer:
    if label is None:
        why = f"`{text}` is the name of {len(named)} targets; say which"
        return NameAnswer(text, None, named, (), why)
    return NameAnswer(text, label, tuple(one for one in named if one != label))


def _nearest_to_root(candidates: tuple[Label, ...]) -> Label | None:
    """The one candidate with the shortest package path; None if there are several."""

    def depth(label: Label) -> tuple[bool, int]:
        return (bool(label.repository), label.package.count("/") if label.package else -1)

    nearest = min(map(depth, candidates))
    nearest_ones = [label for label in candidates if depth(label) == nearest]
    return nearest_ones[0] if len(nearest_ones) == 1 else None


def unresolved(world: World, failure: AmbiguousName | NoSuchName) -> NameAnswer:
    """Says why a name means no target, and which target or repository may be meant."""
    if isinstance(failure, AmbiguousName):
        why = f"`{failure.text}` is the name of {len(failure.candidates)} targets; say which"
        return NameAnswer(failure.text, None, failure.candidates, (), why)
    why = failure.message or f"no target is named `{failure.text}`"
    if "//" in failure.text and group_named(world, failure.text) is not None:
        why = f"`{failure.text}` is a pattern; this asks for one target"
        why += f" (`bazelscope query {failure.text}` lists them)"
        return NameAnswer(failure.text, None, (), respelt(world, failure.text), why)
    if failure.text in world.loader.table.definitions:
        why += f"; of the repository, ask for `@{failure.text}`"
    if isinstance(failure.missing, NoSuchTarget):
        broken = problem_of_package(world.loader, failure.missing.label)
        if broken is not None:
            return NameAnswer(failure.text, None, (), (), broken)
    from bazelscope.questions.shared.likely_names import meant_instead

    more, near = meant_instead(world, failure.text, failure.nearest)
    near = near or respelt(world, failure.text)
    return NameAnswer(failure.text, None, (), near, why + more, unknown=failure.unknown)


def problem_of_package(loader: Loader, label: Label) -> str | None:
    """Says why it cannot be told whether `label` exists: its package is in error. Else None."""
    package = loader.package(label.package_id)
    if isinstance(package, Package) and any(map(is_bazels_error, package.diagnostics)):
        return f"package `{package.id}` is in error, so {label} cannot be told"
    return None


def labels_of(*names: str) -> list[Label]:
    """Returns the labels among names."""
    labels = []
    for name in names:
        if name.startswith(("//", "@")):
            try:
                labels.append(parse_label(name, MAIN_ROOT))
            except LabelError:
                continue  # The name's own answer says so.
    return labels


def _namesakes(label: Label, others: tuple[Label, ...]) -> tuple[Label, ...]:
    return tuple(other for other in others if other.name == label.name)
