"""Model of rules_js's module extension `npm` (3.0 to 3.4): a hub for each pnpm-lock.yaml, and a
repository for each package that it locks.

Hubs are unknown whose lock file is made of another one.
"""

load("@bazel_skylib//lib:paths.bzl", "paths")
load("//npm/private:hub.bzl", "described", "hub", "npm_import_rule", "unknown_hub", "visibility")
load("//npm/private:lock_file.bzl", "locked", "read_yaml")
load("//npm/private:names.bzl", "repository_name")

def _built(ctx, lock):
    """The packages whose scripts may run, as package.json or pnpm-workspace.yaml say."""
    found = {}
    folder = ctx.path(lock).dirname
    settings = []
    if folder.get_child("package.json").exists:
        settings.append(json.decode(ctx.read(folder.get_child("package.json"))).get("pnpm", {}))
    if folder.get_child("pnpm-workspace.yaml").exists:
        settings.append(read_yaml(ctx, folder.get_child("pnpm-workspace.yaml")) or {})
    for one in settings:
        names = one.get("onlyBuiltDependencies") or []
        names += [name for name, is_allowed in (one.get("allowBuilds") or {}).items() if is_allowed]
        found.update({name: True for name in names})
    return found

def _url(resolution):
    """Returns the address that a lock file gives; what the registry has is named by no more than
    package, version and integrity."""
    tarball = resolution.get("tarball")
    if resolution.get("type") == "git":
        return resolution.get("repo", "")
    if tarball and "://" in tarball:
        return tarball
    return ""

def _bins(said, names):
    chosen = []
    for name in names:
        chosen = said.get(name, chosen)
    return dict([entry.split("=", 1) for entry in chosen])

_BASIC = [
    "Makefile",
    "Gulpfile.js",
    "Gruntfile.js",
    "appveyor.yml",
    "circle.yml",
    "codeship-services.yml",
    "codeship-steps.yml",
    "wercker.yml",
    ".tern-project",
    ".gitattributes",
    ".editorconfig",
    ".*ignore",
    ".eslintrc",
    ".jshintrc",
    ".flowconfig",
    ".documentup.json",
    ".yarn-metadata.json",
    ".travis.yml",
    "*.md",
]
_FOLDERS = [
    "__tests__",
    "test",
    "tests",
    "powered-test",
    "docs",
    "doc",
    "website",
    "images",
    "assets",
    "example",
    "examples",
    "coverage",
    ".nyc_output",
]
_PRESETS = {"basic": _BASIC, "yarn_autoclean": ["**/%s/**" % folder for folder in _FOLDERS] + _BASIC}

def _excluded(exclusions, names):
    """The patterns of files that packages of these names are stored without."""
    for name in names + ["*"]:
        if name in exclusions:
            tag = exclusions[name]
            return tag.patterns + [pattern for preset in tag.presets for pattern in _PRESETS[preset]]
    return _BASIC

def _translate(ctx, said, exclusions, replacements):
    lock = said.pnpm_lock
    root = lock.package
    text = read_yaml(ctx, lock)
    content = locked(text, said.no_dev, said.no_optional)
    if content == None:
        unknown_hub(name = said.name)
        return
    projects, packages = content
    built = _built(ctx, lock) if said.run_lifecycle_hooks else {}
    patched = (text or {}).get("patchedDependencies", {}) | said.patches

    def link_package(path):
        package = paths.normalize(paths.join(root, path))
        return "" if package == "." else package

    direct = {}
    for project in projects.values():
        for key in (project.needed | project.optional | project.needed_to_develop).values():
            direct[key] = True
    repositories = {}
    for key, package in packages.items():
        resolution = package["resolution"]
        if resolution.get("type") == "directory":
            continue
        name = package["name"]
        names = [name, "%s@%s" % (name, package["friendly_version"]), "%s@%s" % (name, package["version"])]
        runs_scripts = name in built or [one for one in names if said.custom_postinstalls.get(one)]
        hoisted_to = [place for one in {one: True for one in names} for place in said.public_hoist_packages.get(one, [])]
        repository = repository_name(said.name, key)
        npm_import_rule(
            name = repository,
            generate_package_json_bzl = key in direct,
            integrity = resolution.get("integrity", ""),
            is_extracted = bool(runs_scripts or "commit" in resolution or [one for one in names if one in patched]),
            package = name,
            url = _url(resolution),
            version = package["version"],
        )
        repositories[key] = struct(
            excluded = _excluded(exclusions, names),
            replacement = ([replacements[one] for one in names if one in replacements] + [""])[0],
            bins = _bins(said.bins, ["*"] + names),
            hoisted_to = hoisted_to,
            is_known = not runs_scripts,
            name = repository,
            visibility = visibility(said.package_visibility, names),
        )
    files, packages = described(said, root, projects, packages, link_package, repositories)
    hub(
        name = said.name,
        described = repr(packages),
        files = json.encode(files),
        hub = said.name,
    )

