"""Which targets decide about others: keys of selects, settings, platforms, toolchains.

They are no dependencies, so that no edge tells who looks at them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.base.label import Label, PackageId
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.encoded_values import Encoded
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.encoded_targets import (
    GROUP,
    OUTPUT,
    RULE,
    explicit_values,
    generating_rule,
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
        self.packages: set[PackageId] = set(loader.loaded_packages())
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

    def package(self, id: PackageId) -> PackageResult:
        self.packages.add(id)
        return self._loader.package(id)

    def prepare(self, packages: Iterable[PackageId]) -> bool:
        return self._loader.prepare(packages)

    def registered(self, what: str, extra: tuple[str, ...]) -> tuple[Label | Unknown, ...]:
        return self._loader.registered(what, extra)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


def digest_of(own: OwnFacts, loader: Loader, label: Label) -> bytes:
    """A hash of a target under any flags: its class and what that does, its attributes with all
    their branches, its files. Nothing is decoded for it."""
    package = loader.package(label.package_id)
    facts: Encoded = type(package).__name__
    if isinstance(package, Package):
        facts = _facts_of(own, package, label.name)
    text = repr(facts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=12).digest()


def _facts_of(own: OwnFacts, package: Package, name: str) -> Encoded:
    targets = package.targets
    target = targets.encoded(name)
    if target is None:
        return None
    shape = shape_of(target)
    facts: list[Encoded] = [targets.kind(name)]
    if shape == GROUP:
        return [*facts, group_packages(target), group_includes(target)]
    is_output = shape == OUTPUT
    if is_output:
        # A transition of its rule is its own, too.
        facts.append(generating_rule(target))
        target = targets.encoded(generating_rule(target))
        shape = shape_of(target) if target is not None else shape
    if shape != RULE or target is None:
        return facts
    facts.append(own.code_of_class(targets.class_of(target), package.id))
    if is_output:
        return facts
    values = (*explicit_values(target), *targets.inherited(target).items())
    return [
        *facts,
        targets.generator(target),
        output_names(target),
        package.features,
        [(name, plain(value)) for name, value in values if name != "generator_location"],
    ]


def registrations(loader: Loader, asked: Iterable[tuple[str, tuple[str, ...]]]) -> list[Any]:
    """What was registered for each thing that was asked for, in a form to compare."""
    return [
        (what, tuple(extra), [str(one) for one in loader.registered(what, extra)])
        for what, extra in sorted(asked)
    ]
