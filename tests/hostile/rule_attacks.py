"""Attacks where Starlark is run dry: implementations, transitions, extensions, macros, callbacks.

Each place where somebody's function is called gets every attack on every object that it is given;
`attacks.py` has those on the evaluator itself. Each runs in a process of its own, with limits.
"""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.attacks import CANARY, OUT, RULES, Touches, asked
from tests.hostile.floods import Flood
from tests.hostile.trial import write_tree

_ESCAPED = "ESCAPED"
REACHED = "REACHED"
_MEMORY = 3 << 30  # on top of what the process of the tests has
_SECONDS = 60
_PYTHON = re.compile(
    r"Traceback|internal error|error of bazelscope|<(class|module|function|frame|code|bound) |0x7f"
)
_OF_A_TERMINAL = re.compile("[\0\a\b\x1b\x7f]")


@dataclass(frozen=True)
class Place:
    """Where somebody's function is called. `files` have `BODY` in the function; `objects` are what
    it is given; `words` have it called, for a release."""

    objects: tuple[str, ...]
    files: Mapping[str, str]
    words: tuple[str, ...]
    version: str = "6.5.0"


@dataclass(frozen=True)
class Attack:
    """A workspace, and the question that has it attack."""

    name: str
    files: Mapping[str, str]
    words: tuple[str, ...]
    version: str


_OK = 'filegroup(name = "ok", srcs = ["f"], visibility = ["//visibility:public"])\n'
_ALWAYS = {"WORKSPACE": "", "MODULE.bazel": "", "BUILD": "", "ok/BUILD": _OK, "ok/f": "",
           "a/BUILD": 'load(":r.bzl", "r")\nr(name = "t")\n'}  # fmt: skip
_RULE = """\
def _impl(ctx):
    BODY
    return [DefaultInfo()]
r = rule(implementation = _impl, attrs = {
    "dep": attr.label(default = "//ok:ok"), "deps": attr.label_list(default = ["//ok:ok"]),
    "file": attr.label(default = "//ok:f", allow_single_file = True), "n": attr.int(default = 2),
    "out": attr.output_list(), "d": attr.string_dict(default = {"a": "b"}),
})
"""
_CALLED = _RULE.replace("def _impl", 'def _each(x):\n    BODY\n    return "x"\ndef _impl', 1)
_MAPPED = _CALLED.replace(
    "(ctx):\n    BODY",
    '(ctx):\n    out = ctx.actions.declare_file("out")\n    args = ctx.actions.args()\n'
    "    args.add_all(ctx.files.deps, map_each = _each)\n"
    '    ctx.actions.run(outputs = [out], executable = "x", arguments = [args])',
)
_TRANSITION = """\
def _t(settings, attr):
    BODY
    return {"//command_line_option:cpu": "x"}
t = transition(implementation = _t, inputs = ["//command_line_option:cpu"],
    outputs = ["//command_line_option:cpu"])
def _impl(ctx):
    return [DefaultInfo()]
r = rule(implementation = _impl, ATTRIBUTES)
"""
_ALLOWED = (
    '"_allowlist_function_transition": attr.label('
    'default = "@bazel_tools//tools/allowlists/function_transition_allowlist")'
)
_EXTENSION = """\
def _repo(ctx):
    ctx.file("BUILD", "")
repo = repository_rule(implementation = _repo)
def _impl(ctx):
    BODY
    repo(name = "r")
e = module_extension(implementation = _impl, tag_classes = {
    "tag": tag_class(attrs = {"n": attr.string(default = "n")}),
})
"""
_USES_EXTENSION = """\
module(name = "m")
e = use_extension("//a:r.bzl", "e")
e.tag()
use_repo(e, "r")
"""
_REPOSITORY = """\
def _impl(ctx):
    BODY
    ctx.file("BUILD", "")
r = repository_rule(implementation = _impl, attrs = {"n": attr.string(default = "n"),
    "d": attr.label(default = "//ok:f")})
"""
_COMPILE, _CQUERY, _QUERY = ("compile", "//a:t"), ("cquery", "deps(//a:t)"), ("query", "//a:all")

