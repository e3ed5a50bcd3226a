"""What rules for Python refuse. Bazel: `PyCommon`, `BazelPythonSemantics`, `PyRuntime`; since 7
`py_executable.bzl`, `py_runtime_rule.bzl`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.analysis.refusals.native_rules.configured_rule import Check, ConfiguredRule, Problem
from bazelscope.analysis.refusals.native_rules.paths import leads_above
from bazelscope.base.label import Label

_ENDING = ".py"


def _of_library(rule: ConfiguredRule) -> Iterator[Problem]:
    # They are seen from the folder of all runfiles, where each repository has one of its own.
    below = f"repository/{rule.label.package}"
    for text in rule.texts("imports"):
        if "$" not in text and not text.startswith("/") and leads_above(below, text):
            yield Problem(f"Path {text} references a path above the execution root", "imports")


def _of_program(rule: ConfiguredRule) -> Iterator[Problem]:
    yield from _of_library(rule)
    if not rule.value("main_module"):
        yield from _of_main_file(rule)


def _of_main_file(rule: ConfiguredRule) -> Iterator[Problem]:
    main = rule.value("main")
    is_given = isinstance(main, Label)
    wanted = main.name if isinstance(main, Label) else rule.label.name + _ENDING
    if is_given and not wanted.endswith(_ENDING):
        yield Problem("main must end in '.py'", "main")
    if not is_given and rule.label.name.endswith(_ENDING):
        yield Problem("name must not end in '.py'", "name")
    files = rule.files("srcs")
    if files is None:
        return
    fitting = [file for file in files if f"/{file.inside}".endswith(f"/{wanted}")]
    if not fitting:
        if is_given:
            yield Problem(f"could not find '{wanted}' as specified by 'main' attribute", "main")
        else:
            yield Problem(f"corresponding default '{wanted}' does not appear in srcs", "srcs")
    elif len(fitting) > 1:
        first, second = (file.inside for file in fitting[:2])
        if is_given:
            message = f"file name '{wanted}' specified by 'main' attribute matches multiple files:"
            yield Problem(f"{message} e.g., '{first}' and '{second}'", "srcs")
        else:
            message = f"default main file name '{wanted}' matches multiple files.  Perhaps specify"
            message += " an explicit file with 'main' attribute?  Matches were:"
            yield Problem(f"{message} '{first}' and '{second}'", "srcs")


def _is_of_windows(rule: ConfiguredRule, path: str) -> bool:
    """Whether a path begins with a drive, which is absolute where Bazel runs on Windows; since the
    rules are in Starlark, everywhere. Measured on Linux: 4.2.3 refuses it."""
    is_one = rule.release.python_rules_in_starlark or rule.configuration.host.os == "windows"
    return is_one and path[1:2] == ":" and len(path) > len("C:")


def _of_runtime(rule: ConfiguredRule) -> Iterator[Problem]:
    is_built = rule.value("interpreter") is not None
    path = rule.text("interpreter_path") or ""
    if rule.may_hold_unknown():
        return
    if is_built == bool(path):
        names = "'interpreter' or 'interpreter_path'"
        yield Problem(f"exactly one of the {names} attributes must be specified")
    if not is_built and rule.files("files"):
        yield Problem("if 'interpreter_path' is given then 'files' must be empty")
    if not is_built and not path.startswith("/") and not _is_of_windows(rule, path):
        yield Problem("must be an absolute path.", "interpreter_path")
    version = rule.value("python_version")
    uses_toolchains = rule.configuration.is_on("incompatible_use_python_toolchains")
    if uses_toolchains and version == "_INTERNAL_SENTINEL":
        message = "When using Python toolchains, this attribute must be set explicitly to either"
        yield Problem(f"{message} 'PY2' or 'PY3'.", "python_version")


CHECKS: Mapping[str, Check] = {
    "py_binary": _of_program,
    "py_library": _of_library,
    "py_runtime": _of_runtime,
    "py_test": _of_program,
}
