"""`ctx`, as the implementation of a Starlark rule gets it in a dry run.

Attributes are resolved under the configuration of the target; dependencies are what their own
implementations return. What nobody can tell here is an unknown value, and an implementation that
decides by one has no answer. Bazel: `StarlarkRuleContext`, `StarlarkAttributesCollection`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.option_values import setting_value
from bazelscope.analysis.rules.actions import Actions, Allowed
from bazelscope.analysis.rules.attribute_views import AttributeViews
from bazelscope.analysis.rules.attributes import AttributeOf, located
from bazelscope.analysis.rules.automatic_groups import AUTOMATIC, automatic_groups
from bazelscope.analysis.rules.context_members import (
    OLD_ACTIONS,
    ExecutionGroups,
    Members,
    SplitAttributes,
    Toolchains,
    refuse_member,
)
from bazelscope.analysis.rules.expansion import Expansion
from bazelscope.analysis.rules.feature_words import asked_features
from bazelscope.analysis.rules.files import FileRoot, FileValue
from bazelscope.analysis.rules.fragments import Fragments
from bazelscope.analysis.rules.own_configuration import configuration_value
from bazelscope.analysis.rules.provided import (
    Runfiles,
    UnknownRunfiles,
    not_modelled,
    variables_of,
)
from bazelscope.analysis.rules.super_calls import SuperCalls
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.flag_catalog import FlagKind
from bazelscope.loading.evaluation.rules.aspect_values import Aspect
from bazelscope.loading.evaluation.rules.rule_transitions import ModuleSource
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.evaluation.values.builtin_calls import (
    check_dict,
    check_elements,
    checked,
    kinds_of,
)
from bazelscope.loading.evaluation.values.depsets import depset
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.packages.targets import Rule

EXECUTABLE = "executable"
_NO_TOOLS_IN_INPUTS = "incompatible_no_support_tools_in_action_inputs"
_TEXTS = ("string", "string")
# Members of other releases, deprecated ones, and those whose values are Bazel's own.
_UNMODELLED = frozenset(
    {
        *("aspect_ids", "check_placeholders", "configuration", "default_provider", "expand"),
        *("host_configuration", "package_relative_label", "resolve_tools", "rule"),
        *("target_platform_has_constraint", *OLD_ACTIONS),
    }
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an implementation is told besides attributes."""

    source: ModuleSource
    configuration: Configuration
    root: FileRoot
    """Of the configuration's outputs."""
    outside: FileRoot
    """Of files that belong to no configuration (`bazel-out`)."""
    workspace_name: str
    build_file: str
    package_features: tuple[str, ...]
    """What `package(features)` says."""
    toolchains: Mapping[Label, object]
    """What the toolchain types of the rule have come to: `ToolchainInfo`, None, or unknown."""
    groups: ExecutionGroups
    """`ctx.exec_groups`."""
    variables: Mapping[str, object] | None = None
    """The Make variables that its toolchains add; None if they are not known."""


