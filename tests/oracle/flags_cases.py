"""Random worlds of rc files and command lines, from a seed.

The pieces are chosen so that most worlds are accepted by Bazel, and the rest refused for
one of many reasons. Everything that is random comes from the given generator, so a case
that fails is told by its seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.oracle.flags_oracle import World

CONFIGS = ("a", "b", "c", "linux", "a:b")
COMMANDS = ("build", "build", "build", "common", "test", "query", "run", "cquery")

OPTIONS: Sequence[Callable[[random.Random], list[str]]] = (
    lambda r: [f"--copt={_value(r)}"],
    lambda r: ["--copt", _value(r)],
    lambda r: [f"--define={r.choice('xy')}={_value(r)}"],
    lambda r: ["--define", f"{r.choice('xy')}={_value(r)}"],
    lambda r: ["-c", r.choice(("opt", "dbg", "fastbuild", "OPT"))],
    lambda r: [f"--compilation_mode={r.choice(('opt', 'dbg', 'fastbuild'))}"],
    lambda r: [r.choice(("-k", "-k-", "--keep_going", "--nokeep_going", "--keep_going=no"))],
    lambda r: [f"--keep_going={r.choice(('true', 'yes', '1', 'T', 'False', '0', 'n'))}"],
    lambda r: [r.choice(("--stamp", "--nostamp", "--stamp=1"))],
    lambda r: [r.choice(("-t", "-t-", "--cache_test_results=auto", "--nocache_test_results"))],
    lambda r: [f"--tool_tag={_value(r)}"],
    lambda r: ["--jobs", r.choice(("4", "7", "auto"))],
    lambda r: ["-j", r.choice(("4", "7"))],
    lambda r: [f"--test_output={r.choice(('all', 'errors', 'SUMMARY', 'streamed'))}"],
    lambda r: ["--java_debug"],
    lambda r: [r.choice(("-s", "--subcommands", "--subcommands=pretty_print", "-s-"))],
    lambda r: [f"--action_env={_value(r)}", "--strip=always"],
    lambda r: ["--action_env", f"P={_value(r)}"],
    lambda r: ["--check_tests_up_to_date"],
    lambda r: [f"--fdo_instrument={r.choice(('p', 'q'))}"],
    lambda r: [f"--runs_per_test={r.choice(('1', '3'))}"],
    lambda r: [f"--test_tag_filters={r.choice(('a,-b', '', 'x'))}"],
    lambda r: ["--enable_platform_specific_config"],
    lambda r: ["--noenable_platform_specific_config"],
    lambda r: [f"--platform_suffix={_value(r)}"],
    lambda r: [f"--test_env={_value(r)}"],
    lambda r: ["--linkopt", _value(r)],
    lambda r: [f"--experimental_host_platform={r.choice(('//f:t', '//f:u'))}"],
    lambda r: [r.choice(("--experimental_enable_runfiles", "--noexperimental_enable_runfiles"))],
    lambda r: [r.choice(("--announce", "--glibc=x", "--nobes_best_effort", "--noannounce"))],
    lambda r: [r.choice(("--test_output=all", "--nocheck_up_to_date", "--test_output=summary"))],
)

SINCE_2_OPTIONS: Sequence[Callable[[random.Random], list[str]]] = (
    lambda r: [f"--//f:sf={r.choice(('p', 'q', 'r'))}"],
    lambda r: [f"--//f:bf={r.choice(('true', 'yes'))}"],
)
SINCE_4_OPTIONS: Sequence[Callable[[random.Random], list[str]]] = (
    lambda r: ["--remote_download_minimal"],
    lambda r: ["--no//f:bf"],
    lambda r: ["--//f:bf"],
)

BAD_OPTIONS = (
    ["--no_such_option"],
    ["--compilation_mode=fast"],
    ["-Wall"],
    ["--keep_going=perhaps"],
    ["--nocopt=x"],
    ["--nokeep_going=1"],
    ["--copt"],
    ["-j8"],
    ["--define=x"],
    ["--jobs"],
    ["--"],
    ["--config=undefined"],
    ["--config"],
    ["--noconfig"],
    ["-z"],
    ["--=x"],
    ["-"],
    ["---"],
    ["--runs_per_test=0"],
    ["--host_jvm_args=x"],
    ["--output_base=x"],
)


def _value(r: random.Random) -> str:
    return r.choice(
        (
            "1",
            "2",
            "v",
            "a b",
            "x#y",
            "q'r",
            's"t',
            "b\\c",
            "--x",
            "k=1,l=2",
            "$(V)",
            "%workspace%/p",
            "é",
        )
    )


class WorldMaker:
    """Makes worlds that a given Bazel version has the options for."""

    def __init__(self, version: tuple[int, ...], seed: int) -> None:
        self._random = random.Random(seed)
        self._version = version
        options = list(OPTIONS)
        if version < (1, 0):
            options = [o for o in options if "platform_specific" not in o(random.Random(0))[0]]
        if version >= (2, 0):
            options += SINCE_2_OPTIONS
        if version >= (4, 0):
            options += SINCE_4_OPTIONS
        self._options = options

    def make(self) -> World:
        r = self._random
        files = {"ws/.bazelrc": ""}
        if r.random() < 0.35:
            files["home/.bazelrc"] = ""
        extra = [f"ws/{name}.rc" for name in ("x", "y", "z")]
        chosen = [name for name in extra if r.random() < 0.4]
        files.update(dict.fromkeys(chosen, ""))
        startup: list[str] = []
        if chosen and r.random() < 0.3:
            startup.append(f"--bazelrc=@ROOT@/{r.choice(chosen)}")
            if r.random() < 0.3:
                startup += ["--bazelrc", r.choice((f"@ROOT@/{r.choice(chosen)}", "/dev/null"))]
        for switch in ("--noworkspace_rc", "--nohome_rc", "--ignore_all_rc_files"):
            if r.random() < 0.02:
                startup.append(switch)
        for name in files:
            later = [n for n in files if n > name and n.startswith("ws/") and n != "ws/.bazelrc"]
            files[name] = self._file(later)
        if r.random() < 0.8:
            # Without definitions for all, most worlds would end at an undefined config.
            lines = [f"{r.choice(('build', 'common'))}:{c} --tool_tag={c}" for c in CONFIGS]
            files["ws/.bazelrc"] += "\n\n" + "\n".join(lines) + "\n"
        words = self._words(r.randrange(5), on_command_line=True)
        command = r.choice(("build", "build", "build", "build", "test", "test", "run", "coverage"))
        return World(files, tuple(words), command, tuple(startup))

    def _words(self, count: int, on_command_line: bool) -> list[str]:
        r = self._random
        words: list[str] = []
        for _ in range(count):
            roll = r.random()
            if roll < 0.25:
                name = r.choice(CONFIGS[:4] if r.random() < 0.95 else CONFIGS)
                if r.random() < 0.85:
                    words.append(f"--config={name}")
                else:
                    words += ["--config", name]
            elif roll < 0.255:
                words += r.choice(BAD_OPTIONS)
            elif roll < 0.36:
                words.append(r.choice(("//f:t", "//f:u", "//f:t", "f:t")))
            elif (roll < 0.38 and on_command_line) or roll < 0.363:
                words.append("--")
            else:
                words += r.choice(self._options)(r)
        return words

    def _file(self, imports: list[str]) -> str:
        r = self._random
        lines: list[str] = []
        for _ in range(r.randrange(1, 9)):
            roll = r.random()
            if roll < 0.08 and imports:
                lines.append(self._import(r.choice(imports)))
            elif roll < 0.095:
                missing = ("try-import %workspace%/none.rc", "try-import @ROOT@/ws/f")
                lines.append(r.choice((*missing, "import %workspace%/none.rc")))
            elif roll < 0.13:
                lines.append(
                    r.choice(("# a comment", "   # another", "# one \\", "", " \t ", "\r"))
                )
            elif roll < 0.16:
                lines.append(self._odd_line())
            else:
                lines.append(self._section_line())
        end = r.choice(("\n", "\n", "\n", "\r\n"))
        text = end.join(lines)
        return text + r.choice((end, end, "", "\\"))

    def _import(self, name: str) -> str:
        r = self._random
        path = r.choice(("%workspace%/" + name[3:], "@ROOT@/" + name, name[3:], f"./{name[3:]}"))
        return f"{r.choice(('import', 'try-import'))} {self._quote(path)}"

    def _odd_line(self) -> str:
        return self._random.choice(
            (
                "--copt=nocommand",
                "--copt nocommand",
                "bild --copt=x",
                "always --copt=x",
                "build",
                "build:a",
                "import:q something",
                "build: --copt=emptyconfig",
                ":a --copt=x",
                "'build' \"--copt=quoted\"",
                "build '--copt=unclosed   ",
                "build --copt=dangling \\ ",
                "build --copt=ff\f",
                "\fbuild --copt=leading",
                "build --copt=a\vb",
                "build --copt=a\rb",
                "build --copt '' --cxxopt=b",
                'build --copt="" --cxxopt=b',
                "build:a:b --copt=colon",
                "startup --max_idle_secs=100",
            )
        )

    def _section_line(self) -> str:
        r = self._random
        section = r.choice(COMMANDS)
        in_config = r.random() < 0.6
        if in_config:
            section += ":" + r.choice(CONFIGS[:4] if r.random() < 0.95 else CONFIGS)
        words = self._words(r.randrange(1, 4), on_command_line=False)
        if in_config and section.partition(":")[2] in ("a", "b", "c"):
            # Configs name only later ones, mostly, so that cycles stay rare.
            name = section.partition(":")[2]
            words = [
                w
                for w in words
                if not w.startswith("--config=") or w[9:] > name or r.random() < 0.05
            ]
        if section.partition(":")[0] in ("query", "common"):
            words = [w for w in words if w.startswith(("--tool_tag", "--config="))] or [
                "--tool_tag=only"
            ]
        rendered = [self._quote(word) for word in (section, *words)]
        text = rendered[0]
        for word in rendered[1:]:
            text += r.choice((" ", " ", " ", "  ", "\t", " \\\n", "\\\n  ")) + word
        text = r.choice(("", "", "", "  ", "\t")) + text
        return text + r.choice(("", "", "", " ", " # note", "#tight", " \\\n"))

    def _quote(self, word: str) -> str:
        r = self._random
        needs = any(c in word for c in " \t'\"\\#")
        style = r.randrange(4) if needs else r.choice((9, 9, 9, 9, 0, 1, 2, 3))
        if style == 0:
            return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
        if style == 1:
            return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"
        if style == 2:
            return "".join("\\" + c if c in " \t'\"\\#" or r.random() < 0.1 else c for c in word)
        if style == 3 and len(word) > 1:
            cut = r.randrange(1, len(word))
            return self._quote_plain(word[:cut]) + self._quote_plain(word[cut:])
        if style == 9 and r.random() < 0.03 and len(word) > 2:
            cut = r.randrange(1, len(word))
            return word[:cut] + "\\\n" + word[cut:]
        return word if not needs else self._quote_plain(word)

    def _quote_plain(self, word: str) -> str:
        return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
