"""Model of @rules_jvm_external//private/rules:maven_install.bzl (4.2 to 6.10)."""

load("//private:coordinates.bzl", "parsed")
load("//private:pinned_hub.bzl", "coursier_fetch", "pinned_coursier_fetch", "spec")

def _excluded(said):
    return said if type(said) == "string" else said["group"] + ":" + said["artifact"]

def _spec(said):
    if type(said) == "string":
        return spec(parsed(said))
    return spec(
        struct(group = said["group"], artifact = said["artifact"], classifier = said.get("classifier", "")),
        said.get("neverlink", False),
        said.get("testonly", False),
        [_excluded(one) for one in said.get("exclusions", [])],
    )

def maven_install(
        name = "maven",
        repositories = [],
        artifacts = [],
        fetch_sources = False,
        generate_compat_repositories = False,
        maven_install_json = None,
        override_targets = {},
        strict_visibility = False,
        strict_visibility_value = None,
        jetify = False,
        use_starlark_android_rules = False,
        aar_import_bzl_label = None,
        **kwargs):
    places = [one if type(one) == "string" else one["repo_url"] for one in repositories]
    specs = [json.encode(_spec(one)) for one in artifacts]
    coursier_fetch(
        name = "unpinned_" + name if maven_install_json else name,
        artifacts = specs,
        repositories = places,
    )
    if maven_install_json:
        pinned_coursier_fetch(
            name = name,
            aar_import_bzl_label = aar_import_bzl_label,
            artifacts = specs,
            fetch_sources = fetch_sources,
            generate_compat_repositories = generate_compat_repositories,
            jetify = jetify,
            maven_install_json = maven_install_json,
            override_targets = override_targets,
            repositories = places,
            strict_visibility = strict_visibility,
            strict_visibility_value = strict_visibility_value,
            use_starlark_android_rules = use_starlark_android_rules,
        )
