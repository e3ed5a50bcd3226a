"""A workspace on disk, and the command lines that it is asked under."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bazelscope.api.opened_workspace import OpenedWorkspace
from bazelscope.api.questions import ConfiguredWorkspace

if TYPE_CHECKING:
    from bazelscope.check.answer import CheckAnswer
    from bazelscope.questions.configs.answer import ConfigsAnswer


class Workspace(OpenedWorkspace):
    """A Bazel workspace on disk. Get one from `open`."""

    def configure(
        self,
        words: Sequence[str] = (),
        *,
        command: str = "build",
        startup: Sequence[str] = (),
    ) -> ConfiguredWorkspace:
        """The workspace under `bazel <startup> <command> <words>`."""
        from bazelscope.flags.commandline import CommandLine

        return ConfiguredWorkspace(self, CommandLine(command, tuple(words), tuple(startup)))

    def configure_line(self, words: Sequence[str]) -> ConfiguredWorkspace:
        """The workspace under a pasted command line: the words behind `bazel build`, or a
        whole line from `bazel` on. Raises `UsageError`."""
        from bazelscope.questions.shared.command_line import split_command_line

        return ConfiguredWorkspace(self, split_command_line(tuple(words), self.catalog))

    def check(self, *words: str, codes: Sequence[str] = ()) -> CheckAnswer:
        """What is wrong or in vain in the workspace under the flags `words`."""
        return self.configure_line(words).check(codes=codes)

    def configs(self, name: str | None = None) -> ConfigsAnswer:
        """Every named config of the rc files, or the one named and those it names."""
        return self.configure().configs(name)
