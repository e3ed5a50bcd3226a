"""The functions of `.bzl` files that make rules and the like.

Bazel: `StarlarkRuleClassFunctions`, `StarlarkRepositoryModule`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bazelscope import starlark
from bazelscope.base.nearest import did_you_mean
from bazelscope.base.unknown import Reason
from bazelscope.bazel.attribute_types import AttributeDefinition
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.aspect_values import Aspect
from bazelscope.loading.evaluation.rules.rule_checks import allowlist_problem, check_rule
from bazelscope.loading.evaluation.rules.rule_values import (
    ModuleExtension,
    NamedTransition,
    StarlarkRule,
    TagClass,
    Transition,
    is_cfg,
    specs_of,
)
from bazelscope.loading.evaluation.rules.toolchain_types import (
    ExecutionGroup,
    read_constraints,
    read_toolchains,
)
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule, check_attributes
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue, taken_as_empty


def rule_makers(context: EvaluationContext) -> dict[str, Callable[..., object]]:
    """The functions by name, as this Bazel version has them."""

    def rule(
        implementation: object = None,
        test: object = None,
        attrs: object = None,
        outputs: object = None,
        executable: object = None,
        **options: Any,
    ) -> object:
        from bazelscope.loading.evaluation.rules.maker_checks import (
            check_configurable,
            check_extension,
            check_options,
            extended_specs,
        )

        if implementation is None:
            starlark.fail_with("rule() missing 1 required positional argument: implementation")
        context.refuse_in_analysis("rule")
        if context.release.rules_made_by_bzl_files and not options.get("analysis_test"):
            context.refuse_in_build_file("rule")
        if isinstance(attrs, UnknownValue):
            return attrs.derive(f"rule(attrs = {attrs.text})")
        specs = specs_of(attrs, "rule()")
        check_rule(attrs, specs, outputs, options.get("build_setting"), context.release)
        is_exec = isinstance(cfg := options.get("cfg"), NamedTransition) and cfg.is_execution
        check_options({**options, "cfg": "exec"} if is_exec else options, context.release)
        check_configurable(specs, "rule")
        parts = [part for pair in attrs.items() for part in pair] if isinstance(attrs, dict) else []
        is_whole = options.get("parent") is None  # Else its parent's attributes and `cfg` count.
        if is_whole and not any(isinstance(part, UnknownValue) for part in parts):
            kind = "TEST" if test is True else "NORMAL"
            file = context.label_of_path.get(starlark.call_stack()[0].location.path)
            options["allowlist_problem"] = allowlist_problem(
                specs, options.get("cfg"), f"{file} {kind}", context.release
            )
        options["toolchains"] = read_toolchains(context, options.get("toolchains"))
        if any(options.get(name) not in (None, (), []) for name in _EXTENDING):
            context.refuse_rule_extension()
        of_subrules = _lift_subrules(context, options)
        given = options.get("exec_compatible_with")
        options["exec_compatible_with"] = read_constraints(context, given)
        options["lacks"] = taken_as_empty(context.unknowns, context.unknowns_of_loads)
        parent = options.get("parent")
        options["initializer"] = options.get("initializer")
        options["home"] = context.calling_file()
        if isinstance(parent, StarlarkRule):
            given = {**options, "test": test, "executable": executable, "outputs": outputs}
            check_extension(parent, parent.options, given)
            specs = extended_specs(parent.specs, specs)
            inherited = (*parent.options["toolchains"], *options["toolchains"])
            base, own = parent.options.get("exec_groups"), options.get("exec_groups")
            cfgs = [one for one in (options.get("cfg"), parent.options.get("cfg")) if is_cfg(one)]
            options = {**parent.options, **options, "toolchains": inherited}
            options["cfg"] = cfgs[0] if cfgs else None
            # Bazel: `ComposingTransitionFactory`: the rule's own first, then those of its parents.
            options["following_cfgs"] = (*cfgs[1:], *parent.options.get("following_cfgs", ()))
            if isinstance(base, dict) and isinstance(own, dict):
                options["exec_groups"] = {**base, **own}
            options["fragments"] = _joined(parent.options, given, "fragments")
            test, executable = parent.options["test"], executable or parent.options["executable"]
        elif parent is not None:
            is_native = isinstance(parent, starlark.Builtin) and parent.name in _NATIVE_ALONE
            if is_native or isinstance(parent, int | str | list | dict):
                starlark.fail_with("Parent needs to be a Starlark rule")
            return context.unknown(Reason.NOT_MODELLED, "rule(parent = ...)")
        if implementation is not None:
            options["implementation"] = implementation
        options.update(test=test or False, executable=executable or False, outputs=outputs)
        return StarlarkRule(context, specs | of_subrules, options, starlark.call_stack())

    def repository_rule(
        implementation: object,
        *,
        attrs: object = None,
        local: object = False,
        environ: object = (),
        **_: object,
    ) -> object:
        context.refuse_in_analysis("repository_rule")
        specs = specs_of(attrs, "repository_rule()")
        check_attributes(specs, context.release)
        names = tuple(name for name in starlark.iterate(environ) if isinstance(name, str))
        attributes = {name: spec.definition(name) for name, spec in specs.items()}
        stack = starlark.call_stack()
        file = context.label_of_path.get(stack[0].location.path) if stack else None
        return RepositoryRule(
            define_repository, implementation, attributes, names, local is True, stack, file
        )

    def define_repository(
        repository_rule: RepositoryRule,
        arguments: tuple[object, ...],
        keywords: Mapping[str, object],
    ) -> None:
        workspace = context.workspace
        if workspace is None:
            starlark.fail_with(
                f"{repository_rule.name or 'repository rule'}() can only be called from a"
                " WORKSPACE file (or from a macro that it calls)"
            )
        if arguments:
            starlark.fail_with("unexpected positional arguments")
        workspace.define_repository(repository_rule, keywords, starlark.call_stack())

    def aspect(implementation: object = None, *_: object, **options: object) -> object:
        from bazelscope.loading.evaluation.rules.aspect_checks import check_aspect
        from bazelscope.loading.evaluation.rules.maker_checks import (
            check_configurable,
            check_labels,
            check_providers,
            check_provides,
        )

        requires = [
            element for element in _items(options.get("requires")) if isinstance(element, Aspect)
        ]
        specs = specs_of(options.pop("attrs", None), "aspect()")
        check_configurable(specs, "aspect")
        check_aspect(specs, options, context.release)
        check_providers(options.get("required_aspect_providers"))
        check_provides(options.get("provides"))
        check_labels(options.get("toolchains"), "toolchain", context.release)
        options.pop("doc", None)
        options["toolchains"] = read_toolchains(context, options.get("toolchains"))
        specs |= _lift_subrules(context, options)
        return Aspect(specs, tuple(requires), {"implementation": implementation, **options})

    def transition(*, implementation: object, inputs: object = (), outputs: object = ()) -> object:
        from bazelscope.loading.evaluation.rules.maker_checks import check_transition

        check_transition(inputs, outputs, context.release)
        doubts = (
            one.as_unknown() for one in starlark.iterate(outputs) if isinstance(one, UnknownValue)
        )
        return Transition(
            implementation,
            _texts(inputs),
            _texts(outputs),
            context.calling_file(),
            unknown=next(doubts, None),
        )

    def analysis_test_transition(*, settings: dict[str, object]) -> object:
        from bazelscope.loading.evaluation.rules.maker_checks import check_transition

        check_transition((), tuple(settings), context.release, is_of_test=True)
        return Transition(None, (), tuple(settings), context.calling_file(), dict(settings))

    def tag_class(attrs: object = None, **_: object) -> object:
        return TagClass(specs_of(attrs, "tag_class()"))

    def module_extension(
        implementation: object,
        *,
        tag_classes: object = None,
        environ: object = (),
        **others: object,
    ) -> object:
        classes: dict[str, TagClass] = {}
        for name in others:
            if name not in _OF_EXTENSIONS:
                starlark.fail_with(
                    f"module_extension() got unexpected keyword argument '{name}'",
                    did_you_mean(name, sorted(_OF_EXTENSIONS)),
                )
        for name, value in tag_classes.items() if isinstance(tag_classes, dict) else ():
            if isinstance(value, TagClass):
                classes[name] = value
            elif not isinstance(value, UnknownValue):
                kinds = f"{starlark.type_of(name)}, {starlark.type_of(value)}"
                starlark.fail_with(
                    f"got dict<{kinds}> for 'tag_classes', want dict<string, tag_class>"
                )
        return ModuleExtension(implementation, classes, _texts(environ))

    def macro(
        *,
        implementation: Any,
        attrs: Any = None,
        inherit_attrs: object = None,
        finalizer: object = False,
        **_: object,
    ) -> object:
        from bazelscope.loading.evaluation.rules.maker_checks import check_macro
        from bazelscope.loading.evaluation.rules.symbolic_macros import (
            SymbolicMacro,
            inherited_attributes,
        )

        context.refuse_in_build_file("macro")
        specs = specs_of(attrs, "macro()")
        check_macro(attrs, specs, inherit_attrs, implementation)
        attributes = inherited_attributes(context, inherit_attrs)
        if attributes is None:
            what = f"macro(inherit_attrs = {starlark.repr_of(inherit_attrs)})"
            return context.unknown(Reason.NOT_MODELLED, what)
        for name, spec in specs.items():
            attributes[name] = AttributeDefinition(
                name, spec.type, spec.default, spec.mandatory, spec.configurable
            )
        for name in attrs if isinstance(attrs, dict) else ():
            if attrs[name] is None:
                attributes.pop(name, None)
        return SymbolicMacro(context, implementation, attributes, finalizer is True)

    def exec_group(**options: object) -> object:
        from bazelscope.loading.evaluation.rules.maker_checks import check_labels

        check_labels(options.get("toolchains"), "toolchain", context.release)
        check_labels(options.get("exec_compatible_with"), "constraint", context.release)
        fields = {name: value for name, value in options.items() if value is not None}
        return ExecutionGroup(
            fields,
            read_toolchains(context, options.get("toolchains")),
            read_constraints(context, options.get("exec_compatible_with")),
        )

    def subrule(
        *,
        implementation: Any,
        attrs: object = None,
        toolchains: object = (),
        fragments: object = (),
        subrules: object = (),
    ) -> object:
        from bazelscope.loading.evaluation.rules.subrules import subrule_of

        context.refuse_rule_extension()
        return subrule_of(context, implementation, fragments, attrs, toolchains, subrules)

    makers: dict[str, Callable[..., object]] = {
        "aspect": aspect,
        "repository_rule": repository_rule,
        "rule": rule,
        "transition": transition,
        "analysis_test_transition": analysis_test_transition,
    }
    release = context.release
    if release.exec_group:
        makers["exec_group"] = exec_group
    if release.module_extension:
        makers["module_extension"] = module_extension
        makers["tag_class"] = tag_class
    if release.subrule:
        makers["subrule"] = subrule
    if release.symbolic_macros:
        makers["macro"] = macro
    return makers


_OF_EXTENSIONS = frozenset({"arch_dependent", "doc", "facts_version", "os_dependent"})
_EXTENDING = ("initializer", "parent", "extendable")
_NATIVE_ALONE = ("alias", "config_setting", "filegroup", "genrule", "test_suite")
"""Rules that no Bazel has as Starlark."""


def _items(value: object) -> tuple[object, ...]:
    is_none = value is None or isinstance(value, UnknownValue)
    return () if is_none else tuple(starlark.iterate(value))


def _joined(base: Mapping[str, object], own: Mapping[str, object], name: str) -> object:
    """What a rule and the one that it extends name together; what cannot be told alone."""
    parts = [one.get(name) or () for one in (base, own)]
    unknown = next((part for part in parts if isinstance(part, UnknownValue)), None)
    return unknown or tuple(element for part in parts for element in starlark.iterate(part))


def _lift_subrules(context: EvaluationContext, options: dict[str, Any]) -> dict[str, AttributeSpec]:
    """Adds the toolchain types of the subrules that `rule()` or `aspect()` names to its own.
    Returns the attributes that it has of them."""
    options["subrules"] = options.get("subrules") or ()
    if options["subrules"] == ():
        return {}
    from bazelscope.loading.evaluation.rules.subrules import lifted

    context.refuse_rule_extension()
    specs, asked = lifted(options["subrules"])
    options["toolchains"] = _united(options["toolchains"], asked)
    return specs


def _united(own: tuple[Any, ...], more: tuple[Any, ...]) -> tuple[Any, ...]:
    """Toolchain types with those of subrules; of one that both ask for, the stricter."""
    asked = {getattr(one, "type", one): one for one in own}
    for one in more:
        key = getattr(one, "type", one)
        if not getattr(asked.get(key), "mandatory", False):
            asked[key] = one
    return tuple(asked.values())


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for text in starlark.iterate(value) if isinstance(text, str))
