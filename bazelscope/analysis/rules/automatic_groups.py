"""What is refused of actions where each toolchain type of a rule has an execution group of its own:
an action says by `toolchain` in which of them it runs.

Bazel: `StarlarkActionFactory`, `RuleContext.useAutoExecGroups`, and the page on automatic execution
groups of its documentation. Read from these, not measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bazelscope import starlark
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.rules.files import FileValue
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import ExecGroup
from bazelscope.loading.evaluation.rules.aspect_values import Aspect
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.evaluation.values.depsets import Depset, elements_of
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import Struct
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.packages.targets import Rule

AUTOMATIC = "_use_auto_exec_groups"
"""The attribute by which a rule or an aspect has such groups whatever the option says."""
_OPTION = "incompatible_auto_exec_groups"
_NO_TOOLCHAIN_NAMED = (
    "Couldn't identify if tools are from implicit dependencies or a toolchain. Please set the"
    " toolchain parameter. If you're not using a toolchain, set it to 'None'."
)
_NOT_OF_THE_GROUP = (
    "`toolchain` and `exec_group` parameters inside actions.{run, run_shell} are not compatible;"
    " use one of them or define `toolchain` which is compatible with the exec_group (already exists"
    " inside the `exec_group`)"
)


@dataclass(frozen=True, slots=True)
class AutomaticGroups:
    """The groups that actions of one rule may run in."""

    types: frozenset[Label]
    """The toolchain types that have one each."""
    named: Mapping[str, frozenset[Label] | None]
    """The toolchain types of those that have a name; None where they are not known."""
    are_asked_for: bool
    """Whether an action has to say where its tools come from."""
    package: Label
    programs: Callable[[], frozenset[FileValue] | None]
    """Gives the programs of attributes; None if one of them is not known."""

    def check(self, given: Mapping[str, object]) -> None:
        """Fails if an action with these arguments (`run`, `run_shell`) does not name a toolchain
        that its tools may come from, or one that the rule does not ask for."""
        group, toolchain = given.get("exec_group"), given.get("toolchain")
        if isinstance(group, UnknownValue) or isinstance(toolchain, UnknownValue):
            return
        if group is None and self.are_asked_for and "toolchain" not in given:
            tools = list(_tools(given))
            if tools and self._is_from_elsewhere(tools):
                starlark.fail_with(_NO_TOOLCHAIN_NAMED)
        label = self._label(toolchain)
        if label is None:
            return
        if group is None and label not in self.types:
            starlark.fail_with(f"Action declared for non-existent toolchain '{label}'.")
        types = self.named.get(group) if isinstance(group, str) else None
        if types is not None and label not in types:
            starlark.fail_with(_NOT_OF_THE_GROUP)

    def _is_from_elsewhere(self, tools: list[object]) -> bool:
        """Whether one of some tools surely is no program of an attribute."""
        programs = self.programs()
        if programs is None:
            return any(isinstance(one, Depset) for one in tools)
        return any(isinstance(one, Depset) or one not in programs for one in tools)

    def _label(self, toolchain: object) -> Label | None:
        """The toolchain type that an action names, as far as that is known: what texts mean in
        other repositories is not."""
        if isinstance(toolchain, LabelValue):
            return toolchain.label
        is_known = isinstance(toolchain, str) and toolchain.startswith("//")
        if not is_known or self.package.repository:
            return None
        assert isinstance(toolchain, str)
        try:
            return parse_label(toolchain, PackageId("", ""))
        except LabelError:
            return None


def _tools(given: Mapping[str, object]) -> Iterator[object]:
    """The files that an action runs, and depsets of them among its tools."""
    tools = given.get("tools")
    listed = elements_of(tools) if isinstance(tools, list | tuple | Depset) else ()
    for one in (given.get("executable"), *listed):
        if isinstance(one, Struct):
            one = one.fields.get("executable")
        if isinstance(one, FileValue | Depset):
            yield one


def automatic_groups(
    rule: Rule,
    made: StarlarkRule | Aspect,
    said: object,
    configuration: Configuration,
    programs: Callable[[], frozenset[FileValue] | None],
) -> AutomaticGroups | None:
    """Returns the groups of a rule, or of an aspect on it; None if none is automatic, or which ones
    are is not known. `said` is the value of its attribute `AUTOMATIC`, None if it has none such."""
    release = configuration.release
    if not release.automatic_exec_groups:
        return None
    if not (configuration.is_on(_OPTION) if said is None else isinstance(said, int) and said):
        return None
    of_class = rule.rule_class
    own, *named = of_class.exec_groups or (ExecGroup("", of_class.toolchains, ()),)
    types: object = own.toolchains
    if isinstance(made, Aspect):
        types, named = made.options.get("toolchains") or (), []
        if made.options.get("exec_groups") is not None:
            return None
    if not isinstance(types, tuple) or any(isinstance(one, Unknown) for one in types):
        return None
    is_test = of_class.is_test and isinstance(made, StarlarkRule)
    has_groups = bool(types or named or is_test)
    return AutomaticGroups(
        frozenset(one.type for one in types),
        {one.name: _types_of(one) for one in named},
        has_groups or not release.lone_actions_name_no_toolchain,
        rule.label,
        programs,
    )


def _types_of(group: ExecGroup) -> frozenset[Label] | None:
    if any(isinstance(one, Unknown) for one in group.toolchains):
        return None
    return frozenset(one.type for one in group.toolchains if not isinstance(one, Unknown))
