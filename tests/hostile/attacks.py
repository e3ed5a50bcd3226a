"""Programs and workspaces that reach for what is not theirs: Python, the machine, the terminal.

    python attacks.py DIRECTORY

runs all of them in this one process, in a workspace below `DIRECTORY`, and prints for each a
line of JSON: how it ended and what was said; at last what was touched. `PROGRAMS` are Starlark
alone; those of `_TABLES` each have a package, a repository or a query of their own. Beside the
workspace lies a file of somebody else (`CANARY`), which they want to read or to write.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from tests.hostile.programs import PROGRAMS
from tests.hostile.trial import write_tree

CANARY = "the-canary-sings"
"""What is written in the file of somebody else, as a string of Starlark and of anything."""

OUT = "OUTSIDE"
"""Stands in the files for the folder beside the workspaces where the canary lies."""

_LOADS = {
    "absolute": f"{OUT}/canary.bzl",
    "absolute-device": "/dev/zero",
    "absolute-proc": "/proc/self/environ.bzl",
    "up": "../../outside/canary.bzl",
    "label-up": "//../outside:canary.bzl",
    "target-up": "//:../outside/canary.bzl",
    "relative-up": ":../../outside/canary.bzl",
    "up-in-the-middle": "//ok/../../outside:canary.bzl",
    "dot": "//./ok:x.bzl",
    "empty-segment": "//ok//x:x.bzl",
    "three-slashes": "///etc:passwd.bzl",
    "two-ats": "@@../outside//:canary.bzl",
    "repository-up": "@..//outside:canary.bzl",
    "repository-path": "@/etc//:passwd.bzl",
    "repository-unknown": "@nobody//:canary.bzl",
    "null": "//ok:x\\0.bzl",
    "backslash": "//ok:..\\\\x.bzl",
    "newline": "//ok:x\\n.bzl",
    "escape": "//ok:\\033[2J.bzl",
    "not-bzl": "//ok:BUILD",
    "home": "~/canary.bzl",
    "url": "file:///etc/passwd.bzl",
    "drive": "C:/canary.bzl",
    "colon-twice": "//ok::x.bzl",
    "private": "//ok:x.bzl",
}
_BUILDS = {
    "glob-up": 'filegroup(name = "x", srcs = glob(["../../outside/*"]))',
    "glob-absolute": f'filegroup(name = "x", srcs = glob(["{OUT}/*"]))',
    "glob-excludes-up": 'filegroup(name = "x", srcs = glob(["*"], exclude = ["../*"]))',
    "glob-up-in-the-middle": 'filegroup(name = "x", srcs = glob(["a/../../*"]))',
    "source-up": 'filegroup(name = "x", srcs = ["../outside/canary"])',
    "source-absolute": f'filegroup(name = "x", srcs = ["{OUT}/canary"])',
    "source-null": 'filegroup(name = "x", srcs = ["a\\0b"])',
    "name-up": 'filegroup(name = "../outside/canary")',
    "name-absolute": f'filegroup(name = "{OUT}/canary")',
    "output-up": 'genrule(name = "x", outs = ["../outside/canary"], cmd = "")',
    "output-absolute": f'genrule(name = "x", outs = ["{OUT}/canary"], cmd = "")',
    "exports-up": 'exports_files(["../outside/canary"])',
    "visibility-up": 'filegroup(name = "x", visibility = ["//../outside:__pkg__"])',
    "label-up": 'filegroup(name = "x", srcs = ["//../outside:canary"])',
    "label-at": 'filegroup(name = "x", srcs = ["@../outside//:canary"])',
    "package-group-up": 'package_group(name = "x", packages = ["//../outside"])',
    "load-in-a-function": 'def f():\n    load("//ok:x.bzl", "y")',
    "function": "def f(): return 1",
    "lambda-star": "filegroup(*[1], **{})",
    "open": f'open("{OUT}/canary")',
    "glob-as-a-name": "glob = open",
    "native": 'native.filegroup(name = "x")',
    "repository-ctx": "repository_ctx.read",
    "rule": "rule(implementation = None)",
    "environment": 'filegroup(name = os.environ["HOME"])',
    "subpackages-up": 'filegroup(name = "x", srcs = subpackages(include = ["../**"]))',
}
_EXTENSIONS = {
    "frozen-list": ("x = [1]", "y.append(2)"),
    "frozen-dict": ("x = {1: 2}", "y[2] = 3"),
    "frozen-dict-pop": ("x = {1: 2}", "y.pop(1)"),
    "frozen-within": ("x = ([1],)", "y[0].append(2)"),
    "frozen-default": ("def x(a = []):\n    a.append(1)", "y()"),
    "frozen-global": ("z = []\ndef x():\n    z.append(1)", "y()"),
    "frozen-in-a-struct": ("x = struct(a = [])", "y.a.append(1)"),
    "frozen-extended-in-place": ("z = []\ndef x():\n    z.extend([1])", "y()"),
    "struct-class": ("x = struct()", "y.__class__"),
    "struct-dict": ("x = struct()", "y.__dict__"),
    "struct-of-python-names": ("x = struct(__class__ = 1)", "y.__init__"),
    "struct-getattr": ("x = struct()", 'getattr(y, "__getattribute__")'),
    "struct-slots": ("x = struct(a = 1)", "y._fields"),
    "struct-assigned": ("def x():\n    s = struct(a = 1)\n    s.a = 2", "y()"),
    "provider-class": ("P = provider()\nx = P(a = 1)", "y.__class__"),
    "depset-internals": ("x = depset([1])", "y._transitive"),
    "label-internals": ('x = Label("//ok:x")', "y.__dict__"),
    "label-up": ('def x(): return Label("//../outside:canary")', "y()"),
    "label-null": ('def x(): return Label("//ok:a\\0")', "y()"),
    "native-class": ("def x(): return native.__class__", "y()"),
    "native-getattr": ('def x(): return getattr(native, "__dict__")', "y()"),
    "native-load": ("def x(): return native.load", "y()"),
    "native-glob-up": ('def x(): return native.glob(["../../outside/*"])', "y()"),
    "native-open": ("def x(): return native.open", "y()"),
    "native-workspace": ('def x(): native.local_repository(name = "q", path = "/")', "y()"),
    "native-exports-up": ('def x(): native.exports_files(["../x"])', "y()"),
    "recursion": ("def x(): return x()", "y()"),
    "recursion-by-two": ("def z(): return x()\ndef x(): return z()", "y()"),
    "select-class": ('x = select({"//conditions:default": []})', "y.__class__"),
    "module-of-another": ('load("//ok:x.bzl", "_hidden")\nx = 1', "y"),
    "attr-internals": ("x = attr.__class__", "y"),
    "config-internals": ("x = config.__dict__", "y"),
    "json-internals": ("x = json.__dict__", "y"),
    "rule-internals": ("def _i(ctx): pass\nx = rule(_i)", "y.__dict__"),
    "aspect-internals": ("def _i(t, ctx): pass\nx = aspect(_i)", "y.__dict__"),
    "builtins": ("x = __builtins__", "y"),
    "python-print": ("x = print.__self__", "y"),
    "fail-escapes": ('def x(): fail("\\033[2J\\007\\033]0;title")', "y()"),
}
RULES = {
    "read": f'fail(ctx.read("{OUT}/canary"))',
    "read-up": 'fail(ctx.read("../../../outside/canary"))',
    "read-device": 'fail(ctx.read("/dev/zero"))',
    "read-proc": 'fail(ctx.read("/proc/self/environ"))',
    "read-passwd": 'fail(ctx.read("/etc/passwd"))',
    "read-of-a-path": f'fail(ctx.read(ctx.path("{OUT}/canary")))',
    "read-of-a-joined-path": f'fail(ctx.read(ctx.path("{OUT}").get_child("canary")))',
    "read-of-a-parent": 'fail(ctx.read(ctx.path(".").dirname.dirname.get_child("canary")))',
    "read-by-a-link": f'ctx.symlink("{OUT}/canary", "l")\n    fail(ctx.read("l"))',
    "read-by-a-linked-folder": f'ctx.symlink("{OUT}", "l")\n    fail(ctx.read("l/canary"))',
    "read-by-a-label": 'fail(ctx.read(Label("//:../outside/canary")))',
    "read-by-a-link-of-the-tree": 'fail(ctx.read(Label("//ok:link")))',
    "readdir": f'fail(str(ctx.path("{OUT}").readdir()))',
    "readdir-of-the-root": 'fail(str(ctx.path("/").readdir()))',
    "exists": f'fail(str(ctx.path("{OUT}/canary").exists))',
    "realpath": f'fail(str(ctx.path("{OUT}/canary").realpath.exists))',
    "file-up": 'ctx.file("../../outside/canary", "x")',
    "file-absolute": f'ctx.file("{OUT}/canary", "x")',
    "file-of-a-path": f'ctx.file(ctx.path("{OUT}/canary"), "x")',
    "file-through-a-link": f'ctx.symlink("{OUT}", "l")\n    ctx.file("l/canary", "x")\n'
    '    fail(ctx.read("/etc/shadow"))',
    "file-null": 'ctx.file("a\\0b", "x")\n    fail("written")',
    "template-up": 'ctx.template("../../outside/canary", Label("//ok:BUILD"))',
    "template-of": f'ctx.template("x", "{OUT}/canary")\n    fail(ctx.read("x"))',
    "symlink-up": 'ctx.symlink(Label("//ok:BUILD"), "../../outside/canary")',
    "symlink-absolute": f'ctx.symlink("/etc/passwd", "{OUT}/canary")',
    "delete": f'ctx.delete("{OUT}/canary")\n    fail("deleted")',
    "delete-up": 'ctx.delete("../../outside/canary")\n    fail("deleted")',
    "patch": f'ctx.patch("{OUT}/canary")\n    fail("patched")',
    "patch-up": 'ctx.patch("../../outside/canary")\n    fail("patched")',
    "extract": f'ctx.extract("{OUT}/canary.zip")\n    fail("extracted")',
    "extract-to": f'ctx.extract("a.zip", output = "{OUT}")\n    fail("extracted")',
    "download-file-url": f'ctx.download("file://{OUT}/canary", "x")\n    fail(ctx.read("x"))',
    "download-to": f'ctx.download("http://127.0.0.1:9/x", "{OUT}/canary")\n    fail("had")',
    "download-and-extract": 'ctx.download_and_extract("http://127.0.0.1:9/x", "../..")\n'
    '    fail("had")',
    "execute": f'fail(ctx.execute(["cat", "{OUT}/canary"]).stdout)',
    "execute-shell": f'fail(ctx.execute(["sh", "-c", "echo x > {OUT}/canary"]).stdout)',
    "execute-environment": 'fail(ctx.execute(["env"], environment = {"A": "b"}).stdout)',
    "execute-in": f'fail(ctx.execute(["ls"], working_directory = "{OUT}").stdout)',
    "execute-what-was-written": 'ctx.file("x.sh", "env", executable = True)\n'
    '    fail(ctx.execute(["./x.sh"]).stdout)',
    "which": 'fail(ctx.read(ctx.which("sh")))',
    "which-path": 'ctx.which("/bin/sh")',
    "environment": 'fail(ctx.os.environ["HOME"])',
    "environment-getenv": 'fail(ctx.getenv("HOME"))',
    "environment-path": 'fail(ctx.os.environ["PATH"])',
    "context-class": "ctx.__class__",
    "context-dict": 'getattr(ctx, "__dict__")',
    "context-os": "ctx.os.system",
    "path-class": 'ctx.path("x").__class__',
    "path-open": 'ctx.path("x").open',
    "path-read-text": 'ctx.path("x").read_text()',
    "path-parent": 'ctx.path("x").parent',
    "attributes-class": "ctx.attr.__class__",
    "result-class": 'ctx.execute(["x"]).__class__',
    "watch": f'ctx.watch("{OUT}/canary")\n    fail("watched")',
    "watch-tree": f'ctx.watch_tree("{OUT}")\n    fail("watched")',
    "report-escapes": 'ctx.report_progress("\\033[2J")\n    fail("\\033[2J\\007")',
    "print-escapes": 'print("\\033[2J\\007")\n    fail("\\033]0;x")',
}
_QUERIES = {
    "up": "//../outside:canary",
    "up-everything": "//../...",
    "absolute": f"{OUT}/canary",
    "target-up": "//ok:../outside/canary",
    "path-up": "../outside/canary",
    "repository-up": "@..//outside:canary",
    "repository-path": "@/etc//:passwd",
    "two-ats": "@@../outside//:canary",
    "device": "/dev/zero",
    "proc": "//proc/self:environ",
    "escape": "//ok:\033[2J",
    "new-line": "//ok:a\nb",
    "buildfiles-up": "buildfiles(//../outside:all)",
    "loadfiles-up": "loadfiles(//../outside/...)",
    "rbuildfiles-up": "rbuildfiles(../outside/BUILD)",
    "let-python": "let __class__ = //ok:ok in $__globals__",
    "function-python": "__import__(os)",
    "labels-python": "labels(__class__, //nobody:x)",
    "pattern-endless": "filter('(a', //ok:ok)",
    "some-python": "some(//ok:ok, __class__)",
    "quoted": "'//ok:a\"b'",
    "open-quote": "'//ok",
    "home": "~root//:x",
}


def names() -> Iterator[str]:
    """Every attack's name."""
    yield from PROGRAMS
    for kind, table in _TABLES.items():
        yield from (f"{kind}-{name}" for name in table)


