"""Asks a real Bazel which options a command line and its rc files amount to.

A `World` is a set of rc files and a command line. `RealBazel` lays it out in a scratch
workspace and reads the answer from the build events of `build --nobuild`; `ours` asks
bazelscope. Both give an `Answer`, so that a test compares values.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from bazelscope.base.errors import Severity
from bazelscope.bazel import flag_catalog, flag_conversion
from bazelscope.flags import outcome
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.flags.rc_file_reading import DiskFiles
from bazelscope.flags.request import FlagRequest
from bazelscope.flags.resolve import Resolution
from tests.oracle.canonical_form import canonical_form
from tests.support.bazel import JVM_OPTIONS

# Bazel's client passes these to its server; nobody writes them.
_CLIENT_OPTIONS = re.compile(
    r"--(no)?(rc_source|default_override|client_env|client_cwd|isatty|terminal_columns|"
    r"startup_time|command_wait_time|extract_data_time|binary_path|restart_reason|"
    r"ignore_client_env|build_event_json_file|show_progress|nobuild|build|python_path|"
    r"incompatible_enable_execution_transition|watchfs)(=.*)?$",
    re.DOTALL,
)
_REPEATED = re.compile(r"The following configs were expanded more than once: \[(.*?)\]")
_BAD_COMMAND = re.compile(r"invalid command name '(.*?)'\.", re.DOTALL)
_OPTION_WARNINGS = {
    "deprecated": re.compile(r"WARNING: Option '([\w:]+)' is deprecated"),
    "overridden": re.compile(
        r" was expanded and now overrides the explicit option .*? with -{1,2}(?:no)?(\w+)",
        re.DOTALL,
    ),
    "expanded twice": re.compile(r"WARNING: option '--(\w+)'.* was expanded to from both"),
    "implied": re.compile(
        r"WARNING: (?:A new value for )?option '--(\w+)'.*"
        r"(?:is implicitly defined by|overrides a previous implicit setting)"
    ),
}
_CHAIN = re.compile(r"There is a recursive chain of configs (\d+) configs long")

STARLARK_DEFAULTS = {"//f:sf": "d", "//f:bf": "false"}

_BUILD = """\
load(":f.bzl", "bf", "sf")
sf(name = "sf", build_setting_default = "d")
bf(name = "bf", build_setting_default = False)
filegroup(name = "t")
filegroup(name = "u")
"""
_BZL = """\
def _implementation(ctx):
    return []

