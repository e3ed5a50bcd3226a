"""Workspaces that ask for more than there is: hours, gigabytes, configurations without end.

Each flood is a small workspace and a question about it. `blames` says whether one file is to
blame; then the question ends within that file's budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_ALWAYS = {"WORKSPACE": "", "ok/BUILD": 'filegroup(name = "ok")\n'}

DOUBLING = {
    "string": ('"ab"', "x + x"),
    "string_format": ('"ab"', '"%s%s" % (x, x)'),
    "string_method": ('"ab"', '"{}{}".format(x, x)'),
    "string_join": ('"ab"', '"".join([x, x])'),
    "string_replace": ('"ab"', 'x.replace("a", "aa").replace("b", "bb")'),
    "string_times": ('"ab"', "x * 2"),
    "list": ("[1, 2]", "x + x"),
    "list_times": ("[1, 2]", "x * 2"),
    "list_comprehension": ("[1, 2]", "[a for a in x for b in range(2)]"),
    "list_nested": ("[1, 2]", "[x, x]"),
    "tuple": ("(1, 2)", "x + x"),
    "tuple_nested": ("(1, 2)", "(x, x)"),
    "dict_nested": ('{"a": 1}', '{"a": x, "b": x}'),
    "struct": ("struct(a = 1)", "struct(a = x, b = x)"),
    "select": ('select({"//conditions:default": ["a"]})', "x + x"),
    "select_string": ('select({"//conditions:default": "a"})', "x + x"),
    "depset": ("depset([1])", "depset([len(str(x))], transitive = [x, x])"),
    "integer": ("3", "x * x"),
    "integer_shift": ("1", "x << 500"),
    "bytes_like": ('["a"]', "x + list(x)"),
    "sorted": ("[2, 1]", "sorted(x + x)"),
    "zip": ("[1, 2]", "zip(x + x, x + x)"),
    "enumerate": ("[1, 2]", "enumerate(x + x)"),
    "splitlines": ('"a\\nb"', '"\\n".join((x + "\\n" + x).splitlines())'),
}
"""A first value, and what makes twice as much of it."""

USES = {
    "nothing": "y = 1",
    "str": "y = len(str(x))",
    "repr": "y = len(repr(x))",
    "equal": "y = x == copy(x)",
    "key": "y = {x: 1}",
    "to_json": "y = json.encode(x)",
    "print": "print(x)",
    "format": 'y = "%s %r" % (x, x)',
    "attribute": 'filegroup(name = "f", tags = [str(x)])',
}

_LOOPED = {
    "repr_of_megabytes": ('big = "x" * 4000000', "repr(big)"),
    "percent_of_megabytes": ('big = "x" * 4000000', '"%r" % big'),
    "compare_strings": ('big = "x" * 4000000\nother = "x" * 4000000', "big == other"),
    "order_strings": ('big = "x" * 4000000\nother = "x" * 3999999 + "y"', "big < other"),
    "copy_list": ("big = [1] * 4000000", "list(big)"),
    "slice_list": ("big = [1] * 4000000", "big[1:]"),
    "slice_string": ('big = "x" * 4000000', "big[1:]"),
    "compare_lists": ("big = [1] * 4000000\nother = [1] * 4000000", "big == other"),
    "copy_dict": ("big = {i: i for i in range(300000)}", "dict(big)"),
    "dict_items": ("big = {i: i for i in range(300000)}", "big.items()"),
    "dict_keys": ("big = {i: i for i in range(300000)}", "big.keys()"),
    "dict_values": ("big = {i: i for i in range(300000)}", "big.values()"),
    "dict_update": ("big = {i: i for i in range(300000)}\nd = {}", "d.update(big)"),
    "depset_to_list": ("big = depset(range(1000000))", "big.to_list()"),
    "depset_truth": ("big = depset(range(1000000))", "depset([1], transitive = [big]).to_list()"),
    "string_in": ('big = "x" * 4000000', '"y" in big'),
    "string_find": ('big = "x" * 4000000', 'big.find("xy")'),
    "string_count": ('big = "x" * 4000000', 'big.count("xx")'),
    "string_upper": ('big = "x" * 4000000', "big.upper()"),
    "string_title": ('big = "x y" * 1000000', "big.title()"),
    "string_strip": ('big = " " * 4000000', "big.strip()"),
    "string_split": ('big = "x " * 2000000', 'big.split(" ")'),
    "string_elems": ('big = "x" * 4000000', "big.elems()"),
    "string_startswith": ('big = "x" * 4000000', "big.startswith(big)"),
    "string_isalnum": ('big = "x" * 4000000', "big.isalnum()"),
    "string_hash": ('big = "x" * 4000000', "hash(big)"),
    "list_in": ("big = [(i,) for i in range(300000)]", "(-1,) in big"),
    "list_index": ("big = [(i,) for i in range(300000)]", "big.index((299999,))"),
    "list_reversed": ("big = [1] * 4000000", "reversed(big)"),
    "list_sorted": ("big = [1] * 1000000", "sorted(big)"),
    "list_max": ("big = [1] * 4000000", "max(big)"),
    "list_all": ("big = [1] * 4000000", "all(big)"),
    "list_any": ("big = [0] * 4000000", "any(big)"),
    "list_insert": ("big = [1] * 4000000", "big.insert(0, 1)"),
    "list_pop": ("big = [1] * 4000000", "big.pop(0)"),
    "list_remove": ("big = [1] * 3999999 + [2]", "big.remove(2), big.append(2)"),
    "join_list": ('big = ["x"] * 2000000', '"".join(big)'),
    "json_encode": ("big = [1] * 1000000", "json.encode(big)"),
    "json_decode": ('big = "[" + "1," * 1000000 + "1]"', "json.decode(big)"),
    "json_indent": ('big = "[" + "1," * 1000000 + "1]"', "json.indent(big)"),
    "hasattr": ("big = struct(**{\"a%d\" % i: i for i in range(100000)})", "dir(big)"),
    "struct_str": ("big = struct(**{\"a%d\" % i: i for i in range(100000)})", "str(big)"),
    "struct_equal": (
        "n = range(100000)\nbig, other = [struct(**{'a%d' % i: i for i in n}) for _ in range(2)]",
        "big == other",
    ),
    "existing_rules": (
        '[native.filegroup(name = "f%d" % i) for i in range(2000)]',
        "native.existing_rules()",
    ),
    "existing_rule": (
        'native.filegroup(name = "f", tags = ["x%d" % i for i in range(100000)])',
        'native.existing_rule("f")',
    ),
    "glob": ("", 'native.glob(["**"])'),
    "glob_many": ("", 'native.glob(["%d*" % i for i in range(1000)])'),
    "subpackages": ("", 'native.subpackages(include = ["**"], allow_empty = True)'),
    "label": ("", 'Label("//ok:%d" % i)'),
    "label_huge": ('big = "x" * 1000000', 'Label("//ok:" + big)'),
    "select": ("", 'select({"//ok:%d" % j: [] for j in range(1000)})'),
    "select_add": ('big = select({"//ok:%d" % j: [] for j in range(1000)})', "big + big"),
    "targets": ("", 'native.filegroup(name = "t%d" % i, srcs = ["x"] * 1000)'),
    "groups": ("", 'native.package_group(name = "t%d" % i, packages = ["//x"] * 1000)'),
    "exports": ("", 'native.exports_files(["t%d_%d" % (i, j) for j in range(1000)])'),
    "package_name": ("", "native.package_name()"),
    "set_subset": ("big = set(range(300000))", "big.issubset(big)"),
    "set_superset": ("big = set(range(300000))", "big.issuperset(big)"),
    "set_disjoint": ("big = set(range(300000))\nother = set(range(300000, 600000))",
                     "big.isdisjoint(other)"),
    "set_union": ("big = set(range(300000))", "big | big"),
    "set_and": ("big = set(range(300000))", "big & big"),
    "set_equal": ("big = set(range(300000))\nother = set(range(300000))", "big == other"),
    "range_list": ("", "list(range(4000000))"),
    "format_many": ('big = "{}" * 100000\nmany = [1] * 100000', "big.format(*many)"),
    "partition": ('big = "x" * 4000000', 'big.partition("y")'),
    "int_str": ("big = 1\nfor _ in range(120):\n    big = big << 500", "str(big)"),
    "fail_text": ('big = "x" * 4000000', "repr([big])"),
}  # fmt: skip
"""What is made first in a function, and what a loop then does for ever."""

_ATTRIBUTES = ("string", "label", "label_list", "string_dict", "output", "int", "bool")


EVERY_TARGET = ("query", "--keep_going", "//...")
"""Without `--keep_going`, a package in error ends the query."""


@dataclass(frozen=True)
class Flood:
    """A workspace, what is asked of it, and whether one file is to blame."""

    name: str
    files: Mapping[str, str]
    words: tuple[str, ...] = EVERY_TARGET
    blames: bool = True
    options: tuple[str, ...] = field(default=("--bazel-version", "8.7.0"))


def _of_file(name: str, text: str) -> Flood:
    body = 'load("//bad:bad.bzl", "bad")\nbad()\nfilegroup(name = "after")\n'
    return Flood(name, {**_ALWAYS, "bad/BUILD": body, "bad/bad.bzl": text})


def _doubled() -> Iterator[Flood]:
    for kind, (first, more) in DOUBLING.items():
        for use, line in USES.items():
            if use not in ("nothing", "str", "equal", "to_json") and kind not in (
                "struct", "tuple_nested", "select", "depset", "list_nested",
            ):  # fmt: skip
                continue
            if line.startswith("filegroup"):
                line = "native." + line
            text = (
                "def make():\n"
                f"    x = {first}\n"
                "    for _ in range(40):\n"
                f"        x = {more}\n"
                "    return x\n"
                "def copy(x):\n"
                "    return make()\n"
                f"def bad():\n    x = make()\n    {line}\n"
            )
            yield _of_file(f"{kind}-{use}", text)


def _loops() -> Iterator[Flood]:
    for name, (first, again) in _LOOPED.items():
        begin = "".join(f"    {line}\n" for line in first.splitlines())
        text = f"def bad():\n{begin}    for i in range(4000000):\n        {again}\n"
        yield _of_file(f"loop-{name}", text)
    for kind in _ATTRIBUTES:
        text = f"def bad():\n    for i in range(4000000):\n        attr.{kind}(doc = str(i))\n"
        yield _of_file(f"loop-attr-{kind}", text)


def _sources() -> Iterator[Flood]:
    texts = {
        "assignments": "x = 1\n" * 200_000,
        "calls": "f(1)\n" * 200_000,
        "names": "".join(f"x{i} = {i}\n" for i in range(200_000)),
        "functions": "".join(f"def f{i}():\n    pass\n" for i in range(100_000)),
        "elements": f"x = [{'1, ' * 500_000}]\n",
        "sum": f"x = {'1 + ' * 300_000}1\n",
        "strings": "x = [" + '"a", ' * 500_000 + "]\n",
        "entries": f"x = {{{', '.join(f'{i}: 1' for i in range(200_000))}}}\n",
        "brackets": f"x = {'[' * 100_000}{']' * 100_000}\n",
        "blocks": "".join(f"{' ' * i}if True:\n" for i in range(2000)),
        "lines": "\n" * 5_000_000,
        "comment": "#" + "x" * 20_000_000,
        "string": 'x = "' + "y" * 20_000_000 + '"\n',
        "open_string": 'x = "' + "\\n" * 2_000_000,
        "ifs": f"x = {'1 if True else ' * 100_000}1\n",
        "nots": f"x = {'not ' * 100_000}1\n",
        "dots": f"x = a{'.b' * 100_000}\n",
        "lambdas": f"x = {'lambda: ' * 50_000}1\n",
        "comprehensions": f"x = [1 {'for a in [1] ' * 5000}]\n",
        "targets": "".join(f'filegroup(name = "t{i}")\n' for i in range(60_000)),
    }
    for name, text in texts.items():
        yield Flood(f"source-{name}", {**_ALWAYS, "bad/BUILD": text})


_TRANSITION = """\
def _impl(settings, attr):
    return {returned}
