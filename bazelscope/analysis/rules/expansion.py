"""What `ctx` expands in texts: `$(location ...)`, make variables, and words of a shell.

Where something that is expanded cannot be told, the whole text is unknown.
Bazel: `LocationExpander`, `MakeVariableExpander`, `ShellUtils.tokenize`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from bazelscope import starlark
from bazelscope.analysis.rules.files import FileValue
from bazelscope.analysis.rules.provided import TargetValue, not_modelled
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, parse_label
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.native_texts import OF_TOOLCHAINS, TemplateError, tokenize
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

Locations = Mapping[Label, tuple[FileValue, ...] | Unknown]

_LOCATION = re.compile(r"\$\((locations?|execpaths?|rootpaths?|rlocationpaths?) ([^)]*)\)")
_VARIABLE = re.compile(r"\$(?:\$|\(([^()]*)\)|([A-Za-z0-9_@<^]))")


class Expansion:
    """The functions, for one target."""

    def __init__(
        self,
        context: EvaluationContext,
        label: Label,
        variables: Mapping[str, str | Unknown],
        locations: Callable[[], Locations],
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
        if "$(" not in input:
            return input
        known = dict(self._locations())
        for target in starlark.iterate(targets):
            if isinstance(target, TargetValue):
                known[target.implemented.label] = target.implemented.files()
        parts, position = [], 0
        for match in _LOCATION.finditer(input):
            text = self._paths(match[1], match[2], known)
            if isinstance(text, Unknown):
                return self._unknown(text, "ctx.expand_location(...)")
            parts += [input[position : match.start()], text]
            position = match.end()
        return "".join((*parts, input[position:]))

    def _paths(self, function: str, text: str, known: Locations) -> str | Unknown:
        subject = f"$({function} {text})"
        base = self._label.package_id
        try:
            label = parse_label(text.strip(), base, self._context.mapping_of(base.repository))
        except LabelError as error:
            return not_modelled(subject, str(error))
        files = known.get(label)
        if files is None:
            return not_modelled(subject, "no dependency that is known here")
        if isinstance(files, Unknown):
            return files
        if not function.endswith("s") and len(files) != 1:
            return not_modelled(subject, f"it stands for {len(files)} files")
        if function.startswith("rlocation"):
            return not_modelled(subject)
        paths = []
        for file in files:
            path = file.short_path if function.startswith("root") else file.path
            if isinstance(path, Unknown):
                return path
            paths.append(path)
        return " ".join(sorted(dict.fromkeys(paths)))

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
        parts, position = [], 0
        for match in _VARIABLE.finditer(command):
            text: object = "$"
            if match[0] != "$$":
                name = match[1] if match[1] is not None else match[2]
                text = given.get(name, self._variables.get(name))
                if text is None and not (self._may_be_more or name in OF_TOOLCHAINS):
                    raise ValueError(f"$({name}) not defined")
                if text is None:
                    text = not_modelled(f"$({name})", "no make variable that is known here")
            if isinstance(text, UnknownValue):
                return text.derive("ctx.expand_make_variables(...)")
            if isinstance(text, Unknown):
                return self._unknown(text, "ctx.expand_make_variables(...)")
            if "$" in str(text) and match[0] != "$$":
                unknown = not_modelled(f"$({match[1]})", "its value is expanded again")
                return self._unknown(unknown, "ctx.expand_make_variables(...)")
            parts += [command[position : match.start()], str(text)]
            position = match.end()
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

    def length(self) -> int:
        return self._all().length()

    def truth(self) -> bool:
        return True

    def to_repr(self) -> str:
        return self._all().to_repr()
