"""Checks what a grammar cannot: names, scopes, and where a statement may stand.

Starlark is lexically scoped in blocks: predeclared names, then the file's globals and load
bindings, then each function's locals, then each comprehension's variables. A name that a
function assigns anywhere is its local everywhere. A function may use a global that is
assigned further down, so a file's globals are collected before any function is looked into.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from itertools import zip_longest
from typing import NoReturn

from bazelscope.base.errors import Diagnostic, Misspelling, Note, StarlarkError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import meaning, nearest
from bazelscope.starlark.syntax import tree as s
from bazelscope.starlark.syntax.file_kind import FileKind

MAX_DEPTH = 200
"""How deep expressions and statements may nest."""


_MAX_NOTES = 9

MAX_TERMS = 10_000
"""How many operators one expression may chain, if they are all the same."""
MAX_MIXED_TERMS = 500
"""How many if they are not: then each is a call inside a call."""

_UNBINDABLE = frozenset({"None", "True", "False", "__debug__"})
"""Constants of the language, and the one name that Python itself does not let be assigned."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What the compiler must know of a file's names."""

    globals: frozenset[str]
    """Names assigned or defined at top level."""
    loaded: frozenset[str]
    """Names bound by load statements: local to the file, not exported."""
    unused: tuple[s.Binding, ...]
    """What load statements bring in and the file never uses."""


@dataclass(slots=True)
class _Scope:
    """The names of one block."""

    names: set[str]
    parent: _Scope | None = None
    loops: int = 0


_NO_FUNCTIONS = "functions may not be defined in MODULE.bazel files."
_NO_LAMBDAS = (
    "functions may not be defined in BUILD files. You may move the function to a .bzl file"
    " and load it."
)
_IN_MODULE = {
    "functions": _NO_FUNCTIONS,
    "function definitions": _NO_FUNCTIONS,
    "`for` statements": "`for` statements are not allowed in MODULE.bazel files. You may inline the"
    " loop or as a last resort use a list comprehension.",
    "`if` statements": "`if` statements are not allowed in MODULE.bazel files. You may use an `if`"
    " expression for simple cases.",
    "*": "*args arguments are not allowed in MODULE.bazel files. Pass the arguments in explicitly.",
    "**": "**kwargs arguments must be a literal dict in MODULE.bazel files.",
}
"""What MODULE.bazel may not have, nor REPO.bazel, in Bazel's words: `DotBazelFileSyntaxChecker`."""
_ARGUMENTS = {"": "positional argument", "=": "keyword argument", "*": "*args", "**": "**kwargs"}
"""The forms of arguments of a call, in Bazel's words."""
_BARE_STAR = "bare * must be followed by keyword-only parameters"
_IN_ORDER = frozenset({("=", "*"), ("=", "**"), ("*", "**")})
"""Forms of which the second may stand behind the first."""
_DOT_BAZEL = (FileKind.MODULE, FileKind.REPO)


