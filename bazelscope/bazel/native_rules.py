"""What each native rule makes, compiles and builds for an execution platform: the rows of
`native_rules.txt`, which says where they are from."""

from __future__ import annotations

from bazelscope.bazel.facts.fact import HasNumbers, Table, since, tables
from bazelscope.bazel.release import Release

_FIRST_WITH_EXECUTION = Release.of("4.2.3")
"""The oldest table of rules that lacks which attributes are built for an execution platform."""
_COMPILES_CUDA = since(3)
_CUDA = (".cu", ".cl")
_IN_STARLARK = since(6)


def _table(title: str) -> Table:
    return tables("native_rules")[title]


def is_for_execution(rule: str, attribute: str, table: Release) -> bool:
    """Whether an attribute of a native rule, in the table of some version, is built for an
    execution platform."""
    if (rule, attribute) == ("genrule", "exec_tools"):
        return True
    of_rule = _table("built for an execution platform").get(rule, ())
    return table >= _FIRST_WITH_EXECUTION and attribute in of_rule


def native_outputs(rule: str) -> tuple[str, ...]:
    """The output templates of a native rule; the same in all three measured versions."""
    return _table("implicit outputs").get(rule, ())


def conditional_outputs(rule: str) -> tuple[tuple[frozenset[str], tuple[str, ...]], ...]:
    """Further templates, each with the attributes of which one must be set."""
    words = _table("implicit outputs of attributes").get(rule)
    if words is None:
        return ()
    arrow = words.index("->")
    return ((frozenset(words[:arrow]), words[arrow + 1 :]),)


def names_inputs(rule_class: str, attribute: str) -> bool:
    """Whether an attribute names what rules of the class compile."""
    return attribute in _table("attributes that name what is compiled").get(rule_class, ())


def is_preferred(rule_class: str, file: str, release: HasNumbers) -> bool:
    """Whether a file is compiled by a rule of the class rather than by what uses it before."""
    title = "files that are compiled by the rule itself"
    if _IN_STARLARK.holds(release):
        return file.endswith(_table(f"{title}, in Starlark").get(rule_class, ("\0",)))
    endings = _table(title).get(rule_class, ("\0",))
    if rule_class.startswith("cc_") and _COMPILES_CUDA.holds(release):
        endings += _CUDA
    return file.endswith(endings)