sf = rule(implementation = _implementation, build_setting = config.string(flag = True))
bf = rule(implementation = _implementation, build_setting = config.bool(flag = True))
"""


@dataclass(frozen=True)
class World:
    """rc files by path (`ws/...`, `home/...`), startup options, command and words.

    `@ROOT@` in any of them stands for the scratch folder.
    """

    files: Mapping[str, str]
    words: tuple[str, ...] = ()
    command: str = "build"
    startup: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """`error`: Bazel refuses. Otherwise the options in force, all options, and the rest."""

    error: bool
    effective: tuple[str, ...] = ()
    parsed: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    starlark: Mapping[str, str] = field(default_factory=dict)
    repeated_configs: tuple[str, ...] = ()
    bad_commands: tuple[str, ...] = ()
    long_chains: tuple[int, ...] = ()
    warnings: tuple[tuple[str, str], ...] = ()
    """The warnings about options: which kind, and which option."""
    message: str = field(default="", compare=False)


class RealBazel:
    """One Bazel binary with a server of its own; `close` ends it."""

    def __init__(self, binary: str, version: str, root: Path, starlark: bool = True) -> None:
        self.binary, self.version, self.root = binary, version, root
        self.workspace = root / "ws"
        self.home = root / "home"
        self._events = root / "events.json"
        self._install = _installed_startup_options(binary)
        for folder in (self.workspace / "f", self.home):
            folder.mkdir(parents=True, exist_ok=True)
        (self.workspace / "WORKSPACE").write_text("")
        build = _BUILD if starlark else _BUILD[_BUILD.index("filegroup") :]
        (self.workspace / "f" / "BUILD").write_text(build)
        (self.workspace / "f" / "f.bzl").write_text(_BZL)

    def lay_out(self, world: World) -> None:
        """Writes the world's rc files, and removes those of the one before."""
        for folder in (self.workspace, self.home):
            for path in folder.iterdir():
                if path.name != "f" and path.name != "WORKSPACE" and not path.is_symlink():
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name, text in world.files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self._fill(text).encode("utf-8", "surrogateescape"))

    def _fill(self, text: str) -> str:
        return text.replace("@ROOT@", str(self.root))

    def run(self, arguments: list[str]) -> subprocess.CompletedProcess[str]:
        environment = {"HOME": str(self.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        return subprocess.run(
            [self.binary, f"--output_user_root={self.root}/out", *JVM_OPTIONS, *arguments],
            cwd=self.workspace,
            env=environment,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=120,
        )

    def ask(self, world: World) -> Answer:
        """What Bazel makes of the world."""
        self.lay_out(world)
        self._events.unlink(missing_ok=True)
        done = self.run(
            [
                "--nosystem_rc",
                *self._install,
                *map(self._fill, world.startup),
                world.command,
                "--nobuild",
                f"--build_event_json_file={self._events}",
                "--noshow_progress",
                *map(self._fill, world.words),
            ]
        )
        answer = self._answer(done)
        if world.command == "run":
            # The words after the first are arguments of the program, not targets.
            answer = replace(answer, targets=answer.targets[:1])
        return answer

    def _answer(self, done: subprocess.CompletedProcess[str]) -> Answer:
        repeated = tuple(
            name for found in _REPEATED.findall(done.stderr) for name in found.split(", ")
        )
        canonical: list[str] | None = None
        targets: list[str] = []
        parsed: list[str] | None = None
        starlark: dict[str, str] = {}
        if self._events.exists():
            for line in self._events.read_text(errors="surrogateescape").splitlines():
                event = json.loads(line)
                if "optionsParsed" in event:
                    parsed = event["optionsParsed"].get("cmdLine", [])
                command_line = event.get("structuredCommandLine", {})
                if command_line.get("commandLineLabel") != "canonical":
                    continue
                for section in command_line["sections"]:
                    if section["sectionLabel"] == "command options":
                        options = section["optionList"].get("option", [])
                        canonical = [o.get("combinedForm", "") for o in options]
                    elif section["sectionLabel"] == "residual":
                        targets = section.get("chunkList", {}).get("chunk", [])
        if canonical is None or parsed is None:
            return Answer(error=True, message=done.stderr[-600:])
        # Events carry strings whose UTF-8 bytes were taken for Latin-1.
        canonical, parsed, targets = (
            [_utf8(text) for text in texts] for texts in (canonical, parsed, targets)
        )
        for text in canonical:
            if text.startswith(("--//", "--@")):
                label, _, value = text[2:].partition("=")
                starlark[label] = value
        return Answer(
            error=False,
            effective=_without_client_options(
                [t for t in canonical if not t.startswith(("--//", "--@"))]
            ),
            parsed=_without_client_options(parsed),
            targets=tuple(targets),
            starlark=starlark,
            repeated_configs=tuple(sorted(repeated)),
            bad_commands=tuple(sorted(set(_BAD_COMMAND.findall(done.stderr)))),
            long_chains=tuple(map(int, _CHAIN.findall(done.stderr))),
            warnings=_option_warnings(done.stderr),
            message=done.stderr[-600:],
        )

    def close(self) -> None:
        self.run(["--nosystem_rc", "--noworkspace_rc", "--nohome_rc", *self._install, "shutdown"])


def _installed_startup_options(binary: str) -> list[str]:
    """Startup options that a distribution's Bazel needs and finds in its own system rc."""
    system_rc = Path("/etc/bazel/bazelrc")
    if Path(binary).parent != Path("/usr/bin") or not system_rc.exists():
        return []
    words: list[str] = []
    for line in system_rc.read_text().splitlines():
        if line.startswith("startup "):
            words += line.split()[1:]
    return words


def _option_warnings(stderr: str) -> tuple[tuple[str, str], ...]:
    found = {
        (kind, name)
        for kind, pattern in _OPTION_WARNINGS.items()
        for name in pattern.findall(stderr)
    }
    return tuple(sorted(found))


def _our_option_warnings(resolved: ResolvedFlags) -> tuple[tuple[str, str], ...]:
    kinds = {
        "deprecated-option": ("deprecated", r"option `--(\w+)`"),
        "explicit-option-overridden": ("overridden", r"sets `-{1,2}(?:no)?(\w+)"),
        "option-expanded-twice": ("expanded twice", r"sets? `--(\w+)`, to"),
        "option-implied": ("implied", r"implies `--(?:no)?(\w+)|^`--(?:no)?(\w+)[^`]*` beats"),
    }
    found: set[tuple[str, str]] = set()
    for problem in resolved.diagnostics:
        if problem.code in kinds:
            kind, pattern = kinds[problem.code]
            match = re.search(pattern, problem.message)
            assert match is not None, problem.message
            found.add((kind, next(filter(None, match.groups()))))
    return tuple(sorted(found))


def _utf8(text: str) -> str:
    try:
        return text.encode("latin-1").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text


def _without_client_options(texts: list[str]) -> tuple[str, ...]:
    return tuple(text for text in texts if not _CLIENT_OPTIONS.match(text))


def ours(world: World, version: str, root: Path) -> Answer:
    """What bazelscope makes of the world, from the same files as `RealBazel` laid out."""
    fill = lambda text: text.replace("@ROOT@", str(root))  # noqa: E731
    request = FlagRequest(
        str(root / "ws"),
        tuple(map(fill, world.words)),
        world.command,
        tuple(map(fill, world.startup)),
        version,
        home=str(root / "home"),
        system_rc=None,
    )
    resolution = Resolution(request, DiskFiles())
    resolved = resolution.result()
    errors = [d for d in resolved.diagnostics if d.severity is Severity.ERROR]
    if errors:
        return Answer(error=True, message="; ".join(f"{d.code}: {d.message}" for d in errors))
    options = flag_catalog.load(version)
    parsed = [
        canonical_form(option.instance, options)
        for option in outcome.in_order(resolution.parser.options)
    ]
    starlark: dict[str, str] = {}
    for label, value in resolved.starlark_flags.items():
        text = value.value or ""
        if label == "//f:bf":
            text = "true" if flag_conversion.boolean(text) else "false"
        if text != STARLARK_DEFAULTS.get(label):
            starlark[label] = text
    return Answer(
        error=False,
        effective=_without_client_options([i.text for i in resolved.instances]),
        parsed=_without_client_options(parsed),
        targets=tuple(target.text for target in resolved.targets),
        starlark=starlark,
        repeated_configs=tuple(
            sorted(
                {
                    *_quoted(resolved, "config-repeated", _EXPANDED),
                    *_quoted(resolved, "config-expanded-again", _EXPANDED),
                }
            )
        ),
        bad_commands=tuple(
            sorted(
                {
                    *_quoted(resolved, "unknown-command", r"^`(.*?)` names"),
                    *_quoted(resolved, "missing-command", r"begins with `(--copt)`"),
                }
            )
        ),
        long_chains=tuple(map(int, _quoted(resolved, "long-config-chain", r"(\d+) configs"))),
        warnings=_our_option_warnings(resolved),
    )


_EXPANDED = r"`--config=(.*?)` is expanded"


def _quoted(resolved: ResolvedFlags, code: str, pattern: str) -> tuple[str, ...]:
    """What a pattern finds in the messages of the diagnostics of that code, sorted."""
    messages = [d.message for d in resolved.diagnostics if d.code == code]
    return tuple(sorted({found for text in messages for found in re.findall(pattern, text)}))
