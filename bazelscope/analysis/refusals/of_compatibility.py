"""Targets that cannot be built for their platform, as far as they are asked for by name.

Bazel tells of these where nothing else is refused. Bazel: `TopLevelConstraintSemantics`,
`RuleContextConstraintSemantics`; 4.2.3 measured.
"""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.graph.compatibility import ATTRIBUTE, why_incompatible
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.causes import cause_of
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.analysis.refusals.test_suites import stands_for_tests
from bazelscope.base.label import Label


def refusals_of_platforms(graph: ConfiguredGraph, labels: Iterable[Label]) -> tuple[Refusal, ...]:
    """One refusal for each of `labels`, which are asked for by name, that is incompatible, with the
    chain that leads to what says so. The tests of a suite are left out in silence."""
    if graph.configuration.is_on("skip_incompatible_explicit_targets"):
        return ()
    refusals = []
    for label in labels:
        top = graph.top(label)
        incompatible = None if stands_for_tests(graph, top) else why_incompatible(graph, top)
        if incompatible is None:
            continue
        last = incompatible.chain[-1]
        place = graph.graph.location(last.label)
        steps = [
            RefusalCause(f"{user.label} depends on {node.label}", graph.graph.location(user.label))
            for user, node in zip(incompatible.chain, incompatible.chain[1:], strict=False)
        ]
        wanted = ", ".join(requirement.wanted for requirement in incompatible.missing)
        refusals.append(
            Refusal(
                RefusalKind.INCOMPATIBLE,
                f"Target {label} is incompatible and cannot be built: {last.label} needs {wanted}",
                label,
                ATTRIBUTE,
                place,
                (*steps, *(cause_of(one, last.label) for one in incompatible.missing)),
                f"build for a platform that has {wanted}",
            )
        )
    return tuple(refusals)
