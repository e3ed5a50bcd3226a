"""A workspace on disk, and the command lines that it is asked under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bazelscope.api.opened_workspace import OpenedWorkspace
from bazelscope.api.questions import ConfiguredWorkspace

if TYPE_CHECKING:
    from bazelscope.check.answer import CheckAnswer
    from bazelscope.questions.configs.answer import ConfigsAnswer
    from bazelscope.questions.matrix.answer import MatrixAnswer
    from bazelscope.questions.when.answer import RepositoryConditionsAnswer, WhenAnswer


class Workspace(OpenedWorkspace):
    """A Bazel workspace on disk. Get one from `open`."""

    def configure(
        self, words: Sequence[str] = (), *, command: str = "build", startup: Sequence[str] = ()
    ) -> ConfiguredWorkspace:
        """The workspace under `bazel <startup> <command> <words>`."""
        from bazelscope.flags.commandline import CommandLine

        return ConfiguredWorkspace(self, CommandLine(command, tuple(words), tuple(startup)))

    def configure_line(
        self, words: Sequence[str], startup: Sequence[str] = ()
    ) -> ConfiguredWorkspace:
        """The workspace under a pasted command line: the words behind `bazel build`, or a
        whole line from `bazel` on; `startup` stands before its own startup options. Raises
        `UsageError`."""
        from bazelscope.questions.shared.command_line import split_command_line

        line = split_command_line(tuple(words), self.catalog)
        return ConfiguredWorkspace(self, replace(line, startup=(*startup, *line.startup)))

    def check(self, *words: str, codes: Sequence[str] = ()) -> CheckAnswer:
        """What is wrong or in vain in the workspace under the flags `words`."""
        return self.configure_line(words).check(codes=codes)

    def matrix(
        self,
        question: str,
        *arguments: str,
        over: Sequence[str],
        words: Sequence[str] = (),
        processes: int | None = 1,
        scheduler: str | None = None,
    ) -> MatrixAnswer:
        """One question over many lines: `needs A B`, `holds SETTING`, `flag FLAG`, `check`,
        `refused TARGET` or `size TARGET`, for each combination of the axes `over`
        (`configs=mkl,opt+mkl`, `hosts=linux,windows`, `versions=4.2.3,6.5.0`), with `words` on
        every line. `processes`: None for all cores; more than one needs a program that may be
        imported anew (`if __name__ == "__main__"`). `scheduler`: the address of a Dask
        scheduler. Raises `UsageError`."""
        from bazelscope.api.matrix_question import matrix
        from bazelscope.questions.matrix.find import question_of

        asked, given = question_of((question, *arguments))
        return matrix(self, asked, given, over, words, processes, scheduler)

    def configs(self, name: str | None = None) -> ConfigsAnswer:
        """Every named config of the rc files, or the one named and those it names."""
        return self.configure().configs(name)

    def when(
        self, source: str, target: str | None = None, *, most_loads: int | None = None
    ) -> WhenAnswer:
        """Under which flags `source` depends on `target`, or can be built at all."""
        return self.configure().when(source, target, most_loads=most_loads)

    def when_repositories(
        self, source: str, *, most_loads: int | None = None
    ) -> RepositoryConditionsAnswer:
        """Under which flags `source` depends on each external repository."""
        return self.configure().when_repositories(source, most_loads=most_loads)
