"""What rules_jvm_external (4.2 to 7.1) declares in a hub whose artifacts a lock file pins.

Left out, and so unknown: programs and libraries that are not Java's, what is overridden, under the
name of its original, and the targets that pin and compare versions.
"""

load("//:bazelscope.bzl", "RELEASE")
load("//private:coordinates.bzl", "escaped", "repository_of", "simple")
load("//private:lock_files.bzl", "locked")
load("//private:dependency_tree_parser.bzl", "parser")

_MACHINES = [
    "linux-aarch_64",
    "linux-x86_64",
    "osx-aarch_64",
    "osx-x86_64",
    "windows-x86_64",
]
_TELLS_VISIBILITY = RELEASE >= (4, 3, 0)
_TELLS_ORIGINS = RELEASE >= (6, 0, 0)
_HAS_LICENSES = RELEASE >= (6, 3, 0)
_COPIES_FILES = RELEASE >= (6, 8, 0)
_HAS_METADATA = RELEASE >= (6, 9, 0)
_EXCLUDES = RELEASE >= (7, 1, 0)
_LEFT_OUT = ["dll", "dylib", "exe", "json", "so"]
_PUBLIC = ["//visibility:public"]
_DEFAULT_PLACES = [
    "https://repo.maven.apache.org/maven2",
    "https://repo.maven.apache.org/maven2/",
    "https://repo1.maven.org",
    "https://repo1.maven.org/",
]

AAR_IMPORT = "@%s:rules.bzl" % (
    "rules_android//rules" if RELEASE >= (6, 10, 0) else "build_bazel_rules_android//android"
)
_LOADS = (
    'load("@rules_jvm_external//private/rules:jvm_import.bzl", "jvm_import")\n' +
    ('load("@bazel_skylib//rules:copy_file.bzl", "copy_file")\n' if _COPIES_FILES else "") +
    ('load("@rules_license//rules:package_info.bzl", "package_info")\n' if _HAS_LICENSES else "") +
    ('load("@package_metadata//rules:package_metadata.bzl", "package_metadata")\n' if _HAS_METADATA else "") +
    ('load("@rules_java//java:defs.bzl", "java_library", "java_plugin")\n' if RELEASE >= (6, 5, 0) else "")
)

def _ending(artifact):
    return artifact.file.rpartition(".")[2]

def _call(rule, **attributes):
    return "".join([
        rule + "(\n",
        "".join(["    %s = %s,\n" % said for said in attributes.items() if said[1] != None]),
        ")\n",
    ])

def _copy(artifact, visibility):
    repository = repository_of(artifact.text)
    name, file = repository + "_extension", "@%s//file" % repository
    visibility = visibility if _TELLS_VISIBILITY else None
    if _COPIES_FILES:
        return _call(
            "copy_file",
            name = repr(name),
            src = repr(file),
            out = repr(artifact.file),
            allow_symlink = True,
            visibility = visibility,
        )
    return _call(
        "genrule",
        name = repr(name),
        srcs = [file],
        outs = [artifact.file],
        cmd = repr("cp $< $@"),
        visibility = visibility,
    )

def _purl(one, url):
    told = ["classifier=" + one.classifier] if one.classifier else []
    if one.packaging != "jar":
        told.append("type=" + one.packaging)
    scheme, _, rest = (url or "").partition("://")
    place = scheme + "://" + rest.partition("/")[0] if url else ""
    if place and place not in _DEFAULT_PLACES:
        told.append("repository=" + place)
    between = "/" if RELEASE >= (6, 10, 0) else ":"
    shown = "pkg:maven/" + one.group + between + one.artifact + "@" + one.version
    return "?".join([shown] + (["&".join(told)] if told else []))

def _tags(artifact, spec, repositories):
    tags = ["maven_coordinates=" + artifact.text, "maven_url=%s" % artifact.url]
    if not _TELLS_ORIGINS:
        return tags
    bases = sorted([base for base in repositories if (artifact.url or "").startswith(base)], key = len)
    if bases:
        tags.append("maven_repository=" + bases[-1])
    if spec and spec.neverlink:
        tags.append("maven:compile-only")
    if artifact.sha256:
        tags.append("maven_sha256=" + artifact.sha256)
    if _HAS_METADATA and spec:
        tags += ["maven_exclusion=" + excluded for excluded in spec.exclusions]
    return tags

def _is_excluded(dep, spec):
    for excluded in spec.exclusions if _EXCLUDES and spec else []:
        group, _, artifact = excluded.partition(":")
        if group in ["*", dep.group] and artifact in ["*", dep.artifact]:
            return True
    return False

