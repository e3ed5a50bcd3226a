"""The answers to `deps` and `rdeps` as text: how many, then each with what makes it one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from bazelscope.questions.deps.answer import DependenciesAnswer, Dependency, Direction, TreeRow
from bazelscope.questions.shared.nodes import EdgeAnswer, NodeAnswer
from bazelscope.questions.shared.phrases import (
    begun,
    edge_term_text,
    listed,
    location_text,
    macro_text,
    more_text,
)
from bazelscope.questions.shared.text_endpoints import NOT_COUNTED, name_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.shared.text_flag_conditions import branch_note, needs_text, never_rows
from bazelscope.questions.shared.text_targets import incompatible_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import (
    Document,
    Part,
    Row,
    branch,
    name,
    quiet,
    row,
    strong,
    warning,
)

_MEMBERS_SHOWN = 3
_SHOWN = 300
"""So many are read, or looked through; `query` lists all for programs."""


def dependencies_document(answer: DependenciesAnswer, full: bool = False) -> Document:
    """What was found, nearest first; `full` adds what each target is."""
    document = Document()
    for asked in (answer.target, answer.within):
        if asked is not None:
            document.add(name_rows(asked, full))
    add_head(document, answer.envelope)
    if answer.node is not None:
        document.add(_verdict(answer))
        if answer.incompatible is not None:
            document.add(incompatible_rows(answer.incompatible))
        if answer.tree:
            document.add(_tree_rows(answer.tree, full))
        found = () if answer.tree else answer.dependencies
        shown = begun(found, _SHOWN, full)
        for distance, group in groupby(shown, key=lambda one: one.distance):
            rows = [line for dependency in group for line in _rows(answer, dependency, full)]
            document.add(rows, "Directly" if distance == 1 else f"{distance} steps away")
        if len(shown) < len(found):
            document.add([row(quiet(more_text(len(found) - len(shown), " (--full)").strip()))])
        document.add(_hidden_rows(answer))
        what = "left out, since no flags take the branches that lead from there"
        document.add(never_rows(answer.never, what, full))
    add_foot(document, answer.envelope, full, names=(answer.target, answer.within))
    return document


def _verdict(answer: DependenciesAnswer) -> Iterator[Row]:
    assert answer.node is not None
    members = answer.target.members
    label = str(answer.node.label) if not members else f"`{answer.target.asked}`"
    where = "under these flags"
    if not answer.configured:
        is_forward = answer.direction is Direction.DEPENDENCIES
        where = "through any branch" if is_forward else "under some flags"
    count = plural(answer.total, "target") if answer.total else "nothing"
    directly = f", {answer.direct:,} of them directly" if answer.total > 1 else ""
    if answer.direction is Direction.DEPENDENCIES and answer.node.unknown is not None:
        yield row(strong(f"What {label} depends on cannot be told."))
        yield row(warning(str(answer.node.unknown)), aside=location_text(answer.node.location))
        return
    if answer.direction is Direction.DEPENDENCIES:
        text = f"{label} depends on {count} {where}{directly}."
    else:
        inside = "of this workspace"
        if answer.within is not None:
            inside = f"below {answer.within.label}"
        verb = "depend" if answer.total > 1 else "depends"
        where = "under any flags" if where == "under some flags" and not answer.total else where
        text = f"{count.capitalize()} {inside} {verb} on {label} {where}{directly}."
    yield row(strong(text))
    if members:
        shown = listed([str(member) for member in members], _MEMBERS_SHOWN, "")
        text = f"`{answer.target.asked}` stands for {plural(len(members), 'target')}: {shown}"
        yield row(quiet(text))
    else:
        yield row(quiet(macro_text(answer.node)))
    is_forward = answer.direction is Direction.DEPENDENCIES
    if not answer.total and not (is_forward and answer.node.kind.endswith(" file")):
        yield row(quiet(NOT_COUNTED))
    rest = answer.total - len({dependency.node.label for dependency in answer.dependencies})
    if rest and not answer.tree:
        verb = "is" if rest == 1 else "are"
        yield row(quiet(f"{rest:,} {verb} further away (--levels N lists them, --full all)"))


def _tree_rows(tree: Sequence[TreeRow], full: bool) -> Iterator[Row]:
    """As `cargo tree` prints: guides, what was shown already marked, conditions on the edges."""
    is_open: list[bool] = []
    """Of each level, whether more comes below it."""
    is_marked = any(one.is_shown for one in tree)
    has_several = sum(not one.depth for one in tree) > 1
    for one in tree:
        guides = ("", "")
        if one.depth:
            is_open[one.depth - 1 :] = [not one.is_last]
            above = "".join("│   " if more else "    " for more in is_open[:-1])
            ends = ("└── ", "    ") if one.is_last else ("├── ", "│   ")
            guides = (f"{above}{ends[0]}", f"{above}{ends[1]}")
        parts: list[Part] = [str(one.node.label)]
        if not one.depth and has_several:
            parts.append(quiet(_CONFIGURATIONS.get(one.configuration or "", "")))
        if one.edge is not None:
            parts += [name(f"  {one.edge.attribute or one.edge.kind}")]
            parts += [quiet(_edge_notes(one.edge, one.node, one.configuration, full))]
            parts += [quiet(f"  {location_text(one.edge.location)}") if one.edge.location else ""]
        if one.node.unknown is not None:
            parts.append(warning(f"  unknown: {one.node.unknown}"))
        elif one.node.is_absent or one.node.kind.startswith("missing"):
            parts.append(warning(f"  {one.node.shown_kind}"))
        if one.is_shown:
            parts.append(quiet("  (*)"))
        elif one.hidden:
            parts.append(quiet(f"  +{one.hidden}"))
        yield branch(*guides, *parts)
    if is_marked:
        yield row(quiet("(*) what is below it is shown further up"))
    if any(one.hidden for one in tree):
        yield row(quiet("+1, +2 ...: how many more stand below it (--levels shows them)"))


def _rows(answer: DependenciesAnswer, dependency: Dependency, full: bool) -> Iterator[Row]:
    edge = dependency.edge
    is_forward = answer.direction is Direction.DEPENDENCIES
    other = edge.source if is_forward else edge.target
    parts = [str(dependency.node.label)]
    notes = [edge.attribute or edge.kind]
    if dependency.distance > 1 or answer.target.members:
        notes.append(f"of {other}" if is_forward else f"-> {other}")
    yield row(
        *parts,
        name(f"  {' '.join(notes)}"),
        quiet(_edge_notes(edge, dependency.node, dependency.configuration, full)),
        aside=location_text(edge.location),
    )
    if edge.uncertain is not None:
        yield row(warning(f"cannot be told: {edge.uncertain}"), indent=1)
    if dependency.node.unknown is not None:
        yield row(warning(f"unknown: {dependency.node.unknown}"), indent=1)
    elif dependency.node.is_absent or dependency.node.kind.startswith("missing"):
        yield row(warning(dependency.node.shown_kind), indent=1)
    if full:
        yield row(quiet(macro_text(dependency.node)), indent=1)


_CONFIGURATIONS = {"exec": " (for the execution platform)", "host": " (for the host)"}


def _edge_notes(edge: EdgeAnswer, node: NodeAnswer, configuration: str | None, full: bool) -> str:
    notes = []
    term = edge_term_text(edge, full)
    if term:
        notes.append(f" <- {term}")
    if edge.branch is not None:
        notes.append(f" {branch_note(edge.branch)}")
    if edge.needs:
        notes.append(f" if {needs_text(edge.needs)}")
    if configuration in _CONFIGURATIONS:
        notes.append(_CONFIGURATIONS[configuration])
    elif configuration is None and edge.is_tool:
        notes.append(" (a tool)")
    if edge.kind == "assumed":
        notes.append(" (assumed: nothing tells what the rule is)")
    if edge.kind == "condition":
        notes.append(f" (key of a select(), {node.shown_kind})")
    return "".join(notes)


def _hidden_rows(answer: DependenciesAnswer) -> Iterator[Row]:
    for hidden in answer.hidden:
        yield row(
            warning("and unknown ones: "),
            f"{hidden.attribute} of {hidden.source}: {hidden.unknown}",
        )