_TABLES: Mapping[str, Mapping[str, object]] = {
    "load": _LOADS,
    "build": _BUILDS,
    "extension": _EXTENSIONS,
    "rule": RULES,
    "query": _QUERIES,
}


def _tree(outside: Path) -> dict[str, str]:
    """One workspace for all: each attack has a package or a repository of its own."""
    files = {
        "ok/BUILD": 'filegroup(name = "ok")\n',
        "ok/x.bzl": "_hidden = 1\nx = 1\n",
        "BUILD": "",
    }
    for name, label in _LOADS.items():
        symbol = "_hidden" if name == "private" else "secret"
        files[f"load-{name}/BUILD"] = f'load("{label}", "{symbol}")\nfilegroup(name = secret)\n'
    for name, text in _BUILDS.items():
        files[f"build-{name}/BUILD"] = text + "\n"
    for name, (module, use) in _EXTENSIONS.items():
        files[f"extension-{name}/x.bzl"] = module + "\n"
        files[f"extension-{name}/BUILD"] = f'load(":x.bzl", y = "x")\n{use}\n'
    rules, calls = [], []
    for number, (name, body) in enumerate(RULES.items()):
        rules.append(f"def _i{number}(ctx):\n    {body}\nr{number} = repository_rule(_i{number})\n")
        calls.append(f'r{number}(name = "rule-{name}")\n')
    files["rules.bzl"] = "".join(rules)
    exported = "".join(f', "r{number}"' for number in range(len(RULES)))
    files["WORKSPACE"] = f'load("//:rules.bzl"{exported})\n{"".join(calls)}'
    return {path: text.replace(OUT, str(outside)) for path, text in files.items()}


