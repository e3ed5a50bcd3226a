"""Model of rules_jvm_external's module extension `maven` (5.3 to 7.1): a repository for each
`name`, and one for each artifact of its maven_install.json.

Without a lock file only the resolver can tell which artifacts there are.
"""

load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_file")
load("//:bazelscope.bzl", "RELEASE")
load("//private:coordinates.bzl", "parsed", "repository_of")
load("//private:lock_files.bzl", "locked")
load("//private:pinned_hub.bzl", "AAR_IMPORT", "coursier_fetch", "pinned_coursier_fetch", "spec")

def _amended(said, amendment):
    """Before 6.10, an amendment is true or says nothing."""
    is_true = amendment in [True, "on", "true"]
    return is_true if amendment else said

def _specs(module, name):
    """What a module wants in the hub of that name, as it has amended it."""
    found = []
    for tag in module.tags.artifact:
        if tag.name == name:
            found.append(spec(tag, tag.neverlink, tag.testonly, tag.exclusions))
    for tag in module.tags.install:
        if tag.name == name:
            found += [spec(parsed(artifact)) for artifact in tag.artifacts]
    for tag in module.tags.amend_artifact:
        one = parsed(tag.coordinates)
        for wanted in found if tag.name == name else []:
            if (wanted["group"], wanted["artifact"]) == (one.group, one.artifact):
                wanted["neverlink"] = _amended(wanted["neverlink"], tag.neverlink)
                wanted["testonly"] = _amended(wanted["testonly"], tag.testonly)
                wanted["exclusions"] = wanted["exclusions"] + tag.exclusions
    return found

def _hub(ctx, name):
    """What modules say of a hub; what the root says of it goes first."""
    specs, repositories, locks = [], [], []
    overridden, visible = {}, {}
    switches = {"fetch_sources": False, "strict_visibility": False, "use_starlark_android_rules": False}
    hub = {}
    for module in [one for one in ctx.modules if one.is_root] + [one for one in ctx.modules if not one.is_root]:
        taken = {(one["group"], one["artifact"]): True for one in specs}
        specs += [one for one in _specs(module, name) if (one["group"], one["artifact"]) not in taken]
        for tag in module.tags.override:
            if tag.name == name:
                overridden.setdefault(tag.coordinates, str(tag.target))
                visible.setdefault(tag.coordinates, tag.visibility)
        for tag in module.tags.install:
            if tag.name != name:
                continue
            if not hub or not hub["is_root"] or module.is_root:
                repositories += [place for place in tag.repositories if place not in repositories]
            if tag.lock_file and tag.lock_file not in locks:
                locks.append(tag.lock_file)
            hub.setdefault("is_root", module.is_root)
            hub.setdefault("aar_import_bzl_label", tag.aar_import_bzl_label)
            hub.setdefault("strict_visibility_value", tag.strict_visibility_value)
            for switch in list(switches):
                is_decided = hub["is_root"] and not module.is_root and RELEASE >= (6, 1, 0)
                if not is_decided or switch == "use_starlark_android_rules":
                    switches[switch] = switches[switch] or getattr(tag, switch)
    return struct(
        locks = locks,
        repositories = repositories,
        specs = specs,
        said = dict(
            switches,
            aar_import_bzl_label = hub.get("aar_import_bzl_label"),
            override_target_visibilities = visible,
            override_targets = overridden,
            strict_visibility_value = hub.get("strict_visibility_value"),
        ),
    )

def _maven(ctx):
    made = {}
    names = {}
    for module in ctx.modules:
        for tag in module.tags.install:
            names[tag.name] = True
    for name in names:
        hub = _hub(ctx, name)
        if not hub.locks:
            wanted = ["%s:%s" % (one["group"], one["artifact"]) for one in hub.specs]
            coursier_fetch(name = name, artifacts = wanted, repositories = hub.repositories)
            continue
        for artifact in locked(ctx.read(hub.locks[0])) or []:
            repository = repository_of(artifact.text)
            if artifact.urls and repository not in made:
                made[repository] = True
                http_file(
                    name = repository,
                    urls = artifact.urls,
                    sha256 = artifact.sha256,
                    downloaded_file_path = artifact.downloaded,
                )
        pinned_coursier_fetch(
            name = name,
            artifacts = [json.encode(one) for one in hub.specs],
            maven_install_json = hub.locks[0],
            may_have_more_artifacts = True,
            repositories = hub.repositories,
            **hub.said
        )

_SWITCHES = [
    "fetch_javadoc",
    "generate_compat_repositories",
    "ignore_empty_files",
    "strict_visibility",
    "testonly",
    "use_credentials_from_home_netrc_file",
    "use_unsafe_shared_cache",
    "use_starlark_android_rules",
    "fail_if_repin_required",
]

_SWITCH = attr.string() if RELEASE >= (6, 10, 0) else attr.bool()

maven = module_extension(
    implementation = _maven,
    tag_classes = {
        "install": tag_class(attrs = {
            "name": attr.string(default = "maven"),
            "aar_import_bzl_label": attr.string(default = AAR_IMPORT),
            "additional_coursier_options": attr.string_list(),
            "additional_netrc_lines": attr.string_list(),
            "artifacts": attr.string_list(),
            "boms": attr.string_list(),
            "duplicate_version_warning": attr.string(),
            "excluded_artifacts": attr.string_list(),
            "fetch_sources": attr.bool(default = RELEASE < (6, 0, 0)),
            "known_contributing_modules": attr.string_list(),
            "lock_file": attr.label(),
            "repositories": attr.string_list(default = ["https://repo1.maven.org/maven2"]),
            "repin_instructions": attr.string(),
            "resolve_timeout": attr.int(),
            "resolver": attr.string(),
            "strict_visibility_value": attr.label_list(default = ["//visibility:private"]),
            "version_conflict_policy": attr.string(),
        } | {name: attr.bool() for name in _SWITCHES}),
        "artifact": tag_class(attrs = {
            "name": attr.string(default = "maven"),
            "artifact": attr.string(),
            "classifier": attr.string(),
            "exclusions": attr.string_list(),
            "force_version": attr.bool(),
            "group": attr.string(),
            "neverlink": attr.bool(),
            "packaging": attr.string(),
            "testonly": attr.bool(),
            "version": attr.string(),
        }),
        "amend_artifact": tag_class(attrs = {
            "name": attr.string(default = "maven"),
            "coordinates": attr.string(),
            "exclusions": attr.string_list(),
            "force_version": _SWITCH,
            "neverlink": _SWITCH,
            "testonly": _SWITCH,
        }),
        "from_toml": tag_class(attrs = {
            "name": attr.string(default = "maven"),
            "libs_versions_toml": attr.label(),
            "bom_modules": attr.string_list(),
        }),
        "override": tag_class(attrs = {
            "name": attr.string(default = "maven"),
            "coordinates": attr.string(),
            "target": attr.label(),
            "visibility": attr.string_list(),
        }),
    },
)