def _deps(artifact, deps, spec, overridden):
    own, one = escaped(simple(artifact.coordinates)), artifact.coordinates
    found = {}
    for dep in deps:
        label = escaped(simple(dep))
        is_twin = (dep.group, dep.artifact) == (one.group, one.artifact)
        is_twin = is_twin and one.classifier in _MACHINES and dep.classifier in _MACHINES
        if not (dep.packaging == "json" or is_twin or label == own or _is_excluded(dep, spec)):
            found[overridden.get(label, ":" + label)] = True
    return list(found)

def _import(artifact, spec, hub, visibility, source):
    name = escaped(simple(artifact.coordinates))
    made = ""
    is_jar = _ending(artifact) == "jar"
    attributes = {"name": repr(name), "srcjar": repr(source) if source else None}
    file = repr(artifact.file)
    if not is_jar:
        attributes["aar"] = file
    elif _HAS_LICENSES:
        attributes.update(jar = file, maven_coordinates = repr(artifact.text), maven_url = repr(artifact.url))
    else:
        attributes["jars"] = "[%s]" % file
    licenses = []
    if _HAS_LICENSES and not is_jar:
        licenses.append(":%s_package_info" % name)
        made += _call(
            "package_info",
            name = repr(name + "_package_info"),
            package_name = repr(artifact.text),
            package_url = repr(artifact.url),
            package_version = repr(artifact.coordinates.version),
        )
    if _HAS_METADATA:
        licenses.append(":%s_package_metadata" % name)
        made += _call(
            "package_metadata",
            name = repr(name + "_package_metadata"),
            purl = repr(_purl(artifact.coordinates, artifact.url)),
            visibility = _PUBLIC,
        )
    return made + _call(
        "jvm_import" if is_jar else "aar_import",
        deps = _deps(artifact, artifact.deps, spec, hub.overridden),
        tags = _tags(artifact, spec, hub.repositories),
        applicable_licenses = licenses or None,
        neverlink = True if spec and spec.neverlink else None,
        testonly = True if spec and spec.testonly else None,
        visibility = visibility,
        **attributes
    )

def _plugins(artifact, spec, visibility):
    name = escaped(simple(artifact.coordinates))
    return "".join([_call(
        "java_plugin",
        name = repr("%s__java_plugin__%s" % (name, escaped(processor))),
        testonly = True if RELEASE >= (6, 2, 0) and spec and spec.testonly else None,
        deps = [":" + name],
        generates_api = True,
        processor_class = repr(processor),
        visibility = visibility,
    ) for processor in (artifact.processors if RELEASE >= (6, 1, 0) else [])])

def _exports(artifact, spec, visibility):
    name = escaped(simple(artifact.coordinates))
    labels = [":" + escaped(simple(dep)) for dep in artifact.exports if not _is_excluded(dep, spec)]
    return _call(
        "java_library",
        name = repr(name),
        exports = list({label: True for label in labels if label != ":" + name}),
        tags = ["maven_coordinates=" + artifact.text],
        visibility = visibility,
    )

def _build_file(artifacts, hub):
    made = [_LOADS]
    if hub.aar_import:
        made.append('load("%s", "aar_import")\n' % hub.aar_import)
    if not _TELLS_VISIBILITY:
        made.append(_call("package", default_visibility = hub.visibility))
    says_public = _TELLS_VISIBILITY or hub.visibility != _PUBLIC
    sources, seen = {}, {}
    for artifact in artifacts:
        one = artifact.coordinates
        if hub.fetches_sources and one.classifier == "sources" and artifact.urls and artifact.file:
            if artifact.file not in seen:
                seen[artifact.file] = True
                sources[escaped(simple(one))] = artifact.file
                made.append(_copy(artifact, hub.visibility))
    for artifact in artifacts:
        one = artifact.coordinates
        name = escaped(simple(one))
        if name in seen or (hub.fetches_sources and one.classifier == "sources"):
            continue
        seen[name] = True
        is_file = artifact.file != None and not (one.packaging == "pom" and _HAS_LICENSES)
        is_of_java = not is_file or (artifact.urls and _ending(artifact) in ["aar", "jar"])
        if one.packaging in _LEFT_OUT or one.classifier == "javadoc" or not is_of_java:
            continue
        spec = hub.specs.get(simple(one))
        visibility = hub.visibility if _TELLS_VISIBILITY else None
        if spec and says_public:
            visibility = _PUBLIC
        if name in hub.overridden:
            made.append(_call(
                "alias",
                name = repr(name),
                actual = repr(hub.overridden[name]),
                visibility = hub.overridden_visibility.get(name) or (visibility if _HAS_METADATA else _PUBLIC),
            ))
        elif is_file:
            if not spec and hub.is_compatible:
                visibility = ["@%s//:__subpackages__" % name]
            made.append(_import(artifact, spec, hub, visibility, sources.get(name)))
            made.append(_plugins(artifact, spec, visibility))
        else:
            made.append(_exports(artifact, spec, visibility))
        if is_file:
            made.append(_copy(artifact, hub.visibility))
        if name not in hub.overridden:
            versioned = escaped(simple(one) + ":" + one.version)
            made.append(_call("alias", name = repr(versioned), actual = repr(name), visibility = visibility))
    return "".join(made)