@dataclass(slots=True)
class Resolver:
    """Resolves one file; `resolve` below is the entry."""

    file: s.File
    predeclared: frozenset[str]
    globals: dict[str, int] = field(default_factory=dict)
    loaded: dict[str, int] = field(default_factory=dict)
    unused: dict[str, s.Binding] = field(default_factory=dict)
    undefined: list[Diagnostic] = field(default_factory=list)
    depth: int = 0
    top_loops: int = 0

    # ---- Errors

    def fail(
        self,
        start: int,
        end: int,
        message: str,
        notes: tuple[Note, ...] = (),
        hint: str | None = None,
    ) -> NoReturn:
        span = self.file.source.span(start, end)
        raise StarlarkError(Diagnostic("starlark-resolve", message, span, notes, hint))

    def _enter(self, node: s.Node) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(node.start, node.start + 1, "code is nested too deeply")

    # ---- Bindings of a block

    def targets(self, target: s.Expression) -> Iterable[s.Name]:
        """The names that assigning to `target` binds; an error if it cannot be assigned to."""
        kind = type(target)
        if kind is s.Name:
            yield self._bindable(target)  # type: ignore[arg-type]
        elif kind is s.TupleExpression or kind is s.ListExpression:
            for element in target.elements:  # type: ignore[union-attr]
                yield from self.targets(element)
        elif kind is not s.Index and kind is not s.Dot:
            what = "a call" if kind is s.Call else "this expression"
            self.fail(target.start, target.end, f"cannot assign to {what}")

    def _bindings(self, statements: Iterable[s.Statement]) -> Iterable[s.Name]:
        """The names that a block binds, in the order of the text."""
        pending = list(statements)[::-1]
        while pending:
            statement = pending.pop()
            if isinstance(statement, s.Assignment):
                yield from self.targets(statement.target)
            elif isinstance(statement, s.For):
                yield from self.targets(statement.variables)
                pending += reversed(statement.body)
            elif isinstance(statement, s.If):
                pending += reversed(statement.otherwise)
                pending += reversed(statement.body)
            elif isinstance(statement, s.Def):
                start, name = statement.name_start, statement.name
                yield self._bindable(s.Name(start, start + len(name), name))

    def _bindable(self, name: s.Name) -> s.Name:
        """`name`, unless it is one of those that nobody may bind."""
        if name.name in _UNBINDABLE:
            self.fail(name.start, name.end, f"cannot assign to `{name.name}`")
        return name

    # ---- The file

    def run(self) -> Resolution:
        self._collect_globals()
        for statement in self.file.statements:
            self.statement(statement, None)
        if self.undefined:
            first, *others = self.undefined
            for other in others[:_MAX_NOTES]:
                first = first.with_note(Note(other.message, other.span))
            raise StarlarkError(first)
        unused = tuple(self.unused.values())
        return Resolution(frozenset(self.globals), frozenset(self.loaded), unused)

    def _collect_globals(self) -> None:
        once = self.file.kind in (FileKind.BZL, FileKind.PLAIN)
        for statement in self.file.statements:
            if type(statement) is s.Load:
                here: set[str] = set()
                for binding in statement.bindings:
                    if binding.local in here:
                        message = f"load statement defines '{binding.local}' more than once"
                        self.fail(binding.start, binding.end, message)
                    here.add(binding.local)
                    self._declare_load(binding)
                continue
            for name in self._bindings((statement,)):
                text = name.name
                first = self.globals.get(text, self.loaded.get(text))
                if first is not None and once:
                    self._reassigned(text, first, name.start, name.end)
                self.globals.setdefault(text, name.start)

    def _reassigned(self, name: str, first: int, start: int, end: int) -> NoReturn:
        where = self.file.source.span(first, first + len(name))
        note = Note(f"`{name}` is first declared here", where)
        self.fail(start, end, f"cannot reassign global `{name}`", (note,))

    def _declare_load(self, binding: s.Binding) -> None:
        local = binding.local
        first = self.loaded.get(local, self.globals.get(local))
        if first is not None and self.file.kind in (FileKind.BZL, FileKind.PLAIN):
            self._reassigned(local, first, binding.start, binding.end)
        if binding.exported.startswith("_"):
            message = f"symbol '{binding.exported}' is private and cannot be imported"
            self.fail(binding.start, binding.end, message)
        quoted = self.file.source.text.startswith(("'", '"'), binding.start)
        self.loaded.setdefault(local, binding.start + quoted)
        self.unused.setdefault(local, binding)

    # ---- Statements

    def block(self, statements: Iterable[s.Statement], scope: _Scope | None) -> None:
        for statement in statements:
            self.statement(statement, scope)

    def statement(self, node: s.Statement, scope: _Scope | None) -> None:
        if isinstance(node, s.ExpressionStatement):
            self.expression(node.value, scope)
            return
        if isinstance(node, s.Assignment):
            if node.operator and type(node.target) in (s.TupleExpression, s.ListExpression):
                message = "cannot perform augmented assignment on a list or tuple expression"
                self.fail(node.target.start, node.target.end, message)
            self.expression(node.value, scope)
            self.expression(node.target, scope)
            return
        self._enter(node)
        if isinstance(node, s.Def):
            if scope is None and self.file.kind not in (FileKind.BZL, FileKind.PLAIN):
                self._not_here(node, 3, "function definitions", "move it to a .bzl file")
            self.function(node.parameters, scope, node.body, None)
        elif isinstance(node, s.If):
            self._if(node, scope)
        elif isinstance(node, s.For):
            if scope is None and self.file.kind is not FileKind.PLAIN:
                hint = "use a list comprehension, or a function"
                self._not_here(node, 3, "`for` statements", hint)
            self.expression(node.iterable, scope)
            self.expression(node.variables, scope)
            self._loops(scope, 1)
            self.block(node.body, scope)
            self._loops(scope, -1)
        elif isinstance(node, s.Return):
            if scope is None:
                self.fail(node.start, node.start + 6, "`return` outside a function")
            if node.value is not None:
                self.expression(node.value, scope)
        elif isinstance(node, (s.Break, s.Continue)):
            if not (scope.loops if scope is not None else self.top_loops):
                word = "break" if isinstance(node, s.Break) else "continue"
                self.fail(node.start, node.end, f"`{word}` outside a loop")
        elif isinstance(node, s.Load) and (scope is not None or self.depth > 1):
            self.fail(node.start, node.start + 4, "`load` must stand at the top of a file")
        self.depth -= 1

    def _loops(self, scope: _Scope | None, change: int) -> None:
        if scope is None:
            self.top_loops += change
        else:
            scope.loops += change

    def _if(self, node: s.If, scope: _Scope | None) -> None:
        if scope is None and self.file.kind is not FileKind.PLAIN:
            hint = "use a conditional expression, or a function"
            self._not_here(node, 2, "`if` statements", hint)
        levels = 0
        while True:  # an elif chain is long, not deep
            levels += 1
            if levels > MAX_DEPTH:
                self.fail(node.start, node.start + 4, "too many `elif` branches")
            self.expression(node.condition, scope)
            self.block(node.body, scope)
            otherwise = node.otherwise
            if len(otherwise) != 1 or not isinstance(otherwise[0], s.If):
                break
            node = otherwise[0]
        self.block(node.otherwise, scope)

    def _in_dot_bazel(self, what: str) -> str:
        return _IN_MODULE[what].replace("MODULE", self.file.kind.value)

    def _not_here(self, node: s.Statement, length: int, what: str, hint: str) -> NoReturn:
        if self.file.kind in _DOT_BAZEL:
            self.fail(node.start, node.start + length, self._in_dot_bazel(what))
        kinds = {
            FileKind.BUILD: "BUILD files",
            FileKind.WORKSPACE: "WORKSPACE files",
            FileKind.BZL: "the top level of .bzl files",
        }
        message = f"{what} are not allowed in {kinds[self.file.kind]}"
        self.fail(node.start, node.start + length, message, hint=hint)

    # ---- Functions

    def function(
        self,
        parameters: tuple[s.Parameter, ...],
        scope: _Scope | None,
        body: tuple[s.Statement, ...],
        value: s.Expression | None,
    ) -> None:
        names: set[str] = set()
        seen = rest = ""
        for parameter in parameters:
            form = parameter.form
            if form == seen and form in ("*", "**"):
                self._parameter(parameter, f"multiple {form} parameters not allowed")
            if seen == "**":
                forms = {"": f"required parameter {parameter.name}", "=": "optional parameter"}
                message = f"{forms.get(form, '* parameter')} may not follow **{rest}"
                self._parameter(parameter, message)
            if form == "" and seen == "=":
                what = f"required positional parameter {parameter.name}"
                self._parameter(parameter, f"{what} may not follow an optional parameter")
            if parameter.default is not None:
                self.expression(parameter.default, scope)
            if parameter.name in names:
                self._parameter(parameter, f"duplicate parameter: {parameter.name}")
            if parameter.name in _UNBINDABLE:
                self._parameter(parameter, f"cannot assign to `{parameter.name}`")
            if parameter.name:
                names.add(parameter.name)
            if form in ("*", "**") or (form == "=" and seen == ""):
                seen, rest = form, parameter.name
        for parameter, after in zip_longest(parameters, parameters[1:]):
            is_bare = parameter.form == "*" and not parameter.name
            if is_bare and (after is None or after.form == "**"):
                self._parameter(parameter, _BARE_STAR)
        inner = _Scope(names, scope)
        names.update(name.name for name in self._bindings(body))
        if value is not None:
            self.expression(value, inner)
        else:
            self.block(body, inner)

    def _parameter(self, parameter: s.Parameter, message: str) -> NoReturn:
        self.fail(parameter.start, parameter.end, message)

    # ---- Expressions

    def expression(self, node: s.Expression, scope: _Scope | None) -> None:
        kind = type(node)
        if kind is s.Name:
            self.name(node, scope)  # type: ignore[arg-type]
            return
        if kind is s.Literal:
            return
        self._enter(node)
        if isinstance(node, s.Call):
            self.expression(node.function, scope)
            self.arguments(node, scope)
        elif isinstance(node, s.Binary):
            self._chain(s.spine(node), scope)
        elif isinstance(node, (s.ListExpression, s.TupleExpression)):
            for element in node.elements:
                if type(element) is not s.Literal:
                    self.expression(element, scope)
        elif isinstance(node, s.DictExpression):
            for entry in node.entries:
                self.expression(entry.key, scope)
                self.expression(entry.value, scope)
        elif isinstance(node, s.Comprehension):
            self.comprehension(node, scope)
        elif isinstance(node, s.Lambda):
            if self.file.kind in _DOT_BAZEL:
                self.fail(node.start, node.start + 6, self._in_dot_bazel("functions"))
            if self.file.kind is FileKind.BUILD:
                self.fail(node.start, node.start + 6, _NO_LAMBDAS)
            self.function(node.parameters, scope, (), node.body)
        elif isinstance(node, s.Dot):
            self.expression(node.object, scope)
        else:
            for child in s.children(node):
                self.expression(child, scope)  # type: ignore[arg-type]
        self.depth -= 1

    def _chain(self, spine: list[s.Binary], scope: _Scope | None) -> None:
        """A sum is long, not deep."""
        first, last = spine[-1], spine[0]
        same = all(part.operator == first.operator for part in spine)
        if len(spine) > (MAX_TERMS if same else MAX_MIXED_TERMS):
            self.fail(last.start, last.start + 1, "expression is too long")
        self.expression(first.left, scope)
        for part in reversed(spine):
            self.expression(part.right, scope)

    def arguments(self, node: s.Call, scope: _Scope | None) -> None:
        seen: set[str] = set()
        latest = ""
        for argument in node.arguments:
            form = argument.form
            is_literal = form == "**" and isinstance(argument.value, s.DictExpression)
            if form in _IN_MODULE and self.file.kind in _DOT_BAZEL and not is_literal:
                self.fail(argument.start, argument.start + len(form), self._in_dot_bazel(form))
            misplaced = self._misplaced(argument, latest)
            if misplaced:
                self.fail(argument.start, argument.end, misplaced)
            if form == "=":
                if argument.name in seen:
                    message = f"duplicate keyword argument: {argument.name}"
                    self.fail(argument.start, argument.start + len(argument.name), message)
                if argument.name in _UNBINDABLE:
                    message = f"`{argument.name}` cannot be a keyword"
                    self.fail(argument.start, argument.start + len(argument.name), message)
                seen.add(argument.name)
            latest = form or latest
            self.expression(argument.value, scope)

    @staticmethod
    def _misplaced(argument: s.Argument, latest: str) -> str:
        """Returns Bazel's words for an argument that may not stand behind one of the form
        `latest`; "" if it may. Bazel: `Resolver.resolveCall`."""
        form = argument.form
        if latest == "" or form == latest == "=" or (latest, form) in _IN_ORDER:
            return ""
        if form == latest:
            return f"multiple {_ARGUMENTS[form]} not allowed"
        what = f"keyword argument {argument.name}" if form == "=" else _ARGUMENTS[form]
        return f"{what} may not follow {_ARGUMENTS[latest]}"

    def comprehension(self, node: s.Comprehension, scope: _Scope | None) -> None:
        # Behind the first iterable, the variables of all clauses are in scope, bound or not.
        loops = [clause for clause in node.clauses if isinstance(clause, s.ForClause)]
        names = {name.name for clause in loops for name in self.targets(clause.variables)}
        inner = _Scope(names, scope)
        for index, clause in enumerate(node.clauses):
            if isinstance(clause, s.ForClause):
                self.expression(clause.iterable, inner if index else scope)
                self.expression(clause.variables, inner)
            else:
                self.expression(clause.condition, inner)
        if isinstance(node.body, s.Entry):
            self.expression(node.body.key, inner)
            self.expression(node.body.value, inner)
        else:
            self.expression(node.body, inner)

    def name(self, node: s.Name, scope: _Scope | None) -> None:
        name = node.name
        inner = scope
        while inner is not None:
            if name in inner.names:
                return
            inner = inner.parent
        if name in self.loaded:
            self.unused.pop(name, None)
            return
        if name in self.globals or name in self.predeclared:
            return
        known = {*self.predeclared, *self.globals, *self.loaded}
        inner = scope
        while inner is not None:
            known |= inner.names
            inner = inner.parent
        near = nearest(name, sorted(known), 1)
        slip = Misspelling(name, near[0]) if near else None
        span = self.file.source.span(node.start, node.end)
        message = f"name '{name}' is not defined"
        if all(earlier.message != message for earlier in self.undefined):
            problem = Diagnostic(
                "starlark-name", message, span, (), meaning(near), misspelling=slip
            )
            self.undefined.append(problem)


def resolve(file: s.File, predeclared: frozenset[str]) -> Resolution:
    """Checks `file` against the names it may use; StarlarkError at the first that fails."""
    return Resolver(file, predeclared).run()
