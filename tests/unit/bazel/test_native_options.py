"""Which options are of the configuration, and what those are that Bazel's help hides."""

from __future__ import annotations

import pytest

from bazelscope.bazel import flag_catalog
from bazelscope.bazel.native_options import hidden_default, is_configuration_option


@pytest.mark.parametrize(
    ("version", "name", "expected"),
    [
        ("4.2.3", "copt", True),
        ("4.2.3", "async", False),  # Of `clean` alone.
        ("4.2.3", "verbose_test_summary", False),
        ("4.2.3", "script_path", False),
        ("4.2.3", "incompatible_load_java_rules_from_bzl", False),
        ("2.1.0", "incompatible_load_java_rules_from_bzl", True),
        ("2.1.0", "incompatible_disable_crosstool_file", False),
        ("0.24.1", "incompatible_disable_crosstool_file", True),
        ("0.24.1", "runs_per_test_detects_flakes", False),
        ("2.1.0", "runs_per_test_detects_flakes", True),
        ("8.4.0", "sandbox_explicit_pseudoterminal", False),
        ("8.4.0", "experimental_worker_allowlist", False),
        ("8.4.0", "allowed_cpu_values", True),
        ("8.4.0", "python_top", True),
        ("9.1.0", "python_top", False),
        ("9.1.0", "legacy_external_runfiles", False),
        ("9.1.0", "build_python_zip", True),
    ],
)
def test_options_of_the_configuration(version: str, name: str, expected: bool) -> None:
    table = flag_catalog.load(version)
    option = table.find(name)
    assert option is not None
    assert is_configuration_option(option, table.release) is expected


@pytest.mark.parametrize(
    ("version", "name", "expected"),
    [
        ("0.24.1", "incompatible_auto_configure_host_platform", "false"),
        ("2.1.0", "incompatible_auto_configure_host_platform", "true"),
        ("4.2.3", "incompatible_use_toolchain_resolution_for_java_rules", "false"),
        ("6.5.0", "incompatible_use_toolchain_resolution_for_java_rules", "true"),
        ("4.2.3", "start_end_lib", "true"),
        ("4.2.3", "apple_platform_type", "macos"),
    ],
)
def test_defaults_that_help_hides(version: str, name: str, expected: str) -> None:
    table = flag_catalog.load(version)
    option = table.find(name)
    assert option is not None and option.default is None
    assert hidden_default(option, table.release) == expected