def spec(one, neverlink = False, testonly = False, exclusions = []):
    """An artifact that is asked for, as rules take it in JSON."""
    return dict(
        group = one.group,
        artifact = one.artifact,
        classifier = one.classifier,
        neverlink = neverlink,
        testonly = testonly,
        exclusions = exclusions,
    )

def _coursier_fetch(ctx):
    ctx.execute(["coursier", "fetch"] + ctx.attr.artifacts)

coursier_fetch = repository_rule(
    implementation = _coursier_fetch,
    attrs = {"artifacts": attr.string_list(), "repositories": attr.string_list()},
)

def _definitions(ctx, artifacts):
    """The file that a WORKSPACE loads to define a repository for each artifact."""
    calls = ["    " + _call(
        "http_file",
        name = repr(repository_of(artifact.text)),
        sha256 = repr(artifact.sha256),
        netrc = repr("../%s/netrc" % ctx.name),
        urls = artifact.urls,
        downloaded_file_path = repr(artifact.downloaded),
    ).replace("\n", "\n    ") for artifact in artifacts if artifact.urls]
    return "\n".join([
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_file")',
        "def pinned_maven_install():",
        "    pass",
    ] + calls + ["", "maven_artifacts = %s" % [artifact.text for artifact in artifacts if artifact.urls], ""])

def _pinned_coursier_fetch(ctx):
    """Runs no program: makes its targets of the lock file, as each release does it otherwise."""
    said = ctx.attr
    text = ctx.read(said.maven_install_json)
    is_known = RELEASE >= (4, 2, 0) and RELEASE < (8, 0, 0) and not said.jetify
    artifacts = locked(text) if is_known else None
    if artifacts == None:
        ctx.file("BUILD", parser.generate_imports(text))
        ctx.file("defs.bzl", parser.generate_imports(text))
        return
    ctx.file("defs.bzl", _definitions(ctx, artifacts))
    specs = {}
    for one in [json.decode(one) for one in said.artifacts]:
        words = [one["group"], one["artifact"]] + ([one["classifier"]] if one["classifier"] else [])
        before = specs.get(":".join(words))
        specs[":".join(words)] = struct(
            exclusions = one["exclusions"],
            neverlink = one["neverlink"] or (before != None and before.neverlink),
            testonly = one["testonly"] or (before != None and before.testonly),
        )

    # What nobody can tell stays unknown, as the files of the real rule are that would tell it.
    visibility = _PUBLIC
    if said.strict_visibility:
        visibility = [str(label) for label in said.strict_visibility_value]
        if said.may_have_more_artifacts:
            visibility = ctx.read(Label("//private/extensions:maven.bzl"))
    is_native = hasattr(native, "aar_import") or RELEASE < (6, 10, 0)
    made = _build_file(artifacts, struct(
        aar_import = "" if is_native and not said.use_starlark_android_rules else said.aar_import_bzl_label,
        fetches_sources = said.fetch_sources,
        is_compatible = said.strict_visibility and said.generate_compat_repositories and RELEASE >= (5, 0, 0),
        overridden = {escaped(key): label for key, label in said.override_targets.items()},
        overridden_visibility = {escaped(key): named for key, named in said.override_target_visibilities.items()},
        repositories = said.repositories,
        specs = specs,
        visibility = visibility,
    ))
    ctx.file("BUILD", made + ctx.read(Label("//private/rules:coursier.bzl")))

pinned_coursier_fetch = repository_rule(
    implementation = _pinned_coursier_fetch,
    attrs = {
        "aar_import_bzl_label": attr.string(default = AAR_IMPORT),
        "artifacts": attr.string_list(),
        "fetch_sources": attr.bool(),
        "generate_compat_repositories": attr.bool(),
        "jetify": attr.bool(),
        "maven_install_json": attr.label(),
        "may_have_more_artifacts": attr.bool(doc = "Of the model: other modules may want some."),
        "override_target_visibilities": attr.string_list_dict(),
        "override_targets": attr.string_dict(),
        "repositories": attr.string_list(),
        "strict_visibility": attr.bool(),
        "strict_visibility_value": attr.label_list(default = ["//visibility:private"]),
        "use_starlark_android_rules": attr.bool(),
    },
)
