"""Targets of the loading phase put into the form that answers show."""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.targets import Absent, InputFile, Provenance, Rule, UnknownResult
from bazelscope.questions.shared.macro_calls import edited_at
from bazelscope.questions.shared.missing_dependencies import is_absent_file
from bazelscope.questions.shared.nodes import NodeAnswer
from bazelscope.questions.shared.world import World


def describe_node(world: World, label: Label, edited: bool = False) -> NodeAnswer:
    """Says what `label` is; a target that does not exist, or cannot be told, is a node too.
    `edited`: with the place that one would edit, which reads the text of the calls."""
    result = world.graph.node(label)
    provenance = _provenance(world.loader.package(label.package_id))
    if isinstance(result, UnknownResult):
        return NodeAnswer(label, "unknown", provenance=provenance, unknown=result.unknown)
    if isinstance(result, Absent):
        return NodeAnswer(label, f"missing: {result.message}", provenance=provenance)
    if isinstance(result, Rule):
        return NodeAnswer(
            label,
            result.kind,
            result.location,
            result.generator_function,
            result.call_stack,
            provenance,
            edited_at=edited_at(world.loader.syntax_pieces, result.call_stack) if edited else None,
        )
    is_absent = isinstance(result, InputFile) and is_absent_file(world, label)
    return NodeAnswer(
        label, result.kind, result.location, provenance=provenance, is_absent=is_absent
    )


def _provenance(package: PackageResult) -> str | None:
    if isinstance(package, Package) and package.provenance is not Provenance.WORKSPACE:
        return str(package.provenance.value)
    return None
