"""The repositories that rules_js (3.0 to 3.4) makes of a pnpm-lock.yaml: a hub, and one for each
package."""

load("//platforms/pnpm:index.bzl", "PNPM_ARCHS", "PNPM_ARCH_ALIASES", "PNPM_PLATFORMS")
load(":lock_file.bzl", "closures", "first_party")
load(":names.bzl", "STORE", "store_name")

def _values(said, known, aliases):
    is_negated = said[0].startswith("!")
    named = {}
    for word in said:
        word = word[1:] if is_negated else word
        if word not in known and word not in aliases:
            fail("Unknown word of package.json: " + word)
        word = aliases.get(word, word)
        if word:
            named[word] = True
    words = [word for word in known if word not in named] if is_negated else list(named)
    return [word for word in words if known[word]]

def _conditions(package):
    """On which machines a package that is optional is needed: the group of its conditions, and
    these."""
    systems = _values(package["os"], PNPM_PLATFORMS, {}) if package["os"] else []
    processors = _values(package["cpu"], PNPM_ARCHS, PNPM_ARCH_ALIASES) if package["cpu"] else []
    words = systems + processors
    if package["os"] and package["cpu"]:
        words = ["%s_%s" % (system, one) for one in processors for system in systems]
    return (package["os"] != None, package["cpu"] != None), words

def _for_machines(deps, conditions):
    always = {}
    groups = {(True, False): {}, (False, True): {}, (True, True): {}}
    for label, (key, names) in deps.items():
        if key not in conditions:
            always[label] = ",".join(names)
            continue
        group, words = conditions[key]
        for word in words:
            label_of_word = "@aspect_rules_js//platforms/pnpm:" + word
            groups[group].setdefault(label_of_word, {})[label] = ",".join(names)
    return always, [group for group in groups.values() if group]

def _name(names, key):
    """The name in the store: of packages that are locked it is in `names`."""
    return names.get(key) or store_name(key)

def _stored(key, packages, closure, names):
    """What the package `key` has in the store besides its name: its dependencies."""
    package = packages[key]
    optional = list(package["optional"].values())
    if closure:
        optional += list(closure.optional)
    conditions = {}
    for dep in optional:
        if not dep.startswith("link:") and (packages[dep]["os"] or packages[dep]["cpu"]):
            conditions[dep] = _conditions(packages[dep])
    references, deps = {}, {}
    for alias, dep in (package["needed"] | package["optional"]).items():
        label = ":%s%s" % (STORE, _name(names, dep))
        references.setdefault(label + "/ref", (dep, []))[1].append(alias)
        deps.setdefault(label, (dep, []))[1].append(alias)
    if closure:
        everything = closure.needed | closure.optional
        deps = {}
        if key in everything:
            deps[":%s%s/pkg" % (STORE, _name(names, key))] = (None, everything[key])
        for dep, aliases in everything.items():
            if dep != key:
                deps[":%s%s/pkg" % (STORE, _name(names, dep))] = (dep, aliases)
    return dict(
        deps = _for_machines(deps, conditions),
        has_closure = closure != None,
        references = _for_machines(references, conditions),
    )

def visibility(said, names):
    """Who may see the links of packages of these names."""
    found = []
    for name in ["*"] + [name for at, name in enumerate(names) if name not in names[:at]]:
        found += said.get(name, [])
    return found or ["//visibility:public"]

def described(said, root, projects, packages, link_package, repositories):
    """What a lock file makes of the packages of the workspace, and the files of its hub by these."""
    circles = closures(packages)
    stored = {key: store_name(key) for key in packages}
    linked = {}
    for path, project in projects.items():
        kept = project.needed | project.optional
        for name, key in (kept | project.needed_to_develop).items():
            if not key.startswith("link:"):
                linked.setdefault(key, {}).setdefault(link_package(path), []).append((name, name not in kept))
    imported, links, files = [], {link_package(path): [] for path in projects}, {}
    for key, package in packages.items():
        repository = repositories.get(key)
        if not repository:
            continue
        imported.append(_stored(key, packages, circles.get(key), stored) | dict(
            excluded = repository.excluded,
            is_known = repository.is_known,
            key = key,
            package = package["name"],
            replacement = repository.replacement,
            repository = repository.name,
            store = _name(stored, key),
            version = package["version"],
        ))
        for place in repository.hoisted_to:
            links_there = linked.setdefault(key, {}).setdefault(place, [])
            if package["name"] not in [name for name, _ in links_there]:
                links_there.append((package["name"], True))
        for place, names in linked.get(key, {}).items():
            for name, is_dev in names:
                links[place].append(dict(
                    is_dev = is_dev,
                    is_listed = "//visibility:public" in repository.visibility,
                    name = name,
                    package = name,
                    visibility = repository.visibility,
                    said = dict(bins = repository.bins, dev = is_dev, package = name),
                    src = "//%s:%s%s" % (root, STORE, _name(stored, key)),
                ))
                files.setdefault(place, []).append((name, package["has_bin"], repository.name))
    own = []
    for package in first_party(projects, packages, link_package):
        basename = package["path"].rpartition("/")[2]
        deps = {}
        for name, dep in package["deps"].items():
            deps.setdefault("//%s:%s%s" % (root, STORE, _name(stored, dep)), []).append(name)
        own.append(dict(
            deps = {label: ",".join(names) for label, names in deps.items()},
            package = package["package"],
            src = "//%s:%s" % (package["path"], said.npm_package_target_name.replace("{dirname}", basename)),
            store = store_name(package["key"]),
            version = package["version"],
        ))
        for place, names in package["links"].items():
            for name, is_dev in names.items():
                links[place].append(dict(
                    is_dev = is_dev,
                    is_listed = True,
                    name = name,
                    package = package["package"],
                    visibility = visibility(said.package_visibility, [package["package"]]),
                    said = {} if name == package["package"] else {"package": name},
                    src = "//%s:%s%s" % (root, STORE, store_name(package["key"])),
                ))
    return files, dict(
        imported = imported,
        links = links,
        own = own,
        projects = [link_package(path) for path in projects],
        root = root,
        visibility = said.package_visibility,
    )

