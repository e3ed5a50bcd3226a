"""Edits of MODULE.bazel: versions, calls, and the names that use_repo() takes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from bazelscope import starlark
from bazelscope.base.edits import Edit, appended, whole_lines
from bazelscope.base.errors import StarlarkError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.source import Location, ReadSource, SourceFile
from bazelscope.loading.modules.use_repo_fixups import UseRepoFixup
from bazelscope.starlark.syntax.tree import (
    Assignment,
    Call,
    ExpressionStatement,
    File,
    Literal,
    Name,
)


class ModuleFiles:
    """The module files of a workspace, each taken apart once."""

    def __init__(self, read: ReadSource) -> None:
        self._read = read

    @memoized
    def of(self, path: str) -> ModuleEdits:
        """How the calls of a file would be written otherwise."""
        return ModuleEdits(self._read(path))


@dataclass(frozen=True)
class ModuleEdits:
    """The calls of a module file, and how they would be written otherwise. There are no edits of a
    file that cannot be read, nor of a call that is written in no usual way."""

    source: SourceFile | None

    @cached_property
    def _file(self) -> File | None:
        if self.source is None or not self.source.path.endswith("MODULE.bazel"):
            return None
        try:
            return starlark.parse(self.source, starlark.FileKind.MODULE)
        except StarlarkError:
            return None

    @cached_property
    def _calls(self) -> tuple[tuple[str, Call], ...]:
        """The calls that are statements or are assigned, each with the name that it is given."""
        calls: list[tuple[str, Call]] = []
        for statement in self._file.statements if self._file is not None else ():
            if isinstance(statement, ExpressionStatement | Assignment):
                value = statement.value
                target = statement.target if isinstance(statement, Assignment) else None
                if isinstance(value, Call):
                    calls.append((target.name if isinstance(target, Name) else "", value))
        return tuple(calls)

    def with_version(self, place: Location, version: str) -> Iterator[Edit]:
        """The edit that writes another version into the call at a place."""
        call = self._at(place)
        for argument in call.arguments if call is not None else ():
            value = argument.value
            if argument.name == "version" and isinstance(value, Literal) and self.source:
                yield Edit(self.source.span(value.start, value.end), f'"{version}"')

    def without_module(self, place: Location, name: str) -> tuple[Edit, ...]:
        """The edits that delete the bazel_dep() at a place with its lines, and what overrides that
        module, which Bazel refuses without it; none where something else stands on a line."""
        call, source = self._at(place), self.source
        edits: list[Edit] = []
        for one in (call, *self._overrides.get(name, ())):
            if one is None or source is None:
                return ()
            span = source.span(one.start, one.end)
            before = source.line(span.line)[: span.column - 1]
            after = source.line(span.end_line)[span.end_column - 1 :].partition("#")[0]
            if (before + after).strip():
                return ()
            edits.append(Edit(whole_lines(source, span.line, span.end_line), ""))
        return tuple(edits)

    @cached_property
    def _overrides(self) -> dict[object, list[Call]]:
        """The calls that override a module, by its name."""
        calls: dict[object, list[Call]] = {}
        for _, call in self._calls:
            for argument in call.arguments:
                if argument.name == "module_name" and isinstance(argument.value, Literal):
                    calls.setdefault(argument.value.value, []).append(call)
        return calls

    def without_import(self, place: Location, name: str) -> Iterator[Edit]:
        """The edit that takes a repository out of the use_repo() at a place; `name` is what the
        module calls it."""
        call = self._at(place)
        if call is not None and _is_call_of(call, "use_repo"):
            number = self._names(call.opening).get(name)
            yield from self._without(call, (number,) if number is not None else ())

    def tidied(self, fixup: UseRepoFixup) -> tuple[Edit, ...]:
        """The edits that have use_repo() take what the extension reports, where there is a call to
        change. Bazel: `bazel mod tidy`, which has buildozer make them."""
        edits: list[Edit] = []
        for is_dev, add, remove in (
            (False, fixup.add, fixup.remove),
            (True, fixup.add_dev, fixup.remove_dev),
        ):
            proxies = {name for name, call in self._calls if _is_use(call, fixup, is_dev)}
            calls = [call for _, call in self._calls if _proxy(call) in proxies]
            if add and not calls:
                return ()
            unwanted, gone = set(remove), set[str]()
            for call in calls:
                taken = {number: original for number, (_, original) in _imports(call).items()}
                numbers = {number for number, original in taken.items() if original in unwanted}
                gone.update(taken[number] for number in numbers)
                edits += self._without(call, numbers)
                if add and call is calls[0] and self.source is not None:
                    # Arguments with names stand behind all others.
                    left = (n for n, one in enumerate(call.arguments) if not one.form)
                    last = call.arguments[max(number for number in left if number not in numbers)]
                    names = map(starlark.repr_of, add)
                    edits.append(appended(self.source, (last.start, last.end), names))
            if gone != unwanted:
                return ()
        return tuple(edits)

    def _at(self, place: Location) -> Call | None:
        """The call that Bazel says stands at a place: that of its parenthesis."""
        source = self.source
        if source is None or place.path != source.path or place.line > len(source.line_starts):
            return None
        return self._by_opening.get(source.offset(place))

    @cached_property
    def _by_opening(self) -> dict[int, Call]:
        return {call.opening: call for _, call in self._calls}

    @memoized
    def _names(self, opening: int) -> dict[str, int]:
        """The numbers of the arguments of a use_repo() by what the module calls a repository."""
        imports = _imports(self._by_opening[opening])
        return {name: number for number, (name, _) in imports.items()}

    def _without(self, call: Call, numbers: Collection[int]) -> Iterator[Edit]:
        """The edits that take arguments out of a call, but for its first."""
        arguments = call.arguments
        for number in numbers:
            if number - 1 in numbers or self.source is None:
                continue
            behind = number + 1
            while behind in numbers:
                behind += 1
            if behind < len(arguments):
                start, end = arguments[number].start, arguments[behind].start
            else:
                start, end = arguments[number - 1].end, arguments[-1].end
            yield Edit(self.source.span(start, end), "")


def _imports(call: Call) -> dict[int, tuple[str, str]]:
    """What the arguments of a use_repo() take, by their number: what the module calls the
    repository, and what the extension does."""
    imports: dict[int, tuple[str, str]] = {}
    for number, argument in enumerate(call.arguments[1:], 1):
        value = argument.value.value if isinstance(argument.value, Literal) else None
        if isinstance(value, str):
            imports[number] = (argument.name or value, value)
    return imports


def _is_call_of(call: Call, name: str) -> bool:
    return isinstance(call.function, Name) and call.function.name == name


def _proxy(call: Call) -> str | None:
    """The name of what a use_repo() takes repositories of."""
    if not _is_call_of(call, "use_repo") or not call.arguments:
        return None
    value = call.arguments[0].value
    return value.name if isinstance(value, Name) else None


def _is_use(call: Call, fixup: UseRepoFixup, is_dev: bool) -> bool:
    """Whether a call is the use_extension() of an extension, for development alone or not."""
    named = {one.name: one.value for one in call.arguments if one.form == "="}
    placed = [one.value for one in call.arguments if not one.form]
    written = [one.value for one in placed[:2] if isinstance(one, Literal)]
    dev = named.get("dev_dependency")
    says_dev = isinstance(dev, Name) and dev.name == "True"
    is_of_it = _is_call_of(call, "use_extension") and written == [fixup.file, fixup.extension]
    return is_of_it and says_dev is is_dev
