"""Which aspects meet a target, and what the target provides with them.

An aspect on an attribute meets the rules behind the attribute's labels, then goes along the
attributes that `attr_aspects` names; of the aspects that are there it sees those before it that
provide what `required_aspect_providers` wants. Bazel: `DependencyResolver`, `AspectCollection`,
`MergedConfiguredTarget`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.rules.provided import Implemented, OutputGroups, key_of, name_of
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.loading.evaluation.rules.aspect_values import Aspect
from bazelscope.loading.evaluation.values.structs import Provider
from bazelscope.loading.packages.targets import Rule

_GROUPS = "OutputGroupInfo"
_LISTS = ("attr_aspects", "required_aspect_providers", "required_providers", "provides")


class Descriptor(NamedTuple):
    """An aspect with the values of its parameters: what tells two uses of it apart."""

    aspect: Aspect
    parameters: tuple[tuple[str, str], ...] = ()
    along: tuple[str, ...] = ()
    """Attributes along which it goes besides its own: those of an aspect that requires it."""
    for_others: tuple[frozenset[Hashable], ...] | None = None
    """What targets provide that an aspect is for which requires it; None where none does."""

    def goes_along(self, attribute: str) -> bool:
        """Whether it goes on along an attribute."""
        names = (*_listed(self.aspect, "attr_aspects"), *self.along)
        return attribute in names or "*" in names

    def sees(self, other: Descriptor) -> bool:
        """Whether it sees what `other`, which comes before it, provides."""
        if any(one is other.aspect for one in self.aspect.requires):
            return True
        advertised = advertised_by(other.aspect.options)
        wanted = _alternatives(_listed(self.aspect, "required_aspect_providers"))
        return any(one <= advertised for one in wanted)

    def is_met_by(self, target: Implemented) -> bool:
        """Whether it is for a target, by what that surely provides."""
        wanted = self._wanted()
        provided = {*target.providers, *target.legacy, "DefaultInfo"}
        return not wanted or any(one <= provided for one in wanted)

    def may_meet(self, advertised: frozenset[Hashable] | None) -> bool | None:
        """Whether it is for a rule that says it provides this; None where nobody can tell."""
        wanted = self._wanted()
        if not wanted or advertised is None:
            return None if wanted else True
        return any(one <= advertised for one in wanted)

    def _wanted(self) -> list[frozenset[Hashable]]:
        """What targets provide that it is for: one of these; any target if there is none."""
        wanted = _alternatives(_listed(self.aspect, "required_providers"))
        if not wanted or self.for_others is None:
            return wanted
        return [*wanted, *self.for_others] if self.for_others else []


class AspectNode(NamedTuple):
    """An aspect at a configured target, above the aspects that it sees there."""

    node: ConfiguredNode
    own: Descriptor
    seen: tuple[AspectNode, ...] = ()

    def below(self) -> tuple[AspectNode, ...]:
        """The aspects that it rests on, in order, each once."""
        found: dict[Descriptor, AspectNode] = {}
        for seen in self.seen:
            for one in (*seen.below(), seen):
                found.setdefault(one.own, one)
        return tuple(found.values())

    def path(self) -> tuple[Descriptor, ...]:
        """The aspects that it rests on, and itself, in order."""
        return (*(one.own for one in self.below()), self.own)


def carried(given: Iterable[object], rule: Rule) -> tuple[tuple[Descriptor, ...], str | None]:
    """The aspects that an attribute of `rule` was given, and why there may be others."""
    made: list[Descriptor] = []
    doubt: str | None = None
    for aspect in given:
        if not isinstance(aspect, Aspect):
            doubt = doubt or "an aspect of Bazel's own adds to what targets provide"
            continue
        whole = with_required(aspect, lambda one: _parameters(one, rule))
        if whole is None:
            doubt = doubt or f"where the aspect `{aspect.name}` goes is not known"
            continue
        made += whole
    return joined(made), doubt


def with_required(
    aspect: Aspect, parameters_of: Callable[[Aspect], tuple[tuple[str, str], ...] | None]
) -> list[Descriptor] | None:
    """The aspects that one requires, each before who requires it, and itself; None where it is not
    known of all of them where they go. What is required goes wherever that goes which requires it.
    Bazel: `StarlarkDefinedAspect.attachToAspectsList`."""
    return _attached(aspect, parameters_of, (), None)


def _attached(
    aspect: Aspect,
    parameters_of: Callable[[Aspect], tuple[tuple[str, str], ...] | None],
    along: tuple[str, ...],
    for_others: tuple[frozenset[Hashable], ...] | None,
) -> list[Descriptor] | None:
    parameters = parameters_of(aspect)
    if parameters is None or not _is_plain(aspect):
        return None
    own = Descriptor(aspect, parameters, along, for_others)
    names = tuple(one for one in _listed(aspect, "attr_aspects") if isinstance(one, str))
    wanted = tuple(_alternatives(_listed(aspect, "required_providers")))
    if for_others is not None:
        wanted = (*for_others, *wanted) if for_others and wanted else ()
    made: list[Descriptor] = []
    for one in aspect.requires:
        below = _attached(one, parameters_of, (*along, *names), wanted)
        if below is None:
            return None
        made += below
    return [*made, own]


def joined(descriptors: Iterable[Descriptor]) -> tuple[Descriptor, ...]:
    """Aspects, each once: one that several require goes wherever one of these does."""
    made: dict[tuple[Aspect, tuple[tuple[str, str], ...]], Descriptor] = {}
    for one in descriptors:
        key = (one.aspect, one.parameters)
        other = made.get(key)
        if other is not None:
            along = tuple(dict.fromkeys((*other.along, *one.along)))
            several = [each for each in (other.for_others, one.for_others) if each is not None]
            wanted = None if not several else tuple(x for each in several for x in each)
            one = Descriptor(*key, along, () if () in several else wanted)
        made[key] = one
    return tuple(made.values())


def met(descriptors: Iterable[Descriptor], node: ConfiguredNode) -> tuple[AspectNode, ...]:
    """The aspects at a target, each above those before it that it sees."""
    made: list[AspectNode] = []
    for one in dict.fromkeys(descriptors):
        made.append(AspectNode(node, one, tuple(seen for seen in made if one.sees(seen.own))))
    return tuple(made)


def applied_twice(descriptors: Iterable[Descriptor]) -> tuple[Descriptor, Descriptor] | None:
    """An aspect that stands twice on the way to a target, and one between that it sees the second
    time alone. Bazel: `AspectCollection.validateDuplicateAspect`."""
    seen: list[Descriptor] = []
    for one in descriptors:
        if one in seen:
            between = seen[seen.index(one) + 1 :]
            other = next((each for each in reversed(between) if one.sees(each)), None)
            if other is not None:
                return one, other
        else:
            seen.append(one)
    return None


def advertised_by(options: Mapping[str, object]) -> frozenset[Hashable]:
    """What `provides` of a rule or an aspect says."""
    provides = options.get("provides")
    given = provides if isinstance(provides, list | tuple) else ()
    return frozenset(key_of(one) if isinstance(one, Provider) else str(one) for one in given)


def merged(base: Implemented, aspects: Iterable[Implemented]) -> Implemented | str:
    """A target with what its aspects provide, or how they clash."""
    providers, legacy = dict(base.providers), dict(base.legacy)
    groups = dict(_groups(base))
    others, is_native = base.others, base.is_native
    for one in aspects:
        if one.others is not None:
            others, is_native = others or one.others, False
        for key, value in one.providers.items():
            if key == _GROUPS:
                continue
            if key in providers or key == "DefaultInfo":
                return f"Provider {name_of(key)} provided twice"
            providers[key] = value
        for name, value in one.legacy.items():
            if name in legacy:
                return f"Provider {name} provided twice"
            legacy[name] = value
        for name, files in _groups(one).items():
            if name in groups:
                return f"Output group {name} provided twice"
            groups[name] = files
    if groups and isinstance(providers.get(_GROUPS), OutputGroups | None):
        providers[_GROUPS] = OutputGroups(groups)
    return replace(base, providers=providers, legacy=legacy, others=others, is_native=is_native)


def _groups(one: Implemented) -> Mapping[str, object]:
    groups = one.providers.get(_GROUPS)
    return groups.fields if isinstance(groups, OutputGroups) else {}


def _parameters(aspect: Aspect, rule: Rule) -> tuple[tuple[str, str], ...] | None:
    """The values of an aspect's parameters, which are those of the rule's attributes of their
    names; None if one is not plain. Bazel: `StarlarkDefinedAspect`."""
    parameters: list[tuple[str, str]] = []
    for name, spec in aspect.specs.items():
        if name.startswith("_"):
            continue
        value = rule.value(name, spec.default)
        if not isinstance(value, str):
            return None
        parameters.append((name, value))
    return tuple(parameters)


def _listed(aspect: Aspect, name: str) -> list[object]:
    given = aspect.options.get(name)
    return list(given) if isinstance(given, list | tuple) else []


def _is_plain(aspect: Aspect) -> bool:
    """Whether it is known where an aspect goes."""
    given = [aspect.options.get(name) for name in _LISTS]
    if len(_listed(aspect, "requires")) != len(aspect.requires):
        return False
    if aspect.options.get("propagation_predicate") is not None:
        return False  # A function chooses among targets, since 9.
    return all(one is None or isinstance(one, list | tuple) for one in given)


def _alternatives(wanted: list[object]) -> list[frozenset[Hashable]]:
    """Sets of providers of which one must be there as a whole."""
    lists = [one for one in wanted if isinstance(one, list | tuple)] or ([wanted] if wanted else [])
    return [frozenset(_keys(one)) for one in lists]


def _keys(providers: Iterable[object]) -> Iterator[Hashable]:
    for one in providers:
        yield key_of(one) if isinstance(one, Provider) else str(one)
