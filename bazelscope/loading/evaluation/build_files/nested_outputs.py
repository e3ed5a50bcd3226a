"""Outputs of a package that would have to be files and directories at once."""

from __future__ import annotations

from collections.abc import Mapping

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
