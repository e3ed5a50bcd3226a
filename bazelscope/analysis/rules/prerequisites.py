"""What an attribute of a Starlark rule does not take of what it is given: files of other types,
targets without a provider, several files where one is wanted, what is not executable.

Asked is what surely is so; who only hands on what nobody can tell is left in peace.
Bazel: `RuleContext.Builder.validateDirectPrerequisite`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import described, listed, misplaced_file
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.rules.provided import Implemented
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.values.structs import Provider

OF_PACKAGE_GROUPS = "PackageSpecificationInfo"
MISPLACED_GROUP = (
    "package group '{}' is misplaced here (they are only allowed in the visibility attribute)"
)


class Problem(NamedTuple):
    """One thing that an attribute does not take; `lacks_provider` tells which kind it is of, and
    `absent` what it names if that is not there."""

    attribute: str
    message: str
    lacks_provider: bool = False
    absent: Label | None = None


def problems_of(
    rule_class: str,
    name: str,
    spec: AttributeSpec,
    target: Implemented,
    graph: ConfiguredGraph,
    node: ConfiguredNode,
) -> Iterator[Problem]:
    """What is wrong with one target in the attribute `name`, to which the `node` leads, perhaps
    through aliases."""
    endings = _endings(spec.files)
    if target.is_file:
        if endings is not None and not target.label.name.endswith(endings or ("\0",)):
            kind = "generated file" if target.outputs else "source file"
            message, absent = misplaced_file(graph, node, kind, endings)
            yield Problem(name, message, absent=absent)
        return
    problem = _problem_of_rule(name, spec, target, graph, node)
    if problem is not None:
        yield problem
        return
    problem = _problem_of_files(rule_class, name, spec, target)
    if problem is not None:
        yield problem
    elif spec.executable and target.default.executable is None:
        yield Problem(name, f"{target.label} does not refer to a valid executable target")


def takes_package_groups(spec: AttributeSpec) -> bool:
    """Whether an attribute asks for what a package group provides, or may.
    Bazel: `CommonPrerequisiteValidator.checkForMisplacedPackageGroups`."""
    if not isinstance(spec.providers, list | tuple):
        return spec.providers is not None
    flat = [
        each
        for one in spec.providers
        for each in (one if isinstance(one, list | tuple) else (one,))
    ]
    return any(
        _name(each) == OF_PACKAGE_GROUPS if isinstance(each, Provider | str) else True
        for each in flat
    )


def _problem_of_rule(
    name: str,
    spec: AttributeSpec,
    target: Implemented,
    graph: ConfiguredGraph,
    node: ConfiguredNode,
) -> Problem | None:
    """What is wrong with a rule for its class and for what it provides: one of both has to do.
    Bazel: `validateRuleDependency`."""
    alternatives = _alternatives(spec.providers)
    lacks = bool(alternatives) and not (spec.aspects or _provides(target, alternatives))
    without = f"'{target.label}' does not have mandatory providers: "
    if spec.rules is None:
        return Problem(name, without + _lacking(target, alternatives), True) if lacks else None
    if target.rule_class in ("", *spec.rules) or (alternatives != [] and not lacks):
        return None
    wanted = listed(spec.rules) or "nothing"
    what = described(graph, node, f"{target.rule_class} rule")
    message = f"{what} is misplaced here (expected {wanted})"
    also = f" and {without}{_lacking(target, alternatives)}" if lacks else ""
    return Problem(name, message + also)


def _problem_of_files(
    rule_class: str, name: str, spec: AttributeSpec, target: Implemented
) -> Problem | None:
    endings = _endings(spec.files)
    if spec.files in (None, False):
        return None
    files = target.files()
    number = 2 if target.has_many_files else None if isinstance(files, Unknown) else len(files)
    if spec.is_single_file and number not in (None, 1):
        return Problem(name, f"'{target.label}' must produce a single file")
    if endings:
        lacks = not produces(target, lambda file: file.endswith(endings), endings)
    else:
        lacks = number == 0 and not spec.may_be_empty
    if not lacks:
        return None
    what = f"'{target.label}' does not produce any {rule_class} {name} files"
    return Problem(name, f"{what} (expected {listed(endings or ()) or 'any files'})")


def produces(target: Implemented, takes: Callable[[str], bool], endings: Iterable[str]) -> bool:
    """Whether a target is built to a file that an attribute takes, or may be: `takes` tells of a
    name, `endings` are those of all that is taken."""
    files = target.files()
    if not isinstance(files, Unknown):
        return any(file.is_directory or takes(file.inside) for file in files)
    if target.endings is None:
        return True
    return any(
        has.endswith(wanted) or wanted.startswith(has)
        for has in target.endings
        for wanted in endings
    )


def _endings(files: object) -> tuple[str, ...] | None:
    """The endings of names that are taken: none at all, or any (None)."""
    if files is None or files is False:
        return ()
    if isinstance(files, list | tuple) and all(isinstance(one, str) for one in files):
        return tuple(files)
    return None


_Wanted = Provider | str
"""A provider, or the name of a field of what a rule returns, as old rules have them."""


def _alternatives(providers: object) -> list[list[_Wanted]]:
    """Lists of providers of which one must be there as a whole; none if nothing is asked. One
    that is not plain is empty: any target has it."""
    given = list(providers) if isinstance(providers, list | tuple) else []
    lists = [one if isinstance(one, list | tuple) else None for one in given]
    several: list[Iterable[object]] = [given] if None in lists else [one for one in lists if one]
    alternatives: list[list[_Wanted]] = []
    for one in several:
        wanted = [each for each in one if isinstance(each, Provider | str)]
        alternatives.append(wanted if len(wanted) == len(list(one)) else [])
    return alternatives


def _provides(target: Implemented, alternatives: list[list[_Wanted]]) -> bool:
    """Whether a target has, or may have, what is wanted."""
    return any(all(_has(target, each) for each in one) for one in alternatives)


def _has(target: Implemented, wanted: _Wanted) -> bool:
    if isinstance(wanted, Provider):
        return wanted.name == "DefaultInfo" or target.provider(wanted) is not None
    is_open = target.is_native or target.others is not None
    return is_open or wanted in target.legacy


def _lacking(target: Implemented, alternatives: list[list[_Wanted]]) -> str:
    """The providers that a target lacks, of each alternative."""
    lacking = (
        [f"'{_name(each)}'" for each in one if not _has(target, each)] for one in alternatives
    )
    return " or ".join(one[0] if len(one) == 1 else f"[{', '.join(one)}]" for one in lacking)


def _name(wanted: _Wanted) -> str:
    return wanted.name if isinstance(wanted, Provider) else wanted
