"""Hashes of what a Starlark rule does: its class, its implementation, and every function that
these may call, by default without the places where it stands.

Functions are hashed one by one, with the names of those that they refer to: a rule's hash is of
all that can be reached from it, so that no order of looking at them counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from types import FunctionType

from bazelscope import starlark
from bazelscope.base.label import Label
from bazelscope.bazel.attribute_types import DictValue, ToolchainRequirement
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.bzl_files.value_hashes import (
    ValueHashes,
    hash_of,
    mentions,
    of_all,
    text_of,
)
from bazelscope.loading.evaluation.rules.aspect_values import Aspect
from bazelscope.loading.evaluation.rules.rule_values import (
    BuildSetting,
    NamedTransition,
    StarlarkRule,
    Transition,
)
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule

_SAID_ELSEWHERE = frozenset({"allowlist_problem", "attrs", "doc"})
"""Arguments of `rule()` that do nothing by themselves."""
_DATA = Label | DictValue | Enum | ToolchainRequirement


class RuleCode:
    """Hashes of the rules of one loader. `with_places`: which lines they stand in counts, too."""

    def __init__(self, modules: ModuleLoader, with_places: bool = False) -> None:
        self._modules = modules
        self._with_places = with_places
        self._functions: dict[FunctionType, tuple[bytes | None, tuple[FunctionType, ...]]] = {}

    def forget(self) -> None:
        """Drops all hashes: modules are made anew."""
        self._functions.clear()

    def of(self, file: Label, name: str) -> bytes | None:
        """A hash of the rule that a file exports under that name; None where nobody can tell
        what all of it does."""
        rule = self._rule_of(file, name)
        return None if rule is None else self.of_rule(rule)

    def may_mention(self, file: Label, name: str, word: str) -> bool:
        """Whether a name or a text in what the rule does may be `word`."""
        rule = self._rule_of(file, name)
        if rule is None or self.of_rule(rule) is None:
            return True
        return any(mentions(one.__code__, word) for one in self._functions_of(rule))

    def _rule_of(self, file: Label, name: str) -> StarlarkRule | None:
        module = self._modules.load(file).module
        rule = module.globals.get(name) if module is not None else None
        return rule if isinstance(rule, StarlarkRule) and rule.name == name else None

    def of_rule(self, rule: StarlarkRule | RepositoryRule) -> bytes | None:
        """A hash of what a rule does; None where nobody can tell all of it."""
        own = _Referring(self._with_places).of(rule)
        digests = [own, *(self._of_function(one)[0] for one in self._functions_of(rule))]
        if None in digests:
            return None
        return hash_of(sorted(digest for digest in digests if digest is not None))

    def _functions_of(self, rule: object) -> Iterable[FunctionType]:
        """All functions that a rule may call, but those inside of others."""
        values = _Referring(self._with_places)
        values.of(rule)
        reached = dict.fromkeys(values.functions)
        pending = list(reached)
        for function in pending:
            new = [one for one in self._of_function(function)[1] if one not in reached]
            reached.update(dict.fromkeys(new))
            pending += dict.fromkeys(new)
        return reached

    def _of_function(self, function: FunctionType) -> tuple[bytes | None, tuple[FunctionType, ...]]:
        known = self._functions.get(function)
        if known is None:
            values = _Referring(self._with_places)
            digest = values.code_of(function)
            known = self._functions[function] = digest, tuple(values.functions)
        return known


class _Referring(ValueHashes):
    """Hashes one value, and notes the `functions` that it refers to by their names."""

    def __init__(self, with_places: bool) -> None:
        super().__init__(with_places)
        self.functions: list[FunctionType] = []

    def of(self, value: object) -> bytes | None:
        """A hash of a value."""
        return self._value(value)

    def code_of(self, function: FunctionType) -> bytes | None:
        """A hash of a function itself."""
        return self._called(function)

    def _named(self, function: FunctionType) -> bytes | None:
        if starlark.is_global(function):
            self.functions.append(function)
            return text_of((function.__code__.co_filename, function.__code__.co_name))
        try:
            held = [cell.cell_contents for cell in function.__closure__ or ()]
        except ValueError:
            return None
        return of_all((self._called(function), *map(self._value, held)))

    def _compound(self, value: object) -> bytes | None:
        if isinstance(value, _DATA):
            return text_of((value,))
        if isinstance(value, StarlarkRule):
            return self._rule(value)
        if isinstance(value, RepositoryRule):
            said = text_of((sorted(value.attributes.items()), value.environ, value.local))
            return self._of((value.name, value.implementation), said)
        if isinstance(value, AttributeSpec):
            parts = (value.default, value.compute, value.cfg, value.files, value.providers)
            bare = replace(
                value, default=None, aspects=(), compute=None, cfg=None, files=None, providers=()
            )
            return self._of((*parts, *value.aspects), text_of((bare,)))
        if isinstance(value, Aspect):
            return self._of((value.name, dict(value.specs), value.requires, value.options))
        if isinstance(value, Transition):
            return self._of((value.inputs, value.outputs, value.settings, value.implementation))
        if isinstance(value, NamedTransition):
            return text_of((value.transition_name,))
        if isinstance(value, BuildSetting):
            return text_of((value.type, value.flag, value.is_repeatable))
        return super()._compound(value)

    def _rule(self, rule: StarlarkRule) -> bytes | None:
        if not rule.name:
            return None
        kind = rule.kind
        rule_class = kind.rule_class
        if not self.with_places:
            rule_class = replace(rule_class, defined_at=())
        said = text_of((rule_class, kind.outputs))
        options = {k: v for k, v in rule.options.items() if k not in _SAID_ELSEWHERE}
        return self._of((dict(rule.specs), options), said)

    def _of(self, parts: tuple[object, ...], said: bytes = b"") -> bytes | None:
        return of_all((said, *map(self._value, parts)))
