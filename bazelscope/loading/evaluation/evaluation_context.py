"""What the natives of one loader share: which package or WORKSPACE is being evaluated.

Natives are made once and live in the dictionaries of predeclared names; what they act on
changes with every file. This object holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope import starlark
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.loading.evaluation.label_value import LabelStyle, LabelValue
from bazelscope.loading.evaluation.opaque import Decider, Opaque
from bazelscope.loading.evaluation.unknown_rules import UnknownRules

if TYPE_CHECKING:
    from bazelscope.loading.evaluation.package_builder import PackageBuilder
    from bazelscope.loading.evaluation.repository_access import WorkspaceCalls

_NO_MAPPING: Mapping[str, str] = {}


class EvaluationContext:
    """One per loader. `package` and `workspace` are set while such a file is evaluated;
    both are None while a `.bzl` file itself runs. It is the `Recorder` of opaque values."""

    def __init__(self, rules: NativeRules, refuses_empty_globs: bool = False) -> None:
        self.rules = rules
        self.refuses_empty_globs = refuses_empty_globs
        self.release = rules.release
        self.label_style = LabelStyle(rules.release, lambda name: self.canonical_of(name))
        self.package: PackageBuilder | None = None
        self.workspace: WorkspaceCalls | None = None
        self.decider: Decider | None = None
        """Set while a repository rule runs dry."""
        self.unknowns: list[Unknown] = []
        """What the module being evaluated could not know (outside of any package)."""
        self.label_of_path: dict[str, Label] = {}
        """Display path of each loaded file to its label, for labels relative to it."""
        self._labels: dict[tuple[PackageId, str], LabelValue] = {}
        self.mapping_of: Callable[[str], Mapping[str, str]] = lambda repository: _NO_MAPPING
        self.canonical_of: Callable[[str], str] = lambda repository: repository
        self.module_of: Callable[[str], tuple[str, str] | None] = lambda repository: None
        """Name and version of the module that a repository is, where its file was read."""

    @cached_property
    def unknown_rules(self) -> UnknownRules:
        """What is made of calls of symbols that may be rules."""
        return UnknownRules(self.rules)

    @contextmanager
    def evaluating(
        self, package: PackageBuilder | None = None, workspace: WorkspaceCalls | None = None
    ) -> Iterator[None]:
        """Makes natives act on `package` or `workspace` (on nothing, with neither)."""
        before = self.package, self.workspace
        self.package, self.workspace = package, workspace
        try:
            yield
        finally:
            self.package, self.workspace = before

    @contextmanager
    def deciding(self, decider: Decider) -> Iterator[None]:
        """Makes `decider` answer what opaque values are asked."""
        before = self.decider
        self.decider = decider
        try:
            yield
        finally:
            self.decider = before

    def record_unknown(self, unknown: Unknown) -> None:
        if self.package is not None:
            self.package.record_unknown(unknown)
        elif self.workspace is not None:
            self.workspace.unknown_call(unknown, {}, starlark.call_stack())
        else:
            self.unknowns.append(unknown)

    def declare_unknown_rule(
        self, rule: Opaque, arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> None:
        if self.package is not None:
            kind = self.unknown_rules.kind(rule.name, keywords, self.package.conversion)
            self.package.declare_unknown_rule(rule, kind, arguments, keywords)
        elif self.workspace is not None:
            self.workspace.unknown_call(rule.unknown, keywords, starlark.call_stack())

    def opaque(self, reason: Reason, subject: str, detail: str = "") -> Opaque:
        """An unknown value, noted at the place that is being evaluated."""
        stack = starlark.call_stack()
        location = stack[-1].location if stack else None
        return Opaque(Unknown(reason, subject, detail, location), subject, self)

    def label_value(self, label: Label) -> LabelValue:
        return LabelValue(label, self.label_style)

    def calling_file(self) -> PackageId:
        """The package of the file whose code is running now. Bazel: a label in a `.bzl`
        file is relative to the file of the innermost Starlark function."""
        owner = starlark.calling_owner()
        if isinstance(owner, Label):
            return owner.package_id
        return self.package.id if self.package is not None else PackageId("", "")

    def label(self, text: str) -> LabelValue:
        """`Label(text)` in the file whose code is running now. Raises `LabelError`."""
        base = self.calling_file()
        known = self._labels.get((base, text))
        if known is None:
            label = parse_label(text, base, self.mapping_of(base.repository))
            known = self._labels[base, text] = self.label_value(label)
        return known

    def current_package(self, function: str) -> PackageBuilder:
        """The package being evaluated; an error of Bazel's where there is none."""
        if self.package is None:
            starlark.fail_with(
                f"{function}() can only be used while evaluating a BUILD file"
                " (or in a macro that a BUILD file calls)"
            )
        return self.package
