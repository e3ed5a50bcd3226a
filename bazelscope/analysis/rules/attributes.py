"""The attributes of a configured target, as its implementation sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bazelscope.analysis.rules.files import FileValue
from bazelscope.analysis.rules.provided import TargetValue
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


@dataclass(frozen=True, slots=True)
class AttributeOf:
    """One attribute of a configured target: its value with select()s resolved, or `Unknown`; and
    the targets that its labels lead to (`Unknown` where that is not one target)."""

    definition: AttributeDefinition
    value: object
    targets: Mapping[Label, TargetValue | Unknown]
    is_split: bool = False
    """Whether it has a Starlark transition: one label is then a list of targets."""
    is_single_file: bool = False


def written_name(name: str) -> str:
    """The name of an attribute as Starlark writes it: private ones begin with `_`."""
    return f"_{name[1:]}" if name[:1] in ":$" else name


def located(
    outputs: Mapping[Label, FileValue], attributes: Mapping[str, AttributeOf], release: Release
) -> tuple[Mapping[Label, tuple[FileValue, ...] | Unknown], Unknown | None]:
    """What `$(location)` may name: the `outputs` of a rule, and what it depends on; and why there
    may be more. Bazel: `LocationExpander.buildLocationMap`."""
    found: dict[Label, tuple[FileValue, ...] | Unknown] = {
        label: (file,) for label, file in outputs.items()
    }
    doubt: Unknown | None = None
    for name in ("srcs", "deps", "tools"):
        attribute = attributes.get(name)
        if attribute is None or attribute.definition.type is not AttributeType.LABEL_LIST:
            continue
        for label in labels_of(attribute.value):
            target = label if isinstance(label, Unknown) else attribute.targets.get(label)
            if not isinstance(target, TargetValue) or isinstance(label, Unknown):
                doubt = doubt or (target if isinstance(target, Unknown) else None)
                if isinstance(target, Unknown) and isinstance(label, Label):
                    found[label] = target
                continue
            files = _files_of(target, is_source=name == "srcs")
            found[label] = files
            if release.locations_are_behind_aliases:
                found[target.implemented.label] = files
    return found, doubt


def _files_of(target: TargetValue, is_source: bool) -> tuple[FileValue, ...] | Unknown:
    """The files that a target stands for: its program, if it has one and is no source."""
    executable = target.implemented.default.executable
    if isinstance(executable, UnknownValue) and not is_source:
        return executable.as_unknown()
    if isinstance(executable, FileValue) and not is_source:
        return (executable,)
    return target.implemented.files()


def labels_of(value: object) -> Iterable[Label | Unknown]:
    """The labels of a plain value of a label attribute, in order; of a dictionary, its own."""
    if isinstance(value, Label | Unknown):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from labels_of(one)
    else:
        for key, one in items_of(value):
            if isinstance(key, Label):
                yield key
            if isinstance(one, Label):
                yield one


def items_of(value: object) -> Iterable[tuple[object, object]]:
    """The pairs of a plain value of a dictionary."""
    items = getattr(value, "items", ())
    return items if isinstance(items, tuple) else ()
