"""Which piece of an attribute's expression a label, or a string, came from.

An attribute like `data = COMMON + select({...}) + if_mkl([...])` has evaluated to labels that no
longer say which term they come from. This module looks it up in the syntax trees: from the
call that made the rule outwards, through parameters to the macro's call, through variables to
their assignments, into the functions that are called. It reads, it does not evaluate: what
it cannot follow it says so, with the place where it lost the track.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from bazelscope.base.errors import LabelError, LoadingError
from bazelscope.base.label import Label, parse_label
from bazelscope.base.source import Frame, Location
from bazelscope.bazel.attribute_types import Selector
from bazelscope.loading.evaluation.bzl_files.module_files import load_label
from bazelscope.loading.origins.syntax_pieces import (
    Piece,
    Scope,
    SyntaxPieces,
    assigned_names,
    parameter_of,
    place_of,
    shortened,
)
from bazelscope.loading.origins.term import Term, TermKind
from bazelscope.loading.packages.repository_access import RepositoryAccess
from bazelscope.loading.packages.targets import Rule
from bazelscope.starlark.syntax import tree as s

_MAXIMUM_STEPS = 3000


class Sources(Protocol):
    """Knows the files that terms stand in: their statements, paths, labels and repositories."""

    @property
    def syntax_pieces(self) -> SyntaxPieces: ...
    @property
    def table(self) -> RepositoryAccess: ...
    def label_of(self, display_path: str) -> Label | None: ...
    def display_path(self, file: Label) -> str | None: ...


def why_label(
    sources: Sources, rule: Rule, attribute: str, label: Label, selector: Selector | None = None
) -> Term:
    """The term of `rule`'s `attribute` that `label` came from.

    With `selector`, the label is in that select's branches.
    """
    if attribute not in rule.attributes or not rule.attributes[attribute].is_explicit:
        at = rule.rule_class.defined_at
        return Term(TermKind.DEFAULT, attribute, rule.location, at[-1].location if at else None)
    if not rule.call_stack:
        return Term(TermKind.UNKNOWN, attribute, rule.location)
    return _traced(_Tracer(sources, rule, label, selector), attribute)


def why_text(
    sources: Sources, rule: Rule, attribute: str, text: str, selector: Selector | None = None
) -> Term:
    """The term of `rule`'s `attribute` that the string `text` came from, as `why_label`."""
    if attribute not in rule.attributes or not rule.call_stack:
        return Term(TermKind.UNKNOWN, attribute, rule.location)
    return _traced(_Tracer(sources, rule, text, selector), attribute)


def _traced(tracer: _Tracer, attribute: str) -> Term:
    rule = tracer.rule
    term = tracer.attribute(attribute)
    if term is not None:
        return term
    return tracer.lost or Term(TermKind.UNKNOWN, attribute, rule.call_stack[-1].location)


