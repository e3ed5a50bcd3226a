"""Options of Bazel 7 to 9 that no command-line reference lists, and former names.

What they rest on is told in `scripts/make_flag_catalog.py`.
"""

from __future__ import annotations

import pytest

from tests.unit.flags.flag_world import codes, errors, only, resolve, texts, values, warnings

ACCEPTED = [
    # CppOptions of 7.1.0 (`help flags-as-proto`) and 9.2.0 (`build_options`): a no-op since 8
    ("7.1.0", "--incompatible_enable_cc_toolchain_resolution"),
    ("7.7.1", "--noincompatible_enable_cc_toolchain_resolution"),
    ("8.4.0", "--incompatible_enable_cc_toolchain_resolution=1"),
    ("9.1.0", "--incompatible_enable_cc_toolchain_resolution"),
    ("9.1.0", "--crosstool_top=//toolchain:cc"),
    ("7.7.1", "--start_end_lib"),
    ("9.1.0", "--nostart_end_lib"),
    # BazelRulesModule: BuildGraveyardOptions, BazelBuildGraveyardOptions
    ("8.4.0", "--incompatible_disable_legacy_flags_cc_toolchain_api"),
    ("9.1.0", "--android_crosstool_top=//x"),
    ("9.1.0", "--incompatible_enable_android_toolchain_resolution"),
    # BazelRulesModule: AllCommandGraveyardOptions
    ("7.7.1", "--javabase=@x//:jdk"),
    ("8.4.0", "--host_java_toolchain=//x"),
    ("9.1.0", "--enable_bzlmod"),
    ("9.1.0", "--noenable_workspace"),
    ("9.1.0", "--legacy_external_runfiles"),
]


@pytest.mark.parametrize(("version", "word"), ACCEPTED)
def test_options_that_bazel_accepts_and_does_not_document(version: str, word: str) -> None:
    resolved = resolve("", word, version=version)
    assert texts(resolved) == [word]
    assert set(codes(resolved)) <= {"version-table"}


REFUSED = [
    # in 4.2.3, and not among the 979 options that 7.1.0 says it has
    ("7.7.1", "--distinct_host_configuration"),
    ("7.1.0", "--incompatible_restrict_string_escapes"),
    ("8.7.0", "--distinct_host_configuration"),
    ("9.1.0", "--experimental_ui"),
]


@pytest.mark.parametrize(("version", "word"), REFUSED)
def test_options_that_are_gone(version: str, word: str) -> None:
    assert errors(resolve("", word, version=version)) == ["unknown-option"]


def test_an_option_of_the_release_before_may_be_there_still() -> None:
    # 7.7.1 documents it, 8.7.0 does not: Bazel hides what does nothing any more
    for word in ("--legacy_globbing_threads=4", "--noincompatible_remote_symlinks"):
        resolved = resolve("", word, version="8.7.0")
        assert (errors(resolved), warnings(resolved)) == ([], ["unverified-option"])
        assert texts(resolved) == [word]


def test_options_for_every_command() -> None:
    rc = "common --javabase=@x//:jdk\nquery --enable_bzlmod\n"
    assert not errors(resolve(rc, command="query", version="9.1.0"))
    assert errors(resolve("query --start_end_lib\n", command="query", version="9.1.0"))


RENAMED = [
    # RemoteOptions, SandboxOptions, WorkerOptions: `oldName`
    ("2.1.0", "experimental_remote_download_minimal", "remote_download_minimal"),
    ("4.2.3", "experimental_remote_download_toplevel", "remote_download_toplevel"),
    ("7.7.1", "experimental_remote_download_minimal", "remote_download_minimal"),
    ("8.7.0", "experimental_remote_download_outputs", "remote_download_outputs"),
    ("9.1.0", "remote_http_cache", "remote_cache"),
    ("9.1.0", "experimental_remote_grpc_log", "remote_grpc_log"),
    ("8.7.0", "experimental_remote_cache_async", "remote_cache_async"),
    ("9.1.0", "experimental_reuse_sandbox_directories", "reuse_sandbox_directories"),
    ("7.7.1", "experimental_worker_max_multiplex_instances", "worker_max_multiplex_instances"),
    ("9.1.0", "experimental_strict_action_env", "incompatible_strict_action_env"),
    ("7.3.2", "experimental_allow_tags_propagation", "incompatible_allow_tags_propagation"),
    ("8.7.0", "experimental_strict_conflict_checks", "incompatible_strict_conflict_checks"),
    # BazelRulesModule
    ("6.5.0", "experimental_enable_bzlmod", "enable_bzlmod"),
    ("9.1.0", "experimental_enable_bzlmod", "enable_bzlmod"),
]


@pytest.mark.parametrize(("version", "former", "name"), RENAMED)
def test_former_names_are_accepted(version: str, former: str, name: str) -> None:
    from bazelscope.bazel import flag_catalog

    found = flag_catalog.load(version).find(former, "build")
    assert found is not None
    assert found.name == name


def test_an_experiment_that_has_grown_up_may_have_kept_its_old_name() -> None:
    rc = "build --experimental_downloader_config=a.cfg\n"
    resolved = resolve(rc, version="8.7.0")
    assert values(resolved, "downloader_config") == ["a.cfg"]
    assert "not known here" in only(resolved, "unverified-option").message


def test_what_the_next_release_hides_is_perhaps_hidden_in_6() -> None:
    """TensorFlow for 6.5.0 sets this one; only documentation tells what 6.x has."""
    from bazelscope.bazel import flag_catalog

    name = "experimental_link_static_libraries_once"
    found = flag_catalog.load("6.5.0").find(name, "build")
    assert found is not None and found.negatable and not found.is_certain
    certain = flag_catalog.load("7.0.0").find(name, "build")
    assert certain is not None and certain.is_certain
    # 4.2.3 was asked itself; and what 7 documents, 6 would document.
    assert flag_catalog.load("4.2.3").find(name) is None
    assert flag_catalog.load("6.5.0").find("enable_workspace") is None


_METADATA = "experimental_action_cache_store_output_metadata"


@pytest.mark.parametrize(
    ("version", "name"),
    [
        # What --remote_download_minimal expands to in 6, by its reference page, which lists the
        # option nowhere; rc files for Bazel 6 that many trees copied turn it off.
        ("6.0.0", _METADATA),
        ("6.4.0", _METADATA),
        ("7.0.0", "action_cache_store_output_metadata"),
    ],
)
def test_what_an_expansion_names_is_there(version: str, name: str) -> None:
    resolved = resolve(f"build --no{_METADATA}\n", version=version)
    assert not errors(resolved)
    assert values(resolved, name) == ["0"]


def test_the_expansion_of_a_page_is_that_of_its_release() -> None:
    resolved = resolve("build --remote_download_minimal\n", version="6.4.0")
    assert values(resolved, "build_runfile_links") == ["0"]
    assert values(resolved, _METADATA) == ["1"]
    resolved = resolve("build --remote_download_minimal\n", version="7.0.0")
    assert not {_METADATA, "build_runfile_links"} & resolved.values.keys()


def test_a_former_name_of_what_the_next_release_hides_is_perhaps_hidden_in_6() -> None:
    from bazelscope.bazel import flag_catalog

    name = "action_cache_store_output_metadata"
    found = flag_catalog.load("6.5.0").find(name, "build")
    assert found is not None and not found.is_certain
