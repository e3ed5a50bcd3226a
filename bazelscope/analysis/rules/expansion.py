"""What `ctx` expands in texts: `$(location ...)`, make variables, and words of a shell.

Where something that is expanded cannot be told, the whole text is unknown.
Bazel: `LocationExpander`, `MakeVariableExpander`, `ShellUtils.tokenize`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, NoReturn

from bazelscope import starlark
from bazelscope.analysis.rules.files import FileValue
from bazelscope.analysis.rules.provided import TargetValue, not_modelled
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, parse_label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.unknown import Unknown, all_known
from bazelscope.bazel.native_texts import (
    OF_TOOLCHAINS,
    TemplateError,
    files_shown,
    tokenize,
    unsupported,
)
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.builtin_calls import check_dict, check_elements
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

Locations = Mapping[Label, tuple[FileValue, ...] | Unknown]
Located = tuple[Locations, Unknown | None]
"""The files of what `$(location)` may name, and why there may be more."""

_LOCATION = lazy_pattern(r"\$\((locations?|execpaths?|rootpaths?|rlocationpaths?) ([^)]*\)?)")
_VARIABLE = lazy_pattern(r"\$(?:\$|\(([^)]*)\)|([@<^]))?")
_WORD = lazy_pattern(r"\$(.\w*)", re.ASCII | re.DOTALL)
_DEEPEST = 10
"""How deep make variables may be in one another."""


class Expansion:
    """The functions, for one target."""

    def __init__(
        self,
        context: EvaluationContext,
        label: Label,
        variables: Mapping[str, str | Unknown],
        locations: Callable[[], Located],
    ) -> None:
        """`variables` has an empty name if there may be more; `locations` gives the files of
        what `$(location)` may name."""
        self._context = context
        self._label = label
        self._variables = variables
        self._locations = locations
        self._may_be_more = "" in variables

    def value(self) -> object:
        """`ctx.var`."""
        if self._may_be_more:
            return Variables(self._context, self._variables)
        known = {
            name: self._unknown(text, f'ctx.var["{name}"]') if isinstance(text, Unknown) else text
            for name, text in self._variables.items()
        }
        variables = starlark.Dict(known)
        starlark.freeze(variables)
        return variables

    def _unknown(self, unknown: Unknown, what: str) -> UnknownValue:
        return UnknownValue(unknown, what, self._context)

    def location(self, input: object, targets: object = (), **_: object) -> object:
        if isinstance(input, UnknownValue):
            return input.derive(f"ctx.expand_location({input.text})")
        if isinstance(targets, UnknownValue):
            return targets.derive("ctx.expand_location(...)")
        if not isinstance(input, str):
            raise TypeError(f"a string, not a {starlark.type_of(input)}, is needed")
        check_elements("targets", targets, "Target")
        known, doubt = self._locations()
        known = dict(known)
        for target in starlark.iterate(targets):
            if isinstance(target, TargetValue):
                known[target.named] = target.implemented.files()
            elif isinstance(target, UnknownValue):
                doubt = doubt or target.as_unknown()
        parts, position = [], 0
        for match in _LOCATION.finditer(input):
            if not match[2].endswith(")"):
                starlark.fail_with(f"unterminated $({match[1]}) expression")
            text = self._paths(match[1], match[2][:-1].strip(), known, doubt)
            if isinstance(text, Unknown):
                return self._unknown(text, "ctx.expand_location(...)")
            parts += [input[position : match.start()], text]
            position = match.end()
        return "".join((*parts, input[position:]))

    def _paths(
        self, function: str, text: str, known: Locations, doubt: Unknown | None
    ) -> str | Unknown:
        subject, many = f"$({function} {text})", function.endswith("s")
        shown = "$(locations)" if many else "$(location)"
        if "<unknown " in text:
            return not_modelled(subject, "its label is not known")
        base = self._label.package_id
        if not text:
            starlark.fail_with(f"invalid label in {shown} expression: empty package-relative label")
        try:
            label = parse_label(text, base, self._context.mapping_of(base.repository))
        except LabelError as error:
            starlark.fail_with(f"invalid label in {shown} expression: {error.reason}")
        files = known.get(label)
        style = self._context.label_style(label)
        if files is None:
            alike = any((one.package, one.name) == (label.package, label.name) for one in known)
            if doubt is not None or alike:
                return doubt or not_modelled(subject, "no dependency that is known here")
            starlark.fail_with(
                f"label '{style}' in {shown} expression is not a declared prerequisite of this rule"
            )
        if isinstance(files, Unknown):
            return files
        if not files:
            starlark.fail_with(f"label '{style}' in {shown} expression expands to no files")
        if not many and len(files) != 1:
            starlark.fail_with(
                f"label '{style}' in $(location) expression expands to more than one file, please"
                f" use $(locations {style}) instead"
                + files_shown([_path_of(function, file) for file in files])
            )
        if function.startswith("rlocation"):
            return not_modelled(subject)
        paths = all_known(_path_of(function, file) for file in files)
        return paths if isinstance(paths, Unknown) else " ".join(sorted(set(paths)))

    def make_variables(
        self, attribute_name: object, command: object, additional_substitutions: object = None
    ) -> object:
        if isinstance(command, UnknownValue):
            return command.derive(f"ctx.expand_make_variables({command.text})")
        if isinstance(additional_substitutions, UnknownValue):
            return additional_substitutions.derive("ctx.expand_make_variables(...)")
        if not isinstance(command, str):
            raise TypeError(f"a string, not a {starlark.type_of(command)}, is needed")
        given = additional_substitutions if isinstance(additional_substitutions, dict) else {}
        if self._context.release.substitutions_are_texts:
            check_dict("additional_substitutions", given, ("string", "string"))
        text = self._expanded(command, given, 0)
        if isinstance(text, UnknownValue):
            return text.derive("ctx.expand_make_variables(...)")
        if isinstance(text, Unknown):
            return self._unknown(text, "ctx.expand_make_variables(...)")
        return text

    def _expanded(
        self, command: str, given: Mapping[object, object], depth: int
    ) -> str | Unknown | UnknownValue:
        """A text with its make variables, which may have others. Bazel: `TemplateExpander`."""
        if depth > _DEEPEST:
            starlark.fail_with(f"potentially unbounded recursion during expansion of '{command}'")
        starlark.charge(1)
        parts, position = [], 0
        for match in _VARIABLE.finditer(command):
            parts.append(command[position : match.start()])
            position = match.end()
            if match[0] == "$$":
                parts.append("$")
                continue
            name = match[1] if match[1] is not None else match[2]
            if name is None:
                _refuse_variable(command[match.start() :])
            text = given.get(name, self._variables.get(name))
            if text is None and not (self._may_be_more or name in OF_TOOLCHAINS):
                starlark.fail_with(f"$({name.partition(' ')[0]}) not defined")
            if text is None:
                return not_modelled(f"$({name})", "no make variable that is known here")
            if isinstance(text, UnknownValue | Unknown):
                return text
            if text != name:
                text = self._expanded(str(text), given, depth + 1)
                if not isinstance(text, str):
                    return text
            parts.append(str(text))
        return "".join((*parts, command[position:]))

    def tokenize(self, option: object) -> object:
        if isinstance(option, UnknownValue):
            return option.derive(f"ctx.tokenize({option.text})")
        if not isinstance(option, str):
            raise TypeError(f"a string, not a {starlark.type_of(option)}, is needed")
        starlark.charge(len(option))
        try:
            return starlark.List(tokenize(option))
        except TemplateError as error:
            raise ValueError(f"{error} while tokenizing '{option}'") from None


def _path_of(function: str, file: FileValue) -> str | Unknown:
    return file.short_path if function.startswith("root") else file.path


def _refuse_variable(text: str) -> NoReturn:
    """Fails for what stands behind a `$` and is no make variable."""
    if text == "$":
        starlark.fail_with("unterminated $")
    if text[1] == "(" or (text[1] == "{" and "}" not in text):
        starlark.fail_with("unterminated variable reference")
    word = _WORD.match(text)
    name = text[2 : text.index("}")] if text[1] == "{" else (word[1] if word is not None else "")
    written = f"${{{name}}}" if text[1] == "{" else f"${name}"
    starlark.fail_with(str(unsupported(written, name)))


class Variables(starlark.Value):
    """`ctx.var` where nobody can tell all make variables."""

    starlark_type: ClassVar[str] = "dict"
    __slots__ = ("_context", "_held")

    def __init__(self, context: EvaluationContext, held: Mapping[str, str | Unknown]) -> None:
        self._context = context
        self._held = held

    def _of(self, name: object) -> object:
        value = self._held.get(name) if isinstance(name, str) and name else None
        if value is None:
            value = self._held[""]
        if isinstance(value, Unknown):
            return UnknownValue(value, f"ctx.var[{starlark.repr_of(name)}]", self._context)
        return value

    def _all(self) -> UnknownValue:
        unknown = self._held[""]
        assert isinstance(unknown, Unknown)
        return UnknownValue(unknown, "ctx.var", self._context)

    def index(self, key: object) -> object:
        return self._of(key)

    def contains(self, key: object) -> object:
        is_known = isinstance(key, str) and bool(key) and key in self._held
        return is_known or self._all().truth()

    def get_attr(self, name: str) -> object:
        if name == "get":
            return starlark.Builtin("get", lambda key, default=None: self._of(key))
        if name in ("keys", "items", "values"):
            return starlark.Builtin(name, self._all)
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ("get", "items", "keys", "values")

    def binary(self, op: str, other: object, reflected: bool) -> object:
        return self._all().binary(op, other, reflected)

    def iterate(self) -> Iterable[object]:
        return self._all().iterate()

    def in_place_of(self, form: str) -> object:
        return self._all().in_place_of(form)

    def length(self) -> int:
        return self._all().length()

    def to_repr(self) -> str:
        return self._all().to_repr()
