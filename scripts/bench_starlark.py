"""Measures the Starlark front and back end on a source tree, beside Lark's and CPython's own.

    python scripts/bench_starlark.py TREE

Parsing is compared with Lark driving the same grammar. Execution is compared with CPython
executing the very same files as if they were Python, every package of the tree, with the same
natives, which only record what they are called with. Both execute from compiled code; globs
and the reading of files are left out of both.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType
from typing import Any

from bazelscope import starlark
from bazelscope.base import grammars
from bazelscope.base.errors import StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.starlark import FileKind, LoadStatement, Module, Thread, Value
from bazelscope.starlark.syntax import parser as starlark_parser


def words(text: str) -> list[str]:
    return text.split()


RULES = words(
    """
    aar_import action_listener alias android_binary android_library android_ndk_repository
    android_sdk_repository apple_binary bind cc_binary cc_import cc_library
    cc_libc_top_alias cc_proto_library cc_shared_library cc_test cc_toolchain
    cc_toolchain_suite config_setting constraint_setting constraint_value distribs
    environment environment_group exports_files filegroup genquery genrule java_binary
    java_import java_library java_lite_proto_library java_plugin java_proto_library
    java_runtime java_test java_toolchain label_flag label_setting licenses
    local_repository new_local_repository objc_library package package_group platform
    proto_library py_binary py_library py_runtime py_test register_execution_platforms
    register_toolchains sh_binary sh_library sh_test test_suite toolchain toolchain_type
    workspace
    """
)
NAMESPACES = words(
    """
    apple_common attr cc_common config config_common coverage_common java_common
    platform_common proto_common testing
    """
)
OPAQUE = words(
    """
    AnalysisTestResultInfo CcInfo CcToolchainConfigInfo DefaultInfo JavaInfo
    OutputGroupInfo ProtoInfo PyInfo PyRuntimeInfo RunEnvironmentInfo PACKAGE_NAME
    REPOSITORY_NAME aspect provider repository_rule rule tag_class module_extension
    transition
    """
)


class Recorder:
    """What the natives record: how many rules were declared, and which."""

    def __init__(self) -> None:
        self.rules = 0


RECORDER = Recorder()


class Opaque(Value):
    """A value of which nothing is known; calling it with a name declares a rule.

    It speaks both protocols: Starlark's, and plain Python's for the comparison.
    """

    __slots__ = ()
    starlark_type = "opaque"

    def __call__(self, *args: object, **kwargs: object) -> object:
        if "name" in kwargs:
            RECORDER.rules += 1
        return self

    def get_attr(self, name: str) -> object:
        return self

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def iterate(self) -> Iterable[object]:
        return ()

    def index(self, key: object) -> object:
        return self

    def __getitem__(self, key: object) -> object:
        return self

    def binary(self, op: str, other: object, reflected: bool) -> object:
        return other if isinstance(other, list) else self

    def __add__(self, other: object) -> object:
        return other if isinstance(other, list) else self

    __radd__ = __add__

    def length(self) -> int:
        return 0

    def __len__(self) -> int:
        return 0

    def truth(self) -> bool:
        return True


OPAQUE_VALUE = Opaque()


class Select(Opaque):
    """A select(), or a sum with one in it."""

    __slots__ = ("parts",)
    starlark_type = "select"

    def __init__(self, parts: tuple[object, ...]) -> None:
        self.parts = parts

    def binary(self, op: str, other: object, reflected: bool) -> object:
        return Select((other, self) if reflected else (self, other))

    def __add__(self, other: object) -> object:
        return Select((self, other))

    def __radd__(self, other: object) -> object:
        return Select((other, self))


class Struct(Value):
    """struct(...), in both protocols."""

    __slots__ = ("__dict__",)
    starlark_type = "struct"

    def __init__(self, **fields: object) -> None:
        self.__dict__.update(fields)

    def get_attr(self, name: str) -> object:
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(name) from None


class Native(Value):
    """The module `native`, in both protocols."""

    __slots__ = ("__dict__",)
    starlark_type = "native"

    def __init__(self, members: dict[str, object]) -> None:
        self.__dict__.update(members)

    def get_attr(self, name: str) -> object:
        return self.__dict__.get(name, OPAQUE_VALUE)

    def __getattr__(self, name: str) -> object:
        return OPAQUE_VALUE


def record(*args: object, **kwargs: object) -> None:
    RECORDER.rules += 1


def natives(make_list: Callable[[Iterable[Any]], Any]) -> dict[str, object]:
    """The names that build files find, but for the universal ones."""
    found: dict[str, object] = dict.fromkeys(RULES, record)
    found.update(dict.fromkeys([*NAMESPACES, *OPAQUE], OPAQUE_VALUE))
    found.update(
        glob=lambda *args, **kwargs: make_list(()),
        select=lambda branches, **kwargs: Select((branches,)),
        struct=Struct,
        Label=lambda label: label,
        depset=lambda *args, **kwargs: OPAQUE_VALUE,
        existing_rule=lambda name: None,
        existing_rules=lambda: {},
        package_name=lambda: "",
        repository_name=lambda: "@",
    )
    found["native"] = Native(dict(found))
    return found


def build_files(root: Path) -> list[Path]:
    return sorted(
        path
        for path in root.rglob("BUILD*")
        if path.name in ("BUILD", "BUILD.bazel") and path.is_file()
    )


def all_files(root: Path) -> list[Path]:
    extensions = sorted(path for path in root.rglob("*.bzl") if path.is_file())
    return [*build_files(root), *extensions]


def kind_of(path: Path) -> FileKind:
    return FileKind.BZL if path.suffix == ".bzl" else FileKind.BUILD


def resolve_label(root: Path, importer: str, label: str) -> str | None:
    """The file of a load in the tree itself; None for other repositories."""
    label = label.removeprefix("@org_tensorflow").removeprefix("@")
    if not label.startswith("//") and "//" in label:
        return None
    if label.startswith("//"):
        package, _, name = label[2:].partition(":")
        path = f"{package}/{name}" if name else package
    else:
        folder = importer.rpartition("/")[0]
        path = f"{folder}/{label.lstrip(':')}"
    path = path.lstrip("/")
    return path if (root / path).is_file() else None


# ---- Ours


class StarlarkRun:
    """Executes every package with bazelscope's runtime, from a program cache."""

    def __init__(self, root: Path, cache: starlark.ProgramCache) -> None:
        self.root = root
        self.cache = cache
        self.predeclared = {**starlark.universe(), **natives(starlark.List)}
        self.names = frozenset(self.predeclared)
        self.modules: dict[str, Module] = {}
        self.sources: dict[str, SourceFile] = {}
        self.errors: list[str] = []

    def read(self) -> None:
        for path in all_files(self.root):
            name = path.relative_to(self.root).as_posix()
            self.sources[name] = SourceFile(name, path.read_text(encoding="utf-8"))

    def jobs(self) -> list[tuple[SourceFile, FileKind, frozenset[str]]]:
        return [(s, kind_of(Path(s.path)), self.names) for s in self.sources.values()]

    def program(self, name: str, kind: FileKind) -> starlark.Program:
        return starlark.load_program(self.sources[name], kind, self.names, self.cache)

    def load(self, statement: LoadStatement) -> Module:
        importer = statement.location.path
        name = resolve_label(self.root, importer, statement.module)
        if name is None or name not in self.sources:
            values: dict[str, object] = {
                exported: OPAQUE_VALUE for _, exported in statement.bindings
            }
            return Module(statement.module, values, {})
        module = self.modules.get(name)
        if module is None:
            program = self.program(name, FileKind.BZL)
            module = starlark.execute(program, self.predeclared, self.load, Thread())
            self.modules[name] = module
        return module

    def execute_all(self) -> None:
        for path in build_files(self.root):
            name = path.relative_to(self.root).as_posix()
            try:
                program = self.program(name, FileKind.BUILD)
                starlark.execute(
                    program, self.predeclared, self.load, Thread(),
                    lambda error: self.errors.append(str(error)),
                )  # fmt: skip
            except StarlarkError as error:
                self.errors.append(str(error))


