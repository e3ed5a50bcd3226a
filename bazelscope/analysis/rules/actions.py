"""`ctx.actions` of a dry run: it records the actions that an implementation would register.

Nothing is run or written. `Action.words()` gives the command line, with its `Args` expanded.
Bazel: `StarlarkActionFactory`, `Args`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.analysis.rules.files import FileRoot, FileValue
from bazelscope.base.errors import StarlarkError
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import Depset, elements_of
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

LIMITS = starlark.Limits(steps=2_000_000)
MAXIMUM_ACTIONS = 20_000

Words = tuple[str, ...] | Unknown


@dataclass(frozen=True, slots=True)
class Action:
    """One action as it was registered.

    `kind` is the name of the function (`run`, `run_shell`, `write`, `symlink`, ...), `given` its
    arguments by name (`inputs`, `tools`, `env`, `content`, `substitutions`, ...), lists as tuples.
    Any of them may be, or hold, an `UnknownValue`.
    """

    kind: str
    mnemonic: str
    outputs: tuple[FileValue, ...]
    given: Mapping[str, object]
    location: Location | None

    def words(self) -> Words:
        """The words of the command line behind the program, or why they cannot be told."""
        words: list[str] = []
        given = self.given.get("arguments") or ()
        if isinstance(given, UnknownValue):
            return given.as_unknown()
        for argument in starlark.iterate(given):
            some = argument.words() if isinstance(argument, Args) else _one(argument)
            if isinstance(some, Unknown):
                return some
            words += some
        return tuple(words)


class Actions(starlark.Value):
    """`ctx.actions`; `recorded` and `declared` are what it has been asked for so far."""

    starlark_type: ClassVar[str] = "actions"
    __slots__ = ("_context", "_functions", "_label", "_root", "declared", "recorded")

    def __init__(self, context: EvaluationContext, label: Label, root: FileRoot) -> None:
        self._context = context
        self._label = label
        self._root = root
        self.recorded: list[Action] = []
        self.declared: list[FileValue] = []
        self._functions: dict[str, Callable[..., object]] = {
            "args": lambda: Args(context),
            "declare_directory": self.declare_directory,
            "declare_file": self.declare_file,
            "declare_symlink": self.declare_file,
            "do_nothing": self._recording("do_nothing", "mnemonic", "inputs"),
            "expand_template": self._recording(
                "expand_template", "template", "output", "substitutions", "is_executable"
            ),
            "run": self._recording("run"),
            "run_shell": self._recording("run_shell"),
            "symlink": self._recording("symlink"),
            "write": self._recording("write", "output", "content", "is_executable"),
        }

    def get_attr(self, name: str) -> object:
        function = self._functions.get(name)
        if function is not None:
            return starlark.Builtin(name, function)
        unknown = self._context.unknown(Reason.NOT_MODELLED, f"ctx.actions.{name}")
        unknown.decides("a member")
        return unknown

    def attr_names(self) -> Iterable[str]:
        return sorted(self._functions)

    def declare_file(self, filename: object, *, sibling: object = None) -> object:
        return self._declared(filename, sibling, is_directory=False)

    def declare_directory(self, filename: object, *, sibling: object = None) -> object:
        return self._declared(filename, sibling, is_directory=True)

    def file_of(self, label: Label) -> FileValue:
        """The file that a label of an output means."""
        inside = f"{label.package}/{label.name}" if label.package else label.name
        return FileValue(self._root, label.repository, inside, self._label)

    def _declared(self, filename: object, sibling: object, is_directory: bool) -> object:
        for given in (filename, sibling):
            if isinstance(given, UnknownValue):
                return given.derive(f"declare_file({given.text})")
        if not isinstance(filename, str):
            starlark.fail_with(
                "in call to declare_file(), parameter 'filename' got value of type"
                f" '{starlark.type_of(filename)}', want 'string'"
            )
        directory = self._label.package
        if isinstance(sibling, FileValue):
            directory = sibling.inside.rpartition("/")[0]
        inside = f"{directory}/{filename}" if directory else filename
        made = FileValue(self._root, self._label.repository, inside, self._label, is_directory)
        self.declared.append(made)
        return made

    def _recording(self, kind: str, *names: str) -> Callable[..., object]:
        def record(*arguments: object, **given: object) -> None:
            given = {**dict(zip(names, arguments, strict=False)), **given}
            if len(self.recorded) >= MAXIMUM_ACTIONS:
                raise starlark.LimitExceededError(f"more than {MAXIMUM_ACTIONS} actions")
            held = {name: _copied(value) for name, value in given.items()}
            made = [*_files(held.get("outputs")), *_files((held.get("output"),))]
            mnemonic = held.get("mnemonic")
            stack = starlark.call_stack()
            self.recorded.append(
                Action(
                    kind,
                    mnemonic if isinstance(mnemonic, str) else _MNEMONICS.get(kind, "Action"),
                    tuple(made),
                    held,
                    stack[-1].location if stack else None,
                )
            )

        return record

    def freeze(self) -> None:
        """Ends with the implementation."""


_MNEMONICS = {
    "write": "FileWrite",
    "expand_template": "TemplateExpand",
    "symlink": "Symlink",
    "do_nothing": "Empty",
}


def _copied(value: object) -> object:
    """What is left of a list that may be changed afterwards."""
    return tuple(value) if isinstance(value, list) else value


def _files(value: object) -> list[FileValue]:
    if not isinstance(value, tuple | Depset):
        return []
    return [one for one in elements_of(value) if isinstance(one, FileValue)]


def text_of(value: object) -> str | Unknown:
    """How a value stands on a command line. Bazel: `CommandLineItem.expandToCommandLine`."""
    if isinstance(value, UnknownValue):
        return value.as_unknown()
    if isinstance(value, FileValue):
        return value.path
    if isinstance(value, LabelValue):
        return value.to_str()
    return starlark.str_of(value)


def _one(value: object) -> Words:
    text = text_of(value)
    return text if isinstance(text, Unknown) else (text,)


@dataclass(frozen=True, slots=True)
class _Added:
    """One call of `add`, `add_all` or `add_joined`."""

    kind: str
    name: object
    values: object
    options: Mapping[str, Any]


_UNSET = object()


class Args(starlark.Value):
    """`ctx.actions.args()`: it keeps what was added, and expands it when asked for its words."""

    starlark_type: ClassVar[str] = "Args"
    __slots__ = ("_added", "_context", "params_file")

    def __init__(self, context: EvaluationContext) -> None:
        self._context = context
        self._added: list[_Added] = []
        self.params_file: dict[str, object] = {}
        """What `use_param_file` and `set_param_file_format` were told."""

    def get_attr(self, name: str) -> object:
        if name in ("add", "add_all", "add_joined"):
            return starlark.Builtin(name, self._adding(name))
        if name == "use_param_file":
            return starlark.Builtin(name, self._use_param_file)
        if name == "set_param_file_format":
            return starlark.Builtin(name, self._set_format)
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ("add", "add_all", "add_joined", "set_param_file_format", "use_param_file")

    def _adding(self, kind: str) -> Callable[..., object]:
        def add(
            first: object = _UNSET, values: object = _UNSET, *more: object, **options: Any
        ) -> object:
            first = options.pop(
                "arg_name_or_value" if kind == "add" else "arg_name_or_values", first
            )
            if kind == "add":
                values = options.pop("value", values)
            named = first is not _UNSET and values is not _UNSET
            name, held = (first, values) if named else (None, first)
            if first is _UNSET:
                held = values
            starlark.charge(1)
            self._added.append(_Added(kind, name, _copied(held), options))
            return self

        return add

    def _use_param_file(self, param_file_arg: object, *, use_always: object = False) -> object:
        self.params_file.update(argument=param_file_arg, use_always=use_always)
        return self

    def _set_format(self, format: object) -> object:
        self.params_file.update(format=format)
        return self

    def words(self) -> Words:
        """The words that it comes to, or why they cannot be told."""
        words: list[str] = []
        for added in self._added:
            some = _single(added) if added.kind == "add" else self._several(added)
            if isinstance(some, Unknown):
                return some
            words += some
        return tuple(words)

    def _several(self, added: _Added) -> Words:
        options = added.options
        if isinstance(added.values, UnknownValue):
            return added.values.as_unknown()
        values: list[object] = list(elements_of(added.values))
        texts: list[str] = []
        for value in values:
            is_expanded = options.get("expand_directories") is not False
            if isinstance(value, FileValue) and value.is_directory and is_expanded:
                detail = "the files of a directory are known once it is made"
                return Unknown(Reason.NEEDS_ANALYSIS, value.short_path, detail)
            some = self._mapped(options.get("map_each"), value)
            if isinstance(some, Unknown):
                return some
            texts += some
        if options.get("uniquify") is True:
            texts = list(dict.fromkeys(texts))
        if not texts and options.get("omit_if_empty") is not False:
            return ()
        each = options.get("format_each")
        if isinstance(each, str):
            texts = [_formatted(each, text) for text in texts]
        if added.kind == "add_joined":
            joined = str(options.get("join_with") or "").join(texts)
            whole = options.get("format_joined")
            texts = [_formatted(whole, joined) if isinstance(whole, str) else joined]
        before = options.get("before_each")
        if isinstance(before, str):
            texts = [word for text in texts for word in (before, text)]
        last = options.get("terminate_with")
        if isinstance(last, str):
            texts.append(last)
        return (str(added.name), *texts) if added.name is not None else tuple(texts)

    def _mapped(self, function: Any, value: object) -> Words:
        """What `map_each` makes of one value: a text, several, or None for nothing."""
        if function is None:
            return _one(value)
        thread = starlark.Thread(LIMITS)
        try:
            with self._context.evaluating():
                result = starlark.call(function, (value,), {}, thread)
        except StarlarkError as error:
            return Unknown(Reason.FAILED, "map_each", error.diagnostic.message)
        for doubt in thread.doubts.values():
            if isinstance(doubt, Unknown):
                return doubt
        if result is None:
            return ()
        if not isinstance(result, list | tuple):
            return _one(result)
        words: list[str] = []
        for one in result:
            text = text_of(one)
            if isinstance(text, Unknown):
                return text
            words.append(text)
        return tuple(words)

    def freeze(self) -> None:
        """Ends with the implementation."""


def _single(added: _Added) -> Words:
    text = text_of(added.values)
    if isinstance(text, Unknown):
        return text
    form = added.options.get("format")
    if isinstance(form, str):
        text = _formatted(form, text)
    return (str(added.name), text) if added.name is not None else (text,)


def _formatted(form: str, text: str) -> str:
    return form.replace("%%", "\0").replace("%s", text).replace("\0", "%")
