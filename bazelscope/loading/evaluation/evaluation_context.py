"""What the natives of one loader act on: the package or the WORKSPACE that is being evaluated.

Natives are made once and live in the dictionaries of predeclared names; what they act on
changes with every file. The `EvaluationContext` holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic, Note
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack, Frame, Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.encoded_values import Encoded
from bazelscope.bazel.release import Release
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.loading.evaluation.attribute_values.conversion import Conversion
from bazelscope.loading.evaluation.attribute_values.rule_kinds import RuleKind
from bazelscope.loading.evaluation.values.exportable import Exportable
from bazelscope.loading.evaluation.values.label_value import LabelStyle, LabelValue
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.values.symbolic_values import TAKEN, Decider, UnknownValue
from bazelscope.loading.packages.encoded_targets import TargetData
from bazelscope.loading.packages.macro_homes import HomeData, is_within
from bazelscope.loading.tree.globs import PackageFiles

if TYPE_CHECKING:
    from bazelscope.bazel.builtin_tables import BuiltinTable

_NO_MAPPING: Mapping[str, str] = {}


GLOBALS = "globals"
"""The module, in tables of builtins, of what files see without one: `rule`, `depset`."""


@dataclass(slots=True)
class MacroFrame:
    """One symbolic macro that is running: its value, the `name` of the call, where its targets
    are at home, and the macros around it."""

    macro: Exportable
    name: str
    home: HomeData
    run: Callable[..., object]
    is_finalizer: bool
    around: tuple[MacroFrame, ...]
    called: starlark.RawStack
    """Where it was called; a finalizer runs later."""
    has_main: bool = False
    """Whether a macro in it has its name; another target or macro may then not."""

    @property
    def package(self) -> PackageId:
        """That of the file which exports the macro."""
        return PackageId(*self.home[2][0])

    def admits(self, name: str) -> bool:
        """Whether a target or macro in the macro may have that name."""
        return is_within(name, self.name)


class CurrentPackage(Protocol):
    """The package whose BUILD file is running: what rules, macros and functions do to it."""

    id: PackageId
    release: Release
    label_style: LabelStyle
    repo_mapping: Mapping[str, str]
    files: PackageFiles | None
    targets: dict[str, TargetData]
    classes: list[RuleClass]
    defaults: dict[str, Encoded]
    diagnostics: list[Diagnostic]
    may_lack: Unknown | None
    package_was_called: bool
    macros: list[MacroFrame]
    macro_names: set[str]
    licensed_files: set[str]
    rules_before_finalizers: tuple[str, ...] | None
    shown_rules: dict[str, tuple[TargetData, starlark.Dict]]
    finalizers: list[tuple[MacroFrame, Mapping[str, object]]]

    @property
    def conversion(self) -> Conversion: ...
    def add_rule(
        self, kind: RuleKind, positional: tuple[object, ...], keywords: Mapping[str, Any]
    ) -> None: ...
    def add_group(
        self, name: str, packages: tuple[str, ...], includes: tuple[Encoded, ...]
    ) -> None: ...
    def add_environments(self, name: str, environments: Encoded, defaults: Encoded) -> None: ...
    def export_file(self, name: str, visibility: tuple[Encoded, ...] | None = None) -> None: ...
    def declare_unknown_rule(self, rule: UnknownValue, keywords: Mapping[str, object]) -> None: ...
    def record_unknown(self, unknown: Unknown) -> None: ...
    def report(
        self, code: str, message: str, notes: tuple[Note, ...] = (), warning: bool = False
    ) -> None: ...
    def refuse(self, code: str, message: str, notes: tuple[Note, ...] = ()) -> None: ...
    def report_once(self, subject: str, code: str, message: str) -> None: ...
    def shown(self, name: str) -> str: ...
    def stack_number(self, raw: starlark.RawStack) -> int: ...
    def current_stack(self) -> starlark.RawStack: ...
    def generator(self, stack: int) -> tuple[str, str | None] | None: ...


class WorkspaceCalls(Protocol):
    """Who receives the calls that only a WORKSPACE evaluation allows."""

    def define_repository(
        self, rule: RepositoryRule | str, arguments: Mapping[str, object], stack: CallStack
    ) -> None:
        """`rule` was called: a repository rule's value, or a native one's name."""

    def bind(self, name: str, actual: object, stack: CallStack) -> None: ...
    def set_workspace_name(self, name: str, stack: CallStack) -> None: ...
    def register(self, what: str, patterns: Sequence[object], stack: CallStack) -> None:
        """`register_toolchains` or `register_execution_platforms`."""

    def unknown_call(self, unknown: Unknown, stack: CallStack) -> None:
        """A symbol of an unknown file was called, which may define anything."""

    def declare_unknown_rule(
        self, rule: UnknownValue, keywords: Mapping[str, object], stack: CallStack
    ) -> None:
        """A symbol of an unknown file was called with a `name`."""

    def existing_rules(self) -> Mapping[str, starlark.Dict]:
        """The definitions so far: name to attributes (with `name` and `kind`)."""

    def existing_rule(self, name: str) -> starlark.Dict | None:
        """Returns what `existing_rules` says of one name; None where nothing has it."""


class DoubtfulFiles(dict[str, Unknown]):
    """What `.bzl` files decided by something unknown when they were loaded, by display path; of
    patched models, their functions as well (`name()`)."""

    def __init__(self) -> None:
        self.of_names: dict[str, Callable[[str], object]] = {}
        """What tells the doubts of names, of files that load some of which others are in doubt."""

    def of_frame(self, frame: Frame) -> object:
        """The doubt of a file, or of its function alone, that was active when something failed."""
        path = frame.location.path
        told = self.of_names.get(path)
        return self.get(path) or (None if told is None else told(frame.function))


class EvaluationContext:
    """One per loader. `package` and `workspace` are set while such a file is evaluated;
    both are None while a `.bzl` file itself runs. It is the `Recorder` of opaque values."""

    def __init__(self, rules: NativeRules, refuses_empty_globs: bool = False) -> None:
        self.rules = rules
        self.refuses_empty_globs = refuses_empty_globs
        self.release = rules.release
        self.label_style = LabelStyle(rules.release, lambda name: self.canonical_of(name))
        self.package: CurrentPackage | None = None
        self.workspace: WorkspaceCalls | None = None
        self.decider: Decider | None = None
        """Set while a repository rule runs dry."""
        self.is_analysis = False
        """Set while the implementation of a rule runs dry."""
        self.run_subrule: Callable[..., object] | None = None
        """Set then, too: returns what a subrule comes to that the implementation calls."""
        self.is_initializing = False
        """Set while the initializer of a rule runs, which declares nothing."""
        self.unknown_calls = 0
        """How often implementations have called what nobody knows, which may do anything."""
        self.unknowns: list[Unknown] = []
        """What the module being evaluated could not know (outside of any package)."""
        self.unknowns_of_loads: list[Unknown] = []
        """What files that it loads took for empty without knowing it."""
        self.label_of_path: dict[str, Label] = {}
        """Display path of each loaded file to its label, for labels relative to it."""
        self.load_visibility: dict[Label, tuple[str, ...]] = {}
        """What `.bzl` files say of who may load them; nothing in a Bazel that does not ask."""
        self.doubtful_files = DoubtfulFiles()
        self.analysis_tests: dict[PackageId, dict[str, Exportable]] = {}
        """The rules that `testing.analysis_test()` made, by package and name of the class."""
        self._labels: dict[tuple[object, str], LabelValue] = {}
        """What `label` has made: by the file that asked, and the text."""
        self.mapping_of: Callable[[str], Mapping[str, str]] = lambda repository: _NO_MAPPING
        self.canonical_of: Callable[[str], str] = lambda repository: repository
        self.module_of: Callable[[str], tuple[str, str] | None] = lambda repository: None
        """Name and version of the module that a repository is, where its file was read."""

    @cached_property
    def builtins(self) -> BuiltinTable:
        """What Bazel's builtins are called with; few runs ask."""
        from bazelscope.bazel.builtin_tables import builtins_of

        return builtins_of(self.release)

    def checked(self, module: str, name: str, function: Callable[..., object]) -> starlark.Builtin:
        """A function that files call, which refuses what Bazel's does not take."""

        def call(*arguments: object, **given: object) -> object:
            table = self.builtins
            signature = table.checked_signature(module, name, self.release)
            if signature is None:
                made.function = function  # There is nothing to check the next time, either.
            else:
                from bazelscope.loading.evaluation.values.builtin_calls import check_call

                check_call(signature, arguments, given, table.is_exact)
            return function(*arguments, **given)

        made = starlark.Builtin(name, call)
        return made

    def note_doubts_of_names(self, module: starlark.Module) -> None:
        """Notes what tells in which doubt a `.bzl` file bound its names, if in any."""
        self.doubtful_files.of_names.pop(module.path, None)
        if module.doubt_of_name is not None:
            self.doubtful_files.of_names[module.path] = module.doubt_of_name

    def note_doubt(self, path: str, doubt: Unknown | None) -> None:
        """Notes what a `.bzl` file took for granted when it was loaded; None: nothing."""
        self.doubtful_files.pop(path, None)
        if doubt is not None:
            self.doubtful_files[path] = doubt

    @property
    def decides_by_types(self) -> bool:
        return self.package is None and self.workspace is None and self.decider is None

    @contextmanager
    def evaluating(
        self, package: CurrentPackage | None = None, workspace: WorkspaceCalls | None = None
    ) -> Iterator[None]:
        """Makes natives act on `package` or `workspace` (on nothing, with neither)."""
        before = self.package, self.workspace, self.is_analysis, self.run_subrule
        self.package, self.workspace, self.is_analysis = package, workspace, False
        self.run_subrule = None
        try:
            yield
        finally:
            self.package, self.workspace, self.is_analysis, self.run_subrule = before

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
            self.workspace.unknown_call(unknown, starlark.call_stack())
        else:
            self.unknowns.append(unknown)

    def record_unknown_call(self, unknown: Unknown) -> None:
        self.unknown_calls += self.is_analysis
        # What a .bzl file calls while it is loaded makes values, no targets.
        if self.package is not None or self.workspace is not None or self.decider is not None:
            self.record_unknown(unknown)

    def declare_unknown_rule(
        self, rule: UnknownValue, arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> None:
        self.unknown_calls += self.is_analysis
        if self.package is not None:
            self.package.declare_unknown_rule(rule, keywords)
        elif self.workspace is not None:
            self.workspace.declare_unknown_rule(rule, keywords, starlark.call_stack())

    def refuse_in_analysis(self, function: str) -> None:
        """Fails in the implementation of a rule, where Bazel takes calls of `function` for late."""
        if self.is_analysis:
            starlark.fail_with(f"'{function}' cannot be called during the analysis phase")

    def refuse_rule_extension(self) -> None:
        """Fails in a `.bzl` file that may not extend rules, or have initializers and subrules, as
        all may since Bazel 8. Which rule sets may before differs between releases: here, all.
        Bazel: `BuiltinRestriction.failIfCalledOutsideAllowlist`."""
        file = self.label_of_path.get(starlark.call_stack()[0].location.path)
        if self.release.rules_are_extended or file is None or file.repository:
            return
        name, _ = self.module_of("") or ("", "")
        if file.package.endswith("_testing") or (name or "").startswith("rules_"):
            return
        starlark.fail_with(f"file '{file}' cannot use private API")

    def refuse_in_build_file(self, function: str) -> None:
        """Fails where a BUILD file runs. Bazel: `BzlInitThreadContext.fromOrFail`."""
        if self.package is not None:
            starlark.fail_with(
                f"{function}() can only be used during .bzl initialization (top-level evaluation)"
            )

    def refuse_in_initializer(self, what: str) -> None:
        """Fails in an initializer of a rule. Bazel: `TargetDefinitionContext.fromOrFail`."""
        if self.is_initializing:
            starlark.fail_with(
                f"{what} can only be instantiated while evaluating a BUILD file or a legacy or"
                " symbolic macro"
            )

    def unknown(self, reason: Reason, subject: str, detail: str = "") -> UnknownValue:
        """An unknown value, noted at the place that is being evaluated."""
        stack = starlark.call_stack()
        location = stack[-1].location if stack else None
        return UnknownValue(Unknown(reason, subject, detail, location), subject, self)

    def label_value(self, label: Label) -> LabelValue:
        return LabelValue(label, self.label_style)

    def calling_file(self) -> PackageId:
        """The package of the file whose code is running now. Bazel: a label in a `.bzl`
        file is relative to the file of the innermost Starlark function."""
        return self._package_of(starlark.calling_owner())

    def _package_of(self, owner: object) -> PackageId:
        if isinstance(owner, Label):
            return owner.package_id
        return self.package.id if self.package is not None else PackageId("", "")

    def label(self, text: str) -> LabelValue:
        """`Label(text)` in the file whose code is running now. Raises `LabelError`."""
        owner = starlark.calling_owner()
        if type(owner) is not Label:
            owner = self._package_of(owner)
        known = self._labels.get((owner, text))
        if known is None:
            base = self._package_of(owner)
            label = parse_label(text, base, self.mapping_of(base.repository))
            known = self._labels[owner, text] = self.label_value(label)
        return known

    def current_package(self, function: str) -> CurrentPackage:
        """The package being evaluated; an error of Bazel's where there is none."""
        if self.package is None:
            starlark.fail_with(
                f"{function}() can only be used while evaluating a BUILD file"
                " (or in a macro that a BUILD file calls)"
            )
        return self.package

    def package_outside_macros(self, function: str, *, finalizers: bool = False) -> CurrentPackage:
        """The package, for a function that symbolic macros may not call."""
        builder = self.current_package(function)
        in_finalizer = finalizers and builder.macros and builder.macros[-1].is_finalizer
        if self.is_initializing or (builder.macros and not in_finalizer):
            allowed = ", a legacy macro, or a rule finalizer" if finalizers else " or legacy macro"
            starlark.fail_with(
                f"{function}() can only be used while evaluating a BUILD file{allowed}"
            )
        return builder


_NO_FILES = DoubtfulFiles()


def doubted(error: Diagnostic, doubtful_files: DoubtfulFiles = _NO_FILES) -> Unknown | None:
    """What an error is instead, if its statement, or one of the `.bzl` files that it comes from
    when that was loaded, had before decided something by an unknown value: an error of what was
    taken for granted, which may not be Bazel's."""
    doubt = starlark.doubt_of(error.call_stack)
    for frame in error.call_stack:
        doubt = doubt or doubtful_files.of_frame(frame)
    if doubtful_files and doubt is None:
        function, call, _ = error.message.partition("() ")
        doubt = doubtful_files.get(function + call.rstrip())
    if not isinstance(doubt, Unknown):
        return None
    place = error.span
    return Unknown(
        Reason.DEPENDS_ON_UNKNOWN,
        "whether the file fails" if place is None else f"whether {place.path}:{place.line} fails",
        f"`{doubt.subject}`{' is' if doubt.detail.startswith(TAKEN) else ':'} {doubt.detail}:"
        f" {error.message}",
        None if place is None else Location(place.path, place.line, place.column),
    )
