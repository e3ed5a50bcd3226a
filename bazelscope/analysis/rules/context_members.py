"""Members of `ctx` that are asked for one by one, by name (`ctx.attr.deps`) or toolchain type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import ClassVar

from bazelscope import starlark
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.rules.provided import unmodelled
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


@dataclass(slots=True, eq=False, repr=False)
class Members(starlark.Value):
    """Named values, each made when it is asked for (`ctx.attr`, `ctx.files`). `hidden` are not
    listed until then; `more` is given for any other name, where there may be more."""

    starlark_type: ClassVar[str] = "struct"
    name: str
    makers: Mapping[str, Callable[[], object]]
    hidden: frozenset[str] = frozenset()
    more: UnknownValue | None = None
    _made: dict[str, object] = field(default_factory=dict, init=False)

    def get_attr(self, name: str) -> object:
        if name not in self._made:
            maker = self.makers.get(name)
            if maker is None and self.more is not None:
                return self.more.get_attr(name)
            if maker is None:
                raise AttributeError(name)
            value = maker()
            starlark.freeze(value)
            self._made[name] = value
        return self._made[name]

    def attr_names(self) -> Iterable[str]:
        return sorted(self.makers.keys() - (self.hidden - self._made.keys()))

    def has(self, name: str) -> bool:
        """Whether there is one of that name."""
        return name in self.makers

    def is_made(self, name: str) -> bool:
        """Whether a value has been asked for."""
        return name in self._made

    def to_repr(self) -> str:
        inside = ", ".join(
            f"{name} = {starlark.repr_of(self.get_attr(name))}" for name in self.attr_names()
        )
        return f"{self.name}({inside})"


OLD_ACTIONS = frozenset(
    {
        *("action", "empty_action", "experimental_new_directory", "file_action", "new_file"),
        "template_action",
    }
)
"""What registers actions, or declares files, in old releases."""
_NEW_ACTIONS = (
    "The new file and action functions are deprecated in favor of `ctx.actions`; ctx.{} is no"
    " longer there. Use --incompatible_new_actions_api=false to temporarily disable this check."
)


def refuse_member(name: str, context: EvaluationContext, own: Configuration) -> None:
    """Fails if `ctx` of a rule has no such member in this release, or not under these flags."""
    members = context.builtins.members("ctx")
    if name in ("rule", "aspect_ids"):
        starlark.fail_with(f"'{name}' is only available in aspect implementations")
    if members is None:
        return
    if name in OLD_ACTIONS and own.is_on("incompatible_new_actions_api") and name in members:
        starlark.fail_with(_NEW_ACTIONS.format(name))
    if name not in members or (name == "exec_groups" and not own.is_on("experimental_exec_groups")):
        raise AttributeError(name)


class SplitAttributes(Members):
    """`ctx.split_attr`."""

    __slots__ = ()


@dataclass(slots=True, eq=False, repr=False)
class Toolchains(starlark.Value):
    """`ctx.toolchains`: what resolution chose, by toolchain type; the rule asks for `_asked`."""

    starlark_type: ClassVar[str] = "ToolchainContext"
    _context: EvaluationContext
    _chosen: Mapping[Label, object]
    _rule: str = ""
    _asked: object = None

    def _label(self, key: object) -> Label | None:
        if not isinstance(key, LabelValue | str | UnknownValue):
            starlark.fail_with(
                "Toolchains only supports indexing by toolchain type, got"
                f" {starlark.type_of(key)} instead"
            )
        if isinstance(key, LabelValue):
            return key.label
        if isinstance(key, str):
            value = self._context.label(key)
            return value.label if isinstance(value, LabelValue) else None
        return None

    def _knows_all(self) -> bool:
        """Whether the types that the rule asks for are all among those that are known."""
        asked = self._asked if self._asked is not None else ()
        return isinstance(asked, list | tuple) and len(asked) <= len(self._chosen)

    def index(self, key: object) -> object:
        if isinstance(key, UnknownValue):
            return key.derive(f"ctx.toolchains[{key.text}]")
        label = self._label(key)
        if self._rule and label is not None and label not in self._chosen and self._knows_all():
            style = self._context.label_style
            listed = ", ".join(map(style, self._chosen))
            starlark.fail_with(
                f"In {self._rule}, toolchain type {style(label)} was requested but only types"
                f" [{listed}] are configured"
            )
        if label is None or label not in self._chosen:
            return unmodelled(f"ctx.toolchains[{starlark.str_of(key)}]", self._context)
        return self._chosen[label]

    def contains(self, key: object) -> object:
        return self._label(key) in self._chosen

    def to_repr(self) -> str:
        return "<toolchain_context.resolved_labels: ...>"


@dataclass(slots=True, eq=False, repr=False)
class ExecutionGroups(starlark.Value):
    """`ctx.exec_groups`: by name, each with its `toolchains`. `_more` are names of groups that
    Bazel adds to a rule; None if there may be any."""

    starlark_type: ClassVar[str] = "ExecGroupCollection"
    _context: EvaluationContext
    _groups: Mapping[str, Toolchains]
    _rule: str = ""
    _more: frozenset[str] | None = None

    def names(self) -> frozenset[str] | None:
        """The names of all groups; None if there may be others."""
        return None if self._more is None else self._more | self._groups.keys()

    def index(self, key: object) -> object:
        if isinstance(key, UnknownValue):
            return key.derive(f"ctx.exec_groups[{key.text}]")
        what = f"ctx.exec_groups[{starlark.repr_of(key)}]"
        toolchains = self._groups.get(key) if isinstance(key, str) else None
        if toolchains is None and self._more is not None and key not in self._more:
            starlark.fail_with(
                f"In {self._rule}, unrecognized exec group '{starlark.str_of(key)}' requested."
                f" Available exec groups: [{', '.join(self._groups)}]"
            )
        if toolchains is None:
            return unmodelled(what, self._context)
        return Members("exec_group", {"toolchains": lambda: toolchains})

    def contains(self, key: object) -> object:
        return key in self._groups
