"""Edits of MODULE.bazel: versions, calls, and the names that use_repo() takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from bazelscope import starlark
from bazelscope.base.edits import Edit, appended, whole_lines
from bazelscope.base.errors import StarlarkError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, SourceFile
from bazelscope.loading.modules.use_repo_fixups import UseRepoFixup
from bazelscope.starlark.syntax.tree import (
    Assignment,
    Call,
    ExpressionStatement,
    File,
    Literal,
    Name,
)


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

    def without_call(self, place: Location) -> Iterator[Edit]:
        """The edit that deletes the call at a place with its lines."""
        call, source = self._at(place), self.source
        if call is None or source is None:
            return
        span = source.span(call.start, call.end)
        before = source.line(span.line)[: span.column - 1]
        after = source.line(span.end_line)[span.end_column - 1 :].partition("#")[0]
        if not (before + after).strip():
            yield Edit(whole_lines(source, span.line, span.end_line), "")

    def without_import(self, place: Location, name: str) -> Iterator[Edit]:
        """The edit that takes a repository out of the use_repo() at a place; `name` is what the
        module calls it."""
        call = self._at(place)
        if call is not None and _is_call_of(call, "use_repo"):
            gone = [number for number, (taken, _) in _imports(call).items() if taken == name]
            yield from self._without(call, gone)

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
            gone: set[str] = set()
            for call in calls:
                numbers = [n for n, (_, taken) in _imports(call).items() if taken in remove]
                gone.update(_imports(call)[number][1] for number in numbers)
                edits += self._without(call, numbers)
            if gone != set(remove):
                return ()
            if add and self.source is not None:
                # Arguments with names stand behind all others.
                last = [
                    one
                    for number, one in enumerate(calls[0].arguments)
                    if not one.form and _imports(calls[0]).get(number, ("", ""))[1] not in remove
                ][-1]
                names = map(starlark.repr_of, add)
                edits.append(appended(self.source, (last.start, last.end), names))
        return tuple(edits)

    def _at(self, place: Location) -> Call | None:
        """The call that Bazel says stands at a place: that of its parenthesis."""
        source = self.source
        if source is None or place.path != source.path or place.line > len(source.line_starts):
            return None
        offset = source.offset(place)
        return next((call for _, call in self._calls if call.opening == offset), None)

    def _without(self, call: Call, numbers: Sequence[int]) -> Iterator[Edit]:
        """The edits that take arguments out of a call, but for its first."""
        left = [number for number in range(len(call.arguments)) if number not in numbers]
        for number in numbers:
            if number - 1 in numbers or self.source is None:
                continue
            after = next((one for one in left if one > number), None)
            if after is not None:
                start, end = call.arguments[number].start, call.arguments[after].start
            else:
                start, end = call.arguments[number - 1].end, call.arguments[-1].end
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
