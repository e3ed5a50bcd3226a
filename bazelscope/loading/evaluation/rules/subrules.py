"""Subrules: what `subrule()` returns, what a rule or an aspect takes over from those it names, and
that nothing else may call one.

Bazel: `StarlarkSubrule`, `StarlarkRuleClassFunctions.subrule`. Read from its sources, not measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from bazelscope import starlark
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import AttributeType, Configured, ToolchainRequirement
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_checks import check_attribute_name
from bazelscope.loading.evaluation.rules.rule_values import specs_of
from bazelscope.loading.evaluation.rules.toolchain_types import read_toolchains
from bazelscope.loading.evaluation.values.builtin_calls import kinds_of
from bazelscope.loading.evaluation.values.exportable import Exportable
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_Toolchains = tuple[ToolchainRequirement | Unknown, ...]
_CONFIGURED = (Configured.TARGET, Configured.EXEC)
_LABELS = (AttributeType.LABEL, AttributeType.LABEL_LIST)


@dataclass(slots=True, eq=False, repr=False)
class Subrule(Exportable):
    """What `subrule()` returns: attributes and toolchain types that whoever names it has, too."""

    starlark_type: ClassVar[str] = "Subrule"
    _context: EvaluationContext
    file: Label | None
    implementation: Callable[..., object]
    fragments: object
    specs: Mapping[str, AttributeSpec]
    toolchains: _Toolchains
    below: object
    """The subrules that it names itself."""
    name: str = ""

    def __call__(self, /, *arguments: object, **keywords: object) -> object:
        for name in keywords.keys() & self.specs.keys():
            starlark.fail_with(
                f"got invalid named argument: '{name}' is an implicit dependency and cannot be"
                " overridden"
            )
        name = self.exported_name()
        if self._context.run_subrule is None:
            starlark.fail_with(f"{name} can only be called from a rule or aspect implementation")
        return self._context.run_subrule(self, arguments, keywords)

    def exported_name(self) -> str:
        """Returns its name; fails if it has none."""
        name = self.name or starlark.global_name(self)
        if not name:
            starlark.fail_with("Invalid subrule hasn't been exported by a bzl file")
        return name

    def attribute(self, name: str) -> str:
        """Returns the name that one of its attributes has in a rule or an aspect."""
        return f"_{self.file}%{self.exported_name()}%{name}"


def subrule_of(
    context: EvaluationContext,
    implementation: Callable[..., object],
    fragments: object,
    attrs: object,
    toolchains: object,
    subrules: object,
) -> Subrule:
    """Makes what `subrule()` returns; refuses what it does."""
    specs = specs_of(attrs, "subrule()")
    for name, spec in specs.items():
        _check(name, spec)
    asked = read_toolchains(context, toolchains)
    if len(asked) > 1 and not any(isinstance(one, Unknown) for one in asked):
        starlark.fail_with("subrules may require at most 1 toolchain")
    file = context.label_of_path.get(starlark.call_stack()[0].location.path)
    _check_elements(subrules)
    return Subrule(context, file, implementation, fragments, specs, asked, subrules)


def _check(name: str, spec: AttributeSpec) -> None:
    """Fails for an attribute that no subrule may have."""
    if not isinstance(spec.cfg, UnknownValue) and spec.configured not in _CONFIGURED:
        starlark.fail_with(
            f"bad cfg for attribute '{name}': subrules may only have target/exec attributes."
        )
    check_attribute_name(name)
    if name[:1] != "_":
        starlark.fail_with(
            f"illegal attribute name '{name}': subrules may only define private attributes (whose"
            " names begin with '_')."
        )
    if spec.compute is not None:
        starlark.fail_with(
            f"illegal default value for attribute '{name}': subrules cannot define computed"
            " defaults."
        )
    if spec.type is AttributeType.LABEL and spec.default is None and not spec.late_bound:
        starlark.fail_with(f"for attribute '{name}': no default value specified")
    if spec.type not in _LABELS:
        starlark.fail_with(
            f"bad type for attribute '{name}': subrule attributes may only be label or lists of"
            " labels."
        )


def lifted(subrules: object) -> tuple[dict[str, AttributeSpec], _Toolchains]:
    """The attributes and the toolchain types that a rule or an aspect has of the subrules that it
    names, and of those that these name. What cannot be told is a toolchain type of its own."""
    _check_elements(subrules)
    specs: dict[str, AttributeSpec] = {}
    toolchains: dict[ToolchainRequirement | Unknown, None] = {}
    for one in _below(subrules, set()):
        if isinstance(one, Unknown):
            toolchains[one] = None
            continue
        one.exported_name()
        specs |= {one.attribute(name): spec for name, spec in one.specs.items()}
        toolchains.update(dict.fromkeys(one.toolchains))
    return specs, tuple(toolchains)


def _below(given: object, seen: set[int]) -> Iterator[Subrule | Unknown]:
    """The subrules of a list and those that they name, each once."""
    if isinstance(given, UnknownValue):
        yield given.as_unknown()
    for one in given if isinstance(given, list | tuple) else ():
        if isinstance(one, UnknownValue):
            yield one.as_unknown()
        elif isinstance(one, Subrule) and id(one) not in seen:
            seen.add(id(one))
            yield one
            yield from _below(one.below, seen)


def _check_elements(given: object) -> None:
    """Fails for an element of `subrules` that is none."""
    for index, one in enumerate(given if isinstance(given, list | tuple) else ()):
        if not isinstance(one, Subrule) and kinds_of(one):
            starlark.fail_with(starlark.wrong_element(index, "subrules", one, "Subrule"))
