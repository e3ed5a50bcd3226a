"""What `ctx.actions` refuses of arguments that are of the right types, in Bazel's words.

Bazel: `StarlarkActionFactory`, `StarlarkRuleConfiguredTargetUtil`, `OutputArtifact`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Mapping

from bazelscope import starlark
from bazelscope.analysis.rules.files import FileValue
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.builtin_tables import BuiltinTable
from bazelscope.loading.evaluation.values.builtin_calls import (
    check_dict,
    check_elements,
    kinds_of,
    shown_kind,
)
from bazelscope.loading.evaluation.values.depsets import Depset, elements_of
from bazelscope.loading.evaluation.values.structs import Struct

_TEXTS = ("string", "string")
_DICTS = ("env", "execution_requirements", "substitutions")
_MNEMONIC = lazy_pattern(r"[A-Za-z0-9]+")
_OF_ANALYSIS_TEST = (
    "implementation function of a rule with analysis_test=true may not register actions. Analysis"
    " test rules may only return success/failure information via AnalysisTestResultInfo."
)
_EXEC_GROUP = (
    "in call to {}(), parameter 'exec_group' is experimental and thus unavailable with the current"
    " flags. It may be enabled by setting --experimental_exec_groups"
)
_TOOLS_IN_INPUTS = (
    "Found tool(s) '{}' in inputs. A tool is an input with executable=True set. All tools should be"
    " passed using the 'tools' argument instead of 'inputs' in order to make their runfiles"
    " available to the action. This safety check will not be performed once the action is modified"
    " to take a 'tools' argument. To temporarily disable this check, set"
    " --incompatible_no_support_tools_in_action_inputs=false."
)
_NO_LINK = (
    'symlink() with "target_path" param requires that "output" be declared as a symlink, not a {}'
    " (did you mean to use declare_symlink() instead of declare_file()?)"
)
_LINK_TO_REGULAR_FILE = (
    'symlink() with "target_file" param requires that "output" be declared as a regular file, not'
    " a symlink (did you mean to use declare_file() instead of declare_symlink()?)"
)
_LINK_TO_FILE = (
    'symlink() with "target_file" param requires that "output" be declared as a file or directory,'
    " not a symlink (did you mean to use declare_file() or declare_directory() instead of"
    " declare_symlink()?)"
)
_LINK_TO_OTHER = (
    'symlink() with "target_file" {0} param requires that "output" be declared as a {0} (did you'
    " mean to use declare_{0}() instead of declare_{1}()?)"
)
_NO_ACTION = "The following files have no generating action:\n"


def check_action(
    kind: str, given: Mapping[str, object], table: BuiltinTable, is_of_analysis_test: bool
) -> None:
    """Fails if an action cannot be registered that is given these arguments."""
    if kind in ("run", "run_shell"):
        _check_command(given, table)
    if kind == "symlink":
        _check_symlink(given, table)
    for name in _DICTS:
        check_dict(name, given.get(name), _TEXTS)
    check_elements("inputs", given.get("inputs"), "File")
    if is_of_analysis_test:
        starlark.fail_with(_OF_ANALYSIS_TEST)


def _check_command(given: Mapping[str, object], table: BuiltinTable) -> None:
    outputs = given.get("outputs")
    check_elements("outputs", outputs, "File")
    if isinstance(outputs, list | tuple) and not outputs:
        starlark.fail_with("param 'outputs' may not be empty")
    program = given.get("executable")
    if isinstance(program, Struct) and program.fields.get("executable", program) is None:
        starlark.fail_with("The target does not have an executable")
    if isinstance(given.get("command"), list | tuple) and given.get("arguments"):
        starlark.fail_with("'arguments' must be empty if 'command' is a sequence of strings")
    mnemonic = given.get("mnemonic")
    if isinstance(mnemonic, str) and not _MNEMONIC.fullmatch(mnemonic):
        starlark.fail_with(
            "mnemonic must only contain letters and/or digits, and have non-zero length, was:"
            f' "{mnemonic}"'
        )
    tools = given.get("tools")
    for tool in elements_of(tools) if isinstance(tools, list | tuple | Depset) else ():
        kinds = kinds_of(tool)
        wanted = {"File", "FilesToRunProvider", *(() if table.is_exact else ("depset",))}
        if kinds and wanted.isdisjoint(kinds):
            starlark.fail_with(
                "expected value of type 'File or FilesToRunProvider' for a member of parameter"
                f" 'tools' but got {shown_kind(tool)} instead"
            )
    check_elements("runfiles suppliers", given.get("input_manifests"), "RunfilesSupplier")


def check_no_tools(inputs: object, programs: frozenset[FileValue]) -> None:
    """Fails if one of `programs` is among the inputs of an action, which are then tools."""
    if not programs or not isinstance(inputs, list | tuple | Depset):
        return
    tools = [one for one in elements_of(inputs) if isinstance(one, FileValue) and one in programs]
    if tools:
        starlark.fail_with(_TOOLS_IN_INPUTS.format(", ".join(str(one.path) for one in tools)))


def _check_symlink(given: Mapping[str, object], table: BuiltinTable) -> None:
    if not table.has_symlinks:
        return
    if (given.get("target_file") is None) == (given.get("target_path") is None):
        starlark.fail_with('Exactly one of "target_file" and "target_path" is required')


def check_link(
    given: Mapping[str, object], links: Collection[FileValue], knows_directories: bool
) -> None:
    """Fails if `output` of a symlink is not declared as what it becomes: one of `links`, which
    point to a path, or what `target_file` is. Bazel: `StarlarkActionFactory.symlink`."""
    output, target = given.get("output"), given.get("target_file")
    if not isinstance(output, FileValue):
        return
    if target is None:
        if output not in links:
            starlark.fail_with(
                _NO_LINK.format("file or directory" if knows_directories else "regular file")
            )
        if given.get("is_executable") is True:
            starlark.fail_with('"is_executable" cannot be True when using "target_path"')
    elif output in links:
        starlark.fail_with(_LINK_TO_FILE if knows_directories else _LINK_TO_REGULAR_FILE)
    elif knows_directories and isinstance(target, FileValue):
        wanted, made = ("directory" if one.is_directory else "file" for one in (target, output))
        if wanted != made:
            starlark.fail_with(_LINK_TO_OTHER.format(wanted, made))


def check_exec_group(
    kind: str, given: Mapping[str, object], has_groups: bool, groups: frozenset[str] | None
) -> None:
    """Fails if an action is for an execution group where there are none, or is not one of the
    rule's `groups` (None: these are not known)."""
    if not has_groups and "exec_group" in given:
        starlark.fail_with(_EXEC_GROUP.format(kind))
    named = given.get("exec_group")
    if groups is not None and isinstance(named, str) and named not in groups:
        starlark.fail_with(f"Action declared for non-existent exec group '{named}'.")


def place_of(directory: str, name: str, package: str, label: str, what: str) -> str:
    """Where a file is that an implementation declares: below its package, or it fails."""
    inside = posixpath.normpath(posixpath.join(directory, name))
    inside = "" if inside == "." else inside
    if package and not (inside == package or inside.startswith(f"{package}/")):
        starlark.fail_with(
            f"the output {what} '{inside}' is not under package directory '{package}' for target"
            f" '{label}'"
        )
    return inside


def check_all_made(files: Iterable[FileValue], made: Iterable[FileValue]) -> None:
    """Fails if there is a file that no action makes."""
    known = {(one, one.is_directory) for one in made}
    lacking = sorted({one.inside for one in files if (one, one.is_directory) not in known})
    if lacking:
        starlark.fail_with(_NO_ACTION + "\n".join(lacking))
