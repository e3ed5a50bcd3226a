"""The answer to `repos` as text: a line for each, or everything about one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bazelscope.base.label import at_sign
from bazelscope.bazel.builtin_repositories import OF_BAZEL
from bazelscope.questions.repos.answer import (
    ExternalRepository,
    RepositoriesAnswer,
    RepositoryReach,
)
from bazelscope.questions.shared.phrases import begun, content_text, location_text
from bazelscope.questions.shared.text_endpoints import LISTS_ALL, more_rows, name_rows, problem_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, bad, fitting, good, name, quiet, row, strong

_FEW = 3
_MOST_LINES = 15


def repositories_document(answer: RepositoriesAnswer, full: bool = False) -> Document:
    """All that was asked for; `full` lists what is otherwise only counted."""
    if full or answer.asked is None:
        return _document(answer, full, _FEW)
    return fitting(lambda fewer: _document(answer, full, _FEW - fewer), _MOST_LINES, _FEW)


def _document(answer: RepositoriesAnswer, full: bool, few: int) -> Document:
    """The answer, with so `few` of each list."""
    document = Document()
    add_head(document, answer.envelope, tells_setup=True, full=full)
    if answer.target is not None:
        document.add(name_rows(answer.target, full))
    if answer.problem:
        document.add(problem_rows(answer.problem, map(at_sign, answer.suggestions)))
    elif answer.module is not None:
        called = " and ".join(at_sign(repository.facts.name) for repository in answer.repositories)
        document.add([row(f"the module `{answer.module}` is called {called} here")])
    if answer.asked is not None:
        for repository in answer.repositories:
            document.add(_whole(repository, answer, full, few))
    else:
        _add_list(document, answer, full)
    if answer.asked is None or answer.problem:
        document.add(_unknown_rows(answer, full))
    add_foot(document, answer.envelope, full, told_setup=True, names=(answer.target,))
    return document


def _add_list(document: Document, answer: RepositoriesAnswer, full: bool) -> None:
    every = answer.repositories
    document.add([row(strong(plural(len(every), "external repository", "external repositories")))])
    if answer.target is None or answer.target.label is None:
        document.add(_list_rows(every, full))
        return
    label = answer.target.label
    reached: list[ExternalRepository] = []
    others: list[ExternalRepository] = []
    for one in every:
        (reached if one.reach is not None and one.reach.targets else others).append(one)
    document.add(map(_short, reached), f"{label} reaches: {len(reached)}")
    document.add(_list_rows(others, full), f"Others: {len(others)}")


def _list_rows(repositories: Sequence[ExternalRepository], full: bool) -> Iterator[Row]:
    """A line for each; those that Bazel defines around WORKSPACE are counted, which are no part of
    the workspace."""
    of_bazel = 0
    for one in repositories:
        if one.facts.rule_class == OF_BAZEL and not full:
            of_bazel += 1
        else:
            yield _short(one)
    if of_bazel:
        yield row(quiet(f"and {of_bazel} that Bazel itself defines (--full lists them)"))


def _short(repository: ExternalRepository) -> Row:
    facts, reach = repository.facts, repository.reach
    parts = [facts.rule_class or "not defined here", facts.provenance.value]
    if facts.module:
        parts.insert(1, facts.module)
    if reach is not None and reach.targets:
        parts.append(plural(reach.targets, "target"))
    aside = [repository.place.short] if repository.place else []
    if facts.shadowed:
        aside.append(f"before {plural(len(facts.shadowed), 'other definition')}")
    return row(name(at_sign(facts.name)), quiet(f"  {', '.join(parts)}"), aside="; ".join(aside))


def _whole(
    repository: ExternalRepository, answer: RepositoriesAnswer, full: bool, few: int
) -> Iterator[Row]:
    facts = repository.facts
    yield row(
        strong(at_sign(facts.name)),
        f"  {facts.rule_class or 'not defined here'}",
        aside=location_text(repository.place),
    )
    if facts.module:
        yield row(f"module {facts.module}", indent=1)
    if facts.macro:
        calls = [frame.location.short for frame in facts.call_stack[:-1]]
        yield row(f"defined by {facts.macro}(), called at {calls[0]}", indent=1)
    brief = few <= 1 and not full
    for what, texts in (("from", facts.urls), ("patch", facts.patches)):
        if few == 0 and not full and what == "patch" and len(texts) > 1:
            yield row(quiet(f"{len(texts)} patches (--full)"), indent=1)
            continue
        if brief and len(texts) > 1:
            # Mirrors come first, the project's own place last.
            more = plural(len(texts) - 1, "other")
            yield row(f"{what} {texts[-1]}", quiet(f", and {more} (--full)"), indent=1)
            continue
        shown = begun(texts, few, full)
        for text in shown:
            yield row(f"{what} {text}", indent=1)
        yield from more_rows(len(texts) - len(shown), LISTS_ALL, indent=1)
    if facts.revision:
        yield row(facts.revision, indent=1)
    if facts.sha256:
        yield row(f"sha256 {facts.sha256}", indent=1)
    elif facts.integrity:
        yield row(f"integrity {facts.integrity}", indent=1)
    laid = [f"strip_prefix {facts.strip_prefix}"] if facts.strip_prefix else []
    laid += [f"BUILD file {facts.build_file}"] if facts.build_file is not None else []
    for text in [", ".join(laid)] if brief and laid else laid:
        yield row(text, indent=1)
    why = facts.unknown.detail if facts.unknown is not None else ""
    is_told = not (why and facts.assumptions)
    content = content_text(facts.provenance.value, why if is_told else "")
    yield row(f"content: {content}", aside=facts.root or "", indent=1)
    if facts.failure is not None and facts.failure not in content:
        yield row(bad("Bazel cannot make it: "), facts.failure, indent=1)
    own = f"{at_sign(facts.name)}: "
    assumed = [str(assumption).removeprefix(own) for assumption in facts.assumptions]
    # What is assumed of a program says that it would be run.
    programs = [one for one in facts.programs if full or not any(one in text for text in assumed)]
    runs = [f"its rule would run: {program}" for program in programs]
    for told in [[*runs, *assumed]] if brief else [runs, assumed]:
        yield from _some(told, full, few)
    is_said = content.endswith("not downloaded") and why.endswith("not downloaded")
    if facts.unknown is not None and (full or not (is_told or is_said)):
        place = location_text(facts.unknown.location)
        yield row(quiet(f"unknown: {facts.unknown}"), aside=place, indent=2)
    for other in facts.shadowed:
        yield row(f"shadows {other.rule_class}", aside=location_text(other.location), indent=1)
        for url in other.urls[:1]:
            yield row(quiet(f"from {url}"), indent=2)
    if repository.reach is not None and answer.target is not None:
        yield from _reach_rows(repository.reach, answer, full)


def _some(texts: list[str], full: bool, few: int) -> Iterator[Row]:
    shown = texts[:1] if few == 0 and not full else begun(texts, few, full)
    more = len(texts) - len(shown)
    if few <= 1 and more:
        yield row(quiet(f"{shown[0]}; and {more} more (--full)"), indent=2)
        return
    for text in shown:
        yield row(quiet(text), indent=2)
    yield from more_rows(more, LISTS_ALL, indent=2)


def _reach_rows(reach: RepositoryReach, answer: RepositoriesAnswer, full: bool) -> Iterator[Row]:
    assert answer.target is not None
    where = "under these flags" if answer.configured else "through any branch"
    label = answer.target.label
    if reach.targets:
        yield row(
            good("reached"),
            f" by {label} {where}: {plural(reach.targets, 'target')},"
            f" first {reach.first} through {reach.through}",
            indent=1,
        )
        return
    hidden = ""
    if reach.uncertain:
        things = plural(reach.uncertain, "dependency", "dependencies")
        hidden = ", as far as known" + (f": {things} cannot be looked into" if full else "")
    yield row(bad("not reached"), f" by {label} {where}", quiet(hidden), indent=1)


def _unknown_rows(answer: RepositoriesAnswer, full: bool) -> Iterator[Row]:
    shown = begun(answer.unknowns, _FEW if answer.asked is None else 1, full)
    for unknown in shown:
        place = location_text(unknown.location)
        yield row(quiet(f"more may be defined: {unknown}"), aside=place)
    if len(shown) < len(answer.unknowns):
        more = plural(len(answer.unknowns) - len(shown), "unknown")
        yield row(quiet(f"and {more} more (--full lists all)"))
