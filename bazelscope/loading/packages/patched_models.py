"""Which targets rest on a model of a file that the definition of its repository patches."""

from __future__ import annotations

from bazelscope.base.source import SHIPPED, Location
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Provenance, Rule, TargetResult


def patched_files(package: Package) -> dict[str, Unknown]:
    """Returns the modelled files that are patched among those that made a package, by the paths
    that places have, each with what patches it."""
    changed = {
        f"{SHIPPED}{loaded.label.repository}/{loaded.label.path}": loaded.unknown
        for loaded in package.loads
        if loaded.unknown is not None and loaded.provenance is Provenance.MODEL
    }
    lacks = package.may_lack
    if package.provenance is Provenance.MODEL and lacks is not None and lacks in package.unknowns:
        changed[package.path] = lacks
    return changed


def why_doubtful(
    package: object, target: TargetResult, place: Location | None = None
) -> Unknown | None:
    """Returns what patches the file in which `target`, or its class, is made, or in which `place`
    is; None if nothing does."""
    if not isinstance(package, Package):
        return None
    changed = patched_files(package)
    if not changed:
        return None
    places = [] if place is None else [place]
    if isinstance(target, Rule):
        frames = (*target.call_stack, *target.rule_class.defined_at)
        places += [frame.location for frame in frames]
    return next((changed[one.path] for one in places if one.path in changed), None)