PLACES: Mapping[str, Place] = {
    "rule": Place(
        ("ctx", "ctx.attr", "ctx.actions", "ctx.actions.args()", "ctx.label", "ctx.files",
         "ctx.file", "ctx.executable", "ctx.outputs", "ctx.var", "ctx.fragments", "ctx.bin_dir",
         'ctx.actions.declare_file("x")', "ctx.attr.dep", "ctx.attr.dep[DefaultInfo]",
         "ctx.runfiles()", "ctx.files.deps", "ctx.file.file", "ctx.info_file", "ctx.toolchains",
         "ctx.attr.deps[0].files", "DefaultInfo", "DefaultInfo()", "ctx.actions.run"),
        {"a/r.bzl": _RULE}, _COMPILE,
    ),
    "map_each": Place(("x", "x.path", "x.owner", "x.root"), {"a/r.bzl": _MAPPED}, _COMPILE),
    "transition": Place(
        ("settings", "attr", "t"),
        {"a/r.bzl": _TRANSITION.replace(
            "ATTRIBUTES", 'attrs = {"dep": attr.label(default = "//ok:ok", cfg = t), '
            f"{_ALLOWED}}}")},
        _CQUERY,
    ),
    "own-transition": Place(
        ("settings", "attr"),
        {"a/r.bzl": _TRANSITION.replace("ATTRIBUTES", f"cfg = t, attrs = {{{_ALLOWED}}}"),
         "a/BUILD": _ALWAYS["a/BUILD"] + 'filegroup(name = "g", srcs = [":t"])\n'},
        ("cquery", "deps(//a:g)"),
    ),
    "extension": Place(
        ("ctx", "ctx.modules", "ctx.modules[0]", "ctx.modules[0].tags", "ctx.os", "repo",
         "ctx.modules[0].tags.tag[0]", 'ctx.path("x")', "ctx.extension_metadata"),
        {"a/r.bzl": _EXTENSION, "MODULE.bazel": _USES_EXTENSION, "a/BUILD": ""},
        ("query", "@r//:all"), "7.1.0",
    ),
    "repository": Place(
        ("ctx", "ctx.attr", "ctx.os", "ctx.os.environ", 'ctx.path("x")', 'ctx.execute(["x"])',
         "ctx.attr.d", "ctx.name", "ctx.path(ctx.attr.d)", 'ctx.path("x").dirname',
         'ctx.execute(["x"]).stdout', 'ctx.which("sh")'),
        {"a/r.bzl": _REPOSITORY, "a/BUILD": "", "MODULE.bazel": "",
         "WORKSPACE": 'load("//a:r.bzl", "r")\nr(name = "r")\n'},
        ("query", "@r//:all"),
    ),
    "macro": Place(
        ("native", "name", "Label", "native.glob", "select", "native.existing_rules()",
         'native.filegroup(name = name)', 'native.package_relative_label(":x")'),
        {"a/r.bzl": "def r(name):\n    BODY\n"}, _QUERY,
    ),
    "symbolic-macro": Place(
        ("name", "visibility", "n", "dep", "native"),
        {"a/r.bzl": "def _impl(name, visibility, n, dep):\n    BODY\nr = macro(implementation = "
         '_impl, attrs = {"n": attr.string(default = "n"), "dep": attr.label(default = '
         '"//ok:ok")})\n'},
        _QUERY, "8.1.0",
    ),
    "default": Place(
        ("n", "attr"),
        {"a/r.bzl": "def _default(n):\n    BODY\n    return None\ndef _impl(ctx):\n    pass\n"
         'r = rule(implementation = _impl, attrs = {"n": attr.int(), '
         '"_d": attr.label(default = _default)})\n'},
        ("explain", "//a:t"),
    ),
    "initializer": Place(
        ("values", 'values["name"]', "native"),
        {"a/r.bzl": "def _first(**values):\n    BODY\n    return {}\ndef _impl(ctx):\n    pass\n"
         'r = rule(implementation = _impl, initializer = _first, attrs = {"n": attr.int()})\n'},
        _QUERY, "8.1.0",
    ),
    "provider-init": Place(
        ("x", "P"),
        {"a/r.bzl": "def _init(x = 1):\n    BODY\n    return {}\n"
         'P, _new = provider(init = _init, fields = ["x"])\n'
         + _RULE.replace("BODY", "P()")},
        _COMPILE,
    ),
}  # fmt: skip
"""Every place, by name. Aspects' implementations are not run: there is nothing to attack."""

