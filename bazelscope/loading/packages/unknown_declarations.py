"""What in a package nobody can tell, and may have declared a target that is asked for.

A symbol of a file that is not there is called: if it is a macro, `mac(name = "p")` declares `p`,
and by all custom names with `p` in them and the files that the call names. A call without a name,
or a branch that was taken for granted, may declare anything.
"""

from __future__ import annotations

import re

from bazelscope.base.label import Label
from bazelscope.base.nearest import nearest
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.encoded_values import texts_of
from bazelscope.loading.packages.encoded_targets import explicit_values
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule, UnknownTarget

_CALLS_NAMED = 2


def undeclared(label: Label, package: Package) -> UnknownTarget | None:
    """Says of a target that a package lacks what may have declared it all the same; None if
    nothing may. A call that bears its name, or names it, most likely does; else the name is more
    likely a slip, and `message` says so."""
    calls = list(package.targets.of_unknown_classes())
    for call in calls:
        if _may_make(package, call, label.name):
            made_by = f"{_shown(call)} may declare it: {_why(package, call)}"
            why = Unknown(_reason(package), str(label), made_by, call.location)
            return UnknownTarget(label, why)
    anything = package.may_declare
    if anything is None and not calls:
        return None
    near = nearest(label.name, package.targets)
    named = f"target '{label.name}' is not declared by anything known in {package.path}"
    if anything is not None:
        detail = f"`{anything.subject}` may declare it: {anything.detail or anything.reason.value}"
        why = Unknown(anything.reason, str(label), detail, anything.location)
        return UnknownTarget(label, why, f"{named}; {detail}", near)
    shown = [f"{_shown(call)} at {call.location.short}" for call in calls[:_CALLS_NAMED]]
    more = len(calls) - len(shown)
    texts = ", ".join(shown) + (f" and {more} more" if more else "")
    detail = f"only what cannot be told may declare it: {texts}"
    why = Unknown(_reason(package), str(label), detail, calls[0].location)
    return UnknownTarget(label, why, f"{named}; {detail}", near)


def declares_unknown(package: Package) -> bool:
    """Whether something that nobody can tell may have declared targets of a package: what looks
    like one of its source files may then be a rule."""
    return package.may_declare is not None or any(package.targets.of_unknown_classes())


def _may_make(package: Package, call: Rule, name: str) -> bool:
    encoded = package.targets.encoded(call.label.name)
    word = re.escape(call.generator_name or call.label.name)
    for own in {word, re.escape(call.label.name)}:
        if re.search(rf"(^|[^A-Za-z0-9])(lib)?{own}($|[^A-Za-z0-9])", name):
            return True
    files = (name, f":{name}", f"{package.id}:{name}")
    return encoded is not None and any(
        text in files for _, value in explicit_values(encoded) for text in texts_of(value)
    )


def _shown(call: Rule) -> str:
    return f'`{call.rule_class.name}(name = "{call.label.name}")`'


def _why(package: Package, call: Rule) -> str:
    """Why nobody can tell what a call does."""
    for unknown in package.unknowns:
        if unknown.subject.rpartition(".")[2] == call.rule_class.name:
            return unknown.detail
    return "nothing tells what it is"


def _reason(package: Package) -> Reason:
    return package.unknowns[0].reason if package.unknowns else Reason.DEPENDS_ON_UNKNOWN
