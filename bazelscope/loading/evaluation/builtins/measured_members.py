"""Members of Bazel's own modules, and its providers, as its table tells of them.

What a function of these returns is unknown; what it does not take is refused. It is imported when
one is asked for. Bazel: `BuiltinFunction`, `BuiltinProvider`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope import starlark
from bazelscope.base.unknown import Reason
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.builtin_calls import check_call, checked

_CALLED_OTHERWISE = ("CcToolchainConfigInfo", "ExecutionInfo")
"""Providers that functions of a module make."""


def measured_member(context: EvaluationContext, name: str) -> object:
    """What stands for a member of a module that is not modelled: `cc_common.compile`."""
    table = context.builtins
    module, _, member = name.partition(".")
    members = table.members(module)
    if members is not None and member not in members:
        raise AttributeError(member)
    value = context.unknown(Reason.NOT_MODELLED, name)
    if table.is_exact and table.signature(module, member) is not None:
        return checked(table, module, member, value)
    return value


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
    table = context.builtins
    if not table.is_exact:
        return
    signature = table.signature("Provider", name) or table.signature(name, name)
    if signature is not None:
        check_call(signature, arguments, given, is_exact=True)
    elif name not in _CALLED_OTHERWISE:
        starlark.fail_with("'Provider' object is not callable")
