"""Model of rules_jvm_external's module extension `maven` (5.3 to 6.10): a repository for each
`name`, and one for each artifact of its maven_install.json.

Without a lock file only the resolver can tell which artifacts there are.
"""

load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_file")
load("//private:dependency_tree_parser.bzl", "parser")

def _coursier_fetch(ctx):
    ctx.execute(["coursier", "fetch"] + ctx.attr.artifacts)

_ATTRIBUTES = {
    "artifacts": attr.string_list(),
    "repositories": attr.string_list(),
}

coursier_fetch = repository_rule(implementation = _coursier_fetch, attrs = _ATTRIBUTES)

def _pinned_coursier_fetch(ctx):
    """Runs no program: makes its targets of the lock file, as each release does it otherwise."""
    ctx.file("BUILD", parser.generate_imports(ctx.read(ctx.attr.maven_install_json)))

pinned_coursier_fetch = repository_rule(
    implementation = _pinned_coursier_fetch,
    attrs = _ATTRIBUTES | {"maven_install_json": attr.label()},
)

def _escaped(text):
    made = ""
    for letter in text.elems():
        made += letter if letter.isalnum() or letter == "_" else "_"
    return made.lower()

def _locked(content):
    """Coordinates, address and checksum of every file of a maven_install.json of version 2."""
    found = []
    places = {}
    for url, artifacts in content.get("repositories", {}).items():
        for artifact in artifacts:
            places.setdefault(artifact, url)
    for key, artifact in content.get("artifacts", {}).items():
        words = key.split(":")
        group, name = words[0], words[1]
        packaging = words[2] if len(words) > 2 else "jar"
        version = artifact["version"]
        for classifier, checksum in artifact.get("shasums", {}).items():
            if not checksum:
                continue
            plain = classifier == packaging
            shown = key if plain else "%s:%s:%s:%s" % (group, name, packaging, classifier)
            file = "%s-%s%s.%s" % (name, version, "" if plain else "-" + classifier, packaging)
            base = places.get(shown, places.get(key, ""))
            found.append((
                "%s:%s" % (shown, version),
                "%s/%s/%s/%s/%s" % (base.rstrip("/"), group.replace(".", "/"), name, version, file),
                checksum,
            ))
    return found

def _maven(ctx):
    hubs = {}
    for module in ctx.modules:
        for tag in module.tags.install:
            hub = hubs.setdefault(tag.name, struct(artifacts = [], repositories = [], locks = []))
            hub.artifacts.extend(tag.artifacts)
            hub.repositories.extend(tag.repositories)
            if tag.lock_file and tag.lock_file not in hub.locks:
                hub.locks.append(tag.lock_file)
    made = {}
    for name, hub in hubs.items():
        for lock in hub.locks:
            for coordinates, url, checksum in _locked(json.decode(ctx.read(lock))):
                repository = _escaped(coordinates)
                if repository not in made:
                    made[repository] = True
                    http_file(name = repository, urls = [url], sha256 = checksum)
        rule = pinned_coursier_fetch if hub.locks else coursier_fetch
        rule(
            name = name,
            artifacts = hub.artifacts,
            repositories = hub.repositories,
            **({"maven_install_json": hub.locks[0]} if hub.locks else {})
        )

_SWITCHES = [
    "fetch_javadoc",
    "fetch_sources",
    "generate_compat_repositories",
    "ignore_empty_files",
    "strict_visibility",
    "testonly",
    "use_credentials_from_home_netrc_file",
    "use_unsafe_shared_cache",
    "use_starlark_android_rules",
    "fail_if_repin_required",
]

maven = module_extension(
    implementation = _maven,
    tag_classes = {
        "install": tag_class(attrs = {
            "name": attr.string(default = "maven"),
            "aar_import_bzl_label": attr.string(),
            "additional_coursier_options": attr.string_list(),
            "additional_netrc_lines": attr.string_list(),
            "artifacts": attr.string_list(),
            "boms": attr.string_list(),
            "duplicate_version_warning": attr.string(),
            "excluded_artifacts": attr.string_list(),
            "known_contributing_modules": attr.string_list(),
            "lock_file": attr.label(),
            "repositories": attr.string_list(),
            "repin_instructions": attr.string(),
            "resolve_timeout": attr.int(),
            "resolver": attr.string(),
            "strict_visibility_value": attr.label_list(),
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
            "force_version": attr.string(),
            "neverlink": attr.string(),
            "testonly": attr.string(),
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
        }),
    },
)
