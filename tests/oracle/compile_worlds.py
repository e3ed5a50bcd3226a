"""Random workspaces of C++ rules, and random lines to build them with: features, modes, position
independent code, options by file, defines through deps, tools, static and shared libraries."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.files import clear

_STUBS: dict[str, dict[str, str]] = {
    "rules_cc": {
        "cc/defs.bzl": "cc_library = native.cc_library\ncc_binary = native.cc_binary\n"
        "cc_import = native.cc_import\ncc_test = native.cc_test\n"
        "cc_toolchain = native.cc_toolchain\ncc_toolchain_suite = native.cc_toolchain_suite\n",
    },
    "rules_java": {
        "java/defs.bzl": "java_binary = native.java_binary\njava_import = native.java_import\n"
        "java_library = native.java_library\njava_runtime = native.java_runtime\n"
        "java_test = native.java_test\njava_toolchain = native.java_toolchain\n",
    },
    "remote_coverage_tools": {
        "BUILD": "".join(
            f'filegroup(name = "{name}", visibility = ["//visibility:public"])\n'
            for name in ("coverage_report_generator", "Main", "lcov_merger")
        ),
    },
}
_MACROS = """\
COMMON = ["-DCOMMON", "-Wno-x"]

def _variables(ctx):
    return [platform_common.TemplateVariableInfo(ctx.attr.values)]

variables = rule(implementation = _variables, attrs = {"values": attr.string_dict()})

def extra_copts():
    return COMMON + select({"//:fast": ["-O3", "-DFAST"], "//conditions:default": []})

def my_library(name, copts = [], **kwargs):
    native.cc_library(name = name, copts = extra_copts() + copts, **kwargs)
