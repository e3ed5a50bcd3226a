"""What the maven_install.json of a hub locks, as rules_jvm_external (4.2 to 7.1) reads it."""

load("//:bazelscope.bzl", "RELEASE")
load("//private:coordinates.bzl", "coordinates", "key", "parsed", "shown")

_CENTRAL = "https://repo1.maven.org/maven2/"

def _artifact(one, text, file, sha256, urls, deps, exports, processors = []):
    url = urls[0] if urls else None
    if RELEASE >= (6, 8, 0):
        url = ([one for one in urls if one.startswith(_CENTRAL)] + [url])[0]
    return struct(
        coordinates = one,
        deps = deps,
        downloaded = "v1/%s" % file if RELEASE >= (6, 0, 0) else file,
        exports = exports,
        file = file,
        processors = processors,
        sha256 = sha256,
        text = text,
        url = url,
        urls = urls,
    )

def _without_user(url):
    """`url` without what stands before `@` in its host, which is for the server alone."""
    scheme, between, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return scheme + between + host.rpartition("@")[2] + slash + path

def _tree_locked(dependencies):
    """Of version 1, and what came before it."""
    found = []
    for said in dependencies:
        urls = [said["url"]] if said.get("url") else []
        urls += [url for url in said.get("mirror_urls") or [] if url not in urls]
        deps = [parsed(dep) for dep in said["directDependencies"]]
        found.append(_artifact(
            parsed(said["coord"]),
            said["coord"],
            said.get("file"),
            said.get("sha256"),
            [_without_user(url) for url in urls],
            deps,
            deps if RELEASE >= (5, 0, 0) else [parsed(dep) for dep in said["dependencies"]],
        ))
    return found

def _path(one):
    words = [one.artifact, one.version] + ([one.classifier] if one.classifier else [])
    directory = [one.group.replace(".", "/"), one.artifact, one.version]
    return "/".join(directory + ["-".join(words) + "." + one.packaging])

def _keys_locked(content):
    """Of versions 2 and 3: every file of every artifact."""
    found = []
    files, skipped = content.get("files", {}), content.get("skipped", [])
    places = {}
    for base, keys in content["repositories"].items():
        for named in keys:
            places.setdefault(named, []).append(base)
    for named, said in content["artifacts"].items():
        services = content.get("services", {}).get(named, {})
        words = named.split(":")
        for classifier, sha256 in said.get("shasums", {}).items():
            packaging = words[2] if len(words) > 2 else "jar"
            one = coordinates(words[0], words[1], packaging, classifier, said["version"])
            path = _path(one)
            own = key(one)
            deps = []
            for dep in content["dependencies"].get(own, []):
                deps.append(coordinates(*dep.split(":")))
            found.append(_artifact(
                one,
                shown(one),
                None if own in skipped else files.get(own) or path,
                sha256,
                [base + path for base in places.get(own, [])],
                deps,
                deps,
                services.get("javax.annotation.processing.Processor", []),
            ))
    return found

def locked(text):
    """The artifacts of a lock file; None of a file that the release does not take."""
    marks = ["<<<<<<<", ">>>>>>>", "======="]
    is_conflict = [line for line in text.split("\n") if line[:7] in marks]
    if not text or is_conflict:
        return [] if RELEASE >= (6, 0, 0) else None
    content = json.decode(text)
    tree = content.get("dependency_tree")
    if tree:
        return _tree_locked(tree.get("dependencies") or [])
    versions = (["2"] if RELEASE >= (5, 0, 0) else []) + (["3"] if RELEASE >= (6, 10, 0) else [])
    is_known = content.get("version") in versions
    for member in ["artifacts", "dependencies", "repositories"]:
        is_known = is_known and member in content
    return _keys_locked(content) if is_known else None