t = transition(implementation = _impl, inputs = ["//command_line_option:cpu"],
    outputs = ["//command_line_option:cpu"])
def _none(ctx):
    pass
r = rule(implementation = _none, attrs = {{
    "deps": attr.label_list(cfg = t),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
}})
"""


def _configurations() -> Iterator[Flood]:
    append = '{"//command_line_option:cpu": settings["//command_line_option:cpu"] + "x"}'
    split = (
        '{"a": {"//command_line_option:cpu": settings["//command_line_option:cpu"] + "a"},'
        ' "b": {"//command_line_option:cpu": settings["//command_line_option:cpu"] + "b"}}'
    )
    head = 'load(":r.bzl", "r")\n'
    cycle = head + 'r(name = "a", deps = [":b"])\nr(name = "b", deps = [":a"])\n'
    levels = head + "".join(f'r(name = "n{i}", deps = [":n{i + 1}"])\n' for i in range(40))
    levels += 'filegroup(name = "n40")\n'
    for name, returned, build, start in (
        ("append-on-a-cycle", append, cycle, "a"),
        ("split-on-a-cycle", split, cycle, "a"),
        ("append-over-40", append, levels, "n0"),
        ("split-over-40", split, levels, "n0"),
    ):
        files = {**_ALWAYS, "t/BUILD": build, "t/r.bzl": _TRANSITION.format(returned=returned)}
        line = ("--cpu=k8",)
        for words in (
            ("cquery", f"deps(//t:{start})"),
            ("deps", f"//t:{start}", *line),
            ("explain", f"//t:{start}", *line),
            ("path", f"//t:{start}", "//ok:ok", *line),
        ):
            yield Flood(f"{name}-{words[0]}", files, words, False, ("--bazel-version", "4.2.3"))


def _questions() -> Iterator[Flood]:
    names = "".join(f'filegroup(name = "{"a" * 40}{i}")\n' for i in range(200))
    files = {**_ALWAYS, "n/BUILD": names}
    for number, pattern in enumerate(
        (
            "(a+)+$",
            "(a|a)*b",
            "(a*)*b",
            "^(([a-z])+.)+[A-Z]([a-z])+$",
            "(.*)*x(.*)*y",
            "(a?){40}a{40}b",
        )
    ):
        for words in (
            f"filter('{pattern}', //...)",
            f"kind('{pattern}', //...)",
            f"attr('name', '{pattern}', //...)",
        ):
            yield Flood(f"regex-{number}-{words[:4]}", files, ("query", words), False)
    deep = " + ".join(["//ok:ok"] * 8_000)
    yield Flood("query-long", _ALWAYS, ("query", deep), False)
    yield Flood("query-nested", _ALWAYS, ("query", "deps(" * 3000 + "//ok" + ")" * 3000), False)
    dense = "".join(
        f'filegroup(name = "n{i}", srcs = [":n%d" % j for j in range({i + 1}, 300)])\n'
        for i in range(300)
    )
    files = {**_ALWAYS, "d/BUILD": dense}
    for words in (
        ("path", "//d:n0", "//d:n299", "--all-paths"),
        ("query", "allpaths(//d:n0, //d:n299)"),
        ("query", "deps(//d:n0)", "--output=graph"),
        ("graph", "//d:n0"),
        ("rdeps", "//d:n299"),
    ):
        yield Flood(f"dense-{words[0]}-{len(words[-1])}", files, words, False)


_RULE = """\
def _impl(repository_ctx):
    {body}
