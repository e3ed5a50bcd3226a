"""What a pnpm-lock.yaml of version 9 locks, as rules_js (3.0 to 3.4) reads it."""

load("@bazel_skylib//lib:paths.bzl", "paths")
load(":names.bzl", "link_key", "path_of_link")

def read_yaml(ctx, file):
    """What a YAML file says."""
    last = ["eval-all", ". as $d ireduce (null; $d)"]
    return json.decode(ctx.execute(["yq"] + last + [ctx.path(file), "-o=json"]).stdout)

def _key(snapshots, name, version):
    if version in snapshots:
        return version
    key = "%s@%s" % (name, version)
    return key if key in snapshots else fail("%s is not in the lock file" % key)

def _imported(snapshots, path, dependencies):
    found = {}
    for name, said in dependencies.items():
        version = said["version"]
        if version.startswith("link:"):
            found[name] = link_key(name, paths.normalize(paths.join(path, version[len("link:"):])))
        else:
            found[name] = _key(snapshots, name, version)
    return found

def _needed(snapshots, package, dependencies):
    found = {}
    for name, version in dependencies.items():
        if not version.startswith("link:"):
            found[name] = _key(snapshots, name, version)
            continue
        path = version[len("link:"):]
        resolution = package["resolution"]
        if resolution.get("type") == "directory" and name not in package.get("peerDependencies", {}):
            path = paths.normalize(paths.join(resolution["directory"], path))
        found[name] = link_key(name, path)
    return found

def locked(content, no_dev, no_optional):
    """The projects of a lock file by their paths, and its packages by their keys; None of a file
    of another version."""
    if content and str(content.get("lockfileVersion")) not in ["9.0", "9"]:
        return None
    content = content or {}
    snapshots = content.get("snapshots", {})
    projects = {}
    for path, said in (content.get("importers", {".": content}) if content else {}).items():
        projects[path] = struct(
            needed = _imported(snapshots, path, said.get("dependencies", {})),
            needed_to_develop = {} if no_dev else _imported(snapshots, path, said.get("devDependencies", {})),
            optional = {} if no_optional else _imported(snapshots, path, said.get("optionalDependencies", {})),
        )
    packages = {}
    for key, said in snapshots.items():
        if no_optional and said.get("optional", False):
            continue
        named = key.partition("(")[0] if key.find("(") > 0 else key
        package = content["packages"][named]
        at = named.find("@", 1)
        packages[key] = dict(
            cpu = package.get("cpu"),
            friendly_version = package.get("version", named[at + 1:]),
            has_bin = package.get("hasBin", False),
            name = named[:at],
            needed = _needed(snapshots, package, said.get("dependencies", {})),
            optional = {} if no_optional else _needed(snapshots, package, said.get("optionalDependencies", {})),
            os = package.get("os"),
            resolution = package["resolution"],
            version = key[key.find("@", 1) + 1:],
        )
    return projects, packages

def _merged(into, other):
    for key, names in other.items():
        known = into.setdefault(key, [])
        known.extend([name for name in names if name not in known])

def _closure(packages, start, known):
    needed, optional, is_circular = {start: [packages[start]["name"]]}, {}, False
    pending = [(False, start)]
    for _ in range(1000000):
        if not pending:
            break
        at_least_optional, at = pending.pop()
        for kind in ["needed", "optional"]:
            is_optional = at_least_optional or kind == "optional"
            found = optional if is_optional else needed
            for name, key in packages[at][kind].items():
                if key == start:
                    is_circular = True
                    continue
                names = found.setdefault(key, [])
                if name in names:
                    continue
                names.append(name)
                if key.startswith("link:"):
                    continue
                if key not in known:
                    pending.append((is_optional, key))
                    continue
                is_circular = is_circular or known[key].is_circular
                _merged(found, known[key].needed)
                _merged(optional, known[key].optional)
    return struct(is_circular = is_circular, needed = needed, optional = optional)

def _sorted(names):
    return {key: names[key] for key in sorted(names)}

def closures(packages):
    """Of packages that lead to themselves, or to such, all that they lead to."""
    known = {
        key: struct(is_circular = False, needed = {key: [package["name"]]}, optional = {})
        for key, package in packages.items()
        if not package["needed"] and not package["optional"]
    }
    found = {}
    for key in packages:
        known[key] = _closure(packages, key, known)
        if known[key].is_circular:
            found[key] = struct(needed = _sorted(known[key].needed), optional = _sorted(known[key].optional))
    return found

def first_party(projects, packages, link_package):
    """What lies in the workspace and is linked: packages by key or path."""
    found = {}
    for key, package in packages.items():
        if package["resolution"].get("type") == "directory":
            found[key] = dict(
                deps = package["needed"],
                key = key,
                links = {},
                package = package["name"],
                path = link_package(package["resolution"]["directory"]),
                version = package["version"],
            )
    for path, project in projects.items():
        kept = project.needed | project.optional
        for name, key in (kept | project.needed_to_develop).items():
            place = key
            if key.startswith("link:"):
                target = path_of_link(key)
                place = link_package(target)
                other = projects.get(target)
                found.setdefault(place, dict(
                    deps = other.needed | other.optional if other else {},
                    key = name + "@0.0.0",
                    links = {},
                    package = name,
                    path = place,
                    version = "0.0.0",
                ))
            elif "@file:" not in key or key not in found:
                continue
            found[place]["links"].setdefault(link_package(path), {})[name] = name not in kept
    return list(found.values())
