"""What rules of no language refuse.

Bazel: `GenRuleBase`, `ShBinary`, `TestSuite`, `ProtoLangToolchain`, `ConfigFeatureFlag`,
`RuleConfiguredTargetBuilder`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope import starlark
from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, Taken
from bazelscope.analysis.configuration.build_settings import FEATURE_FLAG
from bazelscope.analysis.graph.configured_graph import AskedByRule
from bazelscope.analysis.refusals.native_rules.configured_rule import Check, ConfiguredRule, Problem
from bazelscope.analysis.refusals.native_rules.texts import command_attribute
from bazelscope.analysis.refusals.refusal import RefusalKind
from bazelscope.bazel.attribute_types import labels_in

_YES = Taken.YES
_MOST_SHARDS = 50


def _of_genrule(rule: ConfiguredRule) -> Iterator[Problem]:
    if not rule.rule.outputs and not rule.may_hold_unknown():
        yield Problem("Genrules without outputs don't make sense", "outs")
    if command_attribute(rule) is None:
        message = "missing value for `cmd` attribute, you can also set `cmd_ps` or `cmd_bat` on"
        message += " Windows and `cmd_bash` on other platforms"
        yield Problem(message, "cmd", RefusalKind.MANDATORY)
    if rule.is_on("executable") and len(rule.rule.outputs) > 1:
        message = "if genrules produce executables, they are allowed only one output"
        yield Problem(message, "executable")


def _of_test_suite(rule: ConfiguredRule) -> Iterator[Problem]:
    for edge in rule.edges("tests"):
        kind = rule.class_of(edge.target)
        may_be_test = kind is not None and (
            not kind.is_known or kind.is_test or kind.name == "test_suite"
        )
        if edge.taken is _YES and not may_be_test and kind is not None:
            message = f"expecting a test or a test_suite rule but '{edge.target.label}' is not one"
            yield Problem(message, "tests", RefusalKind.MISPLACED)


def _of_proto_toolchain(rule: ConfiguredRule) -> Iterator[Problem]:
    """A native rule that is no proto_library stands where one is wanted. Bazel names the
    toolchain and not the rule."""
    if not rule.configuration.is_on("incompatible_blacklisted_protos_requires_proto_info"):
        return
    if any(_is_no_proto(rule, edge) for edge in rule.edges("blacklisted_protos")):
        message = f"'{rule.label}' does not have mandatory provider 'ProtoInfo'."
        yield Problem(message, "blacklisted_protos", RefusalKind.MISSING_PROVIDER)


def _is_no_proto(rule: ConfiguredRule, edge: ConfiguredEdge) -> bool:
    kind = rule.class_of(edge.target)
    if edge.taken is not _YES or kind is None or not kind.is_known or kind.defined_at:
        return False  # A file is misplaced there.
    return kind.name != "proto_library"


def _of_script(rule: ConfiguredRule) -> Iterator[Problem]:
    files = rule.files("srcs")
    number = rule.least_files("srcs") if files is None else len(files)
    if number > 1 or (files is not None and number == 0):
        yield Problem("you must specify exactly one file in 'srcs'", "srcs")


def _of_genquery(rule: ConfiguredRule) -> Iterator[Problem]:
    """What is wrong with the question is for who knows the language to say."""
    check, expression = rule.graph.check_genquery, rule.text("expression")
    if check is None or expression is None or rule.may_hold_unknown():
        return
    labels = tuple(labels_in(rule.value("scope")))
    is_strict = rule.value("strict") in (None, True, 1)
    asked = AskedByRule(expression, rule.texts("opts"), labels, is_strict)
    problem = check(rule.graph.graph, rule.configuration, asked)
    if problem is not None:
        yield Problem(problem)


def _of_feature_flag(rule: ConfiguredRule) -> Iterator[Problem]:
    """Measured: 4.2.3."""
    name, default = "allowed_values", rule.value("default_value")
    given = rule.value(name)
    if not isinstance(given, tuple) or not all(isinstance(one, str) for one in given):
        return
    values = list(dict.fromkeys(given))
    repeated = [one for one in values if given.count(one) > 1]
    if not given:
        yield Problem("attribute must be non empty", name)
        return
    if repeated:
        shown = starlark.repr_of(repeated)
        yield Problem(f"cannot contain duplicates, but contained multiple of {shown}", name)
    if not rule.is_written("default_value"):
        if rule.configuration.is_top:  # No transition has set it.
            yield Problem("flag has no default and must be set, but was not set")
    elif isinstance(default, str) and default not in values:
        message = f"must be one of {starlark.repr_of(values)}, but was {starlark.repr_of(default)}"
        yield Problem(message, "default_value")


def of_test(rule: ConfiguredRule) -> Iterator[Problem]:
    """Yields what is refused of a test of any language, a Starlark one too."""
    shards = rule.value("shard_count") if rule.is_written("shard_count") else None
    if not isinstance(shards, int):
        return
    if shards < 0:
        yield Problem("Must not be negative.", "shard_count")
    elif shards > _MOST_SHARDS:
        message = "Having more than 50 shards is indicative of poor test organization."
        yield Problem(f"{message} Please reduce the number of shards.", "shard_count")


CHECKS: Mapping[str, Check] = {
    FEATURE_FLAG: _of_feature_flag,
    "genquery": _of_genquery,
    "genrule": _of_genrule,
    "proto_lang_toolchain": _of_proto_toolchain,
    "sh_binary": _of_script,
    "sh_test": _of_script,
    "test_suite": _of_test_suite,
}
