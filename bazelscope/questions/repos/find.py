"""Which external repositories there are, what defines each, and what its content rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from bazelscope.base.graph_walk import walk
from bazelscope.base.label import Label
from bazelscope.loading.packages.targets import Provenance, UnknownResult
from bazelscope.loading.repositories.repository_facts import RepositoryFacts, repository_facts
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.questions.repos.answer import (
    ExternalRepository,
    RepositoriesAnswer,
    RepositoryReach,
)
from bazelscope.questions.shared.completeness import COMPLETE, how_complete
from bazelscope.questions.shared.endpoints import which_target
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.likely_names import likely_repositories
from bazelscope.questions.shared.macro_calls import edited_at
from bazelscope.questions.shared.reach import what_is_reached
from bazelscope.questions.shared.world import World


def describe_repositories(
    world: World, envelope: Envelope, asked: str | None, target: str | None, configured: bool
) -> RepositoriesAnswer:
    """Every external repository, or the one called `asked` (`@` or not), each with whether
    the target `target` depends on it: under the flags if `configured`, else at all."""
    table = world.loader.table
    meant = which_target(world, target) if target is not None else None
    name = asked.lstrip("@").removesuffix("//") if asked is not None else None
    module = _module_meant(table, name) if name is not None else None
    if module is not None:
        name = table.repository_of_module(module)
    elif name is not None and name not in table.definitions:
        name = table.repository_called(name) or name
    names = [name] if name else [] if name is not None else sorted(world.loader.table.every())
    known = [facts for name in names if (facts := repository_facts(table, name)) is not None]
    pieces = world.loader.syntax_pieces
    repositories = tuple(
        ExternalRepository(facts, edited_at=edited_at(pieces, facts.call_stack)) for facts in known
    )
    answer = RepositoriesAnswer(
        envelope.closed(COMPLETE, table.diagnostics, world.refused_files),
        asked,
        meant,
        configured,
        repositories,
        unknowns=table.unknowns,
        module=module,
    )
    if module is not None and not name:
        return replace(answer, problem=f"the module `{module}` is this workspace itself")
    if name is not None and not (known and _is_defined(known[0])):
        near = likely_repositories(table, name)
        certain = "nothing" if not known else "nothing that is known"
        problem = f"{certain} defines a repository `@{name}`"
        answer = replace(answer, problem=problem, suggestions=near)
    if meant is not None and meant.label is not None:
        reach = _reaches(world, _reached(world, meant.label, configured))
        answer = replace(
            answer,
            repositories=tuple(replace(one, reach=reach(one.facts.name)) for one in repositories),
            envelope=envelope.closed(
                how_complete(world.loader, (meant.label,)),
                table.diagnostics,
                # An error of the line is told by itself: repositories are there all the same.
                world.refused_files
                if world.refused_line
                else world.refusals_where(configured, (meant.label,), (meant.label,)),
            ),
        )
    return answer


def _module_meant(table: RepositoryTable, name: str) -> str | None:
    """The module that a name means which is no repository's here: a module's own name, or the
    canonical name of its repository (`abseil-cpp+`, before Bazel 8 `abseil-cpp~20240722.0`)."""
    if name in table.definitions:
        return None
    module = name.partition("+")[0].partition("~")[0]
    is_whole = name in (module, f"{module}+", f"{module}~") or name.startswith(f"{module}~")
    is_known = table.repository_of_module(module) is not None
    return module if is_whole and is_known and name.count("~") <= 1 else None


def _is_defined(facts: RepositoryFacts) -> bool:
    """Whether something defines it, or has content for it."""
    return facts.rule_class is not None or facts.provenance is not Provenance.UNKNOWN


Reached = Mapping[Label, Label | None]
"""Every target that was reached, nearest first, and the one that it was first reached from."""


def _reached(world: World, start: Label, configured: bool) -> Reached:
    if configured:
        return what_is_reached(world, (start,)).first_named_by
    visits = walk([start], world.graph.edges, prepare=world.graph.prepare)
    return {visit.node: visit.source for visit in visits}


def _reaches(world: World, reached: Reached) -> Callable[[str], RepositoryReach]:
    """Tells of each repository whether something in it was reached."""
    inside: dict[str, list[Label]] = {}
    uncertain = 0
    for label in reached:
        inside.setdefault(label.repository, []).append(label)
        uncertain += isinstance(world.graph.node(label), UnknownResult)

    def reach(name: str) -> RepositoryReach:
        targets = inside.get(name)
        if not targets:
            return RepositoryReach(0, uncertain=uncertain)
        return RepositoryReach(len(targets), targets[0], reached[targets[0]])

    return reach