_ESCAPES: Mapping[str, str] = {
    "class": "OBJECT.__class__",
    "dict": 'getattr(OBJECT, "__dict__")',
    "globals": 'getattr(OBJECT, "__init__").__globals__',
    "slots": "OBJECT.__slots__",
    "context": "OBJECT._context",
    "method-of-ours": "OBJECT.get_attr",
    "format": '"{0.__class__.__mro__}".format(OBJECT)',
    "percent": '"%(__class__)s" % OBJECT',
    "assigned": "OBJECT.x",
}
"""Ways behind an object; none of them is Starlark's."""


def _attack(name: str, place: Place, body: str) -> Attack:
    texts = {path: text.replace("BODY", body) for path, text in place.files.items()}
    return Attack(name, {**_ALWAYS, **texts}, place.words, place.version)


def _escapes() -> Iterator[Attack]:
    for kind, place in PLACES.items():
        for number, value in enumerate(place.objects):
            for way, escape in _ESCAPES.items():
                expression = escape.replace("OBJECT", value)
                body = f'fail("{_ESCAPED} " + str({expression}))'
                yield _attack(f"{kind}-{number}-{way}", place, body)


_ACTIONS: Mapping[str, str] = {
    **{f"declare-{name}": f'ctx.actions.declare_file("{path}")' for name, path in {
        "up": "../../../../x", "absolute": "/etc/passwd", "null": "a\\0b", "empty": "", "dot": ".",
        "dots": "..", "escape": "\\033[2J", "long": "x/" * 3000, "backslash": "a\\\\..\\\\b",
        "canary": f"{OUT}/canary", "newline": "a\\nb", "slash": "a//b", "tail": "a/", "home": "~/x",
    }.items()},
    "declare-number": "ctx.actions.declare_file(1)",
    "declare-sibling": 'ctx.actions.declare_file("x", sibling = "/etc/passwd")',
    "declare-folder-up": 'ctx.actions.declare_directory("../../x")',
    "declare-link-out": 'ctx.actions.symlink(output = ctx.actions.declare_symlink("l"), '
                        f'target_path = "{OUT}/canary")',
    "write-outside": f'ctx.actions.write("{OUT}/canary", "x")',
    "write-source": 'ctx.actions.write(ctx.file.file, "x")',
    "write-of-a-function": 'ctx.actions.write(ctx.actions.declare_file("x"), len)',
    "run-shell": 'ctx.actions.run_shell(outputs = [ctx.actions.declare_file("x")], '
                 f'command = "echo x > {OUT}/canary")',
    "run-of-a-path": 'ctx.actions.run(outputs = [ctx.actions.declare_file("x")], '
                     'executable = "/bin/sh", arguments = ["-c", "id"])',
    "run-without-outputs": 'ctx.actions.run(outputs = [], executable = "x")',
    "run-of-numbers": "ctx.actions.run(outputs = [1], executable = 2, arguments = [3])",
    "run-with-an-environment": 'ctx.actions.run(outputs = [ctx.actions.declare_file("x")], '
                               'executable = "x", env = {"PATH": 1, 2: len})',
    "template-of-a-path": 'ctx.actions.expand_template(template = "/etc/passwd", '
                          'output = ctx.actions.declare_file("x"), substitutions = {})',
    "template-of-numbers": "ctx.actions.expand_template(template = ctx.file.file, "
                           'output = ctx.actions.declare_file("x"), substitutions = {1: len})',
    "arguments-of-anything": 'ctx.actions.args().add_all([len, {}, ctx], format_each = "%s%s%s")',
    "arguments-format": 'ctx.actions.args().add("x", format = "%(a)s %n")',
    "arguments-joined": "ctx.actions.args().add_joined([1], join_with = 5)",
    "arguments-in-themselves": "a = ctx.actions.args()\n    a.add(a)",
    "parameters-file": 'ctx.actions.args().use_param_file("../../%s%s", use_always = True)',
    "locations": 'fail(ctx.expand_location("$(location //../outside:canary)"))',
    "locations-open": 'fail(ctx.expand_location("$(location $(location $(location"))',
    "variables": 'fail(ctx.expand_make_variables("a", "$(HOME) $$ $( $(__class__)", {}))',
    "variables-of-themselves": 'fail(ctx.expand_make_variables("a", "$(A)", {"A": "$(A)$(A)"}))',
    "tokens": "fail(str(ctx.tokenize(\"a 'b\")))",
    "runfiles-up": 'ctx.runfiles(root_symlinks = {"../../x": ctx.file.file})',
    "runfiles-of-anything": "ctx.runfiles(files = [1, len], transitive_files = 5)",
    "toolchain-of-python": 'ctx.toolchains["__class__"]',
    "attribute-of-a-join": 'getattr(ctx.attr, "__".join(["", "class", ""]))',
    "attribute-assigned": "ctx.attr.n = 5",
    "context-as-a-key": "x = {ctx: 1}",
    "context-of-context": 'fail(str({"%s": [ctx]}))',
    "context-in-json": "fail(json.encode(ctx.attr))",
    "output-group-of-anything": "x = OutputGroupInfo(__class__ = 5)",
    "fail-escapes": 'fail("\\033[2J\\007\\033]0;title")',
    "print-escapes": 'print("\\033[2J\\007")',
    **{f"return-{name}": f"return {value}" for name, value in {
        "number": "1", "text": '"x"', "numbers": "[1]", "function": "[len]", "itself": "[_impl]",
        "twice": "[DefaultInfo(), DefaultInfo()]", "context": "ctx", "class": "DefaultInfo",
        "deep": "[[[[DefaultInfo()]]]]", "struct": "struct(providers = [5])",
        "label": "[ctx.label]",
        "files-of-numbers": "[DefaultInfo(files = depset([1, 2]))]", "none": "[None]",
        "executable": '[DefaultInfo(executable = "/bin/sh")]', "rule": "[r]",
        "files-of-text": '[DefaultInfo(files = "/etc/passwd")]', "args": "[ctx.actions.args()]",
    }.items()},
}  # fmt: skip
_RETURNED = {
    "number": "1", "none": "None", "text": '"x"', "list-of-none": "[None]", "function": "len",
    "key-number": "{1: 2}", "key-function": "{len: 1}", "other-flag": '{"//x:y": 1}',
    "unknown-option": '{"//command_line_option:__class__": 1}', "value-function":
    '{"//command_line_option:cpu": len}', "value-none": '{"//command_line_option:cpu": None}',
    "value-list": '{"//command_line_option:cpu": ["a", 1]}', "nothing": "{}", "empty-list": "[]",
    "value-dict": '{"//command_line_option:cpu": {}}', "label-up": '{"//../x:y": 1}',
    "value-escape": '{"//command_line_option:cpu": "\\033[2J"}',
    "value-null": '{"//command_line_option:cpu": "a\\0b"}',
    "value-up": '{"//command_line_option:cpu": "../../../etc"}',
    "value-long": '{"//command_line_option:cpu": "x" * 1000000}',
    "value-settings": '{"//command_line_option:cpu": settings}',
    "split-of-numbers": '{"a": 1, "b": 2}', "split-of-nothing": '{"a": {}, "b": {}}',
    "split-names": '{"\\033[2J": {"//command_line_option:cpu": "a"}}',
    "split-list": '[{"//command_line_option:cpu": "a"}, {"//command_line_option:cpu": 1}]',
    "deep": '{"a": {"b": {"c": {}}}}', "attr": "attr", "settings": "settings",
}  # fmt: skip