"""
_PUBLIC = 'visibility = ["//visibility:public"]'
_ROOT = (
    f'config_setting(name = "fast", values = {{"compilation_mode": "opt"}}, {_PUBLIC})\n'
    f'config_setting(name = "mkl", values = {{"define": "mkl=1"}}, {_PUBLIC})\n'
    f'variables(name = "vars", values = {{"MINE": "$(OTHER)", "OTHER": "a b"}}, {_PUBLIC})\n'
)
_COPTS = (
    *('"-DA"', '"-O3"', '"-DX -DY"', "\"'-DS=a b'\"", '"-DQ=\\\\\\"q\\\\\\""', '"-g"', '""'),
    *(
        '"-DCPU=$(TARGET_CPU)"',
        '"-DCC=$(CC)"',
        '"-I$(GENDIR)/x"',
        '"-D$(COMPILATION_MODE)"',
        '"-Wx"',
        '"-D$$V"',
    ),
)
_DEFINES = ('"A"', '"B=1"', '"C"', '"D"', '"E"', "\"'F G'\"", '"H=$(TARGET_CPU)"')
_INCLUDES = ('"inc"', '"."', '"inc/x"', '"./y"')
_LINKOPTS = ('"-lz"', '"-pthread"', '"-lz -ldl"', '"-Wl,-x"', '"-lm"')
_FEATURES = (
    *(
        '"opt"',
        '"-opt"',
        '"dbg"',
        '"-pic"',
        '"-supports_pic"',
        '"-random_seed"',
        '"-include_paths"',
    ),
    *('"-dependency_file"', '"-default_compile_flags"', '"no_copts_tokenization"', '"none"'),
    *('"-preprocessor_defines"', '"fully_static_link"', '"-default_link_flags"'),
)
_READY = (
    *("lib{}p.a", "lib{}p.so", "{}p.so", "lib{}q.lo", "lib{}p.pic.a", "lib{}q.pic.lo", "{}r.a"),
    *("{}.o", "{}.pic.o", "{}.nopic.o", "lib{}p.so.1"),
)
"""Objects and libraries that were made before, for `srcs`."""


@dataclass(frozen=True)
class CompileWorld:
    """A workspace that was written, the flags that any line needs, and its rules of C++."""

    root: Path
    flags: tuple[str, ...]
    labels: tuple[str, ...]


def write_stubs(folder: Path) -> tuple[str, ...]:
    """Writes the repositories that Bazel would fetch below `folder`, and gives the flags that
    name them."""
    for name, files in _STUBS.items():
        _write(folder / name, {"WORKSPACE": f'workspace(name = "{name}")\n', **files})
    return tuple(f"--override_repository={name}={folder / name}" for name in _STUBS)


def write_world(folder: Path, seed: int, version: str) -> CompileWorld:
    """Writes a world below `folder` that a release of Bazel loads, in place of the one before."""
    chance = random.Random(seed)
    root = folder / "w"
    clear(root)
    flags = write_stubs(folder)
    world = _Writer(chance, version)
    packages = ["a", "b/c", "d"]
    files = {
        "WORKSPACE": 'local_repository(name = "ext", path = "ext")\n',
        "BUILD": _ROOT,
        "macros.bzl": _MACROS,
        "ext/WORKSPACE": 'workspace(name = "ext")\n',
        "ext/BUILD": world.package("", external=True),
        "ext/e/BUILD": world.package("e", external=True),
    }
    for package in packages:
        files[f"{package}/BUILD"] = world.package(package)
    files["BUILD"] = _ROOT + world.package("", load=False)
    files["BUILD"] = 'load("//:macros.bzl", "my_library", "variables")\n' + files["BUILD"]
    for package, name in world.sources:
        files[f"{package}/{name}".removeprefix("/")] = ""
    _write(root, files)
    return CompileWorld(root, flags, tuple(world.labels))


def random_line(chance: random.Random, version: str) -> tuple[str, ...]:
    """Flags for one build."""
    words: list[str] = []
    choices: list[tuple[float, Sequence[str]]] = [
        (0.7, ("-c opt", "-c dbg", "-c fastbuild")),
        (0.4, ("--copt=-g", "--copt=-O3", "--copt=-DA -DB", "--copt=-DCOPT")),
        (0.3, ("--copt=-DSECOND", "--copt=-march=native")),
        (0.3, ("--cxxopt=-std=c++17", "--cxxopt=-g")),
        (0.3, ("--conlyopt=-std=c99",)),
        (0.3, ("--host_copt=-DHOST", "--host_cxxopt=-DHOSTXX", "--host_conlyopt=-DHC")),
        (0.3, ("--linkopt=-lx", "--linkopt=-Wl,-x -y", "--host_linkopt=-lhost")),
        (0.3, ("--strip=always", "--strip=never", "--strip=sometimes")),
        (0.3, ("--define=mkl=1", "--define=TARGET_CPU=mine")),
        (0.3, ("--features=-opt", "--features=dbg", "--features=-pic", "--features=-random_seed")),
        (0.15, ("--features=-supports_pic", "--features=-include_paths", "--features=opt")),
        (0.15, ("--features=fully_static_link", "--features=-default_compile_flags")),
        (0.3, ("--per_file_copt=//a,-.*2@-DPF", "--per_file_copt=cc$@-DX\\,Y,-O1")),
        (0.2, ("--per_file_copt=@-DALL", "--per_file_copt=b/c.*c$,^a@-DBC")),
        (0.2, ("--force_pic", "--dynamic_mode=off", "--dynamic_mode=fully")),
        (0.15, ("--collect_code_coverage", "--experimental_omitfp", "--nostart_end_lib")),
        (0.2, ("--action_env=CC=clang", "--action_env=BAZEL_CXXOPTS=-std=c++14:-DCXX")),
        (0.1, ("--action_env=BAZEL_LINKOPTS=-lq:-lr", "--action_env=BAZEL_LINKLIBS=-lstdc++")),
        (0.1, ("--platform_suffix=-sfx", "--host_compilation_mode=dbg", "--save_temps")),
        (0.1, ("--custom_malloc=//a:l0",)),
        (0.05, ("--features=-fission_support",)),
        (0.3, ("--fission=yes", "--fission=dbg,fastbuild")),
        (0.4, ("--features=per_object_debug_info",)),
    ]
    if version != "0.24.1":
        choices.append((1.0, ("--incompatible_disable_nocopts=false",)))
    for likely, texts in choices:
        if chance.random() < likely:
            text = chance.choice(texts)
            words += text.split(" ", 1) if text.startswith("-c ") else [text]
    return tuple(words)


class _Writer:
    def __init__(self, chance: random.Random, version: str) -> None:
        self._chance = chance
        self._version = version
        self.labels: list[str] = []
        self._libraries: list[str] = []
        self._outside: list[str] = []
        self.sources: set[tuple[str, str]] = set()

    def package(self, package: str, external: bool = False, load: bool = True) -> str:
        """The text of a BUILD file."""
        chance = self._chance
        where = f"ext/{package}".rstrip("/") if external else package
        repository = "@ext" if external else ""
        lines = ['load("//:macros.bzl", "my_library")\n'] if load and not external else []
        features = f", features = [{chance.choice(_FEATURES)}]" if chance.random() < 0.2 else ""
        lines.append(f'package(default_visibility = ["//visibility:public"]{features})\n')
        lines.append(
            'genrule(name = "gen", outs = ["g.cc", "g.h"], cmd = "")\n'
            'filegroup(name = "files", srcs = ["f1.cc", "f2.c", "f.h"])\n'
        )
        self._need(where, "f1.cc", "f2.c", "f.h", "b.lds")
        for number in range(2 if external else 6):
            name = f"l{number}"
            lines.append(self._library(where, name, external))
            label = f"{repository}//{package}:{name}"
            (self._outside if external else self._libraries).append(label)
            self.labels.append(label)
        for number in range(0 if external else 2):
            lines.append(self._binary(where, f"b{number}", "cc_binary"))
            self.labels.append(f"//{package}:b{number}")
        if not external:
            # A test needs Java's tools for coverage in 0.24.1, which are not to be had.
            kind = "cc_binary" if self._version == "0.24.1" else "cc_test"
            lines.append(self._binary(where, "t", kind))
            self.labels.append(f"//{package}:t")
            tools = "tools" if chance.random() < 0.7 or self._version == "0.24.1" else "exec_tools"
            lines.append(
                f'genrule(name = "uses", outs = ["u"], cmd = "", {tools} = [":b0"])\n'
                'alias(name = "al", actual = ":l0")\n'
            )
        return "".join(lines)

    def _need(self, package: str, *names: str) -> None:
        self.sources.update((package, name) for name in names)

    def _srcs(self, package: str, name: str, least: int) -> str:
        chance = self._chance
        pool = [f"{name}.cc", f"{name}2.cc", f"{name}.c", f"x/{name}.cc", f"{name}.S", f"{name}3.s"]
        pool += ["same/" + pool[0]]
        chosen = chance.sample(pool, chance.randint(least, 3))
        self._need(package, *chosen)
        texts = [f'"{one}"' for one in chosen]
        if chance.random() < 0.15:
            texts.append('":g.cc"')
        if chance.random() < 0.15:
            texts.append('":files"')
        if chance.random() < 0.2:
            ready = [one.format(name) for one in chance.sample(_READY, chance.randint(1, 3))]
            self._need(package, *ready)
            texts += [f'"{one}"' for one in ready]
            chance.shuffle(texts)
        return ", ".join(texts)

    def _attributes(self, package: str, external: bool) -> list[str]:
        chance = self._chance
        found: list[str] = []

        def some(name: str, pool: Sequence[str], likely: float, most: int = 3) -> None:
            if chance.random() < likely:
                picked = [chance.choice(pool) for _ in range(chance.randint(1, most))]
                text = f"{name} = [{', '.join(picked)}]"
                if chance.random() < 0.25 and not external:
                    key = chance.choice(("//:fast", "//:mkl"))
                    text += (
                        f' + select({{"{key}": [{chance.choice(pool)}],'
                        ' "//conditions:default": []})'
                    )
                found.append(text)

        some("copts", _COPTS, 0.5)
        some("defines", _DEFINES, 0.5)
        if self._version != "0.24.1":
            some("local_defines", _DEFINES, 0.2)
        # Bazel refuses the root of the workspace.
        some("includes", [one for one in _INCLUDES if package or one != '"."'], 0.3, 2)
        some("linkopts", _LINKOPTS, 0.4)
        if chance.random() < 0.2:
            found.append(f"features = [{chance.choice(_FEATURES)}, {chance.choice(_FEATURES)}]")
        if chance.random() < 0.1 and not external:
            found.append('toolchains = ["//:vars"]')
            found = [one.replace('"-DA"', '"-D$(MINE)"') for one in found]
        if chance.random() < 0.08:
            found.append(f'nocopts = "{chance.choice(("-D.*", "-O2|-g0", "-f.*"))}"')
        return found

    def _deps(self, most: int, external: bool) -> list[str]:
        known = self._outside if external else [*self._libraries, *self._outside]
        return self._chance.sample(known, min(len(known), self._chance.randint(0, most)))

    def _library(self, package: str, name: str, external: bool) -> str:
        chance = self._chance
        attributes = self._attributes(package, external)
        attributes.append(f"srcs = [{self._srcs(package, name, 0)}]")
        self._need(package, f"{name}.h")
        if chance.random() < 0.7:
            attributes.append(f'hdrs = ["{name}.h"]')
            if chance.random() < 0.2:
                attributes.append(f'include_prefix = "p/{name}"')
        if chance.random() < 0.2:
            attributes.append("linkstatic = 1")
        if chance.random() < 0.2:
            attributes.append("alwayslink = 1")
        if chance.random() < 0.06 and not external:
            self._need(package, f"{name}_stamp.cc")
            attributes.append(f'linkstamp = "{name}_stamp.cc"')
        deps = ", ".join(f'"{label}"' for label in self._deps(3, external))
        attributes.append(f"deps = [{deps}]")
        rule = "my_library" if chance.random() < 0.3 and not external else "cc_library"
        return f'{rule}(name = "{name}", {", ".join(attributes)})\n'

    def _binary(self, package: str, name: str, rule: str) -> str:
        chance = self._chance
        attributes = self._attributes(package, False)
        attributes = [one for one in attributes if "no_such" not in one]
        attributes.append(f"srcs = [{self._srcs(package, name, 1)}]")
        deps = ", ".join(f'"{label}"' for label in self._deps(4, False))
        attributes.append(f"deps = [{deps}]")
        if chance.random() < 0.3:
            attributes.append(f"linkstatic = {chance.randint(0, 1)}")
        if rule == "cc_binary" and name == "b1" and chance.random() < 0.5:
            attributes.append("linkshared = 1")
            name_in_rule = "b1.so"
        else:
            name_in_rule = name
        if chance.random() < 0.1 and self._libraries:
            attributes.append(f'malloc = "{chance.choice(self._libraries)}"')
        text = f'{rule}(name = "{name_in_rule}", {", ".join(attributes)})\n'
        if name_in_rule != name:
            text += f'alias(name = "{name}", actual = ":{name_in_rule}")\n'
        return text


def _write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        at = root / path
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text, encoding="utf-8")
        if path.endswith(".bzl"):
            (at.parent / "BUILD").touch()
    (root / "BUILD").touch()
