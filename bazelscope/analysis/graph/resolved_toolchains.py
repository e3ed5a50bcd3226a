"""What toolchain resolution comes to for the types that are wanted, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import ExecGroup, ToolchainRequirement
from bazelscope.loading.packages.targets import UnreadRegistration


@dataclass(frozen=True, slots=True)
class ResolvedToolchain:
    """What became of one toolchain type: the target that implements it, if there is one.

    `doubt` says why it may be another, or why none can be told. Where the likelier answer stands
    in spite of it, `premise` says what that takes for granted, after "assumed that".
    """

    requirement: ToolchainRequirement
    implementation: Label | None
    doubt: Unknown | None = None
    premise: str = ""


def each_resolved(
    groups: Sequence[tuple[ExecGroup, tuple[ResolvedToolchain, ...]]],
) -> tuple[ResolvedToolchain, ...]:
    """What execution groups have come to, all together, each once."""
    if len(groups) == 1:
        return groups[0][1]
    return tuple(dict.fromkeys(one for _, resolved in groups for one in resolved))


def missing_toolchains(resolved: Iterable[ResolvedToolchain]) -> tuple[Label, ...]:
    """The mandatory types for which there surely is no toolchain."""
    return tuple(
        one.requirement.type
        for one in resolved
        if one.implementation is None and one.requirement.mandatory and one.doubt is None
    )


def resolved_toolchain(
    requirement: ToolchainRequirement,
    implementation: Label | None,
    doubt: Unknown | None,
    unread: Sequence[Unknown],
) -> ResolvedToolchain:
    """What is found of a type, with the doubt in it; `unread` are registrations that hardly hold
    one of that type, and cannot be read."""
    if doubt is not None or not unread:
        return ResolvedToolchain(requirement, implementation, doubt)
    premise = f"{unread[0].subject}, which cannot be read, registers no C++ toolchain"
    if len(unread) > 1:
        others = f"{unread[0].subject} and {len(unread) - 1} more"
        premise = f"{others}, which cannot be read, register no C++ toolchain"
    return ResolvedToolchain(requirement, implementation, unread[0], premise)


def with_most(
    able: Sequence[tuple[tuple[ResolvedToolchain, ...], Label]], doubt: Unknown | None
) -> tuple[tuple[ResolvedToolchain, ...], Label]:
    """What is chosen of execution platforms that have all mandatory toolchains: the first of those
    with the most. An optional one in `doubt` elsewhere would be the reason to choose another."""
    best, label = max(able, key=lambda one: sum(each.implementation is not None for each in one[0]))
    if doubt is None or len(able) == 1 or all(one.implementation for one in best):
        return best, label
    alike = [
        len({one.implementation for one in same}) == 1
        for same in zip(*(one for one, _ in able), strict=True)
    ]
    told = zip(best, alike, strict=True)
    return tuple(one if is_alike else behind_doubt(doubt, one) for one, is_alike in told), label


def behind_doubt(doubt: Unknown, resolved: ResolvedToolchain) -> ResolvedToolchain:
    """What is resolved for a platform, where `doubt` is whether another comes before that."""
    is_likely = resolved.doubt is None or bool(resolved.premise)
    if resolved.implementation is None:
        is_likely &= isinstance(doubt, UnreadRegistration) and bool(doubt.functions)
    if not is_likely:
        return replace(resolved, doubt=resolved.doubt or doubt, premise="")
    premise = f"no execution platform comes before this machine, which {doubt} may say"
    if resolved.premise:
        premise += f", and {resolved.premise}"
    return replace(resolved, doubt=resolved.doubt or doubt, premise=premise)
