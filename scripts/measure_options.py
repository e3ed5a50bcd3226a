"""Asks a Bazel binary for its options: facts for `make_flag_catalog.py`.

    python scripts/measure_options.py BAZEL FOLDER --known OTHER.json [OTHER.json ...]

Writes `FOLDER/VERSION.json`. `help flags-as-proto` lists every option, hidden ones too, with
its commands; `help COMMAND --long` tells types, defaults and expansions of those that are not
hidden; `canonicalize-flags` which former names a release still takes, what
`--all_incompatible_changes` expands to, and which options it calls deprecated. Names to ask for
and what a hidden option takes come from the facts of other releases. For releases up to 2.1: a
later one takes options by other rules.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_HEADING = re.compile(
    r"^  --(?P<negatable>\[no\])?(?P<name>[^ \[]+)(?: \[-(?P<letter>.)\])?(?: \((?P<about>.*)\))?$"
)
_DEFAULT = re.compile(r'; default: (?P<default>"(?P<text>.*)"|see description)$')
_TIMES = "; may be used multiple times"
_VARIES = "all_incompatible_changes"
"""Expands to other options in each command."""


class Binary:
    """One Bazel, asked in an empty workspace with an output root of its own."""

    def __init__(self, program: Path, folder: Path) -> None:
        self._program, self._root = program, folder / "root"
        self._workspace = folder / "workspace"
        self._workspace.mkdir()
        (self._workspace / "WORKSPACE").touch()

    def ask(self, *words: str) -> tuple[str, str]:
        """Stdout and stderr of a command."""
        startup = [f"--output_user_root={self._root}", "--nohome_rc", "--nosystem_rc"]
        done = subprocess.run(
            [str(self._program), *startup, *words],
            cwd=self._workspace,
            env={"PATH": os.environ["PATH"], "HOME": str(self._root)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout, done.stderr

    def canonical(self, option: str, command: str) -> tuple[list[str], list[str]]:
        """An option of a command as Bazel writes it, and what it says of it."""
        words = (f"--for_command={command}", "--show_warnings", "--", option)
        out, said = self.ask("canonicalize-flags", *words)
        lines = said.splitlines()
        return out.splitlines(), [s for s in lines if s.startswith(("ERROR", "WARNING"))]


def _numbers(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a proto: numbers with their integers or bytes."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        value = varint()
        if tag & 7 == 2:
            yield tag >> 3, data[at : at + value]
            at += value
        else:
            yield tag >> 3, value


def options_as_proto(text: str) -> dict[str, dict[str, Any]]:
    """Every option of `help flags-as-proto`: negatable, repeated, letter and commands."""
    found: dict[str, dict[str, Any]] = {}
    for _, flag in _numbers(base64.b64decode(text)):
        assert isinstance(flag, bytes)
        fields = list(_numbers(flag))

        def words(number: int, fields: list[tuple[int, int | bytes]] = fields) -> list[str]:
            return [v.decode() for n, v in fields if n == number and isinstance(v, bytes)]

        found[words(1)[0]] = {
            "negatable": (2, 1) in fields,
            "abbreviation": next(iter(words(5)), None),
            "multiple": (6, 1) in fields,
            "commands": sorted(words(4)),
        }
    return found


def options_of_help(text: str) -> dict[str, dict[str, Any]]:
    """The options of `help COMMAND --long`: type, default, expansion."""
    found: dict[str, dict[str, Any]] = {}
    about: dict[str, Any] = {}
    expansion: str | None = None
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading is not None:
            about = found[heading["name"]] = _about(heading)
            expansion = None
        elif line.startswith("      Expands to: "):
            expansion = line.partition(": ")[2]
        elif expansion is not None and line.startswith("      ") and "Tags: " not in line:
            expansion += line[6:]  # A line that is cut between two words ends with a blank.
        else:
            expansion = None
        if expansion is not None:
            about["expands_to"] = expansion.split()
    return found


def _about(heading: re.Match[str]) -> dict[str, Any]:
    text = heading["about"]
    if text is None:
        return {"type": "void", "default": None, "expands_to": []}
    default = _DEFAULT.search(text)
    kind = text.removesuffix(_TIMES) if default is None else text[: default.start()]
    value = default["text"] if default is not None else None
    negatable = heading["negatable"] is not None
    return {"type": kind, "default": value, "negatable": negatable, "expands_to": []}


def measure(binary: Binary, known: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The facts of one release."""
    options = options_as_proto(binary.ask("help", "flags-as-proto")[0])
    completion = binary.ask("help", "completion")[0]
    listed = re.search(r'BAZEL_COMMAND_LIST="([^"]*)"', completion)
    version = re.search(r"bazel release (\S+)\]", binary.ask("help")[0])
    assert listed is not None and version is not None
    commands = listed[1].split()
    told: dict[str, dict[str, Any]] = {}
    for command in ("startup_options", *commands):
        told |= options_of_help(binary.ask("help", command, "--long")[0])
    flags = {name: _fact(name, fact, told, known) for name, fact in sorted(options.items())}
    former = _former_names(binary, flags, known)
    return {
        "bazel": version[1],
        "flags": flags,
        "measured": {
            "commands": sorted(commands),
            "former_names": former,
            "deprecated": _deprecated(binary, flags),
            "expansions": {_VARIES: _changes(binary, flags)},
        },
    }


