"""Model of @bazel_features//:features.bzl (1.50): what Bazel's release can do."""

load("//private:globals.bzl", "globals")
load("//private:releases.bzl", "after", "since", "since_within")

bazel_features = struct(
    apple = struct(
        xcode_config_migrated = since("8.0.0"),
    ),
    cc = struct(
        _get_link_args_has_param_file_name = since("10.0.0-pre.20260608.1"),
        cc_common_is_in_rules_cc = since("9.0.0-pre.20250911"),
        cc_toolchain_has_generate_modmap = after("9.0.0-pre.20250716.1"),
        find_cpp_toolchain_has_mandatory_param = since("6.1.0"),
        fixed_dsym_path_quoting = since("7.2.0"),
        grep_includes_is_optional = since("6.3.0"),
        objc_linking_info_migrated = since("7.0.0-pre.20230724.1"),
        protobuf_on_allowlist = since("8.0.0"),
        rules_support_extension = since("8.0.1"),
        supports_path_variable_patterns = since_within("9.1.0") or since("10.0.0-pre.20260408.3"),
        supports_starlarkified_toolchains = after("9.0.0-pre.20250911"),
        swift_fragment_removed = since("8.0.0-pre.20240101.1"),
        treat_warnings_as_errors_works_on_macos = since("7.1.0"),
        undefined_dynamic_lookup = since("0.25.0") and not since("7.0.0-pre.20230118.2"),
    ),
    docs = struct(
        kwargs_name_with_double_star = since("8.0.0-pre.20240603.2"),
        utf8_enabled = since("8.1.0"),
    ),
    external_deps = struct(
        bazel_mod_tidy = since("7.1.0"),
        download_has_block_param = since("7.1.0"),
        download_has_headers_param = since("7.1.0"),
        extension_metadata_has_reproducible = since("7.1.0"),
        extract_supports_unicode_filenames = since("6.4.0"),
        has_facts = since("8.5.0"),
        is_bzlmod_enabled = str(Label("//:any")).startswith("@@"),
        module_extension_has_os_arch_dependent = since("6.4.0"),
        repo_metadata_has_reproducible = since_within("8.3.0") or since("9.0.0-pre.20250831.1"),
        repo_rules_relativize_symlinks = since_within("9.0.1") or since("10.0.0-pre.20260322.2"),
        repository_ctx_has_getenv = since("7.1.0"),
    ),
    flags = struct(
        allow_unresolved_symlinks = (
            "" if since("7.0.0-pre.20230628.2") else "experimental_"
        ) + "allow_unresolved_symlinks",
    ),
    globals = globals,
    java = struct(
        java_info_constructor_module_flags = since("7.0.0"),
    ),
    proto = struct(
        starlark_proto_info = since("7.0.0"),
    ),
    rules = struct(
        _has_launcher_maker_toolchain = since_within("8.3.0") or since("9.0.0-pre.20250516.1"),
        all_characters_allowed_in_runfiles = since("7.4.0"),
        analysis_tests_can_transition_on_experimental_incompatible_flags = since("8.2.0"),
        aspect_propagation_context = since("9.0.0-pre.20250311.1"),
        constraint_setting_has_refines_constraint_value = after("10.0.0-pre.20260524.1"),
        expand_template_has_computed_substitutions = since("7.0.0-pre.20231011.2"),
        instrumented_files_info_has_baseline_coverage_files = after("9.0.0-pre.20250610.2"),
        instrumented_files_info_has_metadata_files = since("7.0.0-pre.20230710.5"),
        is_tool_configuration_public = (
            since_within("8.7.0") or since_within("9.1.0") or since("10.0.0-pre.20260329.2")
        ),
        merkle_cache_v2 = after("9.0.0-pre.20251014.1"),
        no_struct_field_denylist = since("9.0.0-pre.20250128.3"),
        permits_treeartifact_uplevel_symlinks = since("7.1.0"),
        rule_extension_apis_available = since("8.0.0rc1"),
        symlink_action_has_target_type = since_within("8.6.0") or since("9.0.0"),
        template_dict_map_each_can_return_list = since("6.1.0"),
        write_action_has_execution_requirements = (
            since_within("9.1.0") or after("10.0.0-pre.20260120.1")
        ),
        write_action_has_mnemonic = since("9.0.0-pre.20250710.1"),
    ),
    toolchains = struct(
        genrule_accepts_toolchain_types = since_within("8.3.0") or since("9.0.0-pre.20241016.1"),
        has_default_test_toolchain_type = since("9.0.0-pre.20250324.2"),
        has_optional_toolchains = since("6.0.0"),
        has_use_target_platform_constraints = since("8.2.0"),
    ),
)
