"""Under which names, and in which order, Bazel writes the attributes of a rule.

A rule class keeps its attributes in the order of their definition: what every rule has first,
then its own.
"""

from __future__ import annotations

from bazelscope.loading.packages.targets import Rule


def attribute_names(rule: Rule) -> list[str]:
    """The names of all attributes of a rule's class, as Bazel has them and in its order.

    The private `_x` of a Starlark rule is Bazel's `$x`. Of a class that is not known there is
    what every rule has, and what the rule was given.
    """
    kind = rule.rule_class
    if not kind.is_known:
        return list(dict.fromkeys((*kind.attributes, *rule.attributes)))
    if not kind.defined_at:
        return list(kind.attributes)
    return [f"${name[1:]}" if name.startswith("_") else name for name in kind.attributes]
