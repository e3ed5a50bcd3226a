"""Every attribute of every native rule, beside what three real Bazels make of it.

Each attribute is set once, alone; what `query` writes about the rule is compared byte for byte:
values and defaults, their order, sorted lists, computed and late-bound defaults, what aspects
add to the inputs. Rules that Bazel refuses must be refused here, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.query.formats.written import ask_query
from tests.oracle import native_rules_world
from tests.support.bazel import Bazel
from tests.support.ours import share_packages
from tests.support.query_output import differences

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

_FORMS: dict[str, tuple[str, ...]] = {
    "xml": ("--output=xml", "--xml:default_values"),
    "build": ("--output=build",),
}
_COLUMN = re.compile(r"(/BUILD:\d+):\d+")
_PARTS = {"xml": re.compile(r"(?ms)^    <(?=rule )"), "build": re.compile(r"(?m)^(?=# /)")}


@pytest.fixture(scope="module")
def loaded() -> list[ConfiguredWorkspace]:
    """The lines that have loaded."""
    return []


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_each_attribute_of_each_rule(
    tmp_path_factory: pytest.TempPathFactory,
    bazel: Callable[[str], Bazel],
    loaded: list[ConfiguredWorkspace],
    version: str,
    form: str,
) -> None:
    root = tmp_path_factory.getbasetemp() / f"native-{version}" / "workspace"
    if not root.exists():
        native_rules_world.write(root, version)
    flags = ("--order_output=full", *_FORMS[form])
    theirs = _comparable(bazel(version).query(root, "//...", *flags).stdout, version)
    mine = _comparable(_ours(root, version, flags, loaded), version)
    wanted, found = (_PARTS[form].split(text) for text in (theirs, mine))
    assert len(wanted) > 1200
    assert not (difference := differences(found, wanted)), difference
    assert mine == theirs


def _comparable(text: str, version: str) -> str:
    """Before Bazel 3 a call began at its first letter; we always name its parenthesis."""
    return text if version == "4.2.3" else _COLUMN.sub(r"\1", text)


def _ours(
    root: Path, version: str, flags: tuple[str, ...], loaded: list[ConfiguredWorkspace]
) -> str:
    workspace = Workspace.open(root, bazel_version=version)
    asked = workspace.configure((*flags, "//..."), command="query")
    assert not asked.flags.diagnostics
    # Both forms are of packages that are evaluated once.
    share_packages(asked, loaded)
    package = asked.directory_package
    return ask_query(asked.world, asked.envelope_of_flags, "//...", str(root), package).text()