r = repository_rule(implementation = _impl, attrs = {{}})
"""


def _dry_runs() -> Iterator[Flood]:
    bodies = {
        "read": 'repository_ctx.read(Label("//:big.txt"))',
        "which": 'repository_ctx.which("gcc%d" % i)',
        "execute": 'repository_ctx.execute(["gcc", str(i)])',
        "execute_text": 'repository_ctx.execute(["gcc", str(i)]).stdout.split("\\n")[0].strip()',
        "file": 'repository_ctx.file("f%d" % i, "x" * 1000)',
        "file_again": 'repository_ctx.file("f", "x" * 1000000)',
        "template": 'repository_ctx.template("f%d" % i, Label("//:big.txt"), {"a": "b"})',
        "symlink": 'repository_ctx.symlink(Label("//:big.txt"), "f%d" % i)',
        "path": 'repository_ctx.path("a/%d" % i).dirname',
        "readdir": 'repository_ctx.path(Label("//:WORKSPACE")).dirname.readdir()',
        "download": 'repository_ctx.download("http://x/%d" % i, "f%d" % i)',
        "nothing": "pass",
        "branch": 'x = 1 if repository_ctx.execute(["p", str(i)]).return_code == 0 else 2',
    }
    for name, body in bodies.items():
        text = _RULE.format(body=f"for i in range(10000000):\n        {body}")
        files = {
            **_ALWAYS,
            "WORKSPACE": 'load("//:r.bzl", "r")\nr(name = "r")\n',
            "BUILD": 'filegroup(name = "top", srcs = ["@r//:x"])\n',
            "big.txt": "a" * 1_000_000,
            "r.bzl": text,
        }
        yield Flood(
            f"dry-{name}", files, ("query", "deps(//:top)"), True, ("--bazel-version", "6.5.0")
        )


def _others() -> Iterator[Flood]:
    text = "def bad():\n    json.encode_indent([[1]] * 1500, indent = 'x' * 1000000)\n"
    yield _of_file("json-indent", text)
    yield _of_file("json-prefix", text.replace("indent = ", "prefix = "))
    yield _of_file("percent-width", "def bad():\n    '%s' % ('x' * 4000000) * 4\n")
    yield _of_file("endless", "def bad():\n    for a in range(1000000000):\n        pass\n")
    nested = "".join("    " * i + f"for a{i} in range(1000):\n" for i in range(1, 8))
    yield _of_file("nested-loops", f"def bad():\n{nested}{'    ' * 8}pass\n")
    deep = "".join(f"def f{i}():\n    f{i + 1}()\n    f{i + 1}()\n" for i in range(100))
    yield _of_file("calls-doubling", f"def f100():\n    pass\n{deep}def bad():\n    f0()\n")
    includes = {f"m{i}/m.bzl": f'load("//m{i + 1}:m.bzl", "x")\nload("//m{i + 2}:m.bzl", y = "x")\n'
                for i in range(60)}  # fmt: skip
    packages = {f"m{i}/BUILD": "" for i in range(62)}
    yield Flood("loads-doubling", {
        **_ALWAYS, **includes, **packages, "m60/m.bzl": "x = 1", "m61/m.bzl": "x = 1",
        "bad/BUILD": 'load("//m0:m.bzl", "x")\n',
    })  # fmt: skip
    chain = {f"m{i}.bzl": f'load(":m{i + 1}.bzl", "x")\n' for i in range(2000)}
    yield Flood("loads-in-a-chain", {
        **_ALWAYS, **chain, "m2000.bzl": "x = 1", "BUILD": 'load(":m0.bzl", "x")\n',
    }, options=("--bazel-version", "0.24.1"))  # fmt: skip
    chained = """
