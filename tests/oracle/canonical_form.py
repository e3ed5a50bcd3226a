"""The spellings that Bazel itself gives an option, for its logs and for comparing with it."""

from __future__ import annotations

from bazelscope.bazel import flag_conversion
from bazelscope.bazel.flag_catalog import Catalog, FlagKind
from bazelscope.flags.flag_values import FlagInstance


def canonical_form(instance: FlagInstance, catalog: Catalog) -> str:
    """`--keep_going` or `--nokeep_going` for a boolean, else `--name=value`.

    Bazel: `ParsedOptionDescription.getCanonicalForm`. Tristates keep their value.
    """
    definition = catalog.find(instance.name)
    if definition is not None and definition.kind is FlagKind.BOOLEAN:
        enabled = flag_conversion.boolean(instance.value or "")
        return f"--{instance.name}" if enabled else f"--no{instance.name}"
    if instance.value is None:
        return f"--{instance.name}"
    return f"--{instance.name}={instance.value}"
