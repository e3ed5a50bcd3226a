"""What the root of googletest declares, release by release: laid out from its tags, with the
patches of the registry, and compared by `query --output=build`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import Label
from bazelscope.cli import main
from bazelscope.loading.packages.targets import Rule, UnknownPackage, UnknownTarget
from tests.unit.loading.repositories.workspaces import loader

_HTTP = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
_NAME = "com_google_googletest"


def _workspace(release: str) -> dict[str, str]:
    url = f"https://example.org/google/googletest/archive/{release}.tar.gz"
    rules = 'http_archive(name = "rules_cc", urls = ["https://example.org/rules_cc-0.2.8.zip"])\n'
    return {"WORKSPACE": f'{_HTTP}{rules}http_archive(name = "{_NAME}", urls = ["{url}"])\n'}


def _module(version: str) -> dict[str, str]:
    asked = f'bazel_dep(name = "googletest", version = "{version}", repo_name = "{_NAME}")\n'
    return {"MODULE.bazel": asked, "WORKSPACE": ""}


BUILDS = {
    "release-1.10.0": (
        ["gmock-generated-actions.h", "@com_google_absl//absl/types:variant"],
        ["gtest-assertion-result", "types:any", "re2", ":qnx", "fuchsia", "emscripten"],
    ),
    "release-1.11.0": (
        ["@com_google_absl//absl/types:any", "gmock/internal/custom/gmock-generated-actions.h"],
        ["gmock/gmock-generated-actions.h", "gtest-assertion-result", "re2", ":qnx", "fuchsia"],
    ),
    "release-1.12.1": (
        ["gtest-assertion-result.cc", "@com_googlesource_code_re2//:re2", ":openbsd"],
        ["flat_hash_set", "fuchsia"],
    ),
    "v1.14.0": (["@com_google_absl//absl/container:flat_hash_set"], ["fuchsia"]),
    "v1.15.2": (["@fuchsia_sdk//pkg/syslog:syslog", "@com_google_absl//absl/strings"], ["@re2"]),
    "v1.17.0": (["@abseil-cpp//absl/types:any", "@re2//:re2"], ["emscripten", "com_google_absl"]),
    "1.17.0.bcr.1": (
        [
            '["GTEST_HAS_ABSL=1"], "@com_google_googletest//:emscripten_without_threads": ["GT',
        ],
        ["com_google_absl"],
    ),
    "v1.18.0": (["@fuchsia_sdk//pkg/zx:zx"], ["syslog", "absl/types", "emscripten"]),
}


@pytest.mark.parametrize("release", BUILDS)
def test_a_release_declares_gtest_as_its_tag_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], release: str
) -> None:
    for path, text in {**_workspace(release), "BUILD": ""}.items():
        (tmp_path / path).write_text(text)
    line = ["query", "-w", str(tmp_path), "--bazel-version=6.5.0", "--no-cache", "--output=build"]
    main([*line, f"@{_NAME}//:gtest"])
    printed, _ = capsys.readouterr()
    has, lacks = BUILDS[release]
    assert [one for one in has if one not in printed] == []
    assert [one for one in lacks if one in printed] == []


@pytest.mark.parametrize(
    ("files", "bazel", "name", "is_known"),
    [
        (_workspace("release-1.8.1"), "6.5.0", "gtest", False),
        (_workspace("main"), "6.5.0", "gtest", False),
        (_workspace("b1c40e1de81913a3c40e5948f78719c28152486d"), "6.5.0", "gtest", False),
        (_workspace("v1.19.0"), "6.5.0", "gtest", False),
        (_workspace("v1.16.0"), "6.5.0", "gtest_for_library", False),
        (_module("1.16.0.bcr.2"), "7.4.0", "gtest_for_library", False),
        (_workspace("v1.17.0"), "6.5.0", "gtest_for_library", True),
        (_workspace("v1.17.0"), "6.5.0", "gtest_samples", False),
        (_module("1.14.0"), "7.4.0", "gtest_main", True),
        (_module("1.16.0.bcr.1"), "7.4.0", "gtest_main", True),
        (_module("1.16.0.bcr.2"), "7.4.0", "gtest_main", True),
        (_module("1.17.0"), "7.4.0", "emscripten_without_threads", False),
        (_module("1.17.0.bcr.2"), "9.1.0", "emscripten_without_threads", True),
        (_module("1.17.0.bcr.2"), "9.1.0", "gtest", True),
    ],
)
def test_what_is_known_of_a_release(
    tmp_path: Path, files: dict[str, str], bazel: str, name: str, is_known: bool
) -> None:
    one = loader(tmp_path, files, bazel)
    target = one.target(Label(_NAME, "", name))
    assert isinstance(target, Rule if is_known else UnknownTarget | UnknownPackage), target
