"""What rules_js (3.0 to 3.4) declares of npm packages where they are linked and in its store.

Left out, and so unknown: what is declared of a package whose scripts run after its installation.
"""

load("//js:defs.bzl", "js_library")
load("//npm/private:npm_import.bzl", "npm_imported_package_store_internal")
load(":names.bzl", "STORE")

def _nothing(ctx):
    return []

def _stored(is_internal):
    """The attributes of a package in the store; of what the lock file has if `is_internal`."""
    return {
        "src": attr.label(mandatory = not is_internal),
        "deps": attr.label_keyed_string_dict(),
        "exclude_package_contents": attr.string_list(),
        "package": attr.string(mandatory = is_internal),
        "version": attr.string(mandatory = is_internal),
        "hardlink": attr.string(default = "auto", values = ["auto", "off", "on"]),
        "verbose": attr.bool(),
    } | ({"key": attr.string(mandatory = True)} if is_internal else {})

npm_package_store = rule(_nothing, attrs = _stored(False))
npm_package_store_internal = rule(_nothing, attrs = _stored(True))

npm_link_package_store = rule(
    _nothing,
    attrs = {
        "src": attr.label(mandatory = True),
        "package": attr.string(),
        "dev": attr.bool(),
        "bins": attr.string_dict(),
    },
)

npm_package_internal = rule(
    _nothing,
    attrs = {
        "src": attr.label(allow_single_file = True, mandatory = True),
        "package": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
    },
)

def _directory_of(name, visibility):
    native.filegroup(
        name = name + "/dir",
        srcs = [":" + name],
        output_group = "package_directory",
        tags = ["manual"],
        visibility = visibility,
    )

def _dependencies(said):
    """A dictionary, or several together, of which some are for some machines."""
    always, groups = said
    value = always
    for place, group in enumerate(groups):
        chosen = select(group | {"//conditions:default": {}})
        value = chosen if place == 0 and not always else value | chosen
    return value

def _store_imported(package, siblings):
    name = STORE + package["store"]
    if not package["is_known"]:
        npm_imported_package_store_internal(name = name)
        return

    source = package["replacement"] or "%s%s//:pkg" % (siblings, package["repository"])

    def declare(name, **attributes):
        npm_package_store_internal(
            name = name,
            exclude_package_contents = package["excluded"],
            key = package["key"],
            package = package["package"],
            tags = ["manual"],
            version = package["version"],
            **attributes
        )

    declare(name + "/ref")
    declare(name + "/pkg", src = source, deps = _dependencies(package["references"]))
    declare(
        name,
        src = None if package["has_closure"] else source,
        deps = _dependencies(package["deps"]),
        visibility = ["//visibility:public"],
    )
    _directory_of(name, ["//visibility:public"])

def _store_own(package):
    name = STORE + package["store"]
    npm_package_store(
        name = name,
        src = package["src"],
        deps = package["deps"],
        package = package["package"],
        tags = ["manual"],
        version = package["version"],
        visibility = ["//visibility:public"],
    )
    for alias in ["ref", "pkg"]:
        native.alias(name = "%s/%s" % (name, alias), actual = name, visibility = ["//visibility:public"])

def npm_link_package(name, src, deps = {}, auto_manual = True, visibility = ["//visibility:public"], **attributes):
    tags = attributes.pop("tags", [])
    if auto_manual and "manual" not in tags:
        tags = tags + ["manual"]
    stored = ".aspect_rules_js/" + name
    npm_package_store(
        name = stored,
        src = src,
        deps = deps,
        tags = tags,
        visibility = ["//visibility:public"],
        **attributes
    )
    npm_link_package_store(name = name, src = ":" + stored, tags = tags, visibility = visibility)
    native.filegroup(
        name = name + "/dir",
        srcs = [":" + name],
        output_group = "package_directory",
        tags = tags,
        visibility = visibility,
    )
    return ":" + name

def _may_see(package, said):
    """Whether a project may link what is shown to these; None shows to all."""
    for one in ["//visibility:public"] if said == None else said:
        shown, _, name = one.removeprefix("//").partition(":")
        if one == "//visibility:public" or (shown and shown == package):
            return True
        if name == "__pkg__" and shown == package:
            return True
        if name == "__subpackages__" and (package == shown or package.startswith(shown + "/")):
            return True
    return False

def link_all(hub, siblings, imported_links):
    here = native.package_name()
    if here == hub["root"]:
        for package in hub["imported"]:
            _store_imported(package, siblings)
        for package in hub["own"]:
            _store_own(package)
    elif here not in hub["projects"]:
        fail("npm_link_all_packages() is called in a package that is no project of pnpm-lock.yaml: '%s'" % here)
    for link in hub["links"].get(here, []):
        if not _may_see(here, hub["visibility"].get(link["package"], hub["visibility"].get("*"))):
            fail("Package visibility violation: %s is not visible from %s" % (link["package"], here))
    targets, scopes = [], {}
    for link in hub["links"].get(here, []):
        name = "node_modules/" + link["name"]
        npm_link_package_store(
            name = name,
            src = link["src"],
            tags = ["manual"],
            visibility = link["visibility"],
            **link["said"]
        )
        _directory_of(name, link["visibility"])
        scope = link["name"].partition("/")[0]
        if scope.startswith("@") and link["is_listed"]:
            scopes.setdefault(scope, []).append(":" + name)
    targets.extend([label[len("//" + here):] for label in link_targets(hub, here, True, True)])
    for link in imported_links:
        more_targets, more_scopes = link("node_modules", True, True)
        targets.extend(more_targets)
        for scope, names in more_scopes.items():
            scopes.setdefault(scope, []).extend(names)
    for scope, names in scopes.items():
        js_library(
            name = "node_modules/" + scope,
            srcs = names,
            tags = ["manual"],
            visibility = ["//visibility:public"],
        )
    if here in hub["projects"]:
        js_library(
            name = "node_modules",
            srcs = targets,
            tags = ["manual"],
            visibility = ["//visibility:public"],
        )

def link_targets(hub, package, prod, dev):
    found = []
    for is_dev in ([False] if prod else []) + ([True] if dev else []):
        for link in hub["links"].get(package, []):
            if link["is_dev"] == is_dev and link["is_listed"]:
                found.append("//%s:node_modules/%s" % (package, link["name"]))
    return found
