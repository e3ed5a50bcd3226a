"""`ctx.actions` of a dry run: it records the actions that an implementation would register.

Nothing is run or written. `Action.words()` gives the command line, with its `Args` expanded.
Bazel: `StarlarkActionFactory`, `Args`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from bazelscope import starlark
from bazelscope.analysis.rules.action_checks import (
    check_action,
    check_exec_group,
    check_link,
    check_no_tools,
    place_of,
)
from bazelscope.analysis.rules.args import Args, check_arguments, pieces_of
from bazelscope.analysis.rules.automatic_groups import AutomaticGroups
from bazelscope.analysis.rules.files import FileRoot, FileValue, file_in
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.builtin_calls import checked
from bazelscope.loading.evaluation.values.depsets import Depset, elements_of
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

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
        pieces = tuple(pieces_of(self.given.get("arguments")))
        unknown = next((one for one in pieces if isinstance(one, Unknown)), None)
        return unknown or tuple(one for one in pieces if isinstance(one, str))


@dataclass(frozen=True, slots=True)
class Allowed:
    """What depends on the rule and on flags."""

    is_analysis_test: bool = False
    has_exec_groups: bool = True
    has_unresolved_symlinks: bool = True
    exec_groups: frozenset[str] | None = None
    """Those of the rule; None if they are not known."""
    programs: Callable[[], frozenset[FileValue]] | None = None
    """Gives the programs in the rule's attributes, of which none may be an input of an action that
    is given no `tools`; None where they may."""
    automatic: AutomaticGroups | None = None
    """The execution groups of toolchain types, where each has its own."""


class Actions(starlark.Value):
    """`ctx.actions`; `recorded` and `declared` are what it has been asked for so far."""

    starlark_type: ClassVar[str] = "actions"
    __slots__ = (
        *("_allowed", "_context", "_functions", "_label", "_links", "_places", "_root"),
        *("declared", "is_of_subrule", "is_over", "recorded", "others_act"),
    )

    def __init__(
        self,
        context: EvaluationContext,
        label: Label,
        root: FileRoot,
        allowed: Allowed | None = None,
    ) -> None:
        self._context = context
        self._label = label
        self._root = root
        self._allowed = allowed or Allowed()
        self.is_over = False
        self.is_of_subrule = False
        """Whether a subrule is running, whose actions have its own toolchain."""
        self.others_act = False
        """Whether something that is not known may have registered actions."""
        self.recorded: list[Action] = []
        self.declared: list[FileValue] = []
        self._places: dict[FileValue, FileValue] = {}
        self._links: set[FileValue] = set()
        self._functions: dict[str, Callable[..., object]] = {
            "args": lambda: Args(context),
            "declare_directory": self.declare_directory,
            "declare_file": self.declare_file,
            "declare_symlink": self._declare_symlink,
            "do_nothing": self._recording("do_nothing", "mnemonic", "inputs"),
            "expand_template": self._recording(
                "expand_template", "template", "output", "substitutions", "is_executable"
            ),
            "run": self._recording("run"),
            "run_shell": self._recording("run_shell"),
            "symlink": self._recording("symlink"),
            "write": self._recording("write", "output", "content", "is_executable"),
        }

    def refuse_if_over(self, member: str) -> None:
        """Fails for a member of the rule's context once its implementation has returned."""
        if self.is_over:
            starlark.fail_with(
                f"cannot access field or method '{member}' of rule context for"
                f" '{self._context.label_style(self._label)}' outside of its own rule"
                " implementation function"
            )

    def get_attr(self, name: str) -> object:
        function = self._functions.get(name)
        if name != "args":
            self.refuse_if_over(f"actions.{name}")
        members = self._context.builtins.members("actions")
        if members is not None and name not in members:
            raise AttributeError(name)
        if function is not None:
            return checked(self._context.builtins, "actions", name, function)
        unknown = self._context.unknown(Reason.NOT_MODELLED, f"ctx.actions.{name}")
        unknown.decides("a member")
        self.others_act = True
        return unknown

    def attr_names(self) -> Iterable[str]:
        return sorted(self._functions)

    def declare_file(self, filename: object, *, sibling: object = None) -> object:
        return self._declared(filename, sibling, is_directory=False)

    def declare_directory(self, filename: object, *, sibling: object = None) -> object:
        return self._declared(filename, sibling, is_directory=True)

    def file_of(self, label: Label) -> FileValue:
        """The file that a label of an output means."""
        return file_in(self._root, label, self._label)

    def _declare_symlink(self, filename: object, *, sibling: object = None) -> object:
        if not self._allowed.has_unresolved_symlinks:
            starlark.fail_with(f"actions.declare_symlink() is not allowed; {_UNRESOLVED}")
        link = self._declared(filename, sibling, is_directory=False)
        if isinstance(link, FileValue):
            self._links.add(link)
        return link

    def _declared(self, filename: object, sibling: object, is_directory: bool) -> object:
        for given in (filename, sibling):
            if isinstance(given, UnknownValue):
                self.others_act = True
                return given.derive(f"declare_file({given.text})")
        if not isinstance(filename, str):
            starlark.fail_with(starlark.wrong_type("declare_file", "filename", filename, "string"))
        package = directory = self._label.package
        if isinstance(sibling, FileValue):
            directory = sibling.inside.rpartition("/")[0]
        label = self._label
        if "<unknown " in filename:
            inside = f"{directory}/{filename}" if directory else filename
        else:
            what = "directory" if is_directory else "artifact"
            shown = self._context.label_style(label)
            inside = place_of(directory, filename, package, shown, what)
        made = FileValue(self._root, label.repository, inside, label, is_directory)
        before = self._places.get(made)
        if before is not None and before.is_directory == is_directory:
            return before
        if before is not None and is_directory:
            starlark.fail_with(
                f"'{filename}' has already been declared as a regular file, not directory."
            )
        self._places[made] = made
        self.declared.append(made)
        return made

    def _recording(self, kind: str, *names: str) -> Callable[..., object]:
        def record(*arguments: object, **given: object) -> None:
            given = {**dict(zip(names, arguments, strict=False)), **given}
            if len(self.recorded) >= MAXIMUM_ACTIONS:
                raise starlark.LimitExceededError(f"more than {MAXIMUM_ACTIONS} actions")
            held = {name: _copied(value) for name, value in given.items()}
            self._check(kind, held)
            words = held.get("command")
            if isinstance(words, tuple) and not self._context.release.run_shell_takes_words:
                starlark.fail_with(_COMMAND_IS_LIST)
            made = [*_files(held.get("outputs")), *_files((held.get("output"),))]
            if isinstance(held.get("output"), UnknownValue) or _unknown(held):
                self.others_act = True
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

    def _check(self, kind: str, given: Mapping[str, object]) -> None:
        check_arguments(given.get("arguments"))
        table, allowed = self._context.builtins, self._allowed
        check_action(kind, given, table, allowed.is_analysis_test)
        if allowed.programs is not None and kind in ("run", "run_shell") and "tools" not in given:
            check_no_tools(given.get("inputs"), allowed.programs())
        if (
            allowed.automatic is not None
            and kind in ("run", "run_shell")
            and not self.is_of_subrule
        ):
            allowed.automatic.check(given)
        has_groups = allowed.has_exec_groups or not table.is_exact
        check_exec_group(kind, given, has_groups, allowed.exec_groups)
        if given.get("target_path") is not None and not allowed.has_unresolved_symlinks:
            starlark.fail_with(
                f"actions.symlink() to unresolved symlink is not allowed; {_UNRESOLVED}"
            )
        if kind == "symlink":
            check_link(given, self._links, self._context.release.links_to_directories_are_declared)


_UNRESOLVED = "use the --experimental_allow_unresolved_symlinks command line option"
_COMMAND_IS_LIST = (
    "'command' must be of type string. passing a sequence of strings as 'command' is deprecated."
    " To temporarily disable this check, set --incompatible_run_shell_command_string=false."
)
_MNEMONICS = {
    "write": "FileWrite",
    "expand_template": "TemplateExpand",
    "symlink": "Symlink",
    "do_nothing": "Empty",
}


def _copied(value: object) -> object:
    """What is left of a list that may be changed afterwards."""
    return tuple(value) if isinstance(value, list) else value


def _unknown(given: Mapping[str, object]) -> bool:
    """Whether an output is unknown."""
    outputs = given.get("outputs")
    listed = outputs if isinstance(outputs, tuple) else (outputs,)
    return any(isinstance(one, UnknownValue) for one in listed)


def _files(value: object) -> list[FileValue]:
    if not isinstance(value, tuple | Depset):
        return []
    return [one for one in elements_of(value) if isinstance(one, FileValue)]
