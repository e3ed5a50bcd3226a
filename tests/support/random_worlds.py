"""Random workspaces for comparisons with a real Bazel.

One workspace holds many small worlds, each in a directory of its own with a macro file,
nested packages and perhaps external repositories: one question to a warm server then
compares them all. A world is made from its seed alone.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.files import write_files

_EXTENSIONS = ("txt", "cc", "h", "md", "sh")
_WORDS = ("alpha", "beta", "gamma", "delta", "eps", "zeta")
_DEFINES = ("opt", "dbg", "mkl", "cuda")


@dataclass
class RandomWorld:
    """One world: the files below its directory, and what WORKSPACE says of it."""

    name: str
    files: dict[str, str] = field(default_factory=dict)
    workspace: str = ""
    repositories: tuple[str, ...] = ()

    def write(self, root: Path) -> None:
        write_files(root / self.name, self.files)


def make_world(seed: int, *, with_errors: bool = False) -> RandomWorld:
    """The world of a seed; one `with_errors` has a package that Bazel refuses."""
    return _Maker(seed, with_errors).make()


class _Maker:
    def __init__(self, seed: int, with_errors: bool) -> None:
        self.random = random.Random(f"world {seed}")
        self.world = RandomWorld(f"w{seed:04}")
        self.with_errors = with_errors
        self.packages: list[str] = []
        self.targets: list[str] = []
        """Labels that later packages may name."""
        self.settings: list[str] = []
        self.groups: list[str] = []
        self.sources: dict[str, list[str]] = {}
        self.names: set[str] = set()
        self.external: list[str] = []

    # ---- The parts of a world

    def make(self) -> RandomWorld:
        world, choose = self.world, self.random
        self.packages = [""]
        for path in ("a", "a/b", "c", "c/deep/er", "a/b/d"):
            if choose.random() < 0.5:
                self.packages.append(path)
        self._lay_out_files()
        self._write_definitions()
        if choose.random() < 0.4:
            self._local_repository()
        if choose.random() < 0.3:
            self._new_local_repository()
        bad = choose.choice(self.packages) if self.with_errors else None
        for package in self.packages:
            self._write_package(package, package == bad)
        return world

    def _lay_out_files(self) -> None:
        choose = self.random
        for package in self.packages:
            self.sources[package] = []
            for _ in range(choose.randint(1, 6)):
                name = f"{choose.choice(_WORDS)}.{choose.choice(_EXTENSIONS)}"
                if choose.random() < 0.3:
                    name = f"{choose.choice(('lib', 'data', 'x/y'))}/{name}"
                if choose.random() < 0.1:
                    name = f"lib/.hidden.{choose.choice(_EXTENSIONS)}"
                self.world.files[f"{package}/{name}" if package else name] = ""
                if name not in self.sources[package]:
                    self.sources[package].append(name)

    def _write_definitions(self) -> None:
        """A `.bzl` file with a rule, macros over it, and a second one that it loads."""
        choose = self.random
        name = self.world.name
        anchor = f"//{name}:anchor"
        pieces = [
            'load(":base.bzl", "COMMON", "suffixed", made = "make")\n',
            f"""
def _impl(ctx):
    pass

{choose.choice(("thing", "part"))}_rule = rule(
    implementation = _impl,
    attrs = {{
        "deps": attr.label_list(allow_files = True),
        "one": attr.label(default = {choose.choice((f'"{anchor}"', "None"))}, allow_files = True),
        "count": attr.int(default = {choose.randint(0, 9)}),
        "flag": attr.bool(default = {choose.choice(("True", "False"))}),
        "words": attr.string_list(default = {_list(choose.sample(_WORDS, 2))}),
        "table": attr.string_dict(),
        "by_label": attr.label_keyed_string_dict(allow_files = True),
        "lists": attr.string_list_dict(),
        "numbers": attr.int_list(),
        "written": attr.output(),
        "all_written": attr.output_list(),
        "_hidden": attr.label(default = Label("{anchor}")),
        "_computed": attr.string(default = "{choose.choice(_WORDS)}"),
    }},
    {choose.choice(("", 'outputs = {"log": "%{name}.log"},'))}
    {choose.choice(("", "executable = True,", ""))}
)
""",
        ]
        rule = "thing_rule" if "thing_rule" in pieces[1] else "part_rule"
        self.rule = rule
        pieces.append(f"""
def many(name, count = 2, srcs = [], deps = [], **kwargs):
    for i in range(count):
        native.filegroup(name = "%s_%d" % (name, i), srcs = srcs, **kwargs)
    {rule}(
        name = name,
        deps = deps + [":%s_%d" % (name, i) for i in range(count)],
        words = [suffixed(word) for word in COMMON] + [native.package_name()],
        table = {{"repository": native.repository_name()}},
    )