class Touches:
    """What this process opened, started, changed or called outside of a folder and Python."""

    def __init__(self, root: Path) -> None:
        self.seen: list[str] = []
        self.is_on = False
        places = {str(root), sys.prefix, sys.base_prefix, *filter(None, sys.path)}
        places.add(str(Path(__file__).parents[2]))
        self._allowed = tuple(f"{os.path.realpath(place)}/" for place in places)
        sys.addaudithook(self._look)

    def allow(self, folder: Path) -> None:
        """Has nothing to say against reading in one more folder."""
        self._allowed += (f"{os.path.realpath(folder)}/",)

    def _look(self, event: str, args: tuple[object, ...]) -> None:
        if not self.is_on or event not in _WATCHED:
            return
        self.is_on = False
        try:
            path = args[0] if args else ""
            if event == "open" and isinstance(path, int):
                return  # Whatever opened it was seen.
            if event in ("open", "os.listdir", "os.scandir") and not _writes(event, args):
                if path in _HARMLESS or isinstance(path, int):
                    return
                real = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
                if f"{real}/".startswith(self._allowed):
                    return
            self.seen.append(f"{event} {args!r}"[:300])
        finally:
            self.is_on = True


_WATCHED = frozenset(
    {
        *("open", "os.listdir", "os.scandir", "subprocess.Popen", "os.system", "os.exec"),
        *("os.posix_spawn", "os.fork", "os.remove", "os.rename", "os.mkdir", "os.rmdir"),
        *("os.symlink", "os.link", "os.truncate", "os.chmod", "os.putenv", "os.unsetenv"),
        *("socket.connect", "socket.getaddrinfo", "ctypes.dlopen", "os.startfile"),
    }
)
_HARMLESS = frozenset({"/proc/self/statm", "/etc/bazel.bazelrc"})
"""How much memory is in use, and the rc file of the machine."""


