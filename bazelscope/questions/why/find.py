"""Why an explanation says what it says: the facts that a name, or a printed line, is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.nearest import nearest, with_part
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.bazel.option_table import option_table
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.flags.rc_search import RcFiles
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.setup import Setup
from bazelscope.questions.why.answer import Fact, FactKind, Link, Relation, WhyAnswer
from bazelscope.questions.why.capability_facts import capability_facts
from bazelscope.questions.why.flag_facts import FlagFactsFinder

if TYPE_CHECKING:
    from bazelscope.base.label import PackageId
    from bazelscope.loading.loader import Loader
    from bazelscope.questions.shared.target_answers import TargetAnswer
    from bazelscope.questions.shared.world import World
    from bazelscope.questions.why.target_facts import TargetFactsFinder

_NEAREST = 5


def why_of_flags(
    envelope: Envelope,
    asked: str,
    flags: ResolvedFlags,
    rc_files: RcFiles,
    catalog: Catalog,
    loader: Callable[[], Loader] | None,
) -> WhyAnswer:
    """The facts about flags alone; no package is looked at. `loader` is called for a name that
    means a variable: which repositories' rules read it, WORKSPACE or MODULE.bazel tells."""
    answer = _answer(envelope, asked, (FlagFactsFinder(envelope, flags, rc_files, catalog, ()),))
    if loader is None:
        return answer

    def readers_of(variable: str) -> tuple[str, ...]:
        return loader().table.readers_of(variable)

    finder = FlagFactsFinder(envelope, flags, rc_files, catalog, (), readers_of)
    facts = tuple(
        _variable(finder, fact) if fact.kind is FactKind.VARIABLE else fact for fact in answer.facts
    )
    return _with_capability(replace(answer, facts=facts), finder, rc_files, loader)


def _variable(finder: FlagFactsFinder, fact: Fact) -> Fact:
    """What `finder` knows of a variable, set or not."""
    facts = (*finder.find(fact.name), *finder.find_unset(fact.name))
    return next(one for one in facts if one.kind is FactKind.VARIABLE)


def _with_capability(
    answer: WhyAnswer, finder: FlagFactsFinder, rc_files: RcFiles, loader: Callable[[], Loader]
) -> WhyAnswer:
    """Adds to an answer what capability of CUDA the name is, if it is one."""
    capability = tuple(capability_facts(answer.asked, finder, rc_files, loader))
    if not capability:
        return answer
    return replace(answer, facts=(*capability, *answer.facts), suggestions=())


def why_of_build(
    envelope: Envelope, asked: str, world: World, texts: Sequence[str], directory: PackageId
) -> WhyAnswer:
    """The facts about flags, and about the targets that `texts` name; without targets, what the
    conditions of the whole workspace ask for."""
    from bazelscope.questions.shared.completeness import how_complete
    from bazelscope.questions.shared.explained_targets import (
        decided,
        explain_targets,
        which_conditions_of_the_workspace,
    )
    from bazelscope.questions.shared.reach import what_is_reached
    from bazelscope.questions.shared.target_answers import names_of
    from bazelscope.questions.why.mentions import mentions_of
    from bazelscope.questions.why.target_facts import TargetFactsFinder

    if not texts:
        texts, asked = _of_target(world, asked) or _of_attribute(world, asked)
    named, _, line = explain_targets(world, texts, directory, frozenset())
    labels = line.labels
    reach = what_is_reached(world, labels)
    whole = which_conditions_of_the_workspace(world) if not texts else ()
    conditions = whole or decided(world, reach.asked_by)
    flags = FlagFactsFinder(
        envelope,
        world.flags,
        world.rc_files,
        world.catalog,
        conditions,
        world.loader.table.readers_of,
    )
    targets = TargetFactsFinder(world, envelope, labels, reach)
    answer = _answer(envelope, asked, (targets, flags))
    answer = _with_capability(answer, flags, world.rc_files, lambda: world.loader)
    if all(_is_unread_define(fact) for fact in answer.facts) or asked.strip().startswith("-W"):
        # What a script writes into rc files (`--copt=-Wno-x`) is worth telling, set or not; so is a
        # config_setting that would ask for a define, and that no select() uses.
        reached = reach.first_named_by.keys() | set(labels)
        mentions = tuple(mentions_of(world, asked, bool(answer.facts), labels, reached))
        suggestions = () if mentions else answer.suggestions
        answer = replace(answer, facts=(*answer.facts, *mentions), suggestions=suggestions)
    if not answer.facts and asked.strip().startswith(("//", "@")):
        near = _of_label(world, asked.strip(), directory)
        if not near and len(labels) == 1:
            near = (f"`bazelscope path {asked.strip()} {labels[0]}`",)
        answer = replace(answer, suggestions=near or answer.suggestions)
    closed = envelope.closed(
        how_complete(world.loader, labels),
        tuple(_no_such_target(target) for target in named if target.problem),
        world.refusals_below(labels, line.by_label),
    )
    return replace(answer, envelope=closed, names=names_of(named))


def _of_target(world: World, asked: str) -> tuple[Sequence[str], str] | None:
    """For the label of a rule the target to look at, which is itself; None for another name, and
    for conditions, of which the whole workspace tells who asks for them."""
    from bazelscope.analysis.conditions.matcher import is_condition
    from bazelscope.loading.packages.targets import Rule
    from bazelscope.questions.shared.endpoints import typed_there

    text = typed_there(world, asked) if asked.startswith(":") else asked
    label = world.label_of(text) if "//" in text else None
    target = world.loader.target(label) if label is not None else None
    if not isinstance(target, Rule) or is_condition(target):
        return None
    return (str(target.label),), str(target.label)


