"""Texts of Bazel's own rules that do not expand, or that a shell would not read.

Bazel: `LocationExpander`, `TemplateExpander`, `ShellUtils.tokenize`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode, Taken
from bazelscope.analysis.configuration.toolchain_flags import finds_toolchains, names_crosstool
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.refusals.native_rules.configured_rule import ConfiguredRule, Problem
from bazelscope.analysis.refusals.refusal import RefusalKind
from bazelscope.analysis.rules.files import FileValue
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, parse_label
from bazelscope.bazel.native_texts import (
    OF_TOOLCHAINS,
    PROGRAM_TEXTS,
    Expanded,
    TemplateError,
    expanded_attributes,
    files_shown,
    location_functions,
    references,
    tokenize,
)

_SCRIPTS = ("sh_binary", "sh_test")
_OF_EVERY_RULE = frozenset({"TARGET_CPU", "COMPILATION_MODE", "BINDIR", "GENDIR"})
_OF_OLD_GENRULES = frozenset({"AR", "CC", "CC_FLAGS", "NM", "OBJCOPY", "STRIP"})
"""Of a toolchain for C++, which old releases give every genrule. Measured: 0.24.1."""
_CC_TOOLCHAIN = "cc_toolchain_alias"
_OF_CC_TOOLCHAINS = OF_TOOLCHAINS - {
    *("ANDROID_CPU", "CC_FLAGS", "JAVA", "JAVABASE", "JAVAC", "JAVA_TRANSLATIONS"),
    *("PROTOC", "PYTHON2", "PYTHON3"),
}
"""What the toolchain that Bazel makes for C++ may define. Measured: 2.1.0, 4.2.3; in 0.24.1, every
genrule has CC_FLAGS."""
_OF_GENRULES = frozenset({"SRCS", "OUTS", "@D", "RULEDIR", "@", "<"})
_OF_EXTRA_ACTIONS = frozenset({"ACTION_ID", "EXTRA_ACTION_FILE", "OWNER_LABEL_DIGEST"})
_EXTRA_ACTION = "extra_action"
_WITHOUT_TOOLCHAINS = (_EXTRA_ACTION, *_SCRIPTS)
_TOOLCHAINS = "$toolchains"
"""A private attribute whose targets may define variables. Bazel: `RuleContext`."""
_OUTPUT = "output"
"""A function of extra actions, for the files that they are asked to write."""
_TOOLS = ("tools", "exec_tools", "toolchains")
_WITH_PROGRAMS = ("data", "deps")
"""Attributes of which a program stands for all that is built. Bazel: `LocationExpander`."""
_UNSPLIT = "no_copts_tokenization"
_COMMANDS = ("cmd_ps", "cmd_bat", "cmd_bash", "cmd")


def unexpanded(rule: ConfiguredRule) -> Iterator[Problem]:
    """Yields what is wrong with the first text of each attribute with which something is."""
    command = command_attribute(rule) if rule.name == "genrule" else None
    expanded = expanded_attributes(rule.name, rule.release)
    if rule.rule.rule_class.defined_at:
        expanded = PROGRAM_TEXTS
    for attribute, how in expanded.items():
        if command is not None and attribute != command:
            continue
        if attribute == "copts" and _is_one_word(rule):
            how = how._replace(is_split=False)
        problems = (_of_text(rule, text, how) for text in rule.texts(attribute))
        message = next(filter(None, problems), "")
        if message:
            yield Problem(message, attribute, RefusalKind.EXPANSION)


def _is_one_word(rule: ConfiguredRule) -> bool:
    """Whether each option of a rule stands for itself, whatever blanks it has."""
    asked = (*rule.texts("features"), *rule.configuration.value("features").values)
    package = rule.graph.graph.source.package(rule.label.package_id)
    return _UNSPLIT in asked or _UNSPLIT in getattr(package, "features", ())


def command_attribute(rule: ConfiguredRule) -> str | None:
    """Returns the attribute that has the command of a genrule on this machine; None if none has.
    Bazel: `GenRuleBase.determineCommandAttribute`."""
    names = _COMMANDS if rule.configuration.host.os == "windows" else _COMMANDS[2:]
    return next((name for name in names if rule.is_written(name)), None)


def _of_text(rule: ConfiguredRule, text: str, how: Expanded) -> str:
    try:
        for name, argument in references(text, how.is_lenient) if "$" in text else ():
            if argument is None:
                message = _of_variable(rule, name)
            elif name in location_functions(rule.release) and how.locations:
                message = _of_location(rule, name, argument, how)
            elif rule.name == _EXTRA_ACTION and name == _OUTPUT:
                message = ""
            else:
                message = f"$({name}) not defined"
            if message:
                return message
        words = 1 if not how.is_split else len(tokenize(text))
    except TemplateError as error:
        return str(error)
    if how.is_one_word and words != 1 and "$" not in text:
        if not words:
            return "empty definition not allowed"
        return f"definition contains too many tokens (found {words}, expecting exactly one)"
    return ""


def _of_variable(rule: ConfiguredRule, name: str) -> str:
    is_genrule = rule.name == "genrule"
    if is_genrule and name == "@" and len(rule.rule.outputs) > 1:
        return "variable '$@' : more than one output file"
    if is_genrule and name == "<":
        files = rule.files("srcs")
        if files is not None and len(files) != 1:
            amount = "more than one" if files else "no"
            return f"variable '$<' : {amount} input file"
    if name == "RULEDIR" and not rule.configuration.release.genrules_have_ruledir:
        return f"$({name}) not defined"
    if name in _OF_EVERY_RULE or (is_genrule and name in _OF_GENRULES):
        return ""
    if rule.name == _EXTRA_ACTION and name in _OF_EXTRA_ACTIONS:
        return ""
    if rule.configuration.define(name) is not None:
        return ""
    if rule.value("toolchains"):
        defined = _of_toolchains(rule)
        if defined is None or name in defined:
            return ""
    release = rule.configuration.release
    kind = rule.rule.rule_class
    if kind.defined_at and (kind.toolchains or _TOOLCHAINS in kind.attributes):
        return ""  # What implements them may define it.
    is_sure = bool(kind.defined_at) or rule.name in _WITHOUT_TOOLCHAINS
    is_sure = is_sure or (
        is_genrule
        and (
            release.genrules_name_toolchains
            or (release.genrules_have_few_variables and name not in _OF_OLD_GENRULES)
        )
    )
    if name in OF_TOOLCHAINS and not is_sure:
        return ""  # Toolchains may define it, which depends on the rule and the release.
    if not is_genrule and rule.name not in _SCRIPTS and names_crosstool(rule.configuration):
        return ""  # A toolchain of the workspace's own may define variables.
    return f"$({name}) not defined"


def _of_toolchains(rule: ConfiguredRule) -> frozenset[str] | None:
    """The variables that the rule's `toolchains` may define; None where nobody can tell.
    Bazel: `TemplateVariableInfo`."""
    names: set[str] = set()
    if rule.targets("toolchains") is None:
        return None
    for edge in rule.edges("toolchains"):
        kind = rule.graph.graph.shape(edge.target.label).rule_class
        if kind is not None and kind.name == _CC_TOOLCHAIN and not kind.defined_at:
            if names_crosstool(rule.configuration) or finds_toolchains(rule.configuration):
                return None
            names |= _OF_CC_TOOLCHAINS
            continue
        if kind is not None and kind.name == "toolchain_type":
            return None
        variables = rule.variables_of(edge.target)
        if variables is None:
            return None
        names |= variables
    return frozenset(names)


def _of_location(rule: ConfiguredRule, function: str, argument: str, how: Expanded) -> str:
    base = rule.label.package_id
    is_plural = function.endswith("s")
    shown = "$(locations)" if is_plural else "$(location)"
    if "$" in argument:
        return ""
    try:
        mapping = rule.graph.graph.source.context.mapping_of(base.repository)
        label = parse_label(argument, base, mapping)
    except LabelError as error:
        return f"invalid label in {shown} expression: {error.reason}"
    if label in rule.rule.outputs:
        return ""
    release = rule.configuration.release
    is_behind = release.locations_are_behind_aliases

    def behind(node: ConfiguredNode) -> Label | None:
        return behind_aliases(rule.graph, node).label if is_behind else None

    files: tuple[FileValue, ...] = ()
    has_many = is_there = False
    for edge in rule.edges(*how.locations):
        if label not in (edge.target.label, behind(edge.target)):
            continue
        is_there = True
        if edge.taken is not Taken.YES or _may_be_program(rule, edge):
            return ""
        had = rule.files_of(edge.target)
        if had is None and not rule.has_many_files(edge.target):
            return ""
        has_many = has_many or had is None
        files = max(files, had or (), key=len)
    if not is_there and rule.may_hold_unknown():
        return ""  # It may stand in a glob() that nobody can tell.
    if not is_there:
        return f"label '{label}' in {shown} expression is not a declared prerequisite of this rule"
    if not files and not has_many:
        return f"label '{label}' in {shown} expression expands to no files"
    if is_plural or not (has_many or len(files) > 1):
        return ""
    message = (
        f"label '{label}' in {shown} expression expands to more than one file,"
        f" please use $(locations {label}) instead"
    )
    if has_many:
        return message
    is_short = function.startswith("root") or (how.is_run_with and function.startswith("loc"))
    return message + files_shown([file.short_path if is_short else file.path for file in files])


def _may_be_program(rule: ConfiguredRule, edge: ConfiguredEdge) -> bool:
    """Whether a dependency may be expanded to its program alone, whatever else it is built to."""
    of = rule.class_of(edge.target)
    if of is not None and rule.configuration.is_on("incompatible_locations_prefers_executable"):
        return of.is_executable or of.is_test or of.name == "genrule" or not of.is_known
    if edge.edge.attribute not in (*_TOOLS, *_WITH_PROGRAMS):
        return False
    return of is not None and (of.is_executable or of.is_test or not of.is_known)