def _writes(event: str, args: tuple[object, ...]) -> bool:
    flags = args[2] if event == "open" and len(args) > 2 else 0
    return isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) != 0


def asked(words: list[str]) -> tuple[int, str, str]:
    """How bazelscope ends in this process, and what it writes."""
    from bazelscope.cli.entry import main

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
        out.flush()
        err.flush()
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return code, texts[0], texts[1]


def _tried() -> Iterator[dict[str, object]]:
    """Every program, run by itself."""
    from bazelscope import starlark
    from bazelscope.base.errors import StarlarkError
    from bazelscope.base.source import SourceFile
    from bazelscope.starlark import FileKind, LoadStatement, Module, Thread

    def no_load(statement: LoadStatement) -> Module:
        raise AssertionError

    universe = starlark.universe()
    for name, text in PROGRAMS.items():
        source = SourceFile("x", text + "\n")
        try:
            program = starlark.load_program(source, FileKind.BZL, frozenset(universe))
            module = starlark.execute(program, universe, no_load, Thread())
        except StarlarkError as error:
            ending, said = "refused", str(error)
        except BaseException as error:
            ending, said = "escaped", repr(error)
        else:
            ending, said = "ran", repr(module.globals)
        yield {"name": name, "ending": ending, "said": [said]}


def _line(diagnostic: Mapping[str, object]) -> str:
    span = diagnostic["span"]
    where = f"{span['path']}:{span['line']}: " if isinstance(span, dict) else ""
    return f"{where}{diagnostic['message']}"


