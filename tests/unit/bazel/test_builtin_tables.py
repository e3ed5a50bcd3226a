"""Which table of builtins a release goes by, and what it tells."""

from __future__ import annotations

import pytest

from bazelscope.bazel.builtin_tables import builtins_of
from bazelscope.bazel.release import Release


@pytest.mark.parametrize(
    ("version", "is_exact", "has_symlinks"),
    [
        ("0.24.1", True, False),
        ("0.26.1", False, False),
        ("2.1.0", True, False),
        ("3.7.0", False, False),
        ("4.2.3", True, True),
        ("8.1.0", False, True),
    ],
)
def test_releases_go_by_the_last_that_was_measured(
    version: str, is_exact: bool, has_symlinks: bool
) -> None:
    table = builtins_of(Release.of(version))
    assert (table.is_exact, table.has_symlinks) == (is_exact, has_symlinks)


def test_parameters_of_a_function() -> None:
    signature = builtins_of(Release.of("4.2.3")).signature("actions", "run")
    assert signature is not None
    outputs, inputs, *_, last = signature.parameters
    assert outputs.kinds == ("sequence(File)",)
    assert (outputs.by_position, outputs.is_optional) == (False, False)
    assert inputs.kinds == ("sequence(File)", "depset")
    assert (last.name, last.is_guarded) == ("exec_group", True)


def test_members_of_a_module_and_of_what_it_is_derived_from() -> None:
    exact, other = (builtins_of(Release.of(one)) for one in ("4.2.3", "6.0.0"))
    members = exact.members("CcInfo")
    assert members is not None
    assert {"compilation_context", "to_json"} <= members
    assert exact.members("nothing") is None
    assert other.members("CcInfo") is None
