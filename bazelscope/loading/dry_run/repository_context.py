"""`repository_ctx` of a dry run: it records what a repository rule would do, and does nothing.

It reads the workspace and the repositories that have known files, writes into memory, runs no
program and downloads nothing. What it cannot tell becomes an unknown piece of text, or a
decision (see `dry_run_decisions`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar

from bazelscope import starlark
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run.addresses import wrong_addresses
from bazelscope.loading.dry_run.decisions import Assumed
from bazelscope.loading.dry_run.named_files import NamedFiles
from bazelscope.loading.dry_run.records import (
    AttributeValues,
    ExecutionResult,
    PendingDownload,
    Record,
    RepositoryMetadata,
    RepositoryOs,
)
from bazelscope.loading.dry_run.repository_path import RepositoryPath, own_path, place_of
from bazelscope.loading.dry_run.run_result import NO_ADDRESS, Download
from bazelscope.loading.dry_run.run_state import DryRunState
from bazelscope.loading.dry_run.unknown_pieces import shown_without_pieces
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.structs import Struct
from bazelscope.loading.evaluation.values.symbolic_values import Handle
from bazelscope.loading.packages.repository_access import FileFound

# Programs that write no file: running one leaves the repository as it is.
_HARMLESS = frozenset(
    {"cat", "echo", "find", "getconf", "hostname", "ldconfig", "ls", "readlink", "realpath"}
    | {"test", "uname", "which", "where.exe", "dirname", "basename", "stat", "sha256sum"}
)
_SURELY_SET = ("BAZEL_REAL", "PATH")
"""Variables that whoever starts Bazel sets: Bazelisk tells a workspace's `tools/bazel` where the
real one is."""
_SET_ON_WINDOWS = "BAZEL_SH"
"""There Bazel's client sets it to the bash that it finds, unless it is set (Bazel:
`DetectBashAndExportBazelSh`)."""


LATER_MEMBERS = MappingProxyType(
    {
        "delete": "repository_rules_patch",
        "getenv": "repository_rules_watch",
        "original_name": "repositories_have_original_names",
        "patch": "repository_rules_patch",
        "read": "repository_rules_read",
        "rename": "repository_rules_rename",
        "repo_metadata": "repository_metadata",
        "watch": "repository_rules_watch",
        "watch_tree": "repository_rules_watch",
        "workspace_root": "repository_rules_know_workspace_root",
    }
)
"""What `repository_ctx` has in later releases, by the fact about a release that says so."""


class _Context(Record, Handle):
    """`repository_ctx` itself: who has it may write whatever he likes."""

    starlark_type: ClassVar[str] = "repository_ctx"
    __slots__ = ("_state",)

    def __init__(self, state: DryRunState, fields: Mapping[str, object]) -> None:
        super().__init__(fields)
        self._state = state

    def given_to(self, function: Unknown) -> None:
        self._state.open_directory("", function)


class RepositoryContext:
    """The methods of `repository_ctx`, over one `DryRunState`."""

    def __init__(self, state: DryRunState, attributes: Mapping[str, object]) -> None:
        self.state = state
        self.attributes = attributes
        self._files = NamedFiles(state)

    def value(self) -> Record:
        """The Starlark value that the implementation function gets."""
        methods: dict[str, Callable[..., object]] = {
            "delete": self.delete,
            "download": self.download,
            "download_and_extract": self.download_and_extract,
            "execute": self.execute,
            "extract": self.extract,
            "file": self.file,
            "getenv": self.getenv,
            "patch": self.patch,
            "path": self._files.path,
            "read": self.read,
            "repo_metadata": self.repo_metadata,
            "report_progress": self.report_progress,
            "rename": self.rename,
            "symlink": self.symlink,
            "template": self.template,
            "watch": self.watch,
            "watch_tree": self.watch,
            "which": self.which,
        }
        state = self.state
        release = state.settings.release
        fields: dict[str, object] = {
            name: starlark.Builtin(name, method) for name, method in methods.items()
        }
        fields["attr"] = AttributeValues(self.attributes)
        fields["name"] = state.canonical or state.repository
        # A module extension gives its repositories names that have none of these signs.
        fields["original_name"] = re.split("[+~]", state.repository)[-1]
        machine: dict[str, object] = {
            "name": state.settings.operating_system,
            "environ": starlark.Dict(self._environment()),
        }
        if release.repository_rules_know_architecture:
            machine["arch"] = state.settings.architecture
        fields["os"] = RepositoryOs(machine)
        root = state.files_of.directory_of("")
        fields["workspace_root"] = RepositoryPath(state, root or "/")
        lacking = {name for name, fact in LATER_MEMBERS.items() if not getattr(release, fact)}
        return _Context(state, {n: value for n, value in fields.items() if n not in lacking})

    # ---- Reading

    def read(self, path: object, watch: object = None) -> object:
        content = self._files.content_of(path)
        if content is None:
            self._files.fail_without(path)
        if isinstance(content, Unknown):
            return self.state.unknown_text(content)
        return self.state.text_with_pieces(content)

    def repo_metadata(
        self, *, reproducible: bool = False, attrs_for_reproducibility: object = None
    ) -> Record:
        """What a rule may return of whether it makes the repository alike again."""
        return RepositoryMetadata({})

    def getenv(self, name: str, default: object = None) -> object:
        environment = self._environment()
        if name not in environment:
            self.state.absent.append(name)
        return environment.get(name, default)

    def which(self, program: object) -> object:
        name = starlark.str_of(program)
        if not name:
            starlark.fail_with("Program argument of which() may not be empty")
        if "/" in name or "\\" in name:
            starlark.fail_with(
                f"Program argument of which() may not contain a / or a \\ ('{name}' given)"
            )
        unknown = self.state.unknown(
            Reason.RUNS_PROGRAM, f"which({shown_without_pieces(name)})", "not looked for"
        )
        decide = self.state.decisions.decide
        if not decide(unknown, "the program", "exists", likelier=True, is_of_text=False):
            return None
        return RepositoryPath(self.state, f"/{self.state.unknown_text(unknown)}/{name}")

    def execute(
        self,
        arguments: Iterable[object],
        timeout: object = 600,
        environment: object = None,
        quiet: object = True,
        working_directory: object = "",
    ) -> object:
        words = [self._word(word) for word in starlark.iterate(arguments)]
        if not words:
            starlark.fail_with("the list of arguments is empty")
        program = posixpath.basename(words[0])
        if program in ("yq", "yq.exe") and (known := self._printed_by_yq(words[1:])):
            return _exec_result(0, known)
        root = self.state.files_of.directory_of("") or "/"
        shown = shown_without_pieces(" ".join([program, *words[1:]]).replace(f"{root}/", ""))
        self.state.programs.append(shown)
        name = shown_without_pieces(program)
        unknown = self.state.unknown(
            Reason.RUNS_PROGRAM, f"`{shown}`", f"the repository rule runs `{name}`"
        )
        if program == "rm" and all(own_path(self.state, word) for word in words[2:]):
            for word in words[2:]:
                self.state.delete(own_path(self.state, word) or "")
        elif program not in _HARMLESS:
            self.state.open_directory("", unknown)
        if words[-2:-1] == ["uname"] and (told := self.state.settings.uname.get(words[-1])):
            return _exec_result(0, f"{told}\n")
        output = self.state.unknown_text(unknown)
        plain = starlark.str_of(output)
        exit_code = Assumed(self.state.decisions, unknown, "its exit code", 0, plain)
        return _exec_result(exit_code, output)

    def _printed_by_yq(self, words: list[str]) -> str | None:
        from bazelscope.loading.dry_run import yaml_text  # few rules run yq

        path = yaml_text.read_by_yq(words)
        text = self._files.content_of(path) if path else None
        if not isinstance(text, str) or self.state.pieces.inside(text):
            return None
        return yaml_text.printed_by_yq(words, text)

    # ---- Writing

    def file(
        self,
        path: object,
        content: object = "",
        executable: object = True,
        legacy_utf8: object = True,
    ) -> None:
        self.state.write(self._files.own_path(path), starlark.str_of(content))

    def template(
        self,
        path: object,
        template: object,
        substitutions: object = None,
        executable: object = True,
        watch_template: object = None,
    ) -> None:
        target = self._files.own_path(path)
        file = self._files.file(template)
        if file is None:
            self._files.fail_without(template)
        text = self._files.text_in(file) if isinstance(file, FileFound) else file
        if isinstance(text, Unknown):
            self.state.write_unknown(target, text)
            return
        before = text
        for key, value in dict(substitutions or {}).items():  # type: ignore[call-overload]
            text = text.replace(starlark.str_of(key), starlark.str_of(value))
        like = file.display_path if isinstance(file, FileFound) else None
        self.state.write(target, text, like, before)

    def symlink(self, target: object, link_name: object) -> None:
        link = self._files.own_path(link_name)
        file, path = self._files.file(target), self._files.path(target)
        link = self.state.room_for_link(link, self._files.shown(target))
        if isinstance(file, FileFound):
            self.state.link(link, file)
        elif file is None and path.own is not None:
            self.state.link_to(link, path.own)
        elif not self._link_directory(path, link):
            detail = f"a link to {self._files.shown(target)}, which does not exist"
            unknown = file or self.state.unknown(Reason.FILE_MISSING, link, detail)
            self.state.write_unknown(link, unknown)
            self.state.open_directory(link, unknown)

    def delete(self, path: object) -> bool:
        return self.state.delete(self._files.own_path(path))

    def rename(self, src: object, dst: object) -> None:
        old, new = self._files.own_path(src), self._files.own_path(dst)
        for path in [one for one in self.state.files if one == old or one.startswith(f"{old}/")]:
            self.state.add(new + path[len(old) :], self.state.files.pop(path))

    def patch(self, patch_file: object, strip: int = 0, watch_patch: object = None) -> None:
        shown = self._files.shown(patch_file)
        self.state.patches.append(shown)
        content = self._files.content_of(patch_file)
        if content is None and isinstance(patch_file, LabelValue):
            self._files.fail_without(patch_file)
        if isinstance(content, str):
            self.state.apply_patch(content, shown, strip)

    # ---- Downloading

    def download(
        self,
        url: object,
        output: object = "",
        sha256: str = "",
        executable: object = False,
        allow_fail: object = False,
        canonical_id: str = "",
        auth: object = None,
        headers: object = None,
        integrity: str = "",
        block: object = True,
    ) -> object:
        target = self._files.own_path(output)
        unknown = self._download(url, sha256 or integrity, target, bool(allow_fail))
        if target:
            self.state.write_unknown(target, unknown)
        result = self._download_result(unknown, sha256, integrity)
        if block is False:
            # Bazel: `PendingDownload`.
            return PendingDownload({"wait": starlark.Builtin("wait", lambda: result)})
        return result

    def download_and_extract(
        self,
        url: object,
        output: object = "",
        sha256: str = "",
        type: str = "",
        stripPrefix: str = "",  # noqa: N803
        allow_fail: object = False,
        canonical_id: str = "",
        auth: object = None,
        headers: object = None,
        integrity: str = "",
        rename_files: object = None,
        strip_prefix: str = "",
    ) -> object:
        target = self._files.own_path(output)
        unknown = self._download(url, sha256 or integrity, target, bool(allow_fail))
        self.state.open_directory(target, unknown)
        return self._download_result(unknown, sha256, integrity)

    def extract(
        self,
        archive: object,
        output: object = "",
        stripPrefix: str = "",  # noqa: N803
        rename_files: object = None,
        watch_archive: object = None,
        strip_prefix: str = "",
    ) -> None:
        if isinstance(archive, LabelValue):
            self._files.file(archive)
        unknown = self.state.unknown(
            Reason.NOT_FETCHED, self._files.shown(archive), "the archive is not unpacked"
        )
        self.state.open_directory(self._files.own_path(output), unknown)

    def report_progress(self, status: str = "") -> None:
        """Nothing to report."""

    def watch(self, path: object) -> None:
        """Nothing to watch."""

    # ---- Helpers

    def _environment(self) -> dict[str, str]:
        settings = self.state.settings
        environment = dict(settings.environment)
        is_windows = settings.operating_system.startswith("windows")
        for name in (*_SURELY_SET, _SET_ON_WINDOWS) if is_windows else _SURELY_SET:
            if name not in environment:
                environment[name] = self.state.unknown_text(
                    self.state.unknown(Reason.RUNS_PROGRAM, name, "the client's environment")
                )
        return environment

    def _download(self, url: object, checksum: str, output: str, may_fail: bool) -> Unknown:
        urls = (url,) if isinstance(url, str) else tuple(starlark.iterate(url))
        texts = tuple(starlark.str_of(element) for element in urls)
        if not any(map(self.state.pieces.inside, (*texts, checksum))):
            needs_checksum = self.state.settings.release.plain_addresses_need_checksums
            wrong = wrong_addresses(texts, needs_checksum and not checksum, may_fail)
            if wrong is not None:
                starlark.fail_with(wrong, code=NO_ADDRESS)
        self.state.downloads.append(Download(texts, checksum, output))
        return self.state.unknown(
            Reason.NOT_FETCHED, texts[0] if texts else output, "not downloaded"
        )

    def _download_result(self, unknown: Unknown, sha256: str, integrity: str) -> object:
        missing = self.state.unknown_text(unknown)
        return Struct(
            {"success": True, "sha256": sha256 or missing, "integrity": integrity or missing}
        )

    def _word(self, argument: object) -> str:
        """An argument of a program."""
        finds_labels = self.state.settings.release.execute_finds_labels
        if isinstance(argument, LabelValue) and finds_labels:
            return self._files.path(argument).text
        return starlark.str_of(argument)

    def _link_directory(self, target: RepositoryPath, link: str) -> bool:
        known = place_of(self.state, target.text)
        if known is None:
            return False
        below = self.state.files_of.files_below(*known)
        if isinstance(below, Unknown) or not below:
            return False
        repository, directory = known
        for name in below:
            inside = f"{directory}/{name}" if directory else name
            file = self.state.files_of.find_file(repository, inside)
            if isinstance(file, FileFound):
                self.state.link(f"{link}/{name}" if link else name, file)
        return True


def _exec_result(return_code: object, stdout: str) -> ExecutionResult:
    return ExecutionResult({"return_code": return_code, "stdout": stdout, "stderr": ""})
