"""What Bazel refuses of `environment_group`: of a call, by what it is given alone; and of the
environments that it names, when the whole package is known.

Bazel: `EnvironmentGroup`, `Package.Builder.addEnvironmentGroup`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.loading.packages.encoded_targets import (
    RULE,
    TargetData,
    class_number,
    explicit_values,
    shape_of,
)
from bazelscope.loading.packages.package_data import labels_of


def problems_of_group(
    group: Label, environments: Sequence[Label], defaults: Sequence[Label], package: PackageId
) -> list[str]:
    """Returns Bazel's errors about a group of environments, in its order."""
    if not environments:
        return [f"environment group {group.name} must contain at least one environment"]
    repeated = [
        f"label '{label}' is duplicated in the '{what}' list of '{group.name}'"
        for what, labels in (("environments", environments), ("defaults", defaults))
        for label in dict.fromkeys(labels)
        if labels.count(label) > 1
    ]
    if repeated:
        return repeated
    elsewhere = [
        f"{label} is not in the same package as group {group}"
        for label in environments
        if label.package_id != package
    ]
    return elsewhere + [
        f"default {label} is not a declared environment for group {group}"
        for label in defaults
        if label not in environments
    ]


def problems_of_members(
    environments: Sequence[Label], targets: Mapping[str, TargetData], classes: Sequence[RuleClass]
) -> Iterator[str]:
    """Yields Bazel's errors about the environments of a group and what these fulfill."""
    for label in environments:
        problem = _problem_of_member(label, environments, targets, classes)
        if problem:
            yield problem
            continue
        fulfilled = dict(explicit_values(targets[label.name])).get("fulfills", ())
        for other in labels_of(fulfilled if type(fulfilled) is tuple else ()):
            problem = _problem_of_member(other, environments, targets, classes)
            if problem:
                yield f'in "fulfills" attribute of {label}: {problem}'


def _problem_of_member(
    label: Label,
    environments: Sequence[Label],
    targets: Mapping[str, TargetData],
    classes: Sequence[RuleClass],
) -> str:
    target = targets.get(label.name)
    if target is None:
        return f"environment {label} does not exist"
    here = Label(environments[0].repository, environments[0].package, label.name)
    if shape_of(target) != RULE or classes[class_number(target)].name != "environment":
        return f"{here} is not a valid environment"
    return "" if here in environments else f"{here} is not a member of this group"
