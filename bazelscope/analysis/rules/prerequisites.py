"""What an attribute of a Starlark rule does not take of what it is given: files of other types,
targets without a provider, several files where one is wanted, what is not executable.

Asked is what surely is so; who only hands on what nobody can tell is left in peace.
Bazel: `RuleContext.Builder.validateDirectPrerequisite`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bazelscope.analysis.rules.files import FileValue
from bazelscope.analysis.rules.provided import Implemented
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.values.structs import Provider


class Problem(NamedTuple):
    """One thing that an attribute does not take; `lacks_provider` tells which kind it is of."""

    attribute: str
    message: str
    lacks_provider: bool = False


def problems_of(
    rule_class: str, name: str, spec: AttributeSpec, target: Implemented
) -> Iterator[Problem]:
    """What is wrong with one target in the attribute `name`."""
    endings = _endings(spec.files)
    if target.is_file:
        if endings is not None and not target.label.name.endswith(endings or ("\0",)):
            wanted = " or ".join(endings) or "no files"
            kind = "generated file" if target.outputs else "source file"
            yield Problem(name, f"{kind} '{target.label}' is misplaced here (expected {wanted})")
        return
    if not spec.aspects and not _provides(target, spec.providers):
        yield Problem(
            name,
            f"'{target.label}' does not have mandatory providers: {_lacking(target, spec)}",
            True,
        )
        return
    files = target.files()
    if isinstance(files, Unknown) or spec.files in (None, False):
        return
    if spec.is_single_file and len(files) != 1:
        yield Problem(name, f"'{target.label}' must produce a single file")
    elif endings and not any(_is_of(file, endings) for file in files):
        wanted = " or ".join(endings)
        yield Problem(
            name,
            f"'{target.label}' does not produce any {rule_class} {name} files (expected {wanted})",
        )


def _endings(files: object) -> tuple[str, ...] | None:
    """The endings of names that are taken: none at all, or any (None)."""
    if files is None or files is False:
        return ()
    if isinstance(files, list | tuple) and all(isinstance(one, str) for one in files):
        return tuple(files)
    return None


def _is_of(file: FileValue, endings: tuple[str, ...]) -> bool:
    return file.is_directory or file.inside.endswith(endings)


def _alternatives(providers: object) -> list[list[Provider]] | None:
    """Lists of providers of which one must be there as a whole; None where that is not plain."""
    given = list(providers) if isinstance(providers, list | tuple) else []
    lists = [one if isinstance(one, list | tuple) else None for one in given]
    several: Iterable[Iterable[object]] = (
        [given] if None in lists else [one for one in lists if one]
    )
    alternatives: list[list[Provider]] = []
    for one in several:
        alternative = [provider for provider in one if isinstance(provider, Provider)]
        if len(alternative) != len(list(one)):
            return None
        alternatives.append(alternative)
    return alternatives


def _provides(target: Implemented, providers: object) -> bool:
    """Whether a target has, or may have, what is wanted."""
    alternatives = _alternatives(providers)
    if not alternatives or not all(alternatives):
        return True
    return any(
        all(target.provider(one) is not None or one.name == "DefaultInfo" for one in alternative)
        for alternative in alternatives
    )


def _lacking(target: Implemented, spec: AttributeSpec) -> str:
    """The providers that a target lacks, of each alternative."""
    return " or ".join(
        ", ".join(f"'{one.name}'" for one in alternative if target.provider(one) is None)
        for alternative in _alternatives(spec.providers) or ()
    )
