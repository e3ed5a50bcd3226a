"""What dry runs of repository rules found out, for the next run of the tool.

A result is kept with the call of the rule, the files of the rule's code, and every answer that
the rule got; it is taken again where none of them has changed. It is kept as `marshal` writes
plain tuples.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from bazelscope.base.unknown import Unknown
from bazelscope.bazel.encoded_values import decode_unknown, encode_unknown
from bazelscope.kept.pack import Fresh, Input
from bazelscope.loading.cache import kept_entries
from bazelscope.loading.cache.diagnostic_codec import decode_diagnostic, encode_diagnostic
from bazelscope.loading.cache.file_stamps import (
    EXTERNAL,
    FileStamps,
    UnsettledInputError,
    external_digest,
    module_inputs,
)
from bazelscope.loading.dry_run.run_inputs import (
    CALL,
    AnswerChecker,
    Answers,
    RecordedFiles,
    call_input,
)
from bazelscope.loading.dry_run.run_result import Download, DryRunResult
from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.evaluation.workspace.repository_definitions import DefinedRepository
from bazelscope.loading.packages.repository_content import VirtualFile
from bazelscope.loading.tree.contents import FILE


class _Unknowns:
    """The unknowns of one result, each written once: hundreds of files share some."""

    def __init__(self) -> None:
        self.numbers: dict[Unknown, int] = {}

    def number(self, unknown: Unknown) -> int:
        return self.numbers.setdefault(unknown, len(self.numbers))

    def all(self, unknowns: Iterable[Unknown]) -> tuple[int, ...]:
        return tuple([self.number(unknown) for unknown in unknowns])


def encode_result(result: DryRunResult) -> bytes:
    """The result as bytes. Raises `ValueError` where `marshal` cannot write something."""
    unknowns = _Unknowns()
    body = (
        tuple([_file_data(path, file, unknowns) for path, file in result.files.items()]),
        tuple([(path, unknowns.number(unknown)) for path, unknown in result.open_below.items()]),
        tuple([(one.urls, one.sha256, one.output) for one in result.downloads]),
        result.patches,
        result.programs,
        unknowns.all(result.assumptions),
        None if result.failure is None else encode_diagnostic(result.failure),
    )
    return marshal.dumps((tuple(map(encode_unknown, unknowns.numbers)), body))


def decode_result(content: bytes) -> DryRunResult:
    """The result that `encode_result` wrote. Raises `ValueError`, `TypeError`, `IndexError` or
    `EOFError` for anything else."""
    encoded, body = marshal.loads(content)
    unknowns = tuple(map(decode_unknown, encoded))
    files, open_below, downloads, patches, programs, assumptions, failure = body
    return DryRunResult(
        {data[0]: _file_of(data, unknowns) for data in files},
        {path: unknowns[number] for path, number in open_below},
        tuple([Download(*data) for data in downloads]),
        patches,
        programs,
        tuple([unknowns[number] for number in assumptions]),
        None if failure is None else decode_diagnostic(failure),
    )


def _file_data(path: str, file: VirtualFile, unknowns: _Unknowns) -> tuple[Any, ...]:
    names = tuple(
        [(name, unknowns.number(unknown)) for name, unknown in file.unknown_names.items()]
    )
    known = unknowns.all(file.unknowns)
    return (path, file.text, file.display_path, known, names, file.real_path)


def _file_of(data: tuple[Any, ...], unknowns: tuple[Unknown, ...]) -> VirtualFile:
    _, text, display_path, known, names, real_path = data
    return VirtualFile(
        text,
        display_path,
        tuple([unknowns[number] for number in known]),
        {name: unknowns[number] for name, number in names},
        real_path,
    )


_LARGEST = 16 << 20


_Environment = tuple[str | None, ...]
Runs = dict[str, list[tuple[_Environment, bytes, tuple[Input, ...]]]]
"""The dry runs of one run of the tool by repository: the values of the variables that its rule
declares, what it made, and on what else that rests."""


class DryRunCache:
    """The dry runs of one workspace under one set of options.

    `holds` checks files and directories of this machine; `code_of` has the modules that a rule
    is made of, none where that cannot be told. `runs` are those of this run of the tool, which
    options share that differ in nothing but the `environment`.
    """

    def __init__(
        self,
        directory: Path,
        key: Iterable[object],
        stamps: FileStamps,
        holds: Callable[[Input], bool],
        code_of: Callable[[RepositoryRule], Iterable[LoadedModule]],
        environment: Mapping[str, str],
        runs: Runs,
    ) -> None:
        self._environment = environment
        self._runs = runs
        self._entries = kept_entries.entries(directory, key, "repositories")
        self._stamps = stamps
        self._holds = holds
        self._code_of = code_of
        self._checker: AnswerChecker | None = None
        self._code: dict[tuple[RepositoryRule, bytes], tuple[Input, ...]] = {}
        """What rules are made of, seen from the main repository as it was then: most repositories
        are made by a few rules."""

    def get(self, call: DefinedRepository, answers: Answers) -> DryRunResult | None:
        """What the rule made, if it would make the same now."""
        made_by = call_input(call)
        if made_by is None:
            return None
        checker = self._checker
        if checker is None:
            checker = self._checker = AnswerChecker(answers, self._holds)

        def holds(read: Input) -> bool:
            return read == made_by if read[0] == CALL else checker.holds(read)

        key = (call.definition.name,)
        content = self._entries.get(key, holds)
        if content is None:
            content = self._of_others(call, holds)
        if content is None:
            return None
        try:
            return decode_result(content)
        except Exception:  # Whatever stands there, it is not what was written.
            self._entries.drop(key)
            return None

    def _of_others(self, call: DefinedRepository, holds: Callable[[Input], bool]) -> bytes | None:
        """What the rule made where variables that it does not read had other values."""
        name = call.definition.name
        here = self._read_by(call)
        for environment, content, inputs in self._runs.get(name, ()):
            if environment == here and all(map(holds, inputs)):
                self._entries.put((name,), content, inputs)
                return content
        return None

    def _read_by(self, call: DefinedRepository) -> _Environment:
        rule = call.rule
        names = rule.environ if isinstance(rule, RepositoryRule) else ()
        return tuple(self._environment.get(name) for name in names)

    def recorded(self, answers: Answers) -> RecordedFiles:
        """What a dry run is to ask, so that `put` knows what it was told."""
        return RecordedFiles(answers, self._stamps)

    def put(
        self,
        call: DefinedRepository,
        result: DryRunResult,
        recorded: RecordedFiles,
        answers: Answers,
    ) -> None:
        """Keeps a result that was just found; `save` writes it."""
        made_by = call_input(call)
        rule = call.rule
        if made_by is None or not isinstance(rule, RepositoryRule):
            return
        try:
            code = self._inputs_of(rule, answers)
            if not code:
                return
            inputs = (made_by, *code, *recorded.inputs())
            content = encode_result(result)
        except (UnsettledInputError, ValueError):
            return
        if len(content) <= _LARGEST:
            name, told = call.definition.name, tuple(dict.fromkeys(inputs))
            self._entries.put((name,), content, told)
            self._runs.setdefault(name, []).append((self._read_by(call), content, told))

    def _inputs_of(self, rule: RepositoryRule, answers: Answers) -> tuple[Input, ...]:
        """What the code of a rule was read from; nothing where that cannot be told. Raises
        `UnsettledInputError`."""
        mapping = external_digest(answers, "map", "", "")
        known = self._code.get((rule, mapping))
        if known is None:
            modules = tuple(self._code_of(rule))
            digest = partial(external_digest, answers)
            read = module_inputs(modules, self._stamps, digest) if modules else ()
            known = ((EXTERNAL, "map", "", "", mapping), *read) if read else ()
            self._code[rule, mapping] = known
        return known

    def files_of(self, repository: str) -> frozenset[str] | None:
        """The files that its dry run has read; None where it is not kept."""
        inputs = self._entries.inputs((repository,))
        if inputs is None:
            return None
        return frozenset(read[1] for read in inputs if read[0] == FILE)

    def inputs(self, repository: str) -> tuple[Input, ...] | None:
        """What the dry run of a repository rests on that was kept; None if none was."""
        return self._entries.inputs((repository,))

    def take(self) -> Fresh:
        """Takes out what was put since the last time, for another process to `add`."""
        return self._entries.take()

    def add(self, taken: Fresh) -> None:
        """Puts what another process has made."""
        self._entries.add(taken)

    def save(self) -> None:
        """Writes what is new. A disk that is full or read-only is no error."""
        self._entries.save()
