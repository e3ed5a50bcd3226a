"""The `attr` module: attribute definitions of Starlark rules.

Bazel: `StarlarkAttrModule`. Labels in a default are relative to the file that calls `attr.*`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import (
    INPUT_TYPES,
    OUTPUT_TYPES,
    AttributeType,
    Configured,
    DictValue,
)
from bazelscope.bazel.native_defaults import configuration_field_label
from bazelscope.bazel.rule_classes import zero_of
from bazelscope.loading.evaluation.attribute_values.attribute_spec import AttributeSpec
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_checks import check_attribute
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import Namespace
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_MAKERS: Mapping[str, AttributeType] = {
    "bool": AttributeType.BOOLEAN,
    "int": AttributeType.INTEGER,
    "int_list": AttributeType.INTEGER_LIST,
    **{
        name: AttributeType(name)
        for name in (
            *("label", "label_keyed_string_dict", "label_list", "label_list_dict", "license"),
            *("output", "output_list", "string", "string_dict", "string_keyed_label_dict"),
            *("string_list", "string_list_dict"),
        )
    },
}


class LateBoundDefault(starlark.Value):
    """`configuration_field(...)`: the configuration decides."""

    starlark_type: ClassVar[str] = "LateBoundDefault"
    __slots__ = ("fragment", "name")

    def __init__(self, fragment: str, name: str) -> None:
        self.fragment = fragment
        self.name = name


class AttributeValue(starlark.Value):
    """The Starlark value of an `attr.*` call."""

    starlark_type: ClassVar[str] = "Attribute"
    __slots__ = ("spec",)

    def __init__(self, spec: AttributeSpec) -> None:
        self.spec = spec


class _AttrModule(Namespace):
    """The module, by the name of its type."""

    __slots__ = ()

    starlark_type: ClassVar[str] = "attr"


def attr_module(context: EvaluationContext) -> Namespace:
    """The module `attr`."""

    def maker(name: str, kind: AttributeType) -> starlark.Builtin:
        def make(*arguments: Any, **options: Any) -> object:
            context.refuse_in_analysis(f"attr.{name}")
            # Of the leading parameters, those that may be given by position differ by
            # type and version; a first one is the default (`attr.int(1)`) or `allow_files`.
            check_attribute(name, kind, options, context.release)
            from bazelscope.loading.evaluation.rules.maker_checks import (
                check_providers,
                check_values,
            )

            check_providers(options.get("providers"))
            default = options.get("default")
            if isinstance(default, dict) and kind in _VALUES:
                check_values(name, default.values(), _VALUES[kind])
            if arguments and context.release.no_positional_defaults and kind not in INPUT_TYPES:
                starlark.fail_with(f"{name}() got unexpected positional argument")
            if arguments and default is None and kind not in INPUT_TYPES:
                default = arguments[0]
            return AttributeValue(_spec(context, kind, default, options))

        return context.checked("attr", name, make)

    makers: dict[str, object] = {name: maker(name, kind) for name, kind in _MAKERS.items()}
    if not context.release.label_list_dicts:
        del makers["label_list_dict"]
    if not context.release.string_keyed_label_dicts:
        del makers["string_keyed_label_dict"]
    if not context.release.has_attr_license:
        del makers["license"]
    if context.release.dormant_labels:
        for name in ("dormant_label", "dormant_label_list"):
            makers[name] = context.unknown(Reason.NOT_MODELLED, f"attr.{name}")
    return _AttrModule("attr", makers)


def _spec(
    context: EvaluationContext, kind: AttributeType, default: object, options: Mapping[str, Any]
) -> AttributeSpec:
    compute = None
    late_bound = False
    plain: object = zero_of(kind)
    if isinstance(default, LateBoundDefault):
        late_bound = True
        named = configuration_field_label(default.fragment, default.name, context.release)
        if named is not None:
            plain = parse_label(named, PackageId("", ""))
    elif starlark.is_function(default):
        compute = default
    elif default is not None:
        _check_numbers(default)
        plain = plain_default(context, kind, default)
    if options.get("materializer") is not None:
        _check_materializer(context, kind)
        plain = Unknown(Reason.NOT_MODELLED, "materializer", "a function chooses the dependencies")
    single = options.get("allow_single_file") not in (None, False)
    configured, transition = _configured(options.get("cfg"))
    if kind in OUTPUT_TYPES:
        configured = Configured.NONE
    aspects = tuple(starlark.iterate(options.get("aspects") or ()))
    if aspects:
        from bazelscope.loading.evaluation.rules.aspect_checks import check_given

        check_given(aspects)
    return AttributeSpec(
        kind,
        plain,
        mandatory=options.get("mandatory") is True,
        executable=options.get("executable") is True,
        configured=configured,
        transition=transition,
        aspects=aspects,
        compute=compute,  # type: ignore[arg-type]
        late_bound=late_bound,
        allowed=_allowed(kind, options.get("values")),
        configurable=options.get("configurable") is not False and kind not in OUTPUT_TYPES,
        says_configurable=isinstance(options.get("configurable"), bool),
        cfg=options.get("cfg"),
        files=_files(options),
        is_single_file=single,
        rules=_rules(options.get("allow_rules")),
        providers=options.get("providers") or (),
        may_be_empty=options.get("allow_empty") is not False
        and options.get("non_empty") is not True,
    )


def _check_numbers(default: object) -> None:
    """Fails for a default with a number that no attribute may have. Measured: 4.2.3."""
    is_list = isinstance(default, list | tuple)
    for index, one in enumerate(default if isinstance(default, list | tuple) else (default,)):
        if isinstance(one, int) and not -(2**31) <= one < 2**31:
            what = f"element {index} of parameter" if is_list else "parameter"
            starlark.fail_with(
                f"for {what} 'default' of attribute '', got {one},"
                " want value in signed 32-bit range"
            )


def _check_materializer(context: EvaluationContext, kind: AttributeType) -> None:
    """Fails for an attribute that has a materializer in a Bazel that takes none."""
    if not context.release.dormant_labels:
        function = "label_list" if kind is AttributeType.LABEL_LIST else "label"
        starlark.fail_with(
            f"in call to {function}(), parameter 'materializer' is experimental and thus"
            " unavailable with the current flags. It may be enabled by setting"
            " --experimental_dormant_deps"
        )


def _files(options: Mapping[str, Any]) -> object:
    single = options.get("allow_single_file")
    return options.get("allow_files") if single is None or single is False else single


def _rules(classes: object) -> tuple[str, ...] | None:
    """`allow_rules`; None for any, also where a name cannot be told."""
    names = tuple(classes) if isinstance(classes, list | tuple) else (None,)
    return names if all(isinstance(name, str) for name in names) else None


def _allowed(kind: AttributeType, values: object) -> tuple[str | int, ...]:
    """`values` of `attr.string()` and `attr.int()`; none where they cannot be told."""
    if kind not in (AttributeType.STRING, AttributeType.INTEGER):
        return ()
    items = tuple(values) if isinstance(values, list | tuple) else ()
    return items if all(isinstance(element, str | int) for element in items) else ()


def _configured(cfg: object) -> tuple[Configured, str | None]:
    if cfg == "host":
        return Configured.HOST, None
    if cfg == "exec":
        return Configured.EXEC, None
    if cfg is None or cfg == "target":
        return Configured.TARGET, None
    name = getattr(cfg, "transition_name", None)
    if name == "exec":
        return Configured.EXEC, getattr(cfg, "exec_group", "") or None
    if name == "target":
        return Configured.TARGET, None
    return Configured.TRANSITION, str(name or starlark.repr_of(cfg))


_VALUES = {
    AttributeType.LABEL_KEYED_STRING_DICT: "string",
    AttributeType.STRING_DICT: "string",
    AttributeType.STRING_LIST_DICT: "list(string)",
}
"""What the values of dictionaries are."""
_OF_VALUES = {
    AttributeType.LABEL_LIST_DICT: AttributeType.LABEL_LIST,
    AttributeType.STRING_KEYED_LABEL_DICT: AttributeType.LABEL,
}


def plain_default(context: EvaluationContext, kind: AttributeType, value: object) -> object:
    """A default as a plain value. Labels are relative to the file that is running."""
    if isinstance(value, UnknownValue):
        return value.as_unknown()
    if kind in (AttributeType.LABEL, AttributeType.LABEL_LIST):
        if isinstance(value, list | tuple):
            return tuple(_label(context, element) for element in value)
        return _label(context, value)
    if isinstance(value, dict):
        keys = kind is AttributeType.LABEL_KEYED_STRING_DICT
        values = _OF_VALUES.get(kind)
        items: list[tuple[str | Label, object]] = []
        for key, element in value.items():
            plain_key = _label(context, key) if keys else key
            if isinstance(plain_key, str | Label):
                plain = plain_default(context, values, element) if values else _plain(element)
                items.append((plain_key, plain))
        return DictValue(tuple(items))
    return _plain(value)


def _plain(value: object) -> object:
    if isinstance(value, list | tuple):
        return tuple(_plain(element) for element in value)
    if isinstance(value, UnknownValue):
        return value.as_unknown()
    return value


def _label(context: EvaluationContext, value: object) -> Label | object:
    if isinstance(value, LabelValue):
        return value.label
    if isinstance(value, str):
        base = context.calling_file()
        try:
            return parse_label(value, base, context.mapping_of(base.repository))
        except LabelError as error:
            raise starlark.fail_with(error.diagnostic.message) from error
    if isinstance(value, UnknownValue):
        return value.as_unknown()
    raise TypeError(f"a label, not a {starlark.type_of(value)}, is needed")
