"""Aspects of Bazel's own that its rules carry to their `deps`, where what these need was measured.

Bazel: `CcProtoAspect`, `JavaProtoAspect`, `JavaLiteProtoAspect`. Nobody has measured
`J2ObjcAspect`, which runs on a Mac alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.late_bound import named_instead
from bazelscope.base.label import Label
from bazelscope.bazel.attribute_types import (
    KEEPS_TOOLCHAINS,
    AttributeType,
    Configured,
    RuleClass,
    ToolchainRequirement,
)
from bazelscope.bazel.native_toolchains import CC_TYPE
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.rules.aspect_values import Aspect

_TOOLCHAINS = {
    "cc_proto_library": (ToolchainRequirement(CC_TYPE),),
    "java_lite_proto_library": (),
    "java_proto_library": (),
}


def carries_native_aspects(rule_class: RuleClass) -> bool:
    """Returns whether a class of native rules carries an aspect that is modelled."""
    return not rule_class.defined_at and rule_class.name in _TOOLCHAINS


def native_specs(rule_class: RuleClass, own: Configuration | None) -> Mapping[str, AttributeSpec]:
    """Returns the attributes of a native rule that carry aspects, with these."""
    if own is None or not carries_native_aspects(rule_class):
        return {}
    named = named_instead(own)
    labels = tuple(named.get(label, label) for label in rule_class.aspect_labels)
    return {"deps": _spec(None, (_aspect(rule_class.name, labels),))}


@cache
def _aspect(rule: str, labels: tuple[Label, ...]) -> Aspect:
    specs = {f"_{number}": _spec(label) for number, label in enumerate(labels)}
    asked = {"toolchains": _TOOLCHAINS[rule], KEEPS_TOOLCHAINS: True}
    aspect = Aspect(specs, (), {"attr_aspects": ["deps", "exports"], **asked})
    aspect.name = f"the aspect of {rule}"
    return aspect


def _spec(default: Label | None, aspects: tuple[Aspect, ...] = ()) -> AttributeSpec:
    kind = AttributeType.LABEL if default is not None else AttributeType.LABEL_LIST
    return AttributeSpec(kind, default, False, False, Configured.TARGET, None, aspects)
