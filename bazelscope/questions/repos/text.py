"""The answer to `repos` as text: a line for each, or everything about one."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.label import at_sign
from bazelscope.loading.packages.targets import Provenance
from bazelscope.questions.repos.answer import ExternalRepository, Reach, RepositoriesAnswer
from bazelscope.questions.shared.phrases import location_text
from bazelscope.questions.shared.text_endpoints import name_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, bad, good, name, quiet, row, strong

_FEW = 3

_CONTENT = {
    Provenance.WORKSPACE: "the workspace itself",
    Provenance.OVERRIDE: "a directory given by --override_repository",
    Provenance.LOCAL: "a directory of this machine",
    Provenance.VENDORED: "what `bazel vendor` keeps in the directory of --vendor_dir",
    Provenance.OUTPUT_BASE: "what Bazel has fetched on this machine",
    Provenance.OVERLAY: "the BUILD file that is laid over the archive; the archive is not here",
    Provenance.DRY_RUN: "a dry run of its repository rule: no program was run",
    Provenance.MODEL: "a model that bazelscope brings along",
    Provenance.UNKNOWN: "unknown",
}


def repositories_document(answer: RepositoriesAnswer, full: bool = False) -> Document:
    """All that was asked for; `full` lists what is otherwise only counted."""
    document = Document()
    add_head(document, answer.envelope, tells_setup=True)
    if answer.target is not None:
        document.add(name_rows(answer.target, full))
    if answer.problem:
        document.add(_problem_rows(answer))
    elif answer.module is not None:
        called = " and ".join(at_sign(item.name) for item in answer.repositories)
        document.add([row(f"the module `{answer.module}` is called {called} here")])
    if answer.asked is not None:
        for item in answer.repositories:
            document.add(_whole(item, answer, full))
    else:
        _add_list(document, answer)
    if answer.asked is None or answer.problem:
        document.add(_unknown_rows(answer, full))
    add_foot(document, answer.envelope, full, told_setup=True)
    return document


def _problem_rows(answer: RepositoriesAnswer) -> Iterator[Row]:
    yield row(bad("error:"), " ", strong(answer.problem))
    if answer.suggestions:
        near = ", ".join(at_sign(text) for text in answer.suggestions)
        yield row(f"did you mean {near}?", indent=1)


def _add_list(document: Document, answer: RepositoriesAnswer) -> None:
    found = answer.repositories
    document.add([row(strong(plural(len(found), "external repository", "external repositories")))])
    if answer.target is None or answer.target.label is None:
        document.add(line for item in found for line in _short(item))
        return
    label = answer.target.label
    reached = [item for item in found if item.reach is not None and item.reach.targets]
    others = [item for item in found if item not in reached]
    document.add(
        (line for item in reached for line in _short(item)), f"{label} reaches: {len(reached)}"
    )
    document.add((line for item in others for line in _short(item)), f"Others: {len(others)}")


def _short(item: ExternalRepository) -> Iterator[Row]:
    parts = [item.rule_class or "not defined here", item.content.value]
    if item.module:
        parts.insert(1, item.module)
    if item.reach is not None and item.reach.targets:
        parts.append(plural(item.reach.targets, "target"))
    aside = [location_text(item.location)] if item.location else []
    if item.shadowed:
        aside.append(f"before {plural(len(item.shadowed), 'other definition')}")
    yield row(name(at_sign(item.name)), quiet(f"  {', '.join(parts)}"), aside="; ".join(aside))


def _whole(item: ExternalRepository, answer: RepositoriesAnswer, full: bool) -> Iterator[Row]:
    yield row(
        strong(at_sign(item.name)),
        f"  {item.rule_class or 'not defined here'}",
        aside=location_text(item.location),
    )
    if item.module:
        yield row(f"module {item.module}", indent=1)
    if item.macro:
        calls = [frame.location.short for frame in item.call_stack[:-1]]
        yield row(f"defined by {item.macro}(), called at {calls[0]}", indent=1)
    for what, texts in (("from", item.urls), ("patch", item.patches)):
        shown = texts if full else texts[:_FEW]
        for text in shown:
            yield row(f"{what} {text}", indent=1)
        if len(shown) < len(texts):
            yield row(quiet(f"and {len(texts) - len(shown)} more (--full lists all)"), indent=1)
    if item.sha256:
        yield row(f"sha256 {item.sha256}", indent=1)
    if item.strip_prefix:
        yield row(f"without its prefix {item.strip_prefix}", indent=1)
    if item.build_file is not None:
        yield row(f"BUILD file {item.build_file}", indent=1)
    yield row(f"content: {_CONTENT[item.content]}", aside=item.root or "", indent=1)
    yield from _some([f"its rule would run: {program}" for program in item.programs], full)
    own = f"{at_sign(item.name)}: "
    yield from _some([str(found).removeprefix(own) for found in item.assumptions], full)
    if item.unknown is not None:
        place = location_text(item.unknown.location)
        yield row(quiet(f"unknown: {item.unknown}"), aside=place, indent=2)
    for other in item.shadowed:
        yield row(f"shadows {other.rule_class}", aside=location_text(other.location), indent=1)
        for url in other.urls[:1]:
            yield row(quiet(f"from {url}"), indent=2)
    if item.reach is not None and answer.target is not None:
        yield from _reach_rows(item.reach, answer)


def _some(texts: list[str], full: bool) -> Iterator[Row]:
    shown = texts if full else texts[:_FEW]
    for text in shown:
        yield row(quiet(text), indent=2)
    if len(shown) < len(texts):
        yield row(quiet(f"and {len(texts) - len(shown)} more (--full lists all)"), indent=2)


def _reach_rows(reach: Reach, answer: RepositoriesAnswer) -> Iterator[Row]:
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
    yield row(bad("not reached"), f" by {label} {where}", indent=1)
    if reach.uncertain:
        things = plural(reach.uncertain, "dependency", "dependencies")
        yield row(quiet(f"as far as can be told: {things} cannot be looked into"), indent=2)


def _unknown_rows(answer: RepositoriesAnswer, full: bool) -> Iterator[Row]:
    shown = answer.unknowns if full else answer.unknowns[:_FEW]
    for unknown in shown:
        place = location_text(unknown.location)
        yield row(quiet(f"more may be defined: {unknown}"), aside=place)
    if len(shown) < len(answer.unknowns):
        more = plural(len(answer.unknowns) - len(shown), "unknown")
        yield row(quiet(f"and {more} more (--full lists all)"))
