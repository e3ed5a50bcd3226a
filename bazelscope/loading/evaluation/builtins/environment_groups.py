"""What Bazel refuses of a call of `environment_group` by what it is given alone.

Whether its environments are there is known when the whole package is. Bazel:
`EnvironmentGroup.validateMembership`, `Package.Builder.addEnvironmentGroup`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope.base.label import Label, PackageId


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
