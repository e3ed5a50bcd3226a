"""A missing part skips a test, loudly, unless its tier is required."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import parts, query_output


@pytest.fixture
def no_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BAZELSCOPE_PARTS", str(tmp_path))
    monkeypatch.setattr(parts, "missing", {})
    return tmp_path


def test_a_tree_that_is_there(no_parts: Path) -> None:
    (no_parts / "trees" / "xnnpack").mkdir(parents=True)
    assert parts.need_tree("xnnpack") == no_parts / "trees" / "xnnpack"
    assert parts.missing == {}


def test_a_missing_tree_skips_and_is_noted(no_parts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BAZELSCOPE_REQUIRE_TIERS", raising=False)
    with pytest.raises(pytest.skip.Exception):
        parts.need_tree("xnnpack")
    assert parts.missing == {"corpus": {"source tree xnnpack"}}


def test_a_missing_tree_of_a_required_tier_fails(
    no_parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BAZELSCOPE_REQUIRE_TIERS", "oracle,corpus")
    with pytest.raises(pytest.fail.Exception, match="tier `corpus` is required"):
        parts.need_tree("xnnpack")


def test_a_tier_that_does_not_exist(no_parts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAZELSCOPE_REQUIRE_TIERS", "orcale")
    with pytest.raises(pytest.UsageError, match="orcale"):
        parts.required_tiers()


def test_an_installed_bazel_comes_before_the_system_s(no_parts: Path) -> None:
    binary = no_parts / "bazel" / "4.2.3" / "bazel"
    binary.parent.mkdir(parents=True)
    binary.touch()
    assert parts.bazel_binary("4.2.3") == binary
    assert parts.bazel_binary("0.1.0") is None


GRAPH = r"""
digraph mygraph {
  node [shape=box];
  "//a:a"
  "//a:a" -> "//b:b"
  "//a:a" -> "//c:c"
  [label="//t:x\n//conditions:default"];
}
"""


def test_edges_of_a_graph() -> None:
    assert query_output.graph_edges(GRAPH.splitlines()) == {
        ("//a:a", "//b:b"): frozenset(),
        ("//a:a", "//c:c"): frozenset({"//t:x", "//conditions:default"}),
    }


def test_label_and_kind() -> None:
    assert query_output.label_kinds(["source file //a:b.c", "cc_library rule //a:a"]) == {
        ("//a:b.c", "source file"),
        ("//a:a", "cc_library rule"),
    }


def test_labels_of_a_configured_query() -> None:
    lines = ["//a:a (556f8f8)", "//a:a.c (null)", "@platforms//os:linux (556f8f8)"]
    assert query_output.configured_labels(lines) == {"//a:a", "//a:a.c"}
    with pytest.raises(ValueError, match="not a line of cquery"):
        query_output.configured_labels(["INFO: nothing"])


def test_differences_are_listed_by_side() -> None:
    assert query_output.differences({1, 2}, {2, 3}) == "ours alone:    1\nBazel's alone: 3"
    assert query_output.differences({1}, {1}) == ""