def _bodies() -> Iterator[Attack]:
    for name, body in _ACTIONS.items():
        yield _attack(f"action-{name}", PLACES["rule"], body)
    for name, value in _RETURNED.items():
        for kind in ("transition", "own-transition"):
            yield _attack(f"{kind}-returns-{name}", PLACES[kind], f"return {value}")
    for name, body in RULES.items():
        yield _attack(f"extension-{name}", PLACES["extension"], body)


def attacks() -> tuple[Attack, ...]:
    """Every attack, in a fixed order."""
    return (*_escapes(), *_bodies())


def controls() -> tuple[Attack, ...]:
    """For each place, a function that says so when it is called."""
    return tuple(_attack(name, place, f'fail("{REACHED}")') for name, place in PLACES.items())


def warm_up() -> None:
    """Imports what an attack needs, so that its process need not."""
    for attack in controls():
        with tempfile.TemporaryDirectory() as folder:
            write_tree(Path(folder), attack.files)
            asked([*attack.words, "--no-cache", "-w", folder, "--bazel-version", attack.version])


def fault_of(attack: Attack) -> tuple[str, str]:
    """Runs one in a process of its own: the promise that was broken, or nothing; what was told."""
    with tempfile.TemporaryDirectory() as folder:
        outside, root = Path(folder, "outside"), Path(folder, "w")
        write_tree(outside, dict.fromkeys(("canary", "canary.bzl"), f'secret = "{CANARY}"\n'))
        texts = {path: text.replace(OUT, str(outside)) for path, text in attack.files.items()}
        write_tree(root, texts)
        before = _state(Path(folder))
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _attempt(attack, root, writer)
        os.close(writer)
        with os.fdopen(reader) as answer:
            content = answer.read()
        _, status = os.waitpid(child, 0)
        if _state(Path(folder)) != before:
            return "files are not as they were", content
    if status or not content:
        return f"the process ended with {status}", content
    code, told, seen = json.loads(content)
    return _judged(code, told, seen), told