def _fact(
    name: str,
    fact: Mapping[str, Any],
    told: Mapping[str, Mapping[str, Any]],
    known: list[Mapping[str, Any]],
) -> dict[str, Any]:
    """One option: as help tells it, or, where help hides it, as other releases have it."""
    other = next((facts["flags"][name] for facts in known if name in facts["flags"]), None)
    hidden = {"type": "a boolean" if fact["negatable"] else None, "default": None, "expands_to": []}
    about = told.get(name, hidden)
    takes = about["type"] not in ("void", None) and not {**fact, **about}["negatable"]
    if about["type"] is None:
        takes = other is None or other["requires_value"]
    return {**fact, **about, "requires_value": takes}


def _former_names(
    binary: Binary, flags: Mapping[str, Any], known: list[Mapping[str, Any]]
) -> dict[str, str]:
    """The other names that this release takes, of all that any of the known ones has. What
    such a name stands for is as Bazel writes it; or, if no value of it was guessed, as others
    have it."""
    others = {name: fact for facts in known for name, fact in facts["flags"].items()}
    former = {old: new for facts in known for old, new in facts.get("former_names", {}).items()}
    found: dict[str, str] = {}
    for name in sorted({*others, *former} - {*flags}):
        elsewhere = former.get(name, "")
        command = _command(flags.get(elsewhere, others.get(name)))
        for word in (f"--{name}", f"--{name}=1"):
            lines, said = binary.canonical(word, command)
            if any("Unrecognized" in line for line in said):
                break
            now = lines[0].removeprefix("--").partition("=")[0] if len(lines) == 1 else elsewhere
            found[name] = now if now in flags else now.removeprefix("no")
    return {old: new for old, new in found.items() if new in flags and new != old}


def _command(fact: Mapping[str, Any] | None) -> str:
    """A command that takes an option: `build`, if it does."""
    commands = fact["commands"] if fact is not None else []
    return "build" if "build" in commands or not commands else str(commands[0])


def _changes(binary: Binary, flags: Mapping[str, Any]) -> list[str]:
    """What `--all_incompatible_changes` stands for in any command: each takes its own."""
    asked = sorted({command for fact in flags.values() for command in fact["commands"]})
    found = {line for c in asked for line in binary.canonical(f"--{_VARIES}", c)[0]}
    words = {line.removesuffix("=1") for line in found}
    return sorted(word for word in words if word.removeprefix("--") in flags)


def _deprecated(binary: Binary, flags: Mapping[str, Any]) -> dict[str, str]:
    """What Bazel says of each option that it calls deprecated when it is given, in the words
    of the table."""
    found: dict[str, str] = {}
    for name, fact in flags.items():
        if fact["commands"] == ["startup"]:
            continue
        value = f"={fact['default'] or 1}" if fact["requires_value"] else ""
        _, said = binary.canonical(f"--{name}{value}", _command(fact))
        for line in said:
            match = re.match(rf"WARNING: Option '{re.escape(name)}' is deprecated:? ?(.*)", line)
            if match:
                found[name] = _advice(match[1])
    return found


def _advice(said: str) -> str:
    """What to do about a deprecated option, briefly."""
    if re.search(r"no-op|no more functionality", said, re.IGNORECASE):
        return "it does nothing"
    favoured = re.search(r"in favor of (?:setting )?-*(\w+)", said)
    if favoured:
        return f"use `--{favoured[1]}`"
    instead = re.findall(r"--\w+(?:=\w+)?", said) if re.search(r"\b[Uu]se --", said) else ()
    return f"use {' or '.join(f'`{word}`' for word in instead)}" if instead else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("bazel", type=Path, help="the program")
    parser.add_argument("folder", type=Path, help="where VERSION.json is written")
    parser.add_argument("--known", type=Path, nargs="+", required=True, help="facts of neighbours")
    arguments = parser.parse_args()
    known = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.known]
    shared = json.loads(
        Path(__file__).with_name("flag_catalog_facts.json").read_text(encoding="utf-8")
    )
    for facts in known:
        facts["former_names"] = shared["former_names"].get(facts["bazel"], {})
    with tempfile.TemporaryDirectory() as folder:
        binary = Binary(arguments.bazel.resolve(), Path(folder))
        facts = measure(binary, known)
        binary.ask("shutdown")
    text = json.dumps(facts, indent=0) + "\n"
    (arguments.folder / f"{facts['bazel']}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