def _in_workspaces(root: Path) -> Iterator[dict[str, object]]:
    """Every attack of `_TABLES`, asked about in the workspace at `root`."""
    common = ["--no-cache", "--bazel-version", "6.5.0"]
    repositories = " ".join(f"@rule-{name}//:x" for name in RULES)
    said: dict[str, list[str]] = {}
    codes: dict[str, int] = {}
    for expression in ("//...", f"set({repositories})"):
        words = ["query", expression, "--keep_going", "--format", "json", *common]
        code, out, err = asked(words)
        answer = json.loads(out)
        for package in answer["completeness"]["packages_in_error"]:
            lines = said.setdefault(package["package"].removeprefix("//"), [])
            lines += [_line(one) for one in package["diagnostics"]]
        for one in answer["diagnostics"]:
            match = re.match(r"(?:no such package ')?@+([\w-]+)", one["message"])
            if match:
                said.setdefault(match[1], []).append(one["message"])
        for kind in _TABLES:
            codes.setdefault(kind, code)
        yield {"name": expression[:5], "code": code, "said": [], "all": out + err}
    for kind, table in _TABLES.items():
        for name in table:
            if kind != "query":
                yield {"name": f"{kind}-{name}", "code": 3, "said": said.get(f"{kind}-{name}", [])}
    for name, query in _QUERIES.items():
        code, out, err = asked(["query", query.replace(OUT, str(root.parent)), *common])
        yield {"name": f"query-{name}", "code": code, "said": [err], "all": out + err}


def run_all(directory: Path) -> None:
    """Tries everything in `directory`, and prints how each ended, and what was touched."""
    outside, root = directory / "outside", directory / "w"
    write_tree(outside, dict.fromkeys(("canary", "canary.bzl"), f'secret = "{CANARY}"\n'))
    write_tree(root, _tree(outside))
    (root / "ok" / "link").symlink_to(outside / "canary")
    os.chdir(root)
    touches = Touches(root)
    touches.is_on = True
    endings = [*_tried(), *_in_workspaces(root)]
    touches.is_on = False
    for ending in endings:
        print(json.dumps(ending))
    print(json.dumps({"name": "touched", "seen": touches.seen, "seconds": time.process_time()}))


if __name__ == "__main__":
    run_all(Path(sys.argv[1]))
