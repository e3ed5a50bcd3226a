"""Which features a rule asks for, and which it does without, by the words `X` and `-X` of the
command line, its package and itself. Bazel: `RuleContext.computeFeatures`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_Level = tuple[set[str], set[str]]


def asked_features(levels: Sequence[Iterable[str]]) -> tuple[frozenset[str], frozenset[str]]:
    """The features that are asked for, and those that are switched off; `levels` are the words of
    the command line, the package and the rule.

    `-X` of the command line always wins; else what a later level says, and within one level `-X`.
    """
    line, package, rule = map(_one_level, levels)
    on, off = (package[0] - rule[1]) | rule[0], (package[1] - rule[0]) | rule[1]
    on |= line[0] - off
    off |= line[1]
    return frozenset(on - off), frozenset(off)


def _one_level(words: Iterable[str]) -> _Level:
    listed = list(words)
    off = {word[1:] for word in listed if word.startswith("-")}
    on = {word.removeprefix("+") for word in listed if not word.startswith("-")} - off
    return on, off
