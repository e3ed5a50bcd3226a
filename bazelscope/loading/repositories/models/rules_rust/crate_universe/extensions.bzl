"""Model of rules_rust's module extension `crate` (0.30 to 0.70): one repository for each crate of a
Cargo.lock, and a hub that names them.

The real one leaves out crates that no supported platform needs, which only Cargo can tell.
"""

load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")

def __generate_repo(ctx):
    ctx.execute(["cargo-bazel", "generate", "--cargo-lockfile", ctx.attr.cargo_lockfile])

_generate_repo = repository_rule(
    implementation = __generate_repo,
    attrs = {"cargo_lockfile": attr.string(), "crates": attr.string_list()},
)

def _packages(text):
    """The `[[package]]` tables of a Cargo.lock, as far as their values are strings."""
    found = []
    for line in text.splitlines():
        if line.strip() == "[[package]]":
            found.append({})
        elif line.startswith("["):
            found.append({})
        elif found and " = \"" in line:
            key, _, value = line.partition(" = ")
            found[-1][key.strip()] = value.strip().strip("\"")
    return [table for table in found if "name" in table and "version" in table]

def _crate(ctx):
    for module in ctx.modules:
        for tag in module.tags.from_cargo + module.tags.from_specs:
            lock = tag.cargo_lockfile
            crates = []
            for package in _packages(ctx.read(lock)) if lock else []:
                if "source" not in package:
                    continue
                name, version = package["name"], package["version"]
                repository = "%s__%s-%s" % (tag.name, name, version.replace("+", "-"))
                crates.append(repository)
                if package["source"].startswith("registry+"):
                    http_archive(
                        name = repository,
                        urls = ["https://static.crates.io/crates/%s/%s/download" % (name, version)],
                        sha256 = package.get("checksum", ""),
                        strip_prefix = "%s-%s" % (name, version),
                        type = "tar.gz",
                    )
            _generate_repo(
                name = tag.name,
                cargo_lockfile = str(lock) if lock else "",
                crates = crates,
            )

_HUB = {
    "name": attr.string(default = "crates"),
    "cargo_lockfile": attr.label(),
    "lockfile": attr.label(),
    "cargo_config": attr.label(),
    "cargo_creds": attr.label(),
    "generate_binaries": attr.bool(),
    "generate_build_scripts": attr.bool(),
    "generate_rust_project": attr.bool(),
    "generator": attr.label(),
    "generator_sha256s": attr.string_dict(),
    "generator_urls": attr.string_dict(),
    "host_tools": attr.label(),
    "isolated": attr.bool(),
    "packages": attr.string_dict(),
    "quiet": attr.bool(),
    "render_config": attr.string(),
    "rust_toolchain_cargo_template": attr.string(),
    "rust_toolchain_rustc_template": attr.string(),
    "rust_version": attr.string(),
    "skip_cargo_lockfile_overwrite": attr.bool(),
    "splicing_config": attr.string(),
    "strip_internal_dependencies_from_cargo_lockfile": attr.bool(),
    "supported_platform_triples": attr.string_list(),
    "compressed_windows_toolchain_names": attr.bool(),
    "validate_lockfile": attr.bool(),
    "annotations": attr.string_list_dict(),
}

_LISTS = [
    "build_script_data",
    "build_script_deps",
    "build_script_proc_macro_deps",
    "build_script_toolchains",
    "build_script_tools",
    "compile_data",
    "data",
    "deps",
    "gen_binaries",
    "patch_args",
    "patches",
    "proc_macro_deps",
    "repositories",
    "rustc_flags",
    "crate_features",
    "build_script_compile_data",
    "build_script_data_glob",
    "build_script_link_deps",
    "build_script_rustc_flags",
    "compile_data_glob",
    "compile_data_glob_excludes",
    "data_glob",
]
_TEXTS = [
    "crate",
    "version",
    "additive_build_file_content",
    "alias_rule",
    "build_script_rundir",
    "patch_tool",
    "shallow_since",
    "link_style",
]

crate = module_extension(
    implementation = _crate,
    tag_classes = {
        "from_cargo": tag_class(attrs = {"manifests": attr.label_list()} | _HUB),
        "from_specs": tag_class(attrs = _HUB),
        "annotation": tag_class(attrs = {
            "additive_build_file": attr.label(),
            "build_script_env": attr.string_dict(),
            "build_script_env_files": attr.string_list(),
            "build_script_exec_properties": attr.string_dict(),
            "build_script_use_default_shell_env": attr.int(),
            "disable_pipelining": attr.bool(),
            "extra_aliased_targets": attr.string_dict(),
            "gen_all_binaries": attr.bool(),
            "gen_build_script": attr.string(),
            "override_target_bin": attr.label(),
            "override_target_build_script": attr.label(),
            "override_target_lib": attr.label(),
            "override_target_proc_macro": attr.label(),
            "rustc_env": attr.string_dict(),
            "rustc_env_files": attr.string_list(),
        } | {name: attr.string_list() for name in _LISTS} | {name: attr.string() for name in _TEXTS}),
        "annotation_select": tag_class(attrs = {
            "triples": attr.string_list(),
            "build_script_env": attr.string_dict(),
            "rustc_env": attr.string_dict(),
        } | {name: attr.string_list() for name in _LISTS} | {name: attr.string() for name in _TEXTS}),
        "spec": tag_class(attrs = {
            "artifact": attr.string(),
            "branch": attr.string(),
            "default_features": attr.bool(default = True),
            "features": attr.string_list(),
            "git": attr.string(),
            "lib": attr.bool(),
            "package": attr.string(),
            "path": attr.string(),
            "repositories": attr.string_list(),
            "rev": attr.string(),
            "tag": attr.string(),
            "version": attr.string(),
        }),
        "splicing_config": tag_class(attrs = {
            "resolver_version": attr.string(),
            "repositories": attr.string_list(),
        }),
        "render_config": tag_class(attrs = {
            "default_alias_rule_bzl": attr.string(),
            "default_alias_rule_name": attr.string(),
            "default_package_name": attr.string(),
            "generate_cargo_toml_env_vars": attr.bool(),
            "generate_rules_license_metadata": attr.bool(),
            "generate_target_compatible_with": attr.bool(),
            "platforms_template": attr.string(),
            "regen_command": attr.string(),
            "repositories": attr.string_list(),
            "vendor_mode": attr.string(),
            "build_file_template": attr.string(),
            "crate_label_template": attr.string(),
            "crate_alias_template": attr.string(),
            "crate_repository_template": attr.string(),
            "crates_module_template": attr.string(),
        }),
    },
)
