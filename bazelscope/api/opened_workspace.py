"""A workspace on disk: its files, its Bazel, the options of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from bazelscope.base.budget import BudgetLimits

if TYPE_CHECKING:
    from bazelscope.base.errors import Diagnostic, UsageError
    from bazelscope.base.source import SourceFile
    from bazelscope.bazel.flag_catalog import Catalog
    from bazelscope.bazel.release import Release
    from bazelscope.loading.tree.disk import Disk
    from bazelscope.loading.tree.workspace_files import Workspace as Files

_LARGEST_SCRIPT = 1 << 20
_DECIDING = (
    *(".bazeliskrc", ".bazelversion", ".bazelignore", "platform_mappings"),
    *("MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"),
)
_BAZELISK_VARIABLE = "USE_BAZEL_VERSION"
"""Goes before the files of the workspace that say which Bazel is run."""
_GIVEN = ("files", "directory", "bazel_version", "host", "environment", "cache_dir", "limits")


class OpenedWorkspace:
    """What is known of a workspace before any command line."""

    def __init__(
        self,
        files: Files,
        directory: Path,
        bazel_version: str | None,
        host: str,
        environment: Mapping[str, str],
        cache_dir: Path | None,
        limits: BudgetLimits | None = None,
    ) -> None:
        self.files = files
        self.directory = directory
        self.host = host
        self.environment = environment
        self.cache_dir = cache_dir
        self.limits = limits or BudgetLimits()
        """What one question may use."""
        self.bazel_version = bazel_version
        """The release that the caller asked for; None where the workspace decides."""
        self.rc_sources: dict[str, SourceFile] = {}

    @classmethod
    def open(
        cls,
        path: Path | str = ".",
        *,
        bazel_version: str | None = None,
        host: str | None = None,
        environment: Mapping[str, str] | None = None,
        cache_dir: Path | str | None = None,
        limits: BudgetLimits | None = None,
        links_to: Sequence[Path | str] = (),
    ) -> Self:
        """The workspace at or above `path`.

        `bazel_version` defaults to what `.bazelversion` asks for, else the newest that is
        known; `host` (`OS` or `OS-CPU`) to Linux on x86_64. `environment` stands for the
        user's (`HOME` finds the user's rc file); by default it is empty. Parsed files are
        kept in `cache_dir`, by default nowhere. `limits` are what one question may use; where
        that is not enough, the answer tells so, or `BudgetError` ends it. Symbolic links are
        followed out of the workspace only into the directories `links_to`. Raises `UsageError`
        if there is no workspace.
        """
        from bazelscope.loading.tree.workspace_files import Workspace as Files
        from bazelscope.loading.tree.workspace_files import absolute_directory

        directory = absolute_directory(path)
        return cls(
            Files.open(directory, links_to),
            directory,
            bazel_version,
            host or "linux",
            environment or {},
            None if cache_dir is None else Path(cache_dir),
            limits,
        )

    def on(self, disk: Disk) -> Self:
        """Returns this workspace as another disk has it: with texts that nobody saved yet, or as a
        commit left it. What a run keeps for the next serves both."""
        from bazelscope.loading.tree.workspace_files import Workspace as Files

        return self._with(files=Files(self.root, also=self.files.also, disk=disk))

    def on_host(self, host: str) -> Self:
        """Returns this workspace as a Bazel on another machine sees it."""
        return self if host == self.host else self._with(host=host)

    def _with(self, **changed: Any) -> Self:
        """This workspace opened anew, with something `changed` of what it was opened with."""
        given = {name: getattr(self, name) for name in _GIVEN}
        return type(self)(**{**given, **changed})

    @property
    def root(self) -> Path:
        return self.files.root

    @cached_property
    def release(self) -> Release:
        """The release of Bazel that questions are about. Raises `UsageError` for a given text
        that names none."""
        return self._chosen_release[0]

    @cached_property
    def flag_aliases(self) -> Mapping[str, str]:
        """Short names of Starlark flags that MODULE.bazel gives."""
        if not self.release.module_flag_alias or not self.files.is_file("MODULE.bazel"):
            return {}
        from bazelscope.loading.modules.flag_aliases import flag_aliases

        return flag_aliases(self.files, self.release)

    @property
    def version(self) -> tuple[str, str]:
        """That release as answers name it, and where it is from: given, the workspace's
        `.bazelversion`, or the newest that can be meant; with the reason where it is not the
        one that was written. Raises `UsageError`."""
        release, source, _ = self._chosen_release
        return release.text, f"{source}: {release.doubt}" if release.doubt else source

    @property
    def version_hint(self) -> str:
        """Which files of the tree ask for that Bazel, where it is assumed for them."""
        return self._chosen_release[2]

    @cached_property
    def _chosen_release(self) -> tuple[Release, str, str]:
        """The release, where it is from, and the hint."""
        from bazelscope.bazel.release import (
            Release,
            from_bazelversion,
            newest_release,
            release_of_lock,
        )
        from bazelscope.questions.shared.wanted_versions import (
            compatible_release,
            modules_turned_off,
            wanted_versions,
        )

        if self.bazel_version is not None:
            given = Release.read(self.bazel_version)
            if given is None:
                raise no_version(self.bazel_version)
            return given, "--bazel-version", ""
        written = from_bazelversion(self.files.bazel_version() or "")
        asked = Release.read(written) if written else None
        path = self.files.asks_for_bazel()
        # Bazelisk: `GetBazelVersion`. It may name a program, too, which tells no release.
        by_variable = Release.read(self.environment.get(_BAZELISK_VARIABLE, ""))
        if by_variable is not None:
            written, asked, path = by_variable.text, by_variable, _BAZELISK_VARIABLE
        locked = release_of_lock(self._text_of("MODULE.bazel.lock") or "", written)
        if locked is not None:
            return locked, path if asked is not None else "assumed", ""
        if asked is not None:
            return asked, path, ""
        has_modules = self.files.is_file("MODULE.bazel")
        switch = modules_turned_off(self._text_of) if has_modules else None
        release = newest_release(reads_workspace=not has_modules or switch is not None)
        source = "assumed: the newest"
        if not has_modules or switch is not None:
            source += " that reads WORKSPACE"
        if switch is not None:
            source += f", for {switch} turns modules off"
        hint = ""
        wanted = wanted_versions(self._text_of)
        if wanted is not None and wanted.refuses(release):
            release, source, hint = Release.of(wanted.best), "assumed", wanted.text
        elif has_modules and switch is None:
            compatible = compatible_release(self._text_of, release)
            if compatible is not None:
                (release, hint), source = compatible, "assumed"
        if written:
            source += f", for {path} says `{written}`, which names no Bazel"
        return release, source, hint

    @cached_property
    def unread_files(self) -> tuple[Diagnostic, ...]:
        """Warns of the files that decide about the whole workspace and are links out of it: Bazel,
        or Bazelisk, reads them, and answers are as if they were not there."""
        names = [name for name in _DECIDING if self.files.leads_out(name)]
        if not names:
            return ()
        from bazelscope.flags.warnings import file_not_read

        return tuple(map(file_not_read, names))

    def _text_of(self, path: str) -> str | None:
        from bazelscope.base.errors import LoadingError

        try:
            return self.files.read(path).text if self.files.is_file(path) else None
        except LoadingError:
            return None

    @cached_property
    def catalog(self) -> Catalog:
        """The options of that Bazel version."""
        from bazelscope.bazel import flag_catalog as catalog

        return catalog.load(self.version[0])

    def read_source(self, path: str) -> SourceFile | None:
        """The text behind a path that answers show; None where it cannot be had."""
        from bazelscope.base.errors import LoadingError

        source = self.rc_sources.get(path)
        if source is not None:
            return source
        try:
            return self.files.read(path)
        except LoadingError:
            return None

    def root_files(self) -> tuple[SourceFile, ...]:
        """The small text files of the workspace's root: scripts that may write rc files."""
        from bazelscope.base.errors import LoadingError
        from bazelscope.loading.tree.disk import EntryKind

        sources = []
        for name, kind in self.files.listing("").entries.items():
            if kind is not EntryKind.FILE or name.startswith(".") or _is_document(name):
                continue
            try:
                content = self.files.read_bytes(name)
            except LoadingError:
                continue
            if len(content) <= _LARGEST_SCRIPT and b"\0" not in content[:1024]:
                sources.append(self.files.read(name))
        return tuple(sources)


def no_version(text: str) -> UsageError:
    """The error for a text that names no release of Bazel."""
    from bazelscope.base.errors import Diagnostic, UsageError

    newest = f"{text}.x" if text.isdecimal() else "7.x"
    return UsageError(
        Diagnostic(
            "no-version",
            f"`{text}` is no Bazel version",
            hint=f"write it like `6.5.0`, `{newest}` or `latest`",
        )
    )


def _is_document(name: str) -> bool:
    return name.isupper() or name.lower().endswith((".md", ".rst", ".txt", ".lock", ".json"))
