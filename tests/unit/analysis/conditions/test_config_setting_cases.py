"""What a config_setting matches: a case for each behaviour that Bazel 4.2.3's own
ConfigSettingTest is about, in our words, decided by bazelscope from files.

Of its 72 tests, 63 have a case in config_setting_cases.py and 7 a test of their own below;
WITHOUT names the 2 others, each with the reason.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from bazelscope.analysis.conditions.config_settings import SettingEntries, entries_of
from bazelscope.api import Workspace
from bazelscope.base.label import PackageId, parse_label
from bazelscope.bazel.native_options import why_not_selectable
from bazelscope.bazel.release import Release
from bazelscope.cli import main
from bazelscope.loading.packages.targets import Rule
from tests.unit.analysis.conditions.case_world import Case
from tests.unit.analysis.conditions.config_setting_cases import BOTH, CASES, case, setting

BAZELS_OWN_TESTS = 72

WITHOUT = {
    "matchesIfNonDefaultIsSpecifiedAndFlagValueIsThatValue": "only Android sets feature flags",
    "doesNotMatchIfDefaultIsSpecifiedAndFlagValueIsNotDefault": "only Android sets feature flags",
}

TOOLS = "@bazel_tools//tools"
# Bazel's test, the label of a config_setting, whether it may ask about `python_version`.
TESTS_OF_THEIR_OWN = [
    ("isUnderToolsPackage", (f"{TOOLS}/sub:c", f"{TOOLS}:c"), True),
    ("nonselectableAllowlistedOption_InToolsPackage", (f"{TOOLS}/pkg:c",), True),
    ("isUnderToolsPackage", ("@bazel_tools//other:c", "@other//tools:c", "//tools:c"), False),
]


@pytest.mark.parametrize(("name", "labels", "allowed"), TESTS_OF_THEIR_OWN)
def test_what_only_tools_may_ask_about(name: str, labels: tuple[str, ...], allowed: bool) -> None:
    for text in labels:
        label = parse_label(text, PackageId("", ""))
        assert (
            why_not_selectable("python_version", label, Release.of("4.2.3")) is None
        ) == allowed, (name, text)


def test_required_config_fragment_matcher(tmp_path: Path) -> None:
    """requiredConfigFragmentMatcher: the options that a setting refers to."""
    case("", "", setting(values=BOTH)).run(tmp_path)
    rule = (
        Workspace.open(tmp_path, bazel_version="4.2.3")
        .configure([])
        .loader.target(parse_label("//test:c", PackageId("", "")))
    )
    assert isinstance(rule, Rule)
    entries = entries_of(rule)
    assert isinstance(entries, SettingEntries)
    assert {name for name, _ in entries.native} == {"copt", "javacopt"}


LICENSES = [
    # Bazel's test, the package, its BUILD file: 4.2.3 prints no license for any of them.
    ("licensesDefault", "test", setting(values={"copt": "x"})),
    ("thirdPartyLicenseRequirement", "third_party/test", setting(values={"copt": "x"})),
    (
        "packageLicensesIgnored",
        "test",
        'licenses(["restricted"])\n' + setting(values={"copt": "x"}),
    ),
    ("ruleLicensesUsed", "test", setting(values={"copt": "x"}, licenses=["restricted"])),
]


@pytest.mark.parametrize(("name", "package", "build"), LICENSES)
def test_licenses(
    name: str, package: str, build: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / package).mkdir(parents=True)
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / package / "BUILD").write_text(build)
    words = ["query", "-w", str(tmp_path), "--bazel-version", "4.2.3", "--no-cache"]
    output = ["--output=xml", "--xml:default_values"]
    assert main([*words, *output, f"//{package}:c"]) == 0, name
    rule = ElementTree.fromstring(capfd.readouterr().out.replace("1.1", "1.0", 1)).find("rule")
    assert rule is not None
    (types,) = rule.findall("license[@name='licenses']/list[@name='license-types']")
    assert [item.get("value") for item in types] == ["NONE"]


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_case(one: Case, tmp_path: Path) -> None:
    one.run(tmp_path)


def test_every_test_of_bazels_has_a_case_or_a_reason() -> None:
    names = {one.name for one in CASES}
    assert len(names) == 63
    own = {name for name, _, _ in TESTS_OF_THEIR_OWN} | {"requiredConfigFragmentMatcher"}
    own |= {name for name, _, _ in LICENSES}
    assert len(own) == 7
    assert not names & set(WITHOUT) and not own & {*names, *WITHOUT}
    assert len(names) + len(own) + len(WITHOUT) == BAZELS_OWN_TESTS