def _npm(ctx):
    exclusions, replacements = {}, {}
    for module in ctx.modules:
        exclusions.update({tag.package: tag for tag in module.tags.npm_exclude_package_contents})
        for tag in module.tags.npm_replace_package:
            label = tag.replacement
            replacements[tag.package] = "@@%s//%s:%s" % (label.workspace_name, label.package, label.name)
    for module in ctx.modules:
        for tag in module.tags.npm_translate_lock:
            if not tag.pnpm_lock or tag.generate_bzl_library_targets:
                unknown_hub(name = tag.name)
            else:
                _translate(ctx, tag, exclusions, replacements)
        for tag in module.tags.npm_import:
            npm_import_rule(
                name = tag.name,
                extra_build_content = tag.extra_build_content,
                generate_package_json_bzl = True,
                integrity = tag.integrity,
                is_extracted = bool(tag.extract_full_archive or tag.patches or tag.lifecycle_hooks or tag.custom_postinstall or tag.commit),
                package = tag.package,
                url = tag.url,
                version = tag.version,
            )
            unknown_hub(name = tag.name + "__links")

npm = module_extension(
    implementation = _npm,
    tag_classes = {
        "npm_translate_lock": tag_class(attrs = {
            "bins": attr.string_list_dict(),
            "custom_postinstalls": attr.string_dict(),
            "data": attr.label_list(),
            "external_repository_action_cache": attr.string(),
            "generate_bzl_library_targets": attr.bool(),
            "lifecycle_hooks": attr.string_list_dict(),
            "lifecycle_hooks_envs": attr.string_list_dict(),
            "lifecycle_hooks_exclude": attr.string_list(),
            "lifecycle_hooks_execution_requirements": attr.string_list_dict(),
            "lifecycle_hooks_no_sandbox": attr.bool(default = True),
            "lifecycle_hooks_use_default_shell_env": attr.string_dict(),
            "name": attr.string(),
            "no_dev": attr.bool(),
            "no_optional": attr.bool(),
            "node_toolchain_prefix": attr.string(default = "nodejs"),
            "npm_package_lock": attr.label(),
            "npm_package_target_name": attr.string(default = "pkg"),
            "npmrc": attr.label(),
            "package_visibility": attr.string_list_dict(),
            "patch_args": attr.string_list_dict(default = {"*": ["-p0"]}),
            "patch_tool": attr.label(),
            "patches": attr.string_list_dict(),
            "pnpm_lock": attr.label(),
            "preupdate": attr.label_list(),
            "public_hoist_packages": attr.string_list_dict(),
            "quiet": attr.bool(default = True),
            "run_lifecycle_hooks": attr.bool(default = True),
            "update_pnpm_lock": attr.bool(),
            "use_home_npmrc": attr.bool(),
            "use_pnpm": attr.label(default = "@pnpm//:package/bin/pnpm.cjs"),
            "verify_node_modules_ignored": attr.label(),
            "verify_patches": attr.label(),
            "yarn_lock": attr.label(),
        }),
        "npm_import": tag_class(attrs = {
            "bins": attr.string_dict(),
            "commit": attr.string(),
            "custom_postinstall": attr.string(),
            "deps": attr.string_dict(),
            "exclude_package_contents": attr.string_list(),
            "exclude_package_contents_presets": attr.string_list(default = ["basic"]),
            "extra_build_content": attr.string(),
            "extract_full_archive": attr.bool(),
            "integrity": attr.string(),
            "key": attr.string(),
            "lifecycle_hooks": attr.string_list(),
            "lifecycle_hooks_env": attr.string_list(),
            "lifecycle_hooks_execution_requirements": attr.string_list(default = ["no-sandbox"]),
            "lifecycle_hooks_use_default_shell_env": attr.bool(),
            "name": attr.string(),
            "npm_auth": attr.string(),
            "npm_auth_basic": attr.string(),
            "npm_auth_password": attr.string(),
            "npm_auth_username": attr.string(),
            "package": attr.string(mandatory = True),
            "package_visibility": attr.string_list(default = ["//visibility:public"]),
            "patch_args": attr.string_list(default = ["-p0"]),
            "patch_tool": attr.label(),
            "patches": attr.label_list(),
            "replace_package": attr.string(),
            "root_package": attr.string(),
            "url": attr.string(),
            "version": attr.string(mandatory = True),
        }),
        "npm_exclude_package_contents": tag_class(attrs = {
            "package": attr.string(mandatory = True),
            "patterns": attr.string_list(),
            "presets": attr.string_list(default = ["basic"]),
        }),
        "npm_replace_package": tag_class(attrs = {
            "package": attr.string(mandatory = True),
            "replacement": attr.label(mandatory = True),
        }),
    },
)
