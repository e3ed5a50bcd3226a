"""The calls that made a target, each with its arguments as the files write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazelscope.loading.packages.targets import Rule
from bazelscope.questions.shared.target_answers import ArgumentAnswer, CallAnswer
from bazelscope.starlark.syntax import tree

if TYPE_CHECKING:
    from bazelscope.base.source import CallStack, Location
    from bazelscope.loading.loader import Loader
    from bazelscope.loading.origins.syntax_pieces import Piece, SyntaxPieces


def which_calls(loader: Loader, rule: Rule) -> tuple[CallAnswer, ...]:
    """Returns the calls from the BUILD file to the rule, outermost first."""
    return calls_of(loader.syntax_pieces, rule.call_stack, rule.rule_class.name)


def calls_of(pieces: SyntaxPieces, stack: CallStack, innermost: str) -> tuple[CallAnswer, ...]:
    """Returns the calls of a call stack, which made something of the rule `innermost`; without
    those in files that bazelscope ships, which say nothing about the workspace."""
    called = (*(frame.function for frame in stack[1:]), innermost)
    return tuple(
        _call(pieces, frame.location, name)
        for frame, name in zip(stack, called, strict=False)
        if not frame.location.is_shipped
    )


def edited_at(pieces: SyntaxPieces, stack: CallStack) -> Location | None:
    """Returns the place that one would edit of what the calls made: the outermost of them that
    says `name =`. None where none does, or where their texts cannot be had."""
    for frame in stack:
        if frame.location.is_shipped:
            continue
        call = pieces.call_at(frame.location)
        if call is not None and any(
            one.name == "name" and one.form == "=" for one in call.arguments
        ):
            return frame.location
    return None


def _call(pieces: SyntaxPieces, location: Location, name: str) -> CallAnswer:
    piece = pieces.at(location.path, location.line)
    if piece is None:
        return CallAnswer(name, location, is_readable=False)
    for node in tree.walk(piece.statement):
        if isinstance(node, tree.Call) and piece.location(node.opening) == location:
            arguments = tuple(_argument(piece, argument) for argument in node.arguments)
            return CallAnswer(name, location, arguments)
    return CallAnswer(name, location, is_readable=False)


def _argument(piece: Piece, argument: tree.Argument) -> ArgumentAnswer:
    name = argument.name if argument.form == "=" else argument.form
    return ArgumentAnswer(name, " ".join(piece.text(argument.value).split()))