def _of_attribute(world: World, asked: str) -> tuple[Sequence[str], str]:
    """For `TARGET.attribute` the target to look at, and the attribute by its label; else nothing,
    and what was asked."""
    from bazelscope.analysis.names.short_names import resolve_name
    from bazelscope.base.label import Label
    from bazelscope.loading.packages.targets import Rule

    name, _, attribute = asked.strip().rpartition(".")
    label = resolve_name(world.loader, name) if name and attribute.isidentifier() else None
    target = world.loader.target(label) if isinstance(label, Label) else None
    if not isinstance(target, Rule) or attribute not in target.attributes:
        return (), asked
    return (str(target.label),), f"{target.label}.{attribute}"


def _of_label(world: World, asked: str, directory: PackageId) -> tuple[str, ...]:
    """What a label that names no target was probably meant to be."""
    from bazelscope.questions.shared.explained_targets import explain_targets

    explained = explain_targets(world, (asked,), directory, frozenset())
    return tuple(name for target in explained.targets for name in target.suggestions)


def _no_such_target(target: TargetAnswer) -> Diagnostic:
    near = ", ".join(f"`{name}`" for name in target.suggestions)
    return Diagnostic(
        "no-such-target", target.problem, hint=f"did you mean {near}?" if near else None
    )


def _is_unread_define(fact: Fact) -> bool:
    asked_by = any(link.relation is Relation.ASKED_BY for link in fact.causes)
    return fact.kind is FactKind.DEFINE and not asked_by


def _answer(
    envelope: Envelope, asked: str, finders: Sequence[FlagFactsFinder | TargetFactsFinder]
) -> WhyAnswer:
    facts: list[Fact] = []
    suggestions: list[str] = []
    for word in words_of(asked):
        facts = [fact for finder in finders for fact in finder.find(word)]
        facts += _about_bazel(word, envelope.setup)
        # The option of that very name comes before targets that end in it.
        option = f"--{word}"
        facts = [
            *(fact for fact in facts if fact.name == option),
            *(fact for fact in facts if fact.name != option),
        ]
        if facts:
            break
    else:
        facts = list(_unset(asked, finders))  # Nothing that is set, then.
    if not facts:
        names = list(dict.fromkeys(name for finder in finders for name in finder.names()))
        suggestions = _nearest(asked.strip(), names)
    return WhyAnswer(envelope, asked, tuple(facts), tuple(suggestions))


def _unset(asked: str, finders: Sequence[FlagFactsFinder | TargetFactsFinder]) -> Iterator[Fact]:
    word = asked.strip()
    for finder in finders:
        if isinstance(finder, FlagFactsFinder) and word and " " not in word:
            yield from finder.find_unset(word)


def _about_bazel(word: str, setup: Setup) -> Iterator[Fact]:
    if word.lower() not in ("bazel", setup.bazel_version, setup.version_source):
        return
    causes = [Link(Relation.SET_BY, setup.version_source)]
    if Release.of(setup.table_version) != Release.of(setup.bazel_version):
        causes.append(Link(Relation.DEFAULT, setup.table_version, detail="flag table"))
    causes.append(Link(Relation.DEFAULT, setup.host, detail="host"))
    yield Fact(FactKind.BAZEL, "Bazel", setup.bazel_version, None, tuple(causes))


_GAP = lazy_pattern(r" {2,}")
_MARKS = "()[],:;`'\""


def words_of(line: str) -> Iterator[str]:
    """What a line may be the name of, best first: the whole of it, what stands before the
    place, the words that look like names, then the others."""
    whole = line.strip()
    head = _GAP.split(whole)[0]
    seen: dict[str, None] = {whole: None, head: None}
    for text in (head, whole):
        words = text.split()
        plain = [word.strip(_MARKS) or word for word in words]
        plain += [word.partition("(")[0] for word in words if "(" in word]
        seen.update(dict.fromkeys(word for word in plain if _looks_like_a_name(word)))
        seen.update(dict.fromkeys(plain))
    return (word for word in seen if word)


def _looks_like_a_name(word: str) -> bool:
    return word.startswith(("-", "/", "@", ":")) or "=" in word or ":" in word


def _nearest(asked: str, names: Sequence[str]) -> list[str]:
    """The names nearest to what was asked: a flag among flags, as a whole; others by their ends,
    as people say them."""
    if asked.startswith("--"):
        option, sign, value = asked[2:].partition("=")
        of_option = f"--{option}=" if option == "config" else "--"
        flags = [name for name in names if name.startswith(of_option)]
        options = option_table().names
        meant = [f"--{name}{sign}{value}" for name in nearest(option, options, 1)]
        if alike := nearest(asked, flags, _NEAREST) if option in options else meant:
            return list(alike)
    short: dict[str, str] = {}
    for name in names:
        # Who writes `@` or `//` means a repository or a target, not a flag that ends alike.
        if not asked.startswith(("@", "//")) or name.startswith(("@", "//")):
            short.setdefault(_short(name), name)
    close = nearest(_short(asked), short, _NEAREST) or with_part(_short(asked), short, _NEAREST)
    return [short[name] for name in close]


def _short(name: str) -> str:
    return re.split(r"[/:=]", name.strip().rstrip("/"))[-1].lstrip("-@")
