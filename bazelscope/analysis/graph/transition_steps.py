"""Transitions on the way to targets: where they stand, how what they set is marked, and each run
once for a configuration."""

from __future__ import annotations

from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Rule

SET_BY = "transition "
"""How the text of a value begins that a transition sets."""


class Step(NamedTuple):
    """One transition on the way to a target: of an attribute of `rule`, or of the rule
    itself (`attribute` is None)."""

    rule: Rule
    attribute: str | None


class Transitions:
    """Runs the transitions of rules, each one once for a configuration."""

    def __init__(self, source: object) -> None:
        self._source = source
        self._made: dict[tuple[object, ...], tuple[Configuration, ...] | Unknown] = {}
        self.outputs: set[str] = set()
        """What those that were applied so far declare to set."""
        self.are_told = True
        """Whether that is known of all of them."""

    def apply(
        self, conditions: Conditions, steps: tuple[Step, ...]
    ) -> tuple[Configuration, ...] | Unknown:
        """The configurations that the transitions make one after the other of the one of
        `conditions`. `Unknown` where one fails, or cannot be run.

        The attribute's and the rule's are one composed transition to Bazel.
        """
        key = (conditions.configuration, *((s.rule.label, s.attribute) for s in steps))
        result = self._made.get(key)
        if result is None:
            # Few workspaces have transitions: what runs them is imported where there is one.
            from bazelscope.analysis.graph.transition_runs import apply_steps

            result = apply_steps(self._source, conditions, steps, self.outputs)
            self._made[key] = result
            self.are_told = self.are_told and not isinstance(result, Unknown)
        return result
