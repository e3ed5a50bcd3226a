"""The targets of the workspace's own packages."""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.loading.packages.package import Package
from bazelscope.questions.shared.world import World


def own_targets(world: World) -> list[Label]:
    """Returns every target of the workspace's own packages, loading them all."""
    labels: list[Label] = []
    for id in world.loader.packages():
        package = world.loader.package(id)
        if isinstance(package, Package):
            labels += [Label(id.repository, id.package, name) for name in package.targets]
    return labels
