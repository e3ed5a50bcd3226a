"""The aspects that `--aspects` names: what keeps Bazel from making one of a name, and what they
are refused for on the targets that are asked for.

Bazel: `BuildView.update`, `ToplevelStarlarkAspectFunction`, `AspectFunction.loadStarlarkAspect`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.refusals.causes import set_by
from bazelscope.analysis.refusals.refusal import Refusal, RefusalCause, RefusalKind
from bazelscope.analysis.rules.aspects import AspectNode, Descriptor, joined, met, with_required
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.analysis.rules.provided import Implemented
from bazelscope.base.errors import LabelError, is_bazels_error
from bazelscope.base.label import Label
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.aspect_values import Aspect
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.packages.targets import Provenance, Rule

ASPECTS = "aspects"
"""The option that names them."""
_PARAMETERS = "aspects_parameters"
_BY_WORD = "incompatible_top_level_aspects_require_providers"
_NATIVE = frozenset(
    {
        *("AndroidNeverlinkAspect", "BazelCcProtoAspect", "BazelJavaLiteProtoAspect"),
        *("BazelJavaProtoAspect", "DexArchiveAspect", "GraphNodeAspect", "J2ObjcAspect"),
        "ObjcProtoAspect",
    }
)
"""Aspects of Bazel's own, of which some releases have some: nothing is told of them."""


@runtime_checkable
class _Files(Protocol):
    """A source of packages that loads `.bzl` files, too."""

    @property
    def context(self) -> EvaluationContext: ...

    def loaded_module(self, label: Label, /) -> LoadedModule: ...


class AskedAspects:
    """The aspects of one command line, over one configured graph."""

    def __init__(self, graph: ConfiguredGraph, implementations: Implementations) -> None:
        self._graph = graph
        self._implementations = implementations
        self._configuration: Configuration = graph.configuration
        self.refused: list[Refusal] = []
        """What is wrong with the names themselves, whatever is asked for."""
        self.stops = False
        """Whether Bazel looks at no target for that."""
        self._descriptors: dict[Descriptor, FlagInstance | None] = {}
        for name, instance in self._named():
            for made in self._made(name, instance):
                self._descriptors.setdefault(made, instance)

    def cause(self, key: AspectNode) -> RefusalCause:
        """What names an aspect that runs on what is asked for."""
        same = (one for one in self._descriptors if one.aspect is key.own.aspect)
        instance = next((self._descriptors[one] for one in same), None)
        return _told(instance) if instance is not None else RefusalCause(f"--{ASPECTS}")

    def on(self, top: ConfiguredNode) -> tuple[AspectNode, ...]:
        """The aspects that run on a target that is asked for."""
        aspects = self._implementations.aspects
        descriptors = joined(self._descriptors)
        if not self._configuration.is_on(_BY_WORD, True):
            node, descriptors = aspects.behind(top, descriptors)
            provided = self._implementations.run(node) if descriptors else None
            if not isinstance(self._graph.target(node), Rule):
                return ()
            descriptors = tuple(
                one
                for one in descriptors
                if isinstance(provided, Implemented) and one.is_met_by(provided)
            )
            there = [met((one,), node) for one in descriptors]
        elif self._configuration.release.asked_aspects_see_each_other:
            there = [aspects.met(top, descriptors)[0]]
        else:
            there = [aspects.met(top, (one,))[0] for one in descriptors]
        return tuple(dict.fromkeys(one for several in there for one in several))

    def _named(self) -> Iterator[tuple[str, FlagInstance | None]]:
        for text, instance in self._configuration.value(ASPECTS).each:
            for one in filter(None, text.split(",")):
                yield one, instance

    def _made(self, text: str, instance: FlagInstance | None) -> list[Descriptor]:
        """The aspect of that name, behind those that it requires; it is noted as refused if there
        is none."""
        file, percent, name = text.partition("%")
        if not percent:
            if text not in _NATIVE:
                self._refuse(f"Aspect '{text}' is unknown", instance, stops=True)
            return []
        try:
            label = self._configuration.label(_as_label(file))
        except LabelError as error:
            self._refuse(
                f"Invalid aspect '{text}': {error.diagnostic.message}", instance, stops=True
            )
            return []
        aspect = self._loaded(label, name, instance)
        if aspect is None:
            return []
        return with_required(aspect, lambda one: self._parameters_of(one, instance)) or []

    def _loaded(self, file: Label, name: str, instance: FlagInstance | None) -> Aspect | None:
        source = self._graph.graph.source
        if not isinstance(source, _Files):
            return None
        loaded = source.loaded_module(file)
        shown = source.context.label_style(file)
        if loaded.refused:
            errors = [one for one in loaded.diagnostics if is_bazels_error(one)]
            causes = tuple(RefusalCause(one.message, one.location) for one in errors)
            self._refuse(loaded.refused, instance, causes)
            return None
        if loaded.module is None or loaded.doubt is not None or loaded.diagnostics:
            return None
        found = loaded.module.globals.get(name, self)
        if found is self:
            may_be_loaded = self._configuration.release.loads_may_be_asked_for and any(
                name in child.module.globals for child in loaded.children if child.module
            )
            if loaded.provenance is not Provenance.MODEL and not may_be_loaded:
                self._refuse(f"{name} is not exported from {shown}", instance)
            return None
        if not isinstance(found, Aspect):
            if not isinstance(found, UnknownValue):
                self._refuse(f"{name} from {shown} is not an aspect", instance)
            return None
        return found

    def _parameters_of(
        self, aspect: Aspect, instance: FlagInstance | None
    ) -> tuple[tuple[str, str], ...] | None:
        """The values of an aspect's parameters, which only some releases can be told."""
        given = dict(
            one.partition("=")[::2] for one in self._configuration.value(_PARAMETERS).values
        )
        parameters: list[tuple[str, str]] = []
        for name, spec in aspect.specs.items():
            if name.startswith("_") or spec.late_bound:
                continue
            value = given.get(name, spec.default)
            if not isinstance(value, str) or (spec.allowed and value not in spec.allowed):
                self._refuse_parameter(aspect, name, value, instance)
                return None
            parameters.append((name, value))
        return tuple(parameters)

    def _refuse_parameter(
        self, aspect: Aspect, name: str, value: object, instance: FlagInstance | None
    ) -> None:
        message = f"Cannot instantiate parameterized aspect {aspect.name} at the top level."
        if self._configuration.definition(_PARAMETERS) is not None:
            if not isinstance(value, str):
                return  # Numbers are parameters, too, in releases that nobody has measured.
            shown = aspect.shown(self._graph.graph.source.context.label_style)
            message = f"{shown}: invalid value in '{name}' attribute: '{value}'"
        self._refuse(message, instance)

    def _refuse(
        self,
        message: str,
        instance: FlagInstance | None,
        causes: tuple[RefusalCause, ...] = (),
        stops: bool = False,
    ) -> None:
        place = instance.location if instance is not None else None
        causes += (_told(instance),) if instance is not None else ()
        self.stops = self.stops or stops
        self.refused.append(Refusal(RefusalKind.ASPECT, message, location=place, causes=causes))


def _told(instance: FlagInstance) -> RefusalCause:
    return RefusalCause(f"{instance.text}{set_by(instance)}", instance.location)


def _as_label(text: str) -> str:
    """The label that the part before `%` stands for: a path without its ending will do."""
    if text.startswith(("//", "@")):
        return text
    package, _, name = text.removeprefix("/").rpartition("/")
    return f"//{package}:{name if name.endswith('.bzl') else f'{name}.bzl'}"