def counted(name):
    seen = sorted(native.existing_rules().keys())
    native.genrule(
        name = name,
        outs = [name + ".out"],
        cmd = "echo %d" % len(seen),
        srcs = native.glob(["*.{choose.choice(_EXTENSIONS)}"], allow_empty = True),
        tags = seen[:3],
    )
    if native.existing_rule(name):
        made(name + "_more", srcs = [name])

def chosen(name, setting, yes, no = []):
    native.filegroup(
        name = name,
        srcs = ["{anchor}"] + select({{setting: yes, "//conditions:default": no}}),
        data = select({{setting: [], "//conditions:default": ["{anchor}"]}}) + select({{
            "//conditions:default": [],
        }}),
    )
""")
        self.world.files["defs.bzl"] = "".join(pieces)
        self.world.files["base.bzl"] = f"""
COMMON = {_list(choose.sample(_WORDS, 3))}

_SUFFIX = "-" + COMMON[0][:2]

def suffixed(word):
    return word + _SUFFIX if word[0] != "{choose.choice("abgdez")}" else word.upper()

def make(name, srcs, **kwargs):
    native.genrule(
        name = name,
        srcs = srcs,
        outs = ["%s/%s.gen" % (name, word) for word in COMMON],
        cmd = " && ".join(["touch $(location %s/%s.gen)" % (name, word) for word in COMMON]),
        **kwargs
    )
"""

    def _local_repository(self) -> None:
        name = f"{self.world.name}_local"
        self.world.workspace += (
            f'local_repository(name = "{name}", path = "{self.world.name}/elsewhere")\n'
        )
        self.world.files["elsewhere/WORKSPACE"] = ""
        self.world.files["elsewhere/BUILD"] = f"""
exports_files(["readme.md"], visibility = ["//visibility:public"])
filegroup(name = "all", srcs = glob(["*"]), visibility = ["//visibility:public"])
alias(name = "home", actual = "@//{self.world.name}:anchor")
filegroup(name = "below", srcs = ["//inner", "//inner:made.txt"])
"""
        self.world.files["elsewhere/readme.md"] = ""
        self.world.files["elsewhere/inner/BUILD"] = """
load("//:defs.bzl", "inner")
inner("inner")
"""
        self.world.files["elsewhere/defs.bzl"] = """
def inner(name):
    native.genrule(name = "made", outs = ["made.txt"], cmd = native.repository_name())
    native.filegroup(name = name, srcs = [Label("//:readme.md")] if False else ["//:readme.md"])

def outer(name):
    native.filegroup(name = name, srcs = [str(Label("//:all"))], tags = [str(Label("//inner"))])