class RuleContext(starlark.Value):
    """`ctx` of one configured target; `actions` and `outputs` are what is left of the run."""

    starlark_type: ClassVar[str] = "ctx"
    __slots__ = (
        "_attributes",
        "_context",
        "_expansion",
        "_fields",
        "_rule",
        "_starlark_rule",
        "_surroundings",
        "_views",
        "actions",
        "declared",
        "executable",
        "outputs",
        "parents",
    )

    def __init__(
        self,
        rule: Rule,
        starlark_rule: StarlarkRule | Aspect,
        attributes: Mapping[str, AttributeOf],
        surroundings: Surroundings,
    ) -> None:
        self._rule = rule
        self._starlark_rule = starlark_rule
        self._attributes = attributes
        self._surroundings = surroundings
        self._context = context = surroundings.source.context
        own = surroundings.configuration
        release = context.release
        allowed = Allowed(
            starlark_rule.options.get("analysis_test") is True
            and release.analysis_tests_are_checked,
            not _is_off(own, "experimental_exec_groups"),
            not any(map(partial(_is_off, own), _UNRESOLVED_SYMLINKS)),
            surroundings.groups.names(),
            self._programs if own.is_on(_NO_TOOLS_IN_INPUTS) else None,
            automatic_groups(
                rule,
                starlark_rule,
                getattr(attributes.get(AUTOMATIC), "value", None),
                own,
                self._every_program,
            ),
        )
        self.actions = Actions(context, rule.label, surroundings.root, allowed)
        self.parents = SuperCalls(starlark_rule, self.actions, context)
        self.declared = tuple(map(self.actions.file_of, rule.outputs))
        self.executable: FileValue | None = None
        if rule.rule_class.is_executable or rule.rule_class.is_test:
            self.executable = self.actions.file_of(rule.label)
        lacks = starlark_rule.options.get("lacks")
        more = None
        if isinstance(lacks, Unknown):
            more = UnknownValue(lacks, "its attributes", context)
        self._views = views = AttributeViews(context, attributes, more)
        files = dict(zip(rule.outputs, self.declared, strict=True))
        self._expansion = Expansion(
            context,
            rule.label,
            self._variables(),
            lambda: located(files, views.labels, context.release),
        )
        outputs = views.outputs(
            rule, starlark_rule.options.get("outputs"), files, self.actions.file_of
        )
        if self.executable is not None:
            executable = self.executable
            outputs[EXECUTABLE] = lambda: executable
        self.outputs = Members("ctx.outputs", outputs, frozenset({EXECUTABLE}), more)
        self._fields: dict[str, Callable[[], object]] = {
            "actions": lambda: self.actions,
            "attr": views.values(),
            "bin_dir": lambda: surroundings.root,
            "genfiles_dir": lambda: surroundings.root,
            "build_file_path": lambda: surroundings.build_file,
            "build_setting_value": self._setting_value,
            "configuration": lambda: configuration_value(
                surroundings.configuration, surroundings.root, context
            ),
            "coverage_instrumented": self._builtin("coverage_instrumented", self._instrumented),
            "created_actions": self._builtin(
                "created_actions", partial(self._namespace, "ctx.created_actions()")
            ),
            "executable": views.members(
                "executable", views.executable, lambda one: one.definition.executable
            ),
            "disabled_features": lambda: self._features(1),
            "expand_location": self._builtin("expand_location", self._expansion.location),
            "expand_make_variables": self._builtin(
                "expand_make_variables", self._expansion.make_variables
            ),
            "features": lambda: self._features(0),
            "file": views.members("file", views.file, lambda one: one.is_single_file),
            "files": views.members("files", views.files),
            "fragments": lambda: self._fragments("fragments", "target"),
            "host_fragments": lambda: self._fragments("host_fragments", "host"),
            "info_file": lambda: self._status_file("stable-status.txt"),
            "version_file": lambda: self._status_file("volatile-status.txt"),
            "label": lambda: context.label_value(rule.label),
            "outputs": lambda: self.outputs,
            "resolve_command": self._builtin("resolve_command", self._command),
            "runfiles": self._builtin("runfiles", self._runfiles),
            "tokenize": self._builtin("tokenize", self._expansion.tokenize),
            "super": self._builtin("super", partial(self.parents.run, self)),
            "split_attr": views.members(
                "split_attr", views.split, lambda one: one.is_split, SplitAttributes
            ),
            "toolchains": lambda: Toolchains(
                self._context,
                surroundings.toolchains,
                f"{rule.kind} {context.label_style(rule.label)}",
                starlark_rule.options.get("toolchains"),
            ),
            "exec_groups": lambda: surroundings.groups,
            "var": self._expansion.value,
            "workspace_name": lambda: surroundings.workspace_name,
        }

    def get_attr(self, name: str) -> object:
        self.actions.refuse_if_over(name)
        refuse_member(name, self._context, self._surroundings.configuration)
        field = self._fields.get(name)
        if field is not None:
            value = field()
            if isinstance(value, starlark.Builtin):
                return checked(self._context.builtins, "ctx", name, value.function)
            return value
        if name == "new_file":
            return starlark.Builtin(name, self._new_file)
        if name in _UNMODELLED:
            unknown = self._context.unknown(Reason.NOT_MODELLED, f"ctx.{name}")
            if self._context.builtins.signature("ctx", name) is None:
                return unknown
            self.actions.others_act |= name in OLD_ACTIONS
            return checked(self._context.builtins, "ctx", name, unknown)
        raise AttributeError(name)

    def _new_file(self, *arguments: object) -> object:
        """Declares a file as old releases do: by its name, or beside another file."""
        if all(isinstance(one, str | FileValue) for one in arguments):
            if len(arguments) == 1:
                return self.actions.declare_file(arguments[0])
            if len(arguments) == 2 and isinstance(arguments[0], FileValue):
                return self.actions.declare_file(arguments[1], sibling=arguments[0])
        self.actions.others_act = True
        unknown = self._context.unknown(Reason.NOT_MODELLED, "ctx.new_file")
        return checked(self._context.builtins, "ctx", "new_file", unknown)(*arguments)

    @property
    def configuration(self) -> Configuration:
        """That of the target."""
        return self._surroundings.configuration

    def attr_names(self) -> Iterable[str]:
        return sorted({*self._fields, *_UNMODELLED})

    def to_repr(self) -> str:
        return f"<rule context for {self._context.label_style(self._rule.label)}>"

    def run_subrule(self, *called: Any) -> object:
        """Returns what a subrule comes to that the implementation calls."""
        from bazelscope.analysis.rules.subrule_calls import SubruleCalls

        of_rule = self._starlark_rule, self._rule.label, self._views, self._attributes
        around = self._surroundings.configuration, self._surroundings.toolchains, self._context
        return SubruleCalls(*of_rule, self.actions, *around)(*called)

    def default_runfiles(self) -> Runfiles:
        """Runfiles of nothing."""
        return Runfiles(self._context, depset())

    def _programs(self) -> frozenset[FileValue]:
        """The programs that the rule's attributes have, as far as they are known."""
        return frozenset(one for one in self._all_programs() if isinstance(one, FileValue))

    def _every_program(self) -> frozenset[FileValue] | None:
        """The programs that the rule's attributes have; None if one of them is not known."""
        is_open = any(isinstance(one, UnknownValue) for one in self._all_programs())
        return None if is_open else self._programs()

    def _all_programs(self) -> list[object]:
        named = [one for one in self._attributes.values() if one.definition.executable]
        return [*map(self._views.executable, named)]

    @staticmethod
    def _builtin(name: str, function: Callable[..., object]) -> Callable[[], object]:
        builtin = starlark.Builtin(name, function)
        return lambda: builtin

    def _unknown(self, unknown: Unknown) -> UnknownValue:
        return UnknownValue(unknown, unknown.subject, self._context)

    def _command(self, **given: object) -> object:
        """Inputs, the words of a command (a shell, `-c` and a text), and manifests."""
        check_elements("tools", given.get("tools"), "Target")
        check_dict("execution_requirements", given.get("execution_requirements"), _TEXTS)
        for key in starlark.iterate(given.get("label_dict") or ()):
            if kinds_of(key) and not isinstance(key, LabelValue):
                starlark.fail_with(f"invalid key {starlark.repr_of(key)} in 'label_dict'")
        shell, text, inputs, manifests = (
            self._namespace(f"ctx.resolve_command(...){part}")
            for part in ("[1][0]", "[1][2]", "[0]", "[2]")
        )
        return (inputs, starlark.List([shell, "-c", text]), manifests)

    def _namespace(self, name: str) -> UnknownValue:
        return self._unknown(not_modelled(name))

    # ---- The rest

    def _setting_value(self) -> object:
        rule = self._rule
        if not rule.rule_class.is_build_setting:
            starlark.fail_with(
                "attempting to access 'build_setting_value' of non-build setting"
                f" {self._context.label_style(rule.label)}"
            )
        source, own = self._surroundings.source, self._surroundings.configuration
        value = setting_value(source, rule, own, rule.label)
        return self._unknown(value) if isinstance(value, Unknown) else value

    def _instrumented(self, target: object = None) -> object:
        if not self._surroundings.configuration.is_on("collect_code_coverage"):
            return False
        return self._namespace("ctx.coverage_instrumented()")

    def _fragments(self, argument: str, of: str) -> Fragments:
        declared = self._starlark_rule.options.get(argument)
        kind = self._rule.kind.removesuffix(" rule")
        return Fragments(self._context, self._surroundings.configuration, declared, kind, of)

    def _features(self, which: int) -> object:
        """The features that the rule asks for (0), or that it does without (1)."""
        surroundings, own = self._surroundings, self._attributes.get("features")
        words = () if own is None or own.value is None else own.value
        if not isinstance(words, tuple):
            return self._namespace("ctx.features")
        line = surroundings.configuration.value("features").values
        features = asked_features((line, surroundings.package_features, words))[which]
        # Who asks may change it: Bazel makes a list anew of what Java returns.
        return starlark.List(sorted(features))

    def _status_file(self, name: str) -> FileValue:
        return FileValue(self._surroundings.outside, "", name, self._rule.label)

    def _collected(self, is_data: bool) -> list[Runfiles] | UnknownValue:
        return self._views.runfiles(is_data)

    def _runfiles(
        self,
        files: object = (),
        transitive_files: object = None,
        collect_data: object = False,
        collect_default: object = False,
        symlinks: object = None,
        root_symlinks: object = None,
        skip_conflict_checking: object = False,
    ) -> object:
        check_elements("files", files, "File")
        check_elements("transitive_files", transitive_files, "File")
        check_dict("symlinks", symlinks, ("string", "File"))
        check_dict("root_symlinks", root_symlinks, ("string", "File"))
        for given in (files, transitive_files, collect_data, collect_default):
            if isinstance(given, UnknownValue):
                return UnknownRunfiles(given.as_unknown(), "ctx.runfiles(...)", self._context)
        further: list[Runfiles] = []
        for wanted, is_data in ((collect_data, True), (collect_default, False)):
            if not wanted:
                continue
            collected = self._collected(is_data)
            if isinstance(collected, UnknownValue):
                return collected
            further += collected
        transitive = [one.files for one in further]
        if transitive_files is not None:
            transitive.append(transitive_files)
        links = next((one.links for one in further if one.links is not None), None)
        if symlinks or root_symlinks:
            links = links or self._namespace("runfiles.symlinks")
        return Runfiles(
            self._context,
            depset(starlark.iterate(files), "postorder", transitive=transitive),
            links,
        )

    def _variables(self) -> Mapping[str, str | Unknown]:
        """The make variables that every rule has."""
        configuration = self._surroundings.configuration
        variables: dict[str, str | Unknown] = {}
        for name, option in (("TARGET_CPU", "cpu"), ("COMPILATION_MODE", "compilation_mode")):
            value = configuration.value(option).value
            variables[name] = not_modelled(name) if value is None else value
        variables["BINDIR"] = variables["GENDIR"] = self._surroundings.root.path
        for name in configuration.flags.defines:
            define = configuration.define(name)
            if define is not None:
                variables[name] = define.value
        attribute = self._attributes.get("toolchains")
        has_toolchain = "_cc_toolchain" in self._attributes
        # Bazel: `ResolvedToolchainContext.templateVariableProviders`.
        added = [self._surroundings.variables if self._surroundings.toolchains else {}]
        if attribute is not None and attribute.value not in ((), None):
            targets = attribute.targets.values() if isinstance(attribute.value, tuple) else (None,)
            added += [variables_of(getattr(one, "implemented", None)) for one in targets]
        if has_toolchain or None in added:
            variables[""] = not_modelled("ctx.var", "toolchains of the rule add variables")
        for name, text in chain.from_iterable(one.items() for one in added if one is not None):
            variables[name] = text if isinstance(text, str) else not_modelled(name)
        return variables


_UNRESOLVED_SYMLINKS = ("allow_unresolved_symlinks", "experimental_allow_unresolved_symlinks")


def _is_off(own: Configuration, name: str) -> bool:
    """Whether an option is known to be off. Where a release has it no more, or has a default that
    is not known, what it was an experiment for has come."""
    definition = own.definition(name)
    if definition is None:
        return False
    is_known = definition.kind is not FlagKind.UNKNOWN or definition.default is not None
    return (is_known or bool(own.value(name).instances)) and not own.is_on(name)