_DEFS = """
load("@aspect_rules_js//npm/private:linked.bzl", "link_all", "link_targets")

_HUB = %s
_SIBLINGS = "@@%s"

def npm_link_all_packages(name = "node_modules", imported_links = [], prod = True, dev = True):
    if name != "node_modules":
        fail("npm_link_all_packages: customizing 'name' is not supported")
    link_all(_HUB, _SIBLINGS, imported_links)

def npm_link_targets(name = "node_modules", package = None, prod = True, dev = True):
    return link_targets(_HUB, native.package_name() if package == None else package, prod, dev)
"""

_ROOT = """
load("@aspect_rules_js//js:defs.bzl", "js_binary")
load("@bazel_skylib//rules:write_file.bzl", "write_file")

exports_files(["defs.bzl"])

write_file(name = "noop", out = "noop.js", content = ["#!/usr/bin/env node"])
js_binary(name = "sync", entry_point = "noop.js")
"""

_BIN = """
load("@%s//:package_json.bzl", _bin = "bin")

bin = _bin
"""

def _hub(ctx):
    texts = {"BUILD.bazel": _ROOT}
    for place, files in json.decode(ctx.attr.files).items():
        folder = place + "/" if place else ""
        build_file = folder + "BUILD.bazel"
        for name, has_bin, repository in files:
            ctx.file("%s%s/resolved.json" % (folder, name), "{}")
            texts[build_file] = texts.get(build_file, "") + "exports_files([\"%s/resolved.json\"])\n" % name
            if has_bin:
                texts["%s%s/package_json.bzl" % (folder, name)] = _BIN % repository
    for path, text in texts.items():
        ctx.file(path, text)
    ctx.file("defs.bzl", _DEFS % (ctx.attr.described, ctx.name.removesuffix(ctx.attr.hub)))

hub = repository_rule(
    implementation = _hub,
    attrs = {"described": attr.string(), "files": attr.string(), "hub": attr.string()},
)

def _unknown_hub(ctx):
    ctx.execute(["pnpm", "install"])

unknown_hub = repository_rule(implementation = _unknown_hub)

_PACKAGE = """
load("@aspect_rules_js//npm/private:linked.bzl", "npm_package_internal")

npm_package_internal(
    name = "pkg",
    src = ":%s",
    package = "%s",
    version = "%s",
    visibility = ["//visibility:public"],
)
"""

def _npm_import_rule(ctx):
    said = ctx.attr
    source = "package" if said.is_extracted else "package.tgz"
    download = ctx.download_and_extract if said.is_extracted else ctx.download

    # What a registry has, the lock file gives no address of; git has protocols of its own.
    urls = [said.url] if said.url.startswith("http") else []
    download(url = urls, output = source, integrity = said.integrity, allow_fail = True)
    if not said.is_extracted:
        ctx.execute(["tar", "-xf", source])
    text = _PACKAGE % (source, said.package, said.version)

    # What package.json says of programs is more than the lock file does.
    if said.generate_package_json_bzl:
        programs = ctx.read("package/package.json")
        ctx.file("package_json.bzl", programs)
        text += programs
    ctx.file("BUILD.bazel", text + said.extra_build_content)

npm_import_rule = repository_rule(
    implementation = _npm_import_rule,
    attrs = {
        "extra_build_content": attr.string(),
        "generate_package_json_bzl": attr.bool(),
        "integrity": attr.string(),
        "is_extracted": attr.bool(),
        "package": attr.string(),
        "url": attr.string(),
        "version": attr.string(),
    },
)
