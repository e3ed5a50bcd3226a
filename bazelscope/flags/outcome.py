"""Parsed option instances become final values: who won, who lost, what accumulated.

Bazel: `OptionValueDescription` and its subclasses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bazelscope.flags.flag_values import (
    ConfigExpansion,
    Define,
    FlagInstance,
    FlagValue,
    TargetArgument,
)
from bazelscope.flags.option_parsing import ANALYSIS_COMMANDS, ParsedOption, StarlarkOption
from bazelscope.flags.words import ConfigNode, Word


def in_order(options: Iterable[ParsedOption]) -> list[ParsedOption]:
    """Every instance that is written somewhere or expanded from one, as it takes effect."""
    return sorted(
        (option for option in options if not option.implied),
        key=lambda option: option.instance.precedence,
    )


def flag_values(options: Iterable[ParsedOption]) -> dict[str, FlagValue]:
    """The final value of every option that was set, by name in order of first setting."""
    grouped: dict[str, list[ParsedOption]] = {}
    for option in options:
        grouped.setdefault(option.definition.name, []).append(option)
    values: dict[str, FlagValue] = {}
    for name, group in grouped.items():
        # The sort is stable: of two with the same precedence the one parsed later wins.
        group.sort(key=lambda option: option.instance.precedence)
        instances = tuple(option.instance for option in group)
        definition = group[0].definition
        if definition.is_expansion:
            values[name] = FlagValue(name, (), instances)
        elif definition.repeats:
            texts = tuple(i.value for i in instances if i.value is not None)
            values[name] = FlagValue(name, texts, instances)
        else:
            winner = instances[-1]
            texts = () if winner.value is None else (winner.value,)
            values[name] = FlagValue(name, texts, (winner,), instances[:-1])
    return values


def effective(options: Iterable[ParsedOption]) -> tuple[FlagInstance, ...]:
    """The instances that count, in Bazel's canonical order.

    Losers are left out, and so are options that only stand for their expansion and those
    that another option implies. Bazel: `OptionsParser.asListOfCanonicalOptions`.
    """
    ordered = sorted(options, key=lambda option: option.instance.precedence)
    last: dict[str, ParsedOption] = {}
    for option in ordered:
        last[option.definition.name] = option
    return tuple(
        option.instance
        for option in ordered
        if not option.implied
        and not option.definition.is_expansion
        and (option.definition.repeats or last[option.definition.name] is option)
    )


def defines(values: Mapping[str, FlagValue]) -> dict[str, Define]:
    """The defines in force, by name; the last instance of each name counts."""
    result: dict[str, Define] = {}
    for instance in values["define"].instances if "define" in values else ():
        name, _, value = (instance.value or "").partition("=")
        previous = result.get(name)
        beaten = () if previous is None else (*previous.overridden, previous.instance)
        result[name] = Define(name, value, instance, beaten)
    return result


def starlark_values(
    options: Sequence[StarlarkOption], in_order: bool, after_dashes: Sequence[Word]
) -> dict[str, FlagValue]:
    """The final value of every Starlark flag, by label as written.

    Of several settings the last counts: by precedence if `in_order`, else as parsed.
    """
    if in_order:
        ordered = sorted(options, key=lambda o: o.precedence)
    else:
        # Bazel tells what stands before a `--` from what stands after one by its text.
        late = {word.text for word in after_dashes}
        ordered = [option for option in options if option.word.text not in late]
    grouped: dict[str, list[FlagInstance]] = {}
    for option in ordered:
        grouped.setdefault(option.label, []).append(starlark_instance(option))
    return {
        label: FlagValue(label, (i[-1].value or "",), (i[-1],), tuple(i[:-1]))
        for label, i in grouped.items()
    }


def starlark_instance(option: StarlarkOption) -> FlagInstance:
    """A Starlark flag as an instance: without a value it gets `true`, or `false` after `no`."""
    value = option.value
    text = option.word.text
    if value is None:
        value = "false" if option.negated else "true"
    elif "=" not in text:
        text = f"{text} {value}"
    return FlagInstance(
        option.label, value, text, option.word.origin, option.precedence, option.expanded_from
    )


def targets(
    command: str, residue: Sequence[Word], after_dashes: Sequence[Word]
) -> tuple[TargetArgument, ...]:
    """The words that are no options, in the order in which Bazel uses them.

    For `run` that is the first alone; the others are arguments of what is run.
    """
    words = list(residue)
    # Reading Starlark flags, Bazel puts the targets after a `--` behind all others.
    if command in ANALYSIS_COMMANDS and after_dashes:
        # Bazel compares texts here: a target that stands on both sides moves to the back.
        late = {word.text for word in after_dashes}
        words = [word for word in residue if word.text not in late]
        words += after_dashes
    if command == "run":
        words = words[:1]
    return tuple(TargetArgument(word.text, word.origin) for word in words)


def config_expansion(node: ConfigNode) -> ConfigExpansion | None:
    """The tree of one config; None if an option swallowed the word that asks for it."""
    if node.instance is None:
        return None
    children: list[FlagInstance | ConfigExpansion] = []
    for child in node.children:
        if isinstance(child, FlagInstance):
            children.append(child)
        else:
            expansion = config_expansion(child)
            if expansion is not None:
                children.append(expansion)
    return ConfigExpansion(node.name, node.instance, tuple(node.defined_at), tuple(children))
