"""What `rule()`, `transition()` and `module_extension()` return: implementations are
kept, not run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import (
    KEEPS_TOOLCHAINS,
    AspectAttribute,
    AttributeDefinition,
    AttributeType,
    RuleClass,
    labels_in,
)
from bazelscope.bazel.rule_classes import zero_of
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.attribute_values.rule_kinds import RuleKind
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.aspect_values import Aspect
from bazelscope.loading.evaluation.rules.attr_module import AttributeValue
from bazelscope.loading.evaluation.rules.rule_checks import check_export
from bazelscope.loading.evaluation.rules.toolchain_types import (
    constraints_of,
    exec_groups_of,
    requirements_of,
)
from bazelscope.loading.evaluation.values.exportable import Exportable
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


class BuildSetting(starlark.Value):
    """`config.string(flag = True)`: what makes a rule a build setting. `is_repeatable`: every
    setting of the flag on the command line counts."""

    starlark_type: ClassVar[str] = "BuildSetting"
    __slots__ = ("flag", "is_repeatable", "type")

    def __init__(self, kind: AttributeType, flag: bool, is_repeatable: bool) -> None:
        self.type = kind
        self.flag = flag
        self.is_repeatable = is_repeatable


@dataclass(slots=True, eq=False, repr=False)
class StarlarkRule(Exportable):
    """What `rule()` returns."""

    starlark_type: ClassVar[str] = "rule"
    _context: EvaluationContext
    specs: Mapping[str, AttributeSpec]
    options: Mapping[str, Any]
    defined_at: CallStack
    name: str = ""
    _kind: RuleKind | None = None

    def export(self, name: str) -> Diagnostic | None:
        """Bazel: `StarlarkRuleFunction.export`."""
        if self.name:
            return None
        self.name = name
        problem = check_export(
            name,
            self.specs,
            self._base_attributes(),
            self._is_test,
            self._context.release,
            self.options.get("analysis_test") is True,
        )
        problem = problem or self.options.get("allowlist_problem")
        if problem is None:
            return None
        place = self.defined_at[-1].location
        return Diagnostic("bad-rule-class", problem, place.span, call_stack=self.defined_at)

    def __call__(self, /, *arguments: object, **keywords: object) -> None:
        package = self._context.package
        if package is None:
            starlark.fail_with(
                "Cannot instantiate a rule when loading a .bzl file. Rules may be instantiated"
                " only in a BUILD thread."
            )
        if not self.name:
            starlark.fail_with("Invalid rule class hasn't been exported by a bzl file")
        self._context.refuse_in_initializer("a rule")
        kind = self.kind
        if kind.told_to_aspects:
            from bazelscope.loading.evaluation.rules.aspect_checks import check_parameters

            check_parameters(package, kind)
        if self.takes_private:  # Initializers alone set private attributes.
            from bazelscope.loading.evaluation.rules.rule_initializers import initialized

            private = next((name for name in keywords if name[:1] == "_"), None)
            if private is not None:
                starlark.fail_with(f"no such attribute '{private}' in '{self.name}' rule")
            keywords = initialized(self, self._context, package, keywords)
        package.add_rule(kind, arguments, keywords)

    @property
    def kind(self) -> RuleKind:
        """The rule class, ready to be called; ask once the rule has its name."""
        if self._kind is None:
            self._kind = self._prepare()
        return self._kind

    def all_attributes(self) -> Mapping[str, AttributeDefinition]:
        """What every rule of the class has, as far as BUILD files may set it."""
        own = {name: spec.definition(name) for name, spec in self.specs.items()}
        return {**self._base_attributes(), **own}

    @property
    def parent(self) -> StarlarkRule | None:
        """The rule that this one extends."""
        parent = self.options.get("parent")
        return parent if isinstance(parent, StarlarkRule) else None

    @property
    def initializer(self) -> Callable[..., object] | None:
        """The rule's own initializer; its parent has another."""
        return self.options.get("initializer")

    @property
    def initializers(self) -> tuple[Callable[..., object], ...]:
        """The rule's own initializer and those of its parents."""
        own = () if self.initializer is None else (self.initializer,)
        return own if self.parent is None else (*own, *self.parent.initializers)

    @property
    def takes_private(self) -> bool:
        """Whether initializers set the attributes of a target, private ones among them."""
        return bool(self.initializers)

    @property
    def _is_test(self) -> bool:
        return self.options.get("test") is True or self.options.get("analysis_test") is True

    def _base_attributes(self) -> dict[str, AttributeDefinition]:
        """What the rule class has besides its own attributes, a build setting's value last."""
        is_executable = self._is_test or self.options.get("executable") is True
        attributes = dict(self._context.rules.base_attributes(is_executable, self._is_test))
        setting = self.options.get("build_setting")
        if isinstance(setting, BuildSetting):
            attributes["build_setting_default"] = AttributeDefinition(
                "build_setting_default",
                setting.type,
                zero_of(setting.type),
                mandatory=True,
                configurable=False,
            )
            if self._context.release.build_settings_have_help:
                attributes["help"] = AttributeDefinition(
                    "help", AttributeType.STRING, "", configurable=False
                )
        return attributes

    def _prepare(self) -> RuleKind:
        options = self.options
        is_test = self._is_test
        is_executable = is_test or options.get("executable") is True
        setting = options.get("build_setting")
        attributes = self._base_attributes()
        value = attributes.pop("build_setting_default", None)
        computed: dict[str, Callable[..., object]] = {}
        for written, spec in self.specs.items():
            # Bazel: `Attribute.isLateBound` goes by this first letter.
            name = f":{written[1:]}" if spec.late_bound else written
            attributes[name] = spec.definition(name)
            if spec.compute is not None:
                computed[name] = spec.compute
        if value is not None:
            attributes[value.name] = value
        rule_class = RuleClass(
            self.name,
            attributes,
            self.defined_at,
            is_executable=is_executable,
            is_test=is_test,
            is_build_setting=isinstance(setting, BuildSetting),
            is_flag=isinstance(setting, BuildSetting) and setting.flag,
            is_repeatable=isinstance(setting, BuildSetting) and setting.is_repeatable,
            keeps_toolchains=options.get(KEEPS_TOOLCHAINS) is True,
            transition=_name_of(options.get("cfg")),
            aspect_attributes=_aspect_attributes(self.specs),
            toolchains=requirements_of(options),
            constraints=constraints_of(options),
            exec_groups=exec_groups_of(options),
        )
        outputs = options.get("outputs")
        templates: list[tuple[str, str]] = []
        function = None
        if isinstance(outputs, dict):
            templates = [
                (key, value)
                for key, value in outputs.items()
                if isinstance(key, str) and isinstance(value, str)
            ]
        elif starlark.is_function(outputs):
            function = outputs
        kind = RuleKind(
            rule_class,
            templates,
            function,
            computed,
            lacks=self.options.get("lacks"),
            takes_private=self.takes_private,
        )
        if any(spec.aspects for spec in self.specs.values()):
            from bazelscope.loading.evaluation.rules.aspect_checks import parameters_of

            kind.told_to_aspects = parameters_of(self.specs)
        return kind