# ---- CPython's own


class PlainRun:
    """Executes every package as if it were Python."""

    def __init__(self, root: Path, sources: dict[str, SourceFile]) -> None:
        self.root = root
        self.sources = sources
        self.codes: dict[str, CodeType] = {}
        self.modules: dict[str, dict[str, Any]] = {}
        self.errors: list[str] = []
        self.base: dict[str, Any] = {
            name: getattr(__builtins__, name)
            for name in words(
                "all any bool dict dir enumerate getattr hasattr hash int len list max min"
                " range repr reversed sorted str tuple zip"
            )
        }
        self.base.update(
            natives(list), print=lambda *args, **kwargs: None, fail=self.fail,
            type=lambda value: type(value).__name__.replace("str", "string"),
        )  # fmt: skip

    @staticmethod
    def fail(*args: object, **kwargs: object) -> None:
        raise ValueError(args)

    def compile_all(self) -> None:
        for name, source in self.sources.items():
            self.codes[name] = compile(source.text, name, "exec")

    def run(self, name: str) -> dict[str, Any]:
        scope = dict(self.base)
        scope["__builtins__"] = {}

        def load(label: str, *names: str, **renamed: str) -> None:
            file = resolve_label(self.root, name, label)
            found: dict[str, Any] = {}
            if file is not None and file in self.codes:
                if file not in self.modules:
                    self.modules[file] = self.run(file)
                found = self.modules[file]
            for exported in names:
                scope[exported] = found.get(exported, OPAQUE_VALUE)
            for local, exported in renamed.items():
                scope[local] = found.get(exported, OPAQUE_VALUE)

        scope["load"] = load
        exec(self.codes[name], scope)
        return scope

    def execute_all(self) -> None:
        for path in build_files(self.root):
            name = path.relative_to(self.root).as_posix()
            try:
                self.run(name)
            except Exception as error:
                self.errors.append(f"{name}: {error!r}")


def timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def parse_with_lark(sources: Iterable[SourceFile], positions: bool) -> None:
    """Lark's own lexer and parser on the same grammar, layout left to a post-lexer."""
    from lark.indenter import Indenter

    class Layout(Indenter):
        NL_type = "_NEWLINE"
        OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]  # noqa: RUF012
        CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 8

    from lark import Lark

    text = grammars.text("starlark").replace(
        "%declare _NEWLINE _INDENT _DEDENT",
        "_NEWLINE: /(\\r?\\n[ \\t]*(#[^\\n]*)?)+/\n%declare _INDENT _DEDENT",
    )
    text = text.replace("file: statement*", "file: (_NEWLINE | statement)*")
    parser = Lark(
        text, parser="lalr", start="file", postlex=Layout(), propagate_positions=positions
    )
    for source in sources:
        parser.parse(source.text + "\n")


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    root = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        cache = starlark.ProgramCache(Path(folder) / "programs")
        ours = StarlarkRun(root, cache)
        ours.read()
        size = sum(len(source.text) for source in ours.sources.values()) / 1e6
        count = len(ours.sources)
        print(f"{root}: {count} files, {size:.2f} MB")

        starlark_parser.prepare()
        seconds = timed(
            lambda: [starlark.parse(s, kind_of(Path(s.path))) for s in ours.sources.values()]
        )
        print(f"parse, with positions       {seconds:6.2f} s  {size / seconds:6.2f} MB/s")
        for positions in (False, True):
            what = "with" if positions else "without"
            lark = timed(
                lambda positions=positions: parse_with_lark(ours.sources.values(), positions)
            )
            print(
                f"  Lark, {what:7} positions   {lark:6.2f} s  {size / lark:6.2f} MB/s"
                f"  ours is {lark / seconds:.1f} times as fast"
            )

        made = 0

        def warm() -> None:
            nonlocal made
            made = starlark.warm(ours.jobs(), cache)

        seconds = timed(warm)
        print(
            f"compile cold, all cores     {seconds:6.2f} s  {size / seconds:6.2f} MB/s"
            f"  ({made} of {count} compile)"
        )
        plain = PlainRun(root, ours.sources)
        seconds = timed(plain.compile_all)
        print(f"  CPython, one core         {seconds:6.2f} s  {size / seconds:6.2f} MB/s")

        best_plain = best_ours = float("inf")
        for _ in range(3):
            RECORDER.rules = 0
            plain.modules.clear()
            plain.errors.clear()
            best_plain = min(best_plain, timed(plain.execute_all))
            plain_rules = RECORDER.rules
            RECORDER.rules = 0
            ours.modules.clear()
            ours.errors.clear()
            best_ours = min(best_ours, timed(ours.execute_all))
        packages = len(build_files(root))
        print(
            f"execute from cached code    {best_ours:6.2f} s  {RECORDER.rules} rules,"
            f" {packages} packages, {len(ours.errors)} errors"
        )
        print(
            f"  CPython, in memory        {best_plain:6.2f} s  {plain_rules} rules,"
            f" {len(plain.errors)} errors"
        )
        print(f"  ratio                     {best_ours / best_plain:6.2f}")
        for error in [*ours.errors[:5], *plain.errors[:5]]:
            print("  ", error)


if __name__ == "__main__":
    main()