def _judged(code: int, told: str, seen: list[str]) -> str:
    if code not in (0, 1, 2, 3, 7):
        return f"exit {code}: {told[-300:]!r}"
    if seen:
        return f"touched: {seen[:3]}"
    for what, pattern in (("Python's words", _PYTHON), ("for a terminal", _OF_A_TERMINAL)):
        match = pattern.search(told)
        if match:
            return f"{what}: {told[max(0, match.start() - 60) : match.end() + 60]!r}"
    for word in (CANARY, _ESCAPED):
        # The line of a source that a message shows is no escape.
        if re.search(rf'(?<!fail\(")(?<!<unknown "){word}', told):
            return f"{word}: {told[:400]!r}"
    return "" if told.strip() or not code else "not a word"


def _state(folder: Path) -> list[tuple[str, int, bytes]]:
    files = sorted(path for path in folder.rglob("*"))
    return [
        (str(path), path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in files
    ]


def _attempt(attack: Attack, root: Path, writer: int) -> None:
    """In the child: asks, watched and limited, and writes how it ended."""
    gc.freeze()  # What the parent holds is not the attack's to look through.
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
        limit = pages * resource.getpagesize() + _MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
        os.chdir(root)
        touches = Touches(root)
        touches.is_on = True
        words = [*attack.words, "--no-cache", "--bazel-version", attack.version]
        code, out, err = asked(words)
        touches.is_on = False
        with os.fdopen(writer, "w") as answer:
            json.dump([code, out + err, touches.seen], answer)
    finally:
        os._exit(0)


_ENDLESS = {
    "recursion": "_self = [0]\n    def g(h, n):\n        return h(h, n)\n    g(g, 1)",
    "loop": "for _ in range(1000000000):\n        pass",
    "string": 'y = "ab"\n    for _ in range(60):\n        y = y + y\n    fail(y)',
    "list": "y = [1, 2]\n    for _ in range(60):\n        y = y + y",
    "dict": "y = {}\n    for i in range(1000000000):\n        y[i] = [i]",
    "depset": "y = depset([1])\n    for _ in range(60):\n        y = depset(transitive = [y, y], "
              "direct = [str(y)])\n    y.to_list()",
    "nested": "y = [1]\n    for _ in range(60):\n        y = [y, y]\n    fail(str(y))",
    "structs": "y = struct(a = 1)\n    for _ in range(60):\n        y = struct(a = y, b = y)\n"
               "    fail(str(y))",
    "sorted": "for _ in range(100000000):\n        sorted(range(1000), key = lambda e: -e)",
    "format": 'y = "{0}{0}"\n    for _ in range(60):\n        y = y.format(y)',
    "json": "y = [1] * 1000000\n    for _ in range(1000000):\n        json.encode(y)",
}  # fmt: skip
_OF_A_RULE = {
    "declared": 'for i in range(100000000):\n        ctx.actions.declare_file("x%d" % i)',
    "actions": 'for i in range(100000000):\n        ctx.actions.write(ctx.actions.declare_file('
               '"x%d" % i), "x" * 10000)',
    "arguments": "y = ctx.actions.args()\n    for i in range(100000000):\n        y.add(str(i))",
    "locations": 'for i in range(100000000):\n        ctx.expand_location("$(location x)" * 1000)',
    "runfiles": "y = ctx.runfiles()\n    for i in range(60):\n        y = y.merge(y)\n    "
                "y.files.to_list()",
    "providers": "return [DefaultInfo(files = depset([ctx.file.file] * 10000000))]",
}  # fmt: skip


def floods_of_places() -> Iterator[Flood]:
    """Functions that ask for endless time or memory, in every place."""
    for kind, place in PLACES.items():
        own = _OF_A_RULE if kind == "rule" else {}
        for name, body in {**_ENDLESS, **own}.items():
            attack = _attack(f"{kind}-{name}", place, body)
            options = ("--bazel-version", attack.version)
            yield Flood(attack.name, attack.files, attack.words, True, options)