class _Tracer:
    def __init__(
        self, sources: Sources, rule: Rule, wanted: Label | str, selector: Selector | None
    ) -> None:
        self._sources = sources
        self.rule = rule
        self._wanted = wanted
        self._selector = selector
        self._stack: tuple[Frame, ...] = rule.call_stack
        self._context = rule.label.package_id
        self._mapping = sources.table.repo_mapping(rule.label.repository)
        self._pieces: SyntaxPieces = sources.syntax_pieces
        self._steps = 0
        self._active: set[tuple[str, int, str]] = set()
        self._select_places = (
            {frame.location for frame in selector.call_stack} if selector is not None else set()
        )
        self.lost: Term | None = None

    def attribute(self, name: str) -> Term | None:
        """Follows the attribute from the call that made the rule."""
        scope = self._scope_of_frame(len(self._stack) - 1)
        if scope is None or scope.call is None:
            return None
        return self._argument(scope.call, name, None, scope)

    # ---- Frames and calls ----

    def _scope_of_frame(self, index: int) -> Scope | None:
        """The call that frame `index` was executing."""
        if index < 0:
            return None
        frame = self._stack[index]
        if frame.location.column == 1 and index > 0:
            # A symbolic macro's own frame, which hands on what it was called with.
            return self._scope_of_frame(index - 1)
        piece = self._pieces.at(frame.location.path, frame.location.line)
        if piece is None:
            return None
        call = piece.call_at(frame.location)
        if call is None:
            return None
        return Scope(piece, piece.function_around(call), index, call)

    def _argument(self, call: s.Call, name: str, position: int | None, scope: Scope) -> Term | None:
        """The argument `name` of a call, or the one at `position`."""
        lost = None
        named = [one.value for one in call.arguments if one.form == "=" and one.name == name]
        plain = [one.value for one in call.arguments if one.form == ""]
        at_position = plain[position : position + 1] if position is not None else []
        for value in (named or at_position)[:1]:
            term = self._search(value, scope)
            if term is not None:
                return term
            lost = value
        if lost is None:
            for argument in call.arguments:
                if argument.form == "**":
                    term = self._keyword_of(argument.value, name, scope)
                    if term is not None:
                        return term
                    lost = argument.value
        if lost is not None and self.lost is None and scope.caller is None:
            self.lost = self._term(TermKind.UNKNOWN, lost, scope)
        return None

    def _keyword_of(self, value: s.Expression, name: str, scope: Scope) -> Term | None:
        """`**value`: what stands under the key `name`."""
        if isinstance(value, s.Name):
            assigned = self._assigned_key(value.name, name, scope)
            if assigned is not None:
                return assigned
            parameter = parameter_of(scope.function, value.name)
            if parameter is not None and parameter.form == "**":
                return self._outward(name, None, scope)
            return self._search(value, scope)
        if isinstance(value, s.DictExpression):
            for entry in value.entries:
                if isinstance(entry.key, s.Literal) and entry.key.value == name:
                    return self._search(entry.value, scope)
            return None
        if isinstance(value, s.Binary):
            term = self._keyword_of(value.right, name, scope)
            return term if term is not None else self._keyword_of(value.left, name, scope)
        if isinstance(value, s.Call):
            # `**_marked(attrs)`, `**dict(kwargs, deps = ...)`: most functions of dicts pass on
            # what they get.
            term = self._argument(value, name, None, scope)
            for argument in value.arguments if term is None else ():
                if argument.form in ("", "="):
                    term = self._keyword_of(argument.value, name, scope)
                    if term is not None:
                        break
            return term
        return self._search(value, scope)

    def _assigned_key(self, variable: str, key: str, scope: Scope) -> Term | None:
        """`variable["key"] = ...` in the function that is running."""
        if scope.function is None:
            return None
        for node in s.walk(scope.function):
            if (
                isinstance(node, s.Assignment)
                and isinstance(node.target, s.Index)
                and isinstance(node.target.object, s.Name)
                and node.target.object.name == variable
                and isinstance(node.target.key, s.Literal)
                and node.target.key.value == key
            ):
                term = self._search(node.value, scope)
                if term is not None:
                    return term
        return None

    def _outward(self, name: str, parameter: s.Parameter | None, scope: Scope) -> Term | None:
        """What the caller of the function gave for the parameter `name`."""
        position = None
        if parameter is not None and scope.function is not None:
            position = scope.function.parameters.index(parameter)
        if scope.caller is not None and scope.call is not None:
            term = self._argument(scope.call, name, position, scope.caller)
        else:
            outer = self._scope_of_frame(scope.frame - 1)
            term = None
            if outer is not None and outer.call is not None:
                term = self._argument(outer.call, name, position, outer)
        if term is None and parameter is not None and parameter.default is not None:
            return self._search(parameter.default, scope)
        return term

    # ---- Expressions ----

    def _search(self, node: s.Expression, scope: Scope) -> Term | None:
        """The term within `node` that the label came from."""
        self._steps += 1
        if self._steps > _MAXIMUM_STEPS:
            return None
        if isinstance(node, s.Literal):
            if self._selector is None and self._is_wanted(node.value):
                return self._term(TermKind.LITERAL, node, scope)
            return None
        if isinstance(node, s.ListExpression | s.TupleExpression):
            return self._first(node.elements, scope)
        if isinstance(node, s.DictExpression):
            parts = [part for entry in node.entries for part in (entry.value, entry.key)]
            return self._first(parts, scope)
        if isinstance(node, s.Binary):
            return self._first((node.left, node.right), scope)
        if isinstance(node, s.Conditional):
            return self._first((node.when_true, node.when_false), scope)
        if isinstance(node, s.Name):
            return self._name(node, scope)
        if isinstance(node, s.Call):
            return self._call(node, scope)
        if isinstance(node, s.Index):
            return self._search(node.object, scope)
        if isinstance(node, s.Comprehension):
            parts = [clause.iterable for clause in node.clauses if isinstance(clause, s.ForClause)]
            body = (node.body.value,) if isinstance(node.body, s.Entry) else (node.body,)
            return self._first((*parts, *body), scope)
        return None

    def _first(
        self, nodes: tuple[s.Expression, ...] | list[s.Expression], scope: Scope
    ) -> Term | None:
        for node in nodes:
            term = self._search(node, scope)
            if term is not None or self._steps > _MAXIMUM_STEPS:
                return term
        return None

    def _is_wanted(self, value: object) -> bool:
        if not isinstance(value, str) or not value:
            return False
        if isinstance(self._wanted, str):
            return value == self._wanted
        last = value.rpartition("/")[2].rpartition(":")[2].removeprefix("@")
        if last != self._wanted.name.rpartition("/")[2]:
            return False
        in_package = value.partition("//")[2]
        if in_package and not in_package.startswith(self._wanted.package):
            return False  # Lists of thousands are searched for each of their labels.
        try:
            return parse_label(value, self._context, self._mapping) == self._wanted
        except LabelError:
            return False

    # ---- Calls ----

    def _call(self, node: s.Call, scope: Scope) -> Term | None:
        place = scope.piece.location(node.opening)
        if self._selector is not None:
            return self._call_with_select(node, place, scope)
        values = tuple(argument.value for argument in node.arguments)
        inner = self._first(values, scope)
        if isinstance(node.function, s.Name) and node.function.name in ("Label", "select"):
            return inner
        if isinstance(node.function, s.Dot):
            # `x.get("deps", [])`, `list.append(...)`: the object may hold the label.
            method = node.function
            if inner is None and isinstance(method.object, s.Name) and values:
                key = values[0]
                parameter = parameter_of(scope.function, method.object.name)
                if (
                    method.name in ("get", "pop")
                    and isinstance(key, s.Literal)
                    and parameter is not None
                    and parameter.form == "**"
                ):
                    return self._outward(str(key.value), None, scope)
            return inner if inner is not None else self._search(method.object, scope)
        if isinstance(node.function, s.Name):
            function = self._function(node.function.name, scope)
            if inner is None and function is not None:
                inner = self._into(function, node, scope)
            if inner is not None:
                at = place_of(function)
                return self._term(TermKind.CALL, node, scope, at, (inner,))
        return inner

    def _call_with_select(self, node: s.Call, place: Location, scope: Scope) -> Term | None:
        """The select is in this call if its own call stack went through here."""
        selector = self._selector
        assert selector is not None
        if place not in self._select_places:
            values = tuple(argument.value for argument in node.arguments)
            inner = self._first(values, scope)
            if inner is not None and isinstance(node.function, s.Name):
                return self._term(TermKind.CALL, node, scope, None, (inner,))
            return inner
        defined = selector.call_stack[-1].location
        self._selector = None
        try:
            values = tuple(argument.value for argument in node.arguments)
            inner = self._first(values, scope)
            if place == defined:
                return inner or self._term(TermKind.CALL, node, scope)
            if inner is None and isinstance(node.function, s.Name):
                function = self._function(node.function.name, scope)
                inner = self._into(function, node, scope) if function is not None else None
        finally:
            self._selector = selector
        via = (inner,) if inner is not None else ()
        return self._term(TermKind.CALL, node, scope, defined, via)

    def _into(self, function: Scope, call: s.Call, caller: Scope) -> Term | None:
        """Looks for the label in what a function returns."""
        definition = function.function
        if definition is None:
            return None
        key = (*function.piece.location(definition.start)[:2], "def")
        if key in self._active:
            return None
        self._active.add(key)
        try:
            inside = replace(function, call=call, caller=caller)
            for statement in s.walk(definition):
                if isinstance(statement, s.Return) and statement.value is not None:
                    term = self._search(statement.value, inside)
                    if term is not None:
                        return term
        finally:
            self._active.discard(key)
        return None

    def _function(self, name: str, scope: Scope) -> Scope | None:
        """The definition of a global function, followed through loads."""
        path = scope.piece.file.path
        for _ in range(10):
            piece = self._follow(path, name)
            if piece is None:
                return None
            statement = piece.statement
            if isinstance(statement, s.Def):
                return Scope(piece, statement, -1)
            if not (isinstance(statement, s.Assignment) and isinstance(statement.value, s.Name)):
                return None
            path, name = piece.file.path, statement.value.name  # `f = _f`: another name
        return None

    # ---- Names ----

    def _name(self, node: s.Name, scope: Scope) -> Term | None:
        path = scope.piece.file.path
        line = scope.piece.location(scope.function.start).line if scope.function else 0
        key = (path, line, node.name)
        if key in self._active:
            return None
        self._active.add(key)
        try:
            if scope.function is not None:
                term = self._local(node, scope)
                if term is not None:
                    return term
                parameter = parameter_of(scope.function, node.name)
                if parameter is not None:
                    return self._outward(node.name, parameter, scope)
            return self._global(node, scope)
        finally:
            self._active.discard(key)

    def _local(self, node: s.Name, scope: Scope) -> Term | None:
        """Assignments of the name in the running function; a loop variable's iterable."""
        assert scope.function is not None
        for value in scope.piece.assigned_in(scope.function).get(node.name, ()):
            if not (value.start <= node.start < value.end):
                term = self._search(value, scope)
                if term is not None:
                    return term
        return None

    def _global(self, node: s.Name, scope: Scope) -> Term | None:
        piece = self._follow(scope.piece.file.path, node.name)
        if piece is None:
            return None
        statement = piece.statement
        outer = Scope(piece, None, -1)
        for inner in s.walk(statement):
            if isinstance(inner, s.Assignment) and node.name in assigned_names(inner.target):
                term = self._search(inner.value, outer)
                if term is not None:
                    at = piece.location(inner.start)
                    return self._term(TermKind.VARIABLE, node, scope, at, (term,))
        return None

    def _follow(self, path: str, name: str) -> Piece | None:
        """The statement that defines a global, in `path` or where it is loaded from."""
        for _ in range(20):
            piece = self._pieces.definition(path, name)
            if piece is None or not isinstance(piece.statement, s.Load):
                return piece
            load = piece.statement
            exported = next((b.exported for b in load.bindings if b.local == name), None)
            base = self._sources.label_of(path)
            if exported is None or base is None:
                return None
            mapping = self._sources.table.repo_mapping(base.repository)
            try:
                label = load_label(str(load.module.value), base.package_id, mapping)
            except LoadingError:
                return None
            loaded = self._sources.display_path(label)
            if loaded is None:
                return None
            path, name = loaded, exported
        return None

    # ---- Terms ----

    def _term(
        self,
        kind: TermKind,
        node: s.Expression,
        scope: Scope,
        defined_at: Location | None = None,
        via: tuple[Term, ...] = (),
    ) -> Term:
        text = shortened(node, scope.piece)
        return Term(kind, text, scope.piece.location(node.start), defined_at, via)
