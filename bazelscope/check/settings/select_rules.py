"""Findings about select()s: branches that nothing takes, clashes, hosts without a branch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from functools import cached_property
from itertools import permutations

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, TooLargeError
from bazelscope.analysis.conditions.formulas import SelectFormula
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import Ambiguous, NoBranch
from bazelscope.base import budget
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.attribute_types import DEFAULT_CONDITION, Branch, Selector, selectors_of
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.flags.resolve import resolve
from bazelscope.loading.packages.targets import Rule

_HOSTS = {"linux": "Linux", "macos": "macOS", "windows": "Windows"}
_MOST_CONFIGS = 16
_MOST_LINES = 600
"""Combinations of configs that are tried in all."""


def select_findings(facts: WorkspaceFacts) -> Iterator[Finding]:
    """All findings about select()s; those that say the same are one, with all their places."""
    search = _Search(facts)
    told: dict[tuple[str, str], Finding] = {}
    for written in written_selects(facts):
        budget.current().check()
        try:
            for finding in search.of(written):
                key = (finding.code, finding.message)
                known = told.get(key)
                told[key] = finding if known is None else _with_place(known, finding)
        except TooLargeError:
            continue
    return iter(told.values())


def _with_place(known: Finding, other: Finding) -> Finding:
    """A finding, and that another select() has the same."""
    if other.span in (known.span, *(cause.span for cause in known.causes)):
        return replace(known, dependents=known.dependents + other.dependents)
    targets = "1 target" if other.dependents == 1 else f"{other.dependents} targets"
    cause = FindingCause(f"and so for {targets} here", other.span)
    dependents = known.dependents + other.dependents
    return replace(known, causes=(*known.causes, cause), dependents=dependents)


@dataclass(slots=True)
class _Search:
    facts: WorkspaceFacts
    _conditions: dict[tuple[str, ...], Conditions] = field(default_factory=dict)
    _hosts: list[tuple[str, Conditions]] | None = None

    def of(self, written: WrittenSelect) -> Iterator[Finding]:
        formula = self.facts.formulas.of_select(written.selector)
        for branch, taken in zip(formula.branches, formula.taken, strict=True):
            if taken == FALSE and not branch.is_default:
                yield from self._never_taken(written, branch, formula)
        yield from self._clash(written)
        if not written.has_default:
            yield from self._unmatched(written)

    @property
    def _has_flags(self) -> bool:
        return any(word.startswith("-") for word in self.facts.world.words)

    # ---- Branches

    def _never_taken(
        self, written: WrittenSelect, branch: Branch, formula: SelectFormula
    ) -> Iterator[Finding]:
        condition = self.facts.formulas.of_condition(branch.condition)
        if condition.refused == TRUE:
            return  # Bazel refuses the key, which is told as that.
        real = real_selector(self.facts, written.keys, written.targets[0])
        if real is None:
            return
        attribute, selector = real
        diagrams = self.facts.formulas.diagrams
        holds = diagrams.any(diagrams.both(one.guard, one.holds) for one in condition.cases)
        setting = self.facts.world.graph.node(branch.condition)
        place = self.facts.span(setting.location) if isinstance(setting, Rule) else None
        cause = FindingCause(f"{branch.condition} is declared here", place)
        if holds == FALSE:
            if self.facts.world.loader.lacks_variables(branch.condition.repository) is not None:
                return  # With a value of these, the repository may have another setting.
            message = f"no flags make {branch.condition} hold, so its branch is never taken"
            remedy = "mend what the setting asks for, or delete the branch"
        else:
            if diagrams.both(holds, formula.refused) != FALSE:
                return  # It clashes, which is told as that.
            message = (
                f"the branch of {branch.condition} is never taken: whenever it holds, a more "
                "specific one does"
            )
            remedy = "delete the branch, or make its condition more specific"
        subject = f"{written.targets[0]}.{attribute} {branch.condition}"
        yield CODES["BZS203"].at(
            self.facts.span(selector.location),
            subject,
            message,
            remedy,
            (cause,),
            len(written.targets),
        )

    # ---- Clashes

    def _clash(self, written: WrittenSelect) -> Iterator[Finding]:
        whole = written.selector
        if not written.has_default:
            branches = (*whole.branches, Branch(DEFAULT_CONDITION, len(whole.branches)))
            whole = Selector(branches)
        refused = self.facts.formulas.of_select(whole).refused
        if refused == FALSE or self._under(()) is None:
            return
        base = self._under(())
        if base is None or isinstance(base.resolve(whole), Ambiguous):
            return  # Bazel refuses it as things are, which is told as that.
        for names in self._combinations(refused):
            conditions = self._under(names)
            if conditions is None:
                return
            result = conditions.resolve(whole)
            if not isinstance(result, Ambiguous):
                continue
            finding = self._clash_finding(written, names, conditions)
            if finding is not None:
                yield finding
                return

    def _clash_finding(
        self, written: WrittenSelect, names: tuple[str, ...], conditions: Conditions
    ) -> Finding | None:
        real_select = real_selector(self.facts, written.keys, written.targets[0])
        real = conditions.resolve(real_select[1]) if real_select is not None else None
        if real_select is None or not isinstance(real, Ambiguous):
            return None
        attribute, selector = real_select
        line = " ".join(f"--config={name}" for name in names)
        keys = [str(branch.condition) for branch in real.candidates]
        with_line = ", on top of this line," if self._has_flags else ""
        holding = " and ".join(keys)
        message = f"`{line}`{with_line} makes {holding} hold, and neither is more specific"
        causes: list[FindingCause] = []
        for name in names:
            for section in self.facts.rc.by_config.get(name, ())[:1]:
                causes.append(FindingCause(f"config {name}", section.head))
        users = len(written.targets)
        more = f" and {users - 1} more" if users > 1 else ""
        causes.append(FindingCause(f"Bazel then refuses {written.targets[0]}{more}"))
        instead = "take one config" if len(names) > 1 else f"leave out `{line}`"
        remedy = f"give one of the two conditions all that the other asks for, or {instead}"
        subject = f"{attribute} {' '.join(keys)}"
        span = self.facts.span(selector.location)
        return CODES["BZS204"].at(span, subject, message, remedy, tuple(causes), users)

    def _combinations(self, formula: int) -> list[tuple[str, ...]]:
        """One or two configs that set what a formula looks at, fewest first."""
        formulas, names = self.facts.formulas, dict[str, None]()
        for test in formulas.diagrams.tests(formula):
            need = formulas.atoms.asked(test)
            if isinstance(need, FlagRequirement):
                for source in self.facts.world.configs.which_meet(need):
                    if not source.through or source.config in names:
                        names[source.config] = None
        chosen = sorted(names)[:_MOST_CONFIGS]
        return [*((name,) for name in chosen), *permutations(chosen, 2)]

    def _under(self, names: tuple[str, ...]) -> Conditions | None:
        known = self._conditions.get(names)
        if known is None:
            if len(self._conditions) > _MOST_LINES:
                return None
            budget.current().check()
            world = self.facts.world
            line = (*world.words, *(f"--config={name}" for name in names))
            known = world.conditions_under(world.configure(world.resolve_words(line)))
            self._conditions[names] = known
        return known

    # ---- Hosts

    def _unmatched(self, written: WrittenSelect) -> Iterator[Finding]:
        for host, conditions in self._other_hosts():
            if not isinstance(conditions.resolve(written.selector), NoBranch):
                continue
            for user in written.targets:
                rule = self.facts.world.graph.node(user)
                real = real_selector(self.facts, written.keys, user)
                if real is None or not isinstance(rule, Rule) or _is_limited(rule, host):
                    continue
                attribute, selector = real
                if selector.no_match_error:
                    break
                message = f"no branch of `{attribute}` matches on {_HOSTS[host]}"
                remedy = f"add a branch for {_HOSTS[host]}, or `//conditions:default`"
                cause = FindingCause(f"Bazel refuses {user} there")
                span = self.facts.span(selector.location)
                subject = f"{attribute} {host}"
                yield CODES["BZS205"].at(
                    span, subject, message, remedy, (cause,), len(written.targets)
                )
                break

    def _other_hosts(self) -> list[tuple[str, Conditions]]:
        """The hosts that the tree has a config for, besides that of the line."""
        if self._hosts is None:
            rc, world = self.facts.rc, self.facts.world
            own = rc.request.platform_config
            self._hosts = []
            for host in _HOSTS:
                if host != own and host in rc.by_config:
                    request = replace(rc.request, host=host)
                    flags = resolve(request, rc.files, catalog=rc.catalog, rc_files=rc.rc_files)
                    conditions = world.conditions_under(world.configure(flags))
                    self._hosts.append((host, conditions))
        return self._hosts


def _is_limited(rule: Rule, host: str) -> bool:
    """Whether a target says that it is not for every host."""
    if "target_compatible_with" in rule.attributes:
        return True
    tags = rule.given("tags")
    written = tags if isinstance(tags, list | tuple) else ()
    names = {"manual", f"no_{host}", f"no{host}", "no_mac", "nomac", "no_windows", "nowindows"}
    return any(str(tag) in names for tag in written)


Keys = tuple[str, ...]


@dataclass(frozen=True)
class WrittenSelect:
    """All select()s with the same keys in one order: `targets` have them."""

    keys: Keys
    targets: tuple[Label, ...]

    @cached_property
    def selector(self) -> Selector:
        """A select() with these keys whose branches all differ."""
        return Selector(tuple(Branch(decode_label(key), n) for n, key in enumerate(self.keys)))

    @property
    def has_default(self) -> bool:
        return any(branch.is_default for branch in self.selector.branches)


def written_selects(facts: WorkspaceFacts) -> tuple[WrittenSelect, ...]:
    """Every select() of the workspace's own packages, by its keys."""
    graph = facts.world.graph
    users_of: dict[Keys, dict[Label, None]] = {}
    for package in facts.packages:
        for name in package.targets:
            label = Label(package.id.repository, package.id.package, name)
            for keys in graph.select_keys(label):
                users_of.setdefault(keys, {})[label] = None
    return tuple(WrittenSelect(keys, tuple(users)) for keys, users in users_of.items())


def real_selector(facts: WorkspaceFacts, keys: Keys, user: Label) -> tuple[str, Selector] | None:
    """The attribute of `user` that has the select(), and the select() itself."""
    rule = facts.world.graph.node(user)
    for attribute in rule.attributes.values() if isinstance(rule, Rule) else ():
        for selector in selectors_of(attribute.value):
            written = tuple(branch.condition for branch in selector.branches)
            if written == tuple(map(decode_label, keys)):
                return attribute.name, selector
    return None
