"""The answers to `path` and `graph` as text: the chain, what it needs, where it ends."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.explain.conditions import ConditionAnswer
from bazelscope.explain.nodes import BranchAnswer, EdgeAnswer, OptionNeed
from bazelscope.explain.path_answers import (
    Cut,
    GraphAnswer,
    NameAnswer,
    PathAnswer,
    PathOutcome,
    PathStep,
    RepositoryAnswer,
)
from bazelscope.render.document import (
    Document,
    Part,
    Row,
    bad,
    good,
    name,
    quiet,
    row,
    strong,
    warning,
)
from bazelscope.render.phrases import (
    completeness_rows,
    location_text,
    macro_text,
    plural,
    setting_place,
    term_text,
    wants_text,
)
from bazelscope.render.text_explain import undefined_config_rows

_CANDIDATES_SHOWN = 20
_OTHERS_SHOWN = 3
_FORBIDDEN_SHOWN = 3
_UNLESS_SHOWN = 2


def path_document(answer: PathAnswer, full: bool = False) -> Document:
    """One path, or why there is none."""
    document = Document()
    for asked in (answer.source, answer.target):
        document.add(name_rows(asked, full))
    for config in answer.undefined_configs:
        document.add(undefined_config_rows(config, answer.setup.command))
    if answer.outcome in (PathOutcome.NO_PATH, PathOutcome.CUT):
        document.add(_no_path_rows(answer))
    for cut in answer.cuts:
        document.add(_cut_rows(cut))
    title = "The path that is cut" if answer.outcome is PathOutcome.CUT else ""
    document.add(_step_rows(answer.steps), title if title else ())
    if answer.outcome is PathOutcome.FOUND:
        document.add(_need_rows(answer, full), _need_title(answer))
    for repository in answer.repositories:
        document.add(_repository_rows(repository))
    document.add(completeness_rows(answer.completeness, full))
    return document


def name_rows(asked: NameAnswer, full: bool = False) -> Iterator[Row]:
    """Says what a short name was taken for, or why it could not be."""
    if asked.label is not None or not asked.is_settled:
        if asked.candidates:
            others = ", ".join(str(label) for label in asked.candidates[:_OTHERS_SHOWN])
            more = len(asked.candidates) - _OTHERS_SHOWN
            others += f" and {more} more" if more > 0 else ""
            text = f"`{asked.asked}` was taken for {asked.label}, not for its namesakes {others}"
            yield row(quiet(text))
        return
    yield row(bad("error:"), " ", strong(asked.why or f"no target is named `{asked.asked}`"))
    if asked.label is None:
        shown = asked.candidates if full else asked.candidates[:_CANDIDATES_SHOWN]
        for label in shown:
            yield row(str(label), indent=1)
        if len(shown) < len(asked.candidates):
            more = len(asked.candidates) - len(shown)
            yield row(quiet(f"and {more} more (--full lists all)"), indent=1)
        if asked.suggestions:
            yield row(f"did you mean {', '.join(asked.suggestions)}?", indent=1)


def _no_path_rows(answer: PathAnswer) -> Iterator[Row]:
    source, target = answer.source.label, answer.target.label
    if answer.outcome is PathOutcome.CUT:
        yield row(strong(f"No path from {source} to {target} under these flags."))
    else:
        yield row(strong(f"No path from {source} to {target}, through any branch."))


def _cut_rows(cut: Cut) -> Iterator[Row]:
    edge = cut.edge
    yield row(
        bad("cut at "),
        str(edge.source),
        quiet(f" {edge.attribute} -> "),
        str(edge.target),
        aside=location_text(edge.location),
    )
    if edge.branch is not None:
        yield row(f"needs {edge.branch.condition}", indent=1)
    if cut.condition is not None:
        yield from _unmet_rows(cut.condition)
    if cut.chosen is not None:
        yield row(f"these flags take {cut.chosen.condition} instead", indent=1)
    yield from _fix_rows(cut.fixes)


def _unmet_rows(condition: ConditionAnswer) -> Iterator[Row]:
    if condition.unknown is not None:
        yield row(warning("cannot be told: "), str(condition.unknown), indent=2)
    for entry in condition.unmet:
        yield row(wants_text(entry), indent=2)


def _fix_rows(fixes: tuple[OptionNeed, ...]) -> Iterator[Row]:
    for need in fixes:
        if need.configs:
            configs = ", ".join(f"--config={source.config}" for source in need.configs)
            yield row(quiet(f"{need.text} is set by {configs}"), indent=1)


def _step_rows(steps: tuple[PathStep, ...]) -> Iterator[Row]:
    for step in steps:
        yield row(strong(str(step.node.label)))
        yield row(quiet(macro_text(step.node)), indent=1)
        if step.node.unknown is not None:
            yield row(warning(f"unknown: {step.node.unknown}"), indent=1)
        if step.edge is not None:
            yield from _edge_rows(step.edge)


def _edge_rows(edge: EdgeAnswer) -> Iterator[Row]:
    parts = [name(edge.attribute or edge.kind)]
    select_at = edge.branch.select_at if edge.branch else None
    term = term_text(edge.term, select_at) if edge.term else ""
    if term:
        parts.append(quiet(f" <- {term}"))
    if edge.kind == "implicit":
        parts.append(quiet(" (implicit)"))
    if edge.kind == "assumed":
        parts.append(warning(" (assumed: nothing tells what this rule is)"))
    if edge.uncertain is not None:
        parts.append(warning(f" (cannot be told: {edge.uncertain})"))
    if edge.is_tool:
        parts.append(quiet(" (for the execution platform)"))
    yield row(*parts, aside=location_text(edge.location), indent=1)
    if edge.branch is not None:
        yield row(*_branch_parts(edge.branch), aside=_select_place(edge.branch), indent=2)


def _branch_parts(branch: BranchAnswer) -> tuple[Part, ...]:
    if branch.is_default:
        shown = ", ".join(str(label) for label in branch.unless[:_UNLESS_SHOWN])
        more = len(branch.unless) - _UNLESS_SHOWN
        return ("unless ", shown, quiet(f" or {more} more" if more > 0 else ""))
    needs = " ".join(need.text for need in branch.needs)
    return ("if ", good(str(branch.condition)), quiet(f"  {needs}") if needs else "")


def _select_place(branch: BranchAnswer) -> str:
    return f"select() at {branch.select_at.short}" if branch.select_at else ""


def _need_title(answer: PathAnswer) -> tuple[Part, ...]:
    if answer.contradiction:
        return (warning("No configuration takes this path: it needs options that clash"),)
    missing = " ".join(need.text for need in answer.needs if not need.holds)
    if missing:
        return (strong(f"Only with {missing}:"),)
    if answer.needs:
        if answer.configured:
            return (strong("These flags take it, because of:"),)
        return (strong("No flag has to be added, because of:"),)
    return (strong("Under every configuration, except for:"),)


def _need_rows(answer: PathAnswer, full: bool) -> Iterator[Row]:
    if answer.contradiction:
        yield row(" against ".join(need.text for need in answer.contradiction))
    missing = [need for need in answer.needs if not need.holds]
    for need in missing:
        several = len(missing) > 1
        if several:
            yield row(need.text, aside=location_text(need.location))
        for source in need.configs:
            through = f", through {', '.join(source.through)}" if source.through else ""
            yield row(
                f"--config={source.config}{through}",
                aside=source.location.short,
                indent=int(several),
            )
        if not need.configs and need.what.startswith("--"):
            yield row(quiet("no named config sets it"), indent=int(several))
    for need in answer.needs:
        if need.holds:
            place = setting_place(need.set_by) if need.set_by else "default"
            yield row(need.text, quiet(" is in force"), aside=place)
    yield from _forbidden_rows(answer, full)


def _forbidden_rows(answer: PathAnswer, full: bool) -> Iterator[Row]:
    needed = {need.text for need in answer.needs}
    texts = []
    for combination in answer.forbids:
        # What the path needs anyway is part of many combinations; the rest tells them apart.
        others = [need.text for need in combination if need.text not in needed]
        texts.append(" with ".join(others or [need.text for need in combination]))
    texts = list(dict.fromkeys(texts))
    shown = texts if full else texts[:_FORBIDDEN_SHOWN]
    for text in shown:
        yield row(quiet(f"and not {text}"))
    if len(shown) < len(texts):
        more = plural(len(texts) - len(shown), "other combination")
        yield row(quiet(f"nor {more} (--full lists all)"))


def _repository_rows(repository: RepositoryAnswer) -> Iterator[Row]:
    yield row(
        strong(f"@{repository.name}"),
        f" is {repository.rule}()",
        quiet(f", content from: {repository.provenance}"),
        aside=location_text(repository.location),
    )
    for fact in repository.facts:
        for value in fact.values:
            yield row(name(fact.name), f" {value}", indent=1)
    if repository.unknown is not None:
        reason = repository.unknown.detail or repository.unknown.reason.value
        yield row(warning("unknown: "), f"its files ({reason})", indent=1)


def graph_document(answer: GraphAnswer, written_to: str | None, full: bool = False) -> Document:
    """What a graph holds, in a few lines; the drawing itself goes to a file."""
    document = Document()
    for asked in (answer.source, answer.target):
        if asked is not None:
            document.add(name_rows(asked, full))
    if answer.outcome is PathOutcome.NO_PATH and answer.target is not None:
        where = "under these flags" if answer.configured else "through any branch"
        text = f"No path from {answer.source.label} to {answer.target.label} {where}."
        document.add([row(strong(text))])
    if answer.nodes:
        size = f"{plural(len(answer.nodes), 'target')}, {plural(len(answer.edges), 'edge')}"
        if answer.hidden_nodes:
            size += f"; {answer.hidden_nodes} more targets left out (--max-nodes)"
        target = f"{written_to}: " if written_to else ""
        document.add([row(strong(f"{target}{size}"))])
    document.add(completeness_rows(answer.completeness, full))
    return document
