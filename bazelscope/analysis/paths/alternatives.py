"""What flags and platforms must be for something to hold: one value, and several together."""

from __future__ import annotations

from dataclasses import dataclass

from bazelscope.analysis.conditions.atoms import FlagRequirement, sorted_needs


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to make something hold: all of `needs`, and none of `forbids`.

    Each member of `forbids` is a combination that must not hold as a whole.
    """

    needs: frozenset[FlagRequirement] = frozenset()
    forbids: frozenset[frozenset[FlagRequirement]] = frozenset()

    @property
    def is_free(self) -> bool:
        """Whether this asks for nothing."""
        return not self.needs and not self.forbids

    def contradiction(self) -> tuple[FlagRequirement, ...]:
        """Requirements that cannot all be met; empty if nothing speaks against them."""
        by_flag: dict[tuple[str, bool], FlagRequirement] = {}
        for need in self.needs:
            other = by_flag.setdefault(need.key, need)
            if other is not need and not need.accumulates:
                return sorted_needs((other, need))
        for combination in self.forbids:
            if combination <= self.needs:
                return sorted_needs(combination)
        if any(member.domain for combination in self.forbids for member in combination):
            return self._exhausted()
        return ()

    def _exhausted(self) -> tuple[FlagRequirement, ...]:
        """Forbidden values that leave a flag none of the few that it can have."""
        values = {need.key: need.wanted for need in self.needs if not need.accumulates}
        excluded: dict[tuple[str, bool], set[FlagRequirement]] = {}
        unsettled = True
        while unsettled:
            unsettled = False
            for combination in self.forbids:
                if any(values.get(m.key, m.wanted) != m.wanted for m in combination):
                    continue
                left = [m for m in combination if m.key not in values and m not in self.needs]
                if not left:
                    return sorted_needs(combination)
                if len(left) > 1 or not left[0].domain or left[0].accumulates:
                    continue
                member = left[0]
                known = excluded.setdefault(member.key, set())
                known.add(member)
                possible = set(member.domain) - {one.wanted for one in known}
                if not possible:
                    return sorted_needs(known)
                if len(possible) == 1:
                    values[member.key] = possible.pop()
                    unsettled = True
        return ()

    def merge(self, other: Alternative) -> Alternative:
        return Alternative(self.needs | other.needs, self.forbids | other.forbids)

    def covers(self, other: Alternative) -> bool:
        """Whether whatever meets `other` meets this."""
        return self.needs <= other.needs and self.forbids <= other.forbids

    def left_to_forbid(self) -> set[frozenset[FlagRequirement]]:
        """What the needs leave to be forbidden: combinations that they do not exclude
        anyway, without the members that they ask for."""
        needed = {need.key: need for need in self.needs if not need.accumulates}
        left: set[frozenset[FlagRequirement]] = set()
        for combination in self.forbids:
            excluded = any(needed.get(member.key, member) != member for member in combination)
            if not excluded:
                left.add(combination - self.needs)
        return {one for one in left if not any(other < one for other in left)}


FREE = Alternative()
