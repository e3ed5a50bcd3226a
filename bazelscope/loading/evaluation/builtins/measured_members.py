"""Members of Bazel's own modules, and its providers, as its table tells of them.

What a function of these returns is unknown; what it does not take is refused. It is imported when
one is asked for. Bazel: `BuiltinFunction`, `BuiltinProvider`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope import starlark
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.builtin_calls import check_call, checked
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_CALLED_OTHERWISE = ("CcToolchainConfigInfo", "ExecutionInfo")
"""Providers that functions of a module make."""
_INSTANCES = {
    "CcInfo.compilation_context": "CompilationContext",
    "CcInfo.linking_context": "LinkingContext",
}
"""Fields that hold an instance of a class of Bazel's."""
_RETURNED = {
    "cc_common.create_compilation_context": "CompilationContext",
    "cc_common.create_linking_context": "LinkingContext",
    "cc_common.merge_cc_infos": "CcInfo",
    "cc_common.merge_compilation_contexts": "CompilationContext",
}
"""Functions that return one."""
_OF_EVERY_STRUCT = frozenset({"to_json", "to_proto"})


class MeasuredInstance(UnknownValue):
    """An instance of a class of Bazel's own, of which nothing is known but what members it has."""

    __slots__ = ("_context", "_of")

    def __init__(self, unknown: Unknown, text: str, context: EvaluationContext, of: str) -> None:
        """`of` is the name of the class."""
        super().__init__(unknown, text, context)
        self._context = context
        self._of = of

    def get_attr(self, name: str) -> object:
        members = self._context.builtins.members(self._of)
        if members is not None and name not in members and name not in _OF_EVERY_STRUCT:
            starlark.fail_with(f"'{self._of}' value has no field or method '{name}'")
        text = f"{self.text}.{name}"
        held = _INSTANCES.get(f"{self._of}.{name}")
        if held is not None:
            return MeasuredInstance(self.unknown, text, self._context, held)
        return self.derive(text)


def measured_member(context: EvaluationContext, name: str) -> object:
    """What stands for a member of a module that is not modelled: `cc_common.compile`."""
    table = context.builtins
    module, _, member = name.partition(".")
    members = table.members(module)
    if members is not None and member not in members:
        raise AttributeError(member)
    value = context.unknown(Reason.NOT_MODELLED, name)
    if name in _INSTANCES:
        return MeasuredInstance(value.unknown, name, context, _INSTANCES[name])
    if table.is_exact and table.signature(module, member) is not None:
        returned = _RETURNED.get(name)
        made = value if returned is None else _making(value, context, returned)
        return checked(table, module, member, made)
    return value


def _making(value: UnknownValue, context: EvaluationContext, of: str) -> Callable[..., object]:
    """A function that returns an instance of a class of Bazel's."""

    def call(*arguments: object, **given: object) -> object:
        value(*arguments, **given)
        return MeasuredInstance(value.unknown, f"{value.text}(...)", context, of)

    return call


def measured_call(
    context: EvaluationContext,
    module: str,
    name: str,
    function: Callable[..., object],
    arguments: tuple[object, ...],
    given: Mapping[str, object],
) -> object:
    """What a function of a module returns, which refuses what it does not take."""
    return checked(context.builtins, module, name, function)(*arguments, **given)


def check_provider(
    context: EvaluationContext,
    name: str,
    arguments: tuple[object, ...],
    given: Mapping[str, object],
) -> None:
    """Fails if a provider of Bazel's own does not take what it is called with."""
    if name == "PyRuntimeInfo":
        _check_runtime(given)
    table = context.builtins
    if not table.is_exact:
        return
    signature = table.signature("Provider", name) or table.signature(name, name)
    if signature is not None:
        check_call(signature, arguments, given, is_exact=True)
    elif name not in _CALLED_OTHERWISE:
        starlark.fail_with("'Provider' object is not callable")


def _check_runtime(given: Mapping[str, object]) -> None:
    """Bazel: `PyRuntimeInfo`."""
    interpreter, path = given.get("interpreter"), given.get("interpreter_path")
    if any(isinstance(one, UnknownValue) for one in (interpreter, path)):
        return
    if (interpreter is None) == (path is None):
        starlark.fail_with(
            "exactly one of the 'interpreter' or 'interpreter_path' arguments must be specified"
        )
    files = given.get("files")
    if interpreter is None and files is not None and not isinstance(files, UnknownValue):
        starlark.fail_with("cannot specify 'files' if 'interpreter_path' is given")
    version = given.get("python_version")
    if isinstance(version, str) and version not in ("PY2", "PY3"):
        starlark.fail_with(
            f"illegal value for 'python_version': '{version}' is not a valid Python major version."
            " Expected 'PY2' or 'PY3'."
        )
