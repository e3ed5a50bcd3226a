"""Outputs of a package that would have to be files and directories at once, or inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bazelscope.base.label import PackageId
from bazelscope.bazel.attribute_types import INPUT_TYPES, RuleClass
from bazelscope.bazel.encoded_values import Encoded, texts_of
from bazelscope.loading.packages.encoded_targets import (
    OUTPUT,
    TargetData,
    generating_rule,
    shape_of,
)


def nested_output(
    targets: Mapping[str, TargetData],
    directories: dict[str, tuple[str, str]],
    name: str,
    output: str,
    own: set[str],
) -> str | None:
    """What Bazel says of an output that would have to be a file and a directory; `directories` of
    generated files have the first such file and its rule, and get those of `output`.

    Bazel: `Package.Builder.checkForExistingTargetsOutputs`, `outputFilePrefixes`.
    """
    other = directories.get(output)
    directory = ""
    for part in output.split("/")[:-1] if "/" in output else ():
        directory = f"{directory}/{part}" if directory else part
        existing = targets.get(directory)
        if directory in own or (existing is not None and shape_of(existing) == OUTPUT):
            other = (directory, name if existing is None else generating_rule(existing))
        directories.setdefault(directory, (output, name))
    if other is None:
        return None
    if other[1] == name:
        return f"rule '{name}' has conflicting output files '{output}' and '{other[0]}'"
    return (
        f"output file '{output}' of rule '{name}' conflicts with output file '{other[0]}' of"
        f" rule '{other[1]}'"
    )


def input_made(
    package: PackageId,
    rule_class: RuleClass,
    attributes: Mapping[str, Encoded],
    outputs: Iterable[str],
) -> str | None:
    """Returns the first output of a rule that it reads as an input, too; None if it reads none.
    Bazel: `Package.Builder.checkForInputOutputConflicts`."""
    made = {f"{package}:{output}": output for output in outputs}
    for name, value in attributes.items():
        definition = rule_class.attributes.get(name)
        if definition is None or definition.nodep or definition.type not in INPUT_TYPES:
            continue
        for text in texts_of(value):
            if text in made:
                return made[text]
    return None
