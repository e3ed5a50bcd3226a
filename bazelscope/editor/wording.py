"""Facts in the words of a hover, as Markdown: the answer first, then why, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bazelscope.analysis.conditions.match_result import Outcome
from bazelscope.base.source import Location
from bazelscope.editor.facts import (
    AttributeFacts,
    BranchFacts,
    CallFacts,
    ConditionFacts,
    ConfigFacts,
    DependencyFacts,
    Facts,
    ImportFacts,
    MadeTarget,
    ModuleFacts,
    OptionFacts,
    Standing,
    SymbolFacts,
    TargetFacts,
)
from bazelscope.editor.markdown import code, documentation, fenced, plain
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.questions.shared.conditions.holding import WordsThatDo
from bazelscope.questions.shared.phrases import got_text, origin_text, setting_place
from bazelscope.render.counting import plural
from bazelscope.render.visible import visible

_SHOWN = 8


def to_markdown(facts: Facts) -> str:
    """What an editor shows of some facts."""
    lines = _WORDS[type(facts)](facts)
    return visible("\n\n".join(line for line in lines if line))


# ---- Flags


def _option(facts: OptionFacts) -> Iterator[str]:
    if facts.option is None:
        yield f"{code(facts.written)}: this Bazel has no such option."
        if facts.known_in:
            yield f"Bazel {', '.join(facts.known_in)} have it."
        elif facts.nearest:
            yield f"Did you mean {_either([f'--{name}' for name in facts.nearest])}?"
        return
    yield f"**{code(facts.written)}** {_standing(facts)}"
    if facts.option.summary:
        yield facts.option.summary
    if facts.beats:
        yield "It beats " + _all(facts.beats, _setting) + "."
    if facts.configs:
        needs = _either(facts.configs)
        counts = facts.standing is not Standing.NOT_ASKED_FOR
        yield f"Comes with {needs}." if counts else f"It would come with {needs}."
    if not facts.option.is_certain:
        yield "Whether this version of Bazel has the option is not certain."


def _standing(facts: OptionFacts) -> str:
    if facts.standing is Standing.BEATEN:
        winner = facts.beaten_by
        return f"does not count: {_setting(winner)} beats it." if winner else "does not count."
    if facts.standing is Standing.COUNTS:
        return "is in force."
    if facts.standing is Standing.ADDS:
        return "is in force, beside other values."
    in_force = f" In force: {code(', '.join(facts.values))}." if facts.values else ""
    why = "its config is not asked for" if facts.configs else f"it is for `{facts.command}`"
    return f"does not count under this command line: {why}.{in_force}"


def _setting(instance: FlagInstance) -> str:
    return f"{code(instance.text)} ({plain(setting_place(instance))})"


def _config(facts: ConfigFacts) -> Iterator[str]:
    word, config = code(f"--config={facts.name}"), facts.config
    if config is None:
        yield f"{word} is not defined by any rc file that Bazel reads here."
        if facts.nearest:
            yield f"Did you mean {_either(facts.nearest)}?"
        return
    state = "is in force" if facts.is_in_force else "is not asked for by this command line"
    yield f"**{word}** {state}. Defined for {', '.join(map(code, config.commands))}."
    lines = [line for section in config.sections for line in section.lines]
    yield "\n".join(
        f"- {code(line.text)} {plain(line.location.short)}" for line in lines[:_SHOWN]
    ) + _more(len(lines))
    if config.pulled_in_by:
        yield f"Also comes with {_either([f'--config={n}' for n in config.pulled_in_by])}."
    if config.missing:
        yield f"It names {_either(config.missing)}, which nothing defines."


def _import(facts: ImportFacts) -> Iterator[str]:
    yield f"{code(facts.path)}: {plain(facts.status)}"


# ---- Conditions


def _condition(facts: ConditionFacts) -> Iterator[str]:
    match = facts.match
    label = code(str(match.condition))
    if match.condition.package == "conditions":
        yield f"**{label}** is taken where no other key holds."
    elif match.outcome is Outcome.HOLDS:
        yield f"**{label}** holds."
        reasons = [
            f"- {code(f'{e.what}={e.wanted}')} "
            + plain("by default" if origin_text(e) == "default" else origin_text(e))
            for e in match.entries
        ]
        yield "\n".join(reasons)
    elif match.outcome is Outcome.DOES_NOT_HOLD:
        yield f"**{label}** does not hold."
        ways = [
            [
                f"wants {code(f'{entry.what}={entry.wanted}')}, which {plain(got_text(entry))}"
                for entry in way
            ]
            for way in match.unmet_ways
        ]
        lines = ways[0] if len(ways) == 1 else [" and ".join(way) for way in ways]
        joint = "\n- " if len(ways) == 1 else "\n- or "
        yield f"- {joint.join(lines)}" if lines else ""
        if facts.ways:
            yield "To have it hold, add " + " or ".join(map(_words, facts.ways)) + "."
        elif not facts.can_hold:
            yield "No flags can have it hold."
    else:
        yield f"Whether **{label}** holds cannot be told: {plain(str(match.unknown))}"
    if match.location is not None and match.setting != match.condition:
        yield f"It stands for {code(str(match.setting))}, {plain(match.location.short)}."
    if facts.selects:
        yield f"{plural(facts.selects, 'select')} of the workspace turn on it."
    yield _branches(facts.chosen)


def _words(way: WordsThatDo) -> str:
    place = f" ({plain(way.location.short)})" if way.location is not None else ""
    return code(" ".join(way.words)) + place


def _branches(chosen: Sequence[BranchFacts]) -> str:
    if not chosen:
        return ""
    taken = [branch for branch in chosen if branch.is_taken]
    if len(taken) == len(chosen):
        of = "" if len(chosen) == 1 else f" in all {len(chosen)} targets that this call makes"
        return f"Its branch is taken{of}."
    first = next(branch for branch in chosen if not branch.is_taken)
    why = plain(first.problem) or f"{code(str(first.taken_instead))} is taken instead"
    if not taken:
        return f"Its branch is not taken: {why}."
    return (
        f"Its branch is taken in {len(taken)} of {len(chosen)} targets that this call makes; of"
        f" {code(str(first.target))}, {why}."
    )


# ---- Targets


def _target(facts: TargetFacts) -> Iterator[str]:
    label = code(str(facts.label))
    if facts.is_unknown:
        yield f"**{label}**: cannot be told: {plain(facts.problem)}"
        return
    if facts.problem:
        yield f"Bazel refuses **{label}**: {plain(facts.problem)}"
        if facts.nearest:
            yield f"Did you mean {_either(facts.nearest)}?"
        return
    place = "" if facts.made_by or facts.location is None else f", {plain(facts.location.short)}"
    yield f"**{label}** {plain(facts.made_by or facts.kind)}{place}"
    if facts.condition is not None:
        yield from _condition(facts.condition)
    elif facts.dependencies is not None:
        yield f"Depends directly on {plural(facts.dependencies, 'target')} under this command line."


def _module(facts: ModuleFacts) -> Iterator[str]:
    yield f"**{code(str(facts.label))}**" + (f" {plain(facts.path)}" if facts.path else "")
    yield plain(facts.problem)
    yield documentation(" ".join(facts.says.split()))
    if facts.names:
        yield "Defines " + ", ".join(map(code, facts.names[:_SHOWN])) + _more(len(facts.names))


def _symbol(facts: SymbolFacts) -> Iterator[str]:
    yield fenced(facts.signature, "starlark")
    yield _place(facts.location)
    yield documentation(facts.says)


def _call(facts: CallFacts) -> Iterator[str]:
    if facts.symbol is not None:
        yield from _symbol(facts.symbol)
    elif facts.is_native:
        yield f"{code(facts.name)} is a rule of Bazel's own."
    if len(facts.makes) == 1:
        yield f"Makes {_made(facts.makes[0])}."
    elif facts.makes:
        yield f"Makes {len(facts.makes)} targets:"
        shown = "\n".join(f"- {_made(one)}" for one in facts.makes[:_SHOWN])
        yield shown + _more(len(facts.makes))


def _made(target: MadeTarget) -> str:
    return f"{code(str(target.label))} ({plain(target.kind)})"


def _attribute(facts: AttributeFacts) -> Iterator[str]:
    needed = ", mandatory" if facts.is_mandatory else ""
    default = f", {code(facts.default)} by default" if facts.default else ""
    yield f"**{code(facts.name)}** of {code(facts.rule)}: {plain(facts.type)}{needed}{default}"


def _dependency(facts: DependencyFacts) -> Iterator[str]:
    chosen, asked = facts.chosen, f"{facts.name}@{facts.written}" if facts.written else facts.name
    if chosen is None:
        yield f"**{code(asked)}** is in no build, and only has a say in the choice of versions."
    else:
        built = str(chosen) if chosen.version else chosen.name
        might = "" if facts.is_certain else ", or a higher version: some modules are not known"
        yield f"**{code(built)}** is what is built{might}."
        raised = chosen.name == facts.name and chosen.version != facts.written
        if facts.override:
            yield f"{code(facts.override)} says so."
        elif raised and facts.written and facts.askers:
            yield f"Not {code(facts.written)}, as is written, since others ask for it:"
            shown = "\n".join(f"- {plain(asker)}" for asker in facts.askers[:_SHOWN])
            yield shown + _more(len(facts.askers))
        if facts.repository:
            canonical = f", {code(f'@@{facts.canonical}')}" if facts.canonical else ""
            yield f"Its files are those of {code(f'@{facts.repository}')}{canonical}."
        if facts.yanked:
            yield f"That version was taken back: {plain(facts.yanked)}"
    if facts.newest:
        yield f"The central registry had {code(facts.newest)} on {facts.date}."


# ---- Pieces


def _place(location: Location | None) -> str:
    return plain(location.short) if location is not None else ""


def _more(count: int) -> str:
    return f"\n- and {count - _SHOWN} more" if count > _SHOWN else ""


def _either(texts: Sequence[str]) -> str:
    return " or ".join(code(text) for text in texts)


def _all(instances: Sequence[FlagInstance], word: Callable[[FlagInstance], str]) -> str:
    return ", ".join(word(instance) for instance in instances)


_WORDS: dict[type, Callable[..., Iterator[str]]] = {
    AttributeFacts: _attribute,
    CallFacts: _call,
    ConditionFacts: _condition,
    ConfigFacts: _config,
    DependencyFacts: _dependency,
    ImportFacts: _import,
    ModuleFacts: _module,
    OptionFacts: _option,
    SymbolFacts: _symbol,
    TargetFacts: _target,
}