"""
        self.external.append(f"@{name}//:all")
        self.outer = f"@{name}//:defs.bzl"
        self.world.repositories += (name,)

    def _new_local_repository(self) -> None:
        name = f"{self.world.name}_overlaid"
        pattern = self.random.choice(("**/*.c", "**", "*"))
        text = f'filegroup(name = "files", srcs = glob(["{pattern}"], exclude = ["skip/**"]))\n'
        for path in ("one.c", "deep/two.c", "skip/three.c", "four.h"):
            self.world.files[f"archive/{path}"] = ""
        if self.random.random() < 0.5:
            self.world.files["overlay.BUILD"] = text
            source = f'build_file = "//{self.world.name}:overlay.BUILD"'
        else:
            source = f"build_file_content = {text!r}"
        self.world.workspace += (
            f'new_local_repository(name = "{name}", path = "{self.world.name}/archive", {source})\n'
        )
        if self.random.random() < 0.5:
            self.world.workspace += f'bind(name = "{name}_bound", actual = "@{name}//:files")\n'
            self.external.append(f"//external:{name}_bound")
        self.external.append(f"@{name}//:files")
        self.world.repositories += (name,)

    # ---- One package

    def _write_package(self, package: str, is_bad: bool) -> None:
        choose = self.random
        name = self.world.name
        self.names = set()
        here = f"//{name}/{package}".rstrip("/")
        lines = [f'load("//{name}:defs.bzl", "chosen", "counted", "many", "{self.rule}")']
        if self.external and hasattr(self, "outer") and choose.random() < 0.4:
            lines.append(f'load("{self.outer}", "outer")')
            lines.append('outer(name = "outer")')
        if choose.random() < 0.5:
            lines.append(f"package({self._package_arguments()})")
        if not package:
            lines.append('filegroup(name = "anchor", visibility = ["//visibility:public"])')
            self.targets.append(f"//{name}:anchor")
            lines += self._settings_of(here)
        if choose.random() < 0.4:
            lines += self._group(here)
        if choose.random() < 0.4 and self.sources[package]:
            some = choose.sample(self.sources[package], 1)
            visibility = self._visibility() if choose.random() < 0.5 else ""
            lines.append(f"exports_files({_list(some)}{visibility})")
        made: list[str] = []
        for _ in range(choose.randint(2, 8)):
            kind = choose.choice(_KINDS)
            lines += getattr(self, f"_{kind}")(package, here, made)
        if is_bad:
            self._mistake(lines, made)
        for target in made:
            self.targets.append(f"{here}:{target}")
        # Bazel marks a package as in error on its `BUILD` only.
        file = "BUILD" if self.with_errors else choose.choice(("BUILD", "BUILD.bazel"))
        prefix = f"{package}/" if package else ""
        if file == "BUILD.bazel" and choose.random() < 0.2:
            self.world.files[f"{prefix}BUILD"] = 'fail("BUILD.bazel goes first")\n'
        self.world.files[f"{prefix}{file}"] = "\n".join(lines) + "\n"

    def _package_arguments(self) -> str:
        choose = self.random
        parts = []
        if choose.random() < 0.7:
            parts.append(f"default_visibility = {_list([self._visible_to()])}")
        if choose.random() < 0.3:
            parts.append("default_testonly = True")
        if choose.random() < 0.2:
            parts.append(f"features = {_list(choose.sample(_WORDS, 2))}")
        return ", ".join(parts) or 'default_deprecation = "old"'

    def _visible_to(self) -> str:
        choices = ["//visibility:public", "//visibility:private", f"//{self.world.name}:__pkg__"]
        choices += [f"//{self.world.name}:__subpackages__", *self.groups]
        return self.random.choice(choices)

    def _visibility(self) -> str:
        both = dict.fromkeys((self._visible_to(), self._visible_to()))
        if any("visibility:" in label for label in both):
            both = dict.fromkeys(list(both)[:1])
        return f", visibility = {_list(list(both))}"

    def _settings_of(self, here: str) -> list[str]:
        lines = []
        for define in self.random.sample(_DEFINES, 2):
            lines.append(
                f'config_setting(name = "is_{define}", values = {{"define": "{define}=1"}})'
            )
            self.settings.append(f"{here}:is_{define}")
        lines.append('config_setting(name = "fast", values = {"compilation_mode": "opt"})')
        self.settings.append(f"{here}:fast")
        return lines

    def _group(self, here: str) -> list[str]:
        packages = self.random.sample(
            [here, f"{here}/...", "//...", "//other/...", f"-{here}/no/..."], 2
        )
        included = f", includes = {_list(self.groups[-1:])}" if self.groups else ""
        self.groups.append(f"{here}:friends")
        return [f'package_group(name = "friends", packages = {_list(packages)}{included})']

    # ---- Rules

    def _name(self, stem: str) -> str:
        for _ in range(99):
            name = f"{stem}_{self.random.choice(_WORDS)}"
            if name not in self.names:
                break
            stem += "x"
        self.names.add(name)
        return name

    def _some(self, package: str, made: list[str], most: int = 3) -> list[str]:
        """Labels in the ways that people write them, without repetition."""
        choose = self.random
        pool = [f":{name}" for name in made] + made
        pool += self.targets + self.external + self.sources[package]
        pool += [target.replace("//", "@//", 1) for target in self.targets[:2]]
        found: dict[str, str] = {}
        for label in choose.sample(pool, min(len(pool), choose.randint(0, most))):
            key = label.removeprefix(":").removeprefix("@//").removeprefix("//")
            here = f"{self.world.name}/{package}".rstrip("/")
            found.setdefault(key.removeprefix(f"{here}:"), label)
        return list(found.values())

    def _labels(self, package: str, made: list[str]) -> str:
        """An expression for a list of labels, perhaps with selects."""
        choose = self.random
        labels = self._some(package, made)
        if choose.random() < 0.6 or not labels:
            return _list(labels)
        cut = choose.randint(0, len(labels) - 1)
        first, rest = labels[:cut], labels[cut:]
        setting = choose.choice(self.settings)
        other = "[]" if choose.random() < 0.5 else _list(self._fresh(package, labels))
        last = f', no_match_error = "none"' if choose.random() < 0.2 else ""  # noqa: F541
        select = f'select({{"{setting}": {_list(rest)}, "//conditions:default": {other}}}{last})'
        return f"{_list(first)} + {select}" if choose.random() < 0.7 else select

    def _fresh(self, package: str, used: list[str]) -> list[str]:
        free = [name for name in self.sources[package] if name not in used]
        return free[:1]

    def _filegroup(self, package: str, here: str, made: list[str]) -> list[str]:
        name = self._name("fg")
        visibility = self._visibility() if self.random.random() < 0.4 else ""
        line = f'filegroup(name = "{name}", srcs = {self._labels(package, made)}{visibility})'
        made.append(name)
        return [line]

    def _globbed(self, package: str, here: str, made: list[str]) -> list[str]:
        choose = self.random
        name = self._name("glob")
        patterns = choose.sample(
            ["*.txt", "**/*.cc", "**", "lib/*", "*/*.md", "a*", "**/lib/**", "*.h", "x/**/*.sh"], 2
        )
        unwanted = choose.sample(["*.md", "**/beta.*", "lib/**", "BUILD*", "x/*/a*"], 1)
        more = f", exclude = {_list(unwanted)}" if choose.random() < 0.5 else ""
        if choose.random() < 0.25:
            more += ", exclude_directories = 0"
        made.append(name)
        return [f'filegroup(name = "{name}", srcs = glob({_list(patterns)}{more}))']

    def _genrule(self, package: str, here: str, made: list[str]) -> list[str]:
        choose = self.random
        name = self._name("gen")
        outputs = [f"{name}.{ext}" for ext in choose.sample(("o", "log", "d/e"), 2)]
        tools = self._some(package, made, 1)
        srcs = [label for label in self._some(package, made) if label not in tools]
        more = choose.choice(("", ", executable = False", ", message = 'hm'", ", local = 1"))
        line = (
            f'genrule(name = "{name}", srcs = {_list(srcs)}, outs = {_list(outputs)},'
            f' cmd = "x $@", tools = {_list(tools)}{more})'
        )
        made += [name, *outputs]
        return [line]

    def _alias(self, package: str, here: str, made: list[str]) -> list[str]:
        targets = self._some(package, made, 2)
        if not targets:
            return []
        name = self._name("alias")
        made.append(name)
        if len(targets) == 1:
            return [f'alias(name = "{name}", actual = "{targets[0]}")']
        setting = self.random.choice(self.settings)
        branches = f'{{"{setting}": "{targets[0]}", "//conditions:default": "{targets[1]}"}}'
        return [f'alias(name = "{name}", actual = select({branches}))']

    def _script(self, package: str, here: str, made: list[str]) -> list[str]:
        choose = self.random
        kind = choose.choice(("sh_library", "sh_binary", "sh_test", "sh_test"))
        name = self._name(kind[3:])
        more = ""
        if kind == "sh_test":
            more = choose.choice(
                (
                    ', size = "small"',
                    ', timeout = "long"',
                    ', tags = ["manual"]',
                    ", flaky = True, shard_count = 3",
                    ', tags = ["slow"], size = "enormous"',
                    ', args = ["--x"], local = True',
                )
            )
        data = self._labels(package, made)
        made.append(name)
        return [f'{kind}(name = "{name}", srcs = ["{name}.sh"], data = {data}{more})']

    def _native(self, package: str, here: str, made: list[str]) -> list[str]:
        choose = self.random
        kind = choose.choice(("cc_library", "cc_library", "cc_binary", "py_library"))
        name = self._name(kind[:2])
        extension = "py" if kind.startswith("py") else "cc"
        more = ""
        if kind == "cc_library":
            more = choose.choice(
                (
                    ", alwayslink = 1",
                    ', hdrs = ["z.h", "api.h"]',
                    ', textual_hdrs = ["y.h", "b.h"]',
                    ", linkstatic = True",
                )
            )
        if kind.startswith("cc") and choose.random() < 0.4:
            setting = choose.choice(self.settings)
            more += (
                f', copts = ["-a"] + select({{"{setting}": ["-b"], "//conditions:default": []}})'
            )
        libraries = [item for item in made if item.startswith(name[:3])]
        made.append(name)
        srcs = _list([f"z.{extension}", f"{name}.{extension}"])
        return [f'{kind}(name = "{name}", srcs = {srcs}, deps = {_list(libraries)}{more})']

    def _suite(self, package: str, here: str, made: list[str]) -> list[str]:
        choose = self.random
        name = self._name("suite")
        tests = [item for item in made if item.startswith("test")]
        which = choose.choice(("", f", tests = {_list(tests)}"))
        tags = choose.choice(("", ', tags = ["slow"]', ', tags = ["-slow", "small"]'))
        return [f'test_suite(name = "{name}"{which}{tags})']

    def _many(self, package: str, here: str, made: list[str]) -> list[str]:
        choose = self.random
        name = self._name("many")
        count = choose.randint(0, 3)
        line = (
            f'many(name = "{name}", count = {count}, srcs = {self._labels(package, made)},'
            f" deps = {_list(self._some(package, made, 2))})"
        )
        made += [name, *(f"{name}_{index}" for index in range(count))]
        return [line]

    def _counted(self, package: str, here: str, made: list[str]) -> list[str]:
        name = self._name("counted")
        made.append(name)
        return [f'counted("{name}")']

    def _chosen(self, package: str, here: str, made: list[str]) -> list[str]:
        name = self._name("chosen")
        wanted = [item for item in self._some(package, made) if not item.endswith(":anchor")]
        setting = self.random.choice(self.settings)
        made.append(name)
        return [f'chosen("{name}", "{setting}", yes = {_list(wanted)})']

    def _loop(self, package: str, here: str, made: list[str]) -> list[str]:
        name = self._name("loop")
        made += [f"{name}_{word}" for word in ("p", "q")]
        call = f'filegroup(name = "{name}_" + word, srcs = {self._labels(package, made[:-2])})'
        return [f'[{call} for word in ("p", "q")]']

    def _starlark(self, package: str, here: str, made: list[str]) -> list[str]:
        choose = self.random
        name = self._name("own")
        setting = choose.choice(self.settings)
        outputs = [f"{name}.w1", f"{name}/w2"]
        keys = self._some(package, made, 2)
        table = ", ".join(f'"{key}": "{choose.choice(_WORDS)}"' for key in keys)
        parts = [
            f"deps = {self._labels(package, made)}",
            f"count = {choose.randint(0, 99)}",
            f'count = select({{"{setting}": 1, "//conditions:default": 2}})',
            f"flag = {choose.choice(('True', 'False', '1', '0'))}",
            f"by_label = {{{table}}}",
            f"words = {_list(choose.sample(_WORDS, 2))} * 2",
            f'table = {{"k": "{choose.choice(_WORDS)}"}}',
            'lists = {"l": ["m", "n"], "k": []}',
            "numbers = [3, 1, 2]",
            f'written = "{outputs[0]}"',
            f"all_written = {_list(outputs[1:])}",
            'tags = ["t", "b"]',
            f'one = "{choose.choice(self.targets)}"',
            'features = ["z", "-x"]',
            'deprecation = "use another"',
        ]
        chosen = {part.split(" = ")[0]: part for part in choose.sample(parts, 5)}
        if "written" in chosen:
            made.append(outputs[0])
        made.append(name)
        return [f'{self.rule}(name = "{name}", {", ".join(chosen.values())})']

    # ---- What Bazel refuses

    def _mistake(self, lines: list[str], made: list[str]) -> None:
        choose = self.random
        name = made[0] if made else "anchor"
        mistakes = [
            f'filegroup(name = "{name}")\nfilegroup(name = "{name}")',
            'filegroup(name = "bad", srcs = 3)',
            'filegroup(name = "bad", no_such_attribute = [])',
            'fail("no")',
            'filegroup(name = "bad//name")',
            'genrule(name = "bad", outs = [])',
            'genrule(name = "bad", cmd = "", outs = ["bad"], srcs = ["bad"])\nfail("x")',
            "undefined_function()",
            'glob(["../*"])',
            'glob(["/abs"])',
            'filegroup(name = "bad", srcs = ["x", "x"])',
            'filegroup(name = "bad", visibility = ["//visibility:nobody"])',
            "filegroup(srcs = [])",
            'load("//no/such:file.bzl", "x")',
            f'load("//{self.world.name}:defs.bzl", "no_such_symbol")',
            "x = 1\nx = 2",
            "def f():\n    pass",
            "if True:\n    pass",
            'package_group(name = "bad", packages = ["relative"])',
            'filegroup(name = "bad", srcs = ["//a b:c:d"])',
            'test_suite(name = "bad", tags = 3)',
            'exports_files(["/absolute"])',
            "[][1]",
            '"a" + 1',
            '{}["k"]',
            'int("x")',
            'filegroup(name = "bad", srcs = select({}))',
            "filegroup(name = 'bad', srcs = select({':s': []}) + 'x')",
            'licenses(["no such"])',
        ]
        lines.insert(choose.randint(len(lines) // 2, len(lines)), choose.choice(mistakes))


_KINDS = (
    "filegroup", "filegroup", "globbed", "genrule", "alias", "script", "native", "suite", "many",
    "counted", "chosen", "loop", "starlark", "starlark",
)  # fmt: skip


def _list(items: list[str] | tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{item}"' for item in items) + "]"
