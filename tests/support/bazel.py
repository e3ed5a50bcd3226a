"""Real Bazels: found, started apart from the user's own, asked, and shut down."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.parts import bazel_binary, give_up

# Debian's binary holds no install base; its own rc file, which we do not read, names it.
_DEBIAN_INSTALL_BASE = Path("/usr/share/bazel")

# A server lives for seconds or minutes: what the second compiler of the JVM costs, it never gives
# back. A start takes half of the processor time without.
JVM_OPTIONS = ("--host_jvm_args=-XX:TieredStopAtLevel=1",)
# Several threads that look for garbage cost more than they save; 0.24 and 0.26 have chosen theirs.
_ONE_COLLECTOR = "--host_jvm_args=-XX:+UseSerialGC"
_JVM_OPTIONS_OF = {
    "2.1.0": (_ONE_COLLECTOR,),
    "4.2.3": (_ONE_COLLECTOR, "--host_jvm_args=-Xms200m", "--host_jvm_args=-Xmn120m"),
}
# A profile takes a sixth of a short question's time.
_NO_PROFILE = ("--noexperimental_generate_json_trace_profile",)
_PROFILED = frozenset({"aquery", "build", "cquery", "query"})
# For each command 4.2.3 starts two hundred threads to look at what other repositories hold.
_FEW_THREADS = ("--experimental_fsvc_threads=2",)
_THREADED = frozenset({("4.2.3", command) for command in ("aquery", "build", "cquery")})


@dataclass(frozen=True)
class Output:
    """What one run of Bazel said."""

    command: tuple[str, ...]
    exit_code: int
    stdout: str
    stderr: str

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(self.stdout.splitlines())

    @property
    def errors(self) -> tuple[str, ...]:
        """Bazel's own error lines."""
        return tuple(line for line in self.stderr.splitlines() if line.startswith("ERROR:"))

    def checked(self) -> Output:
        """This, if Bazel exited with 0; otherwise an error that shows what it said."""
        if self.exit_code != 0:
            words = " ".join(self.command)
            raise AssertionError(f"`{words}` exited {self.exit_code}:\n{self.stderr[-4000:]}")
        return self


class Bazel:
    """One version of Bazel with a HOME and an output root apart from the user's.

    A server starts with the first question in a workspace and stays warm for the next, for a
    minute or two: each holds 250 MB. Below `room`, whose workspaces test after test writes anew,
    it stays for longer. `shutdown()` ends all that are left. `rc_files=False` keeps the
    workspace's `.bazelrc` out.
    """

    def __init__(self, version: str, scratch: Path, room: Path | None = None) -> None:
        binary = bazel_binary(version)
        if binary is None:
            give_up("oracle", f"Bazel {version}")
        self.version = version
        self.binary = binary
        self.scratch = scratch
        self._room = room
        self._workspaces: set[Path] = set()
        self._is_to_forget = False
        (scratch / "home").mkdir(parents=True, exist_ok=True)

    def run(
        self,
        workspace: Path,
        command: str,
        *words: str,
        startup: Sequence[str] = (),
        environment: dict[str, str] | None = None,
        rc_files: bool = True,
        timeout: float = 300,
    ) -> Output:
        """Runs one command in a workspace; its exit code is part of the answer."""
        if self._is_to_forget and workspace in self._workspaces and self._is_in_room(workspace):
            self._is_to_forget = False
            self.run(workspace, "clean", startup=startup, rc_files=rc_files)
        line = (
            str(self.binary),
            *self._startup_options(workspace, rc_files),
            *startup,
            command,
            *(_NO_PROFILE if command in _PROFILED else ()),
            *(_FEW_THREADS if (self.version, command) in _THREADED else ()),
            *words,
        )
        self._workspaces.add(workspace)
        done = subprocess.run(
            line,
            cwd=workspace,
            env=self._environment() | (environment or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
        return Output(line, done.returncode, _text(done.stdout), _text(done.stderr))

    def query(self, workspace: Path, expression: str, *flags: str) -> Output:
        """`bazel query`, going on past errors."""
        return self.run(workspace, "query", "--noshow_progress", "--keep_going", *flags, expression)

    def cquery(self, workspace: Path, expression: str, *flags: str) -> Output:
        """`bazel cquery`, going on past errors."""
        return self.run(
            workspace, "cquery", "--noshow_progress", "--keep_going", *flags, expression
        )

    def canonicalize_flags(self, workspace: Path, *flags: str, command: str = "build") -> Output:
        """`bazel canonicalize-flags`: rc files take no part in it."""
        return self.run(workspace, "canonicalize-flags", f"--for_command={command}", "--", *flags)

    def forget(self) -> None:
        """Makes the server below `room` forget what it was asked, before the next question. It
        looks at each file that it has ever seen, with every question."""
        self._is_to_forget = True

    def shutdown(self) -> None:
        """Ends the servers of all workspaces that were asked."""
        for workspace in sorted(self._workspaces):
            self.run(workspace, "shutdown", rc_files=False)
        self._workspaces.clear()

    def _startup_options(self, workspace: Path, rc_files: bool) -> tuple[str, ...]:
        options = [
            f"--output_user_root={self.scratch / 'root'}",
            f"--max_idle_secs={900 if self._is_in_room(workspace) else 90}",
            *JVM_OPTIONS,
            *_JVM_OPTIONS_OF.get(self.version, ()),
            "--nosystem_rc",
            "--nohome_rc",
        ]
        if not rc_files:
            options.append("--noworkspace_rc")
        if self.binary.name == "bazel-4" and _DEBIAN_INSTALL_BASE.is_dir():
            options += [f"--install_base={_DEBIAN_INSTALL_BASE}", "--trust_install_base"]
        return tuple(options)

    def _is_in_room(self, workspace: Path) -> bool:
        return self._room is not None and workspace.is_relative_to(self._room)

    def _environment(self) -> dict[str, str]:
        # PYTHONWARNINGS: old python_configure rules take any word on stderr for a failure.
        return {
            "HOME": str(self.scratch / "home"),
            "LANG": "C.UTF-8",
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "PYTHONWARNINGS": "ignore",
            "USER": "tester",
        }


def _text(output: bytes) -> str:
    """Bytes that are no UTF-8 (of messages in binary) can be had back from the text."""
    return output.decode("utf-8", "surrogateescape")
