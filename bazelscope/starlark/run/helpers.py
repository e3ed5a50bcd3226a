"""The helpers that compiled code calls, under the names by which it finds them."""

from __future__ import annotations

from typing import Any

from bazelscope.starlark.run import access, containers, loops, operators, state, unknown_operands
from bazelscope.starlark.run.containers import Dict, List

HELPERS_NAME = "@helpers"
"""Under which name helpers are predeclared, where a file has others than `HELPERS`."""


def same(value: Any) -> Any:
    """Hides from Python's compiler what it would warn of."""
    return value


def leave_lambda(function: str, entered: None, value: Any) -> Any:
    """The value of a lambda, which ends here: `@leave_lambda(f, @enter(f), body)`."""
    state.leave(function)
    return value


HELPERS: dict[str, Any] = {
    "@add": operators.add, "@sub": operators.sub, "@mul": operators.mul, "@div": operators.div,
    "@floordiv": operators.floordiv, "@mod": operators.mod, "@or": operators.or_,
    "@and": operators.and_, "@xor": operators.xor, "@lshift": operators.lshift,
    "@rshift": operators.rshift, "@iadd": operators.iadd, "@ior": operators.ior,
    "@neg": operators.neg, "@pos": operators.pos, "@invert": operators.invert,
    "@chain": operators.chain,
    "@eq": containers.equals, "@ne": operators.ne, "@lt": operators.lt, "@le": operators.le,
    "@gt": operators.gt, "@ge": operators.ge, "@in": operators.contains,
    "@not_in": operators.not_in,
    "@attr": access.attr, "@setattr": access.set_attr, "@index": access.index,
    "@setindex": access.set_index, "@slice": access.slice_, "@unpack": access.unpack,
    "@args": access.rest_arguments, "@kwargs": access.keyword_arguments,
    "@list": List, "@dict": Dict, "@dict_display": access.dict_display,
    "@dict_of_pairs": containers.dict_of_pairs,
    "@begin": loops.begin, "@done": loops.done, "@items": loops.items,
    "@guarded": loops.guarded, "@pairs": loops.pairs,
    "@enter": state.enter, "@leave": state.leave, "@leave_lambda": leave_lambda, "@same": same,
    "@decisions": unknown_operands.decisions, "@found_nothing": unknown_operands.found_nothing,
}  # fmt: skip
