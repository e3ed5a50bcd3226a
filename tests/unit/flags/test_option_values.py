"""Values that single options take, as `canonicalize-flags` of the releases says."""

from __future__ import annotations

import pytest

from tests.unit.flags.flag_world import errors, resolve, values

REFUSED = [
    ("4.2.3", "--genrule_strategy=a,,b"),
    ("2.1.0", "--spawn_strategy=a,"),
    ("4.2.3", "--test_timeout=1,2"),
    ("4.2.3", "--fission=x"),
    ("4.2.3", "--crosstool_top="),
    ("2.1.0", "--crosstool_top="),
    ("4.2.3", "--platforms=a:b:c"),
    ("4.2.3", "--platforms=/a:b"),
    ("4.2.3", "--ios_minimum_os=x"),
    ("0.24.1", "--test_size_filters=huge"),
    ("4.2.3", "--ui_event_filters=x"),
    ("4.2.3", "--override_repository=a=b"),
    ("4.2.3", "--grte_top=x"),
    ("4.2.3", "--runs_per_test=0x10"),
    ("2.1.0", "--local_resources=1,2"),
    ("4.2.3", "--flag_alias=a=b"),
]


@pytest.mark.parametrize(("version", "word"), REFUSED)
def test_values_that_bazel_refuses_are_told_and_kept(version: str, word: str) -> None:
    resolved = resolve("", word, version=version)
    assert errors(resolved) == ["invalid-value"]
    name, _, value = word.removeprefix("--").partition("=")
    assert values(resolved, name) == [value]


ACCEPTED = [
    ("4.2.3", "--spawn_strategy="),
    ("2.1.0", "--experimental_tool_command_line=0"),
    ("4.2.3", "--test_timeout=60"),
    ("4.2.3", "--test_timeout=60,300,900,3600"),
    ("4.2.3", "--fission=no"),
    ("4.2.3", "--fission=dbg,opt"),
    ("4.2.3", "--platforms="),
    # Seen on heron: what has neither `//` nor `@` before it stands for a label of the workspace.
    ("2.1.0", "--platforms=a:b"),
    ("4.2.3", "--experimental_action_listener=a/b:c,:d"),
    ("6.0.0", "--experimental_action_listener=tools/cpp:compile_cpp"),
    ("4.2.3", "--remote_timeout=3600"),
    ("4.2.3", "--local_test_jobs=0"),
    ("4.2.3", "--experimental_sandbox_async_tree_delete_idle_threads=0"),
    ("4.2.3", "--test_size_filters=-small,medium"),
    ("4.2.3", "--override_repository=a=/b"),
    ("4.2.3", "--grte_top=default"),
    ("4.2.3", "--worker_max_instances=Javac=2"),
    # what was measured of old releases is not held against later ones
    ("7.7.1", "--override_repository=a=b"),
    ("8.7.0", "--local_resources=memory=100"),
]


@pytest.mark.parametrize(("version", "word"), ACCEPTED)
def test_values_that_bazel_takes(version: str, word: str) -> None:
    assert not errors(resolve("", word, version=version))
