"""Short names, and the two ends of a path."""

from __future__ import annotations

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.analysis.names.short_names import (
    AmbiguousName,
    Endpoints,
    NoSuchName,
    resolve_endpoints,
    resolve_name,
)
from bazelscope.base.label import Label, PackageId
from bazelscope.loading.packages.targets import NoSuchTarget
from tests.unit.analysis.analysis_world import World, label, select


class NamedWorld(World):
    """A world that can be searched by name, as the loader can."""

    def find_targets(self, short_name: str, /) -> tuple[Label, ...]:
        return tuple(
            Label(id.repository, id.package, short_name)
            for id, draft in self.drafts.items()
            if short_name in draft.targets
        )

    @property
    def trees(self) -> NamedWorld:
        return self

    def packages(self, repository: str = "", /) -> tuple[PackageId, ...]:
        return tuple(sorted(id for id in self.drafts if id.repository == repository))

    def packages_to_search(self) -> tuple[PackageId, ...]:
        return tuple(sorted(self.drafts))


def world() -> NamedWorld:
    made = NamedWorld()
    made.rule("filegroup", "//tools/pip_package:build", srcs=["//core:core"])
    made.rule("filegroup", "//other:build")
    made.rule("filegroup", "//core:core", srcs=select({"//c:x": ["@dnn_v1//:dnn"]}))
    made.rule("config_setting", "//c:x", values={"cpu": "k8"})
    made.rule("filegroup", "@dnn_v1//:dnn")
    made.rule("filegroup", "@dnn_v0//:dnn")
    made.rule("alias", "//third_party:dnn", actual="@dnn_v1//:dnn")
    made.file("//core:dnn")
    return made


def test_a_full_label_means_itself() -> None:
    assert resolve_name(world(), "//core:core") == label("//core:core")
    assert resolve_name(world(), "//core") == label("//core:core")
    assert resolve_name(world(), "@dnn_v1//:dnn") == label("@dnn_v1//:dnn")


def test_a_wrong_label_has_near_ones() -> None:
    found = resolve_name(world(), "//tools/pip_package:biuld")
    assert isinstance(found, NoSuchName)
    assert found.nearest == ("//tools/pip_package:build",)
    assert isinstance(found.missing, NoSuchTarget)
    package = resolve_name(world(), "//tools/pip_pakage:build")
    assert isinstance(package, NoSuchName)
    assert package.nearest == ("//tools/pip_package:build",)
    assert isinstance(resolve_name(world(), "//a:b:c"), NoSuchName)


def test_short_names() -> None:
    assert resolve_name(world(), "core") == label("//core:core")
    assert resolve_name(world(), "pip_package:build") == label("//tools/pip_package:build")
    assert resolve_name(world(), "tools/pip_package:build") == label("//tools/pip_package:build")
    ambiguous = resolve_name(world(), "build")
    assert isinstance(ambiguous, AmbiguousName)
    assert [str(c) for c in ambiguous.candidates] == ["//other:build", "//tools/pip_package:build"]
    missing = resolve_name(world(), "biuld")
    assert isinstance(missing, NoSuchName)
    assert "//other:build" in missing.nearest


def test_rules_are_meant_rather_than_files_and_aliases() -> None:
    found = resolve_name(world(), "dnn")
    assert isinstance(found, AmbiguousName)
    assert [str(c) for c in found.candidates] == ["@dnn_v0//:dnn", "@dnn_v1//:dnn"]


def ends(start: str, end: str) -> Endpoints | AmbiguousName | NoSuchName:
    made = world()
    return resolve_endpoints(TargetGraph(made), made, start, end)


def test_what_a_path_joins_is_meant() -> None:
    assert ends("build", "dnn") == Endpoints(
        label("//tools/pip_package:build"), label("@dnn_v1//:dnn"), (label("//other:build"),)
    )


def test_the_name_of_a_repository_will_do() -> None:
    found = ends("core", "dnn_v1")
    assert isinstance(found, Endpoints)
    assert found.end == label("@dnn_v1//:dnn")


def test_ends_without_a_path() -> None:
    found = ends("core", "other:build")
    assert found == Endpoints(label("//core:core"), label("//other:build"))
    assert isinstance(ends("core", "nonsense"), NoSuchName)
    assert isinstance(ends("other:build", "dnn"), AmbiguousName)


def test_of_several_starts_the_one_nearest_to_the_root() -> None:
    made = world()
    made.rule("filegroup", "//a/b/c/d:build", srcs=["//core:core"])
    found = resolve_endpoints(TargetGraph(made), made, "build", "dnn")
    assert isinstance(found, Endpoints)
    assert found.start == label("//tools/pip_package:build")
    assert label("//a/b/c/d:build") in found.others