@dataclass(slots=True, eq=False, repr=False)
class Transition(Exportable):
    """What `transition()` returns, and `analysis_test_transition()`, whose settings are fixed:
    `implementation` is None then, and `settings` are what it sets. `package` is that of the
    file that makes it; `unknown`: one of its outputs that nobody can tell."""

    starlark_type: ClassVar[str] = "transition"
    implementation: object
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    package: PackageId
    settings: Mapping[str, object] | None = None
    unknown: Unknown | None = None
    name: str = ""

    @property
    def transition_name(self) -> str:
        return self.name or "transition"


class NamedTransition(starlark.Value):
    """A transition of Bazel's own: `config.exec()`, `android_common.multi_cpu_configuration`.

    `exec_group` names the execution group of the rule on whose platform a tool runs."""

    starlark_type: ClassVar[str] = "transition"
    __slots__ = ("exec_group", "transition_name")

    def __init__(self, name: str, exec_group: str = "") -> None:
        self.transition_name = name
        self.exec_group = exec_group

    @property
    def is_execution(self) -> bool:
        """Whether this is `config.exec()`, which is for attributes: no rule may have it."""
        return self.transition_name == "exec"


def _name_of(cfg: object) -> str | None:
    """What the transition of a rule itself is called; None where there is none."""
    name = getattr(cfg, "transition_name", None)
    return None if name == "target" else name  # `config.target()` is no transition.


def is_cfg(cfg: object) -> bool:
    """Whether `cfg` of a rule is a transition, or may be one."""
    return isinstance(cfg, UnknownValue) or _name_of(cfg) is not None


class TagClass(starlark.Value):
    """What `tag_class()` returns."""

    starlark_type: ClassVar[str] = "tag_class"
    __slots__ = ("specs",)

    def __init__(self, specs: Mapping[str, AttributeSpec]) -> None:
        self.specs = specs


@dataclass(slots=True, eq=False, repr=False)
class ModuleExtension(Exportable):
    """What `module_extension()` returns."""

    starlark_type: ClassVar[str] = "module_extension"
    implementation: object
    tag_classes: Mapping[str, TagClass]
    environ: tuple[str, ...]
    name: str = ""


def _aspect_attributes(specs: Mapping[str, AttributeSpec]) -> tuple[AspectAttribute, ...]:
    """The attributes of the aspects on a rule's attributes that hold labels themselves.

    Bazel: `ConservativeAspectResolver`, which counts an aspect once, however often it stands.
    """
    by_aspect: dict[tuple[int, str], AspectAttribute] = {}
    for spec in specs.values():
        for given in spec.aspects:
            for aspect in given.with_required() if isinstance(given, Aspect) else ():
                for name, own in aspect.specs.items():
                    labels = tuple(dict.fromkeys(labels_in(own.default)))
                    if labels:
                        by_aspect[id(aspect), name] = AspectAttribute(
                            name, own.type, labels, own.configured
                        )
    return tuple(by_aspect.values())


def specs_of(attrs: object, what: str) -> dict[str, AttributeSpec]:
    """The attribute specifications of an `attrs = {...}` argument."""
    if attrs is None or isinstance(attrs, UnknownValue):
        return {}
    if not isinstance(attrs, dict):
        raise TypeError(f"{what}: attrs must be a dict, not a {starlark.type_of(attrs)}")
    specs: dict[str, AttributeSpec] = {}
    for name, value in attrs.items():
        if isinstance(value, AttributeValue) and isinstance(name, str):
            specs[name] = value.spec
    return specs