[label_flag(name = "f%d" % i, build_setting_default = ":f%d" % (i + 1)) for i in range(1500)]
filegroup(name = "f1500")
"""
    yield Flood("label-flags-in-a-chain", {**_ALWAYS, "BUILD": chained},
                ("path", "//:f0", "//:f1500"))  # fmt: skip
    workspace = "[local_repository(name = 'r%d' % i, path = 'ok') for i in range(200000)]\n"
    yield Flood("repositories", {**_ALWAYS, "WORKSPACE": workspace}, ("repos",), True,
                ("--bazel-version", "4.2.3"))  # fmt: skip
    chain = """
[new_local_repository(name = "r%d" % i, path = "ok", build_file = "@r%d//ok:BUILD" % (i + 1))
 for i in range(4000)]
"""
    yield Flood("repositories-overlaid", {**_ALWAYS, "WORKSPACE": chain}, ("repos",), True,
                ("--bazel-version", "4.2.3"))  # fmt: skip
    rule = """
def _impl(ctx):
    ctx.file("BUILD", ctx.read(ctx.attr.file))
r = repository_rule(implementation = _impl, attrs = {"file": attr.label()})
"""
    chain = """load("//:r.bzl", "r")
[r(name = "r%d" % i, file = "@r%d//:BUILD" % (i + 1)) for i in range(4000)]
"""
    one = 'local_repository(name = "r{0}", path = "ok")\nload("@r{0}//:d.bzl", x{0} = "x")\n'
    written = "".join(one.format(number) for number in range(10_000))
    files = {**_ALWAYS, "ok/d.bzl": "x = 1\n", "WORKSPACE": written}
    yield Flood("repositories-loaded", files, ("repos",), True, ("--bazel-version", "4.2.3"))
    files = {**_ALWAYS, "BUILD": "", "r.bzl": rule, "WORKSPACE": chain}
    yield Flood("repositories-read", files, ("repos",), True, ("--bazel-version", "4.2.3"))
    rc = "".join(f"build:c{i} --config=c{i + 1} --config=c{i + 1}\n" for i in range(60))
    yield Flood("configs-doubling", {**_ALWAYS, ".bazelrc": rc}, ("explain", "--config=c0"), False)
    rc = "".join(f"build --copt=-D{i}\n" for i in range(200_000))
    yield Flood("rc-lines", {**_ALWAYS, ".bazelrc": rc}, ("flag", "copt"), False)


def floods() -> tuple[Flood, ...]:
    """Every flood, in a fixed order."""
    return (
        *_doubled(), *_loops(), *_sources(), *_configurations(), *_questions(), *_dry_runs(),
        *_others(),
    )  # fmt: skip
