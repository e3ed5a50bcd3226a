"""Which targets decide about others: keys of selects, settings, platforms, toolchains.

They are no dependencies, so that no edge tells who looks at them.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable, Iterable
from typing import Any

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.identity_table import IdentityTable
from bazelscope.base.label import Label, PackageId
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import LABEL_TYPES, AttributeType, Configured, RuleClass
from bazelscope.bazel.encoded_values import SELECT, SELECTS, Encoded
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.encoded_targets import (
    ENVIRONMENTS,
    GROUP,
    OUTPUT,
    RULE,
    explicit_values,
    generating_rule,
    group_defaults,
    group_environments,
    group_includes,
    group_packages,
    output_names,
    shape_of,
)
from bazelscope.loading.packages.package import Package, PackageResult
from bazelscope.loading.packages.targets import TargetResult
from bazelscope.questions.affected.own_facts import OwnFacts, plain


class Decisions:
    """Answers as the loader does, and notes which targets it was asked for, and of which packages
    more was asked. `by_code`: a rule's implementation was run, which may have asked for more."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self.labels: set[Label] = set()
        self.packages: set[PackageId] = set(loader.packages_rested_on())
        self.by_code = False

    def watch(self, graph: ConfiguredGraph) -> None:
        """Notes whether an implementation provides the value of a setting of `graph`."""
        asked: Callable[..., str | Unknown | None] | None = graph.nodes.provided_value

        def provided(label: Label, configuration: Configuration) -> str | Unknown | None:
            value = asked(label, configuration) if asked is not None else None
            self.by_code |= value is not None
            return value

        graph.nodes.provided_value = provided

    def target(self, label: Label) -> TargetResult:
        self.labels.add(label)
        return self._loader.target(label)

    def looked_up(self, label: Label) -> TargetResult:
        self.labels.add(label)
        return self._loader.looked_up(label)

    def package(self, id: PackageId) -> PackageResult:
        self.packages.add(id)
        return self._loader.package(id)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


LINKS = 12
"""So many bytes of what `digest_of` returns are of all that dependencies hang on."""


def digest_of(own: OwnFacts, loader: Loader, label: Label) -> bytes:
    """A hash of a target under any flags: its class and what that does, its attributes with all
    their branches, its files. Nothing is decoded for it. Two targets with the same first `LINKS`
    bytes have the same dependencies."""
    return digest_in(own, loader.package(label.package_id), label.name)


def digest_in(own: OwnFacts, package: PackageResult, name: str) -> bytes:
    """A hash, under any flags, of the target of that name in a package."""
    facts: Encoded = type(package).__name__
    texts: list[Encoded] = []
    if isinstance(package, Package):
        facts = _facts_of(own, package, name, texts)
    parts = [marshal.dumps(one, _WITHOUT_REFERENCES) for one in (facts, texts)]
    return b"".join([hashlib.blake2b(part, digest_size=LINKS).digest() for part in parts])


_WITHOUT_REFERENCES = 2
"""The last of `marshal`'s versions whose bytes hang on nothing but the value."""
_LIST = b"["
"""Is in the bytes of every value that holds a list."""


def _as_written(value: Encoded) -> list[bytes]:
    """A value without places, in bytes: whatever holds a place is a list."""
    parts = value[1] if type(value) is list and value[0] == SELECTS else (value,)
    written = []
    for part in parts:
        is_select = type(part) is list and part[0] == SELECT
        told = part[1] if is_select else part
        content = marshal.dumps(told, _WITHOUT_REFERENCES)
        if _LIST in content:
            content = marshal.dumps(plain(told), _WITHOUT_REFERENCES)
        written += [b"select", content] if is_select else [content]
    return written


def _facts_of(own: OwnFacts, package: Package, name: str, texts: list[Encoded]) -> Encoded:
    """All that a target is, but for attributes that lead nowhere, which are added to `texts`."""
    targets = package.targets
    target = targets.encoded(name)
    if target is None:
        return None
    shape = shape_of(target)
    facts: list[Encoded] = [targets.kind(name)]
    if shape == GROUP:
        return [*facts, group_packages(target), group_includes(target)]
    if shape == ENVIRONMENTS:
        return [*facts, group_environments(target), group_defaults(target)]
    is_output = shape == OUTPUT
    if is_output:
        # A transition of its rule is its own, too.
        facts.append(generating_rule(target))
        target = targets.encoded(generating_rule(target))
        shape = shape_of(target) if target is not None else shape
    if shape != RULE or target is None:
        return facts
    rule_class = targets.class_of(target)
    facts.append(own.code_of_class(rule_class, package.id))
    texts.append(own.made_by(package, rule_class))
    if is_output:
        return facts
    plain_texts = _PLAIN_TEXTS[rule_class]
    for name, value in (*explicit_values(target), *targets.inherited(target).items()):
        if name != "generator_location":
            (texts if name in plain_texts else facts).append((name, _as_written(value)))
    return [*facts, targets.generator(target), output_names(target), package.features]


def _plain_texts(rule_class: RuleClass) -> frozenset[str]:
    """The attributes of a class that decide about no dependency: they hold no labels, and nothing
    of the class looks at others to find its dependencies."""
    definitions = rule_class.attributes.values()
    if (
        not rule_class.is_known
        or rule_class.transition is not None
        or rule_class.aspect_attributes
        or rule_class.name in _FIND_DEPENDENCIES
        or any(one.configured is Configured.TRANSITION for one in definitions)
    ):
        return frozenset()
    return frozenset(one.name for one in definitions if one.type in _TEXTS)


_PLAIN_TEXTS = IdentityTable(_plain_texts)
_FIND_DEPENDENCIES = frozenset({"test_suite", "genquery"})
"""Rules that have dependencies which no label names."""
_TEXTS = (
    frozenset(AttributeType)
    - LABEL_TYPES
    - {AttributeType.DISTRIBUTION_SET, AttributeType.LICENSE, AttributeType.UNKNOWN}
)


def registrations(loader: Loader, asked: Iterable[tuple[str, tuple[str, ...]]]) -> list[Any]:
    """What was registered for each thing that was asked for, in a form to compare."""
    return [
        (what, tuple(extra), [str(one) for one in loader.registered(what, extra)])
        for what, extra in sorted(asked)
    ]
