"""Names of artifacts as rules_jvm_external (4.2 to 7.1) makes labels and repositories of them."""

load("//:bazelscope.bzl", "RELEASE")

UNNAMED_PACKAGINGS = [
    "aar",
    "bundle",
    "eclipse-plugin",
    "hk2-jar",
    "jar",
    "json",
    "maven-plugin",
    "orbit",
    "pom",
    "scala-jar",
    "test-jar",
] + (["exe"] if RELEASE >= (5, 3, 0) else []) + (
    ["dll", "dylib", "so"] if RELEASE >= (6, 1, 0) else []
)
UNNAMED_CLASSIFIERS = ["", "sources", "native" if RELEASE[:2] == (6, 7) else "natives"]
_SIGNS = [".", "-", ":", "/", "+"] + (["$"] if RELEASE >= (6, 1, 0) else [])

def escaped(text):
    for sign in _SIGNS:
        text = text.replace(sign, "_")
    return text.replace("[", "").replace("]", "").split(",")[0]

def coordinates(group, artifact, packaging = "jar", classifier = "", version = ""):
    return struct(
        group = group,
        artifact = artifact,
        packaging = packaging,
        classifier = "" if classifier == "jar" else classifier,
        version = version,
    )

def parsed(text):
    """Of `group:artifact[:packaging[:classifier]]:version`, which lock files of version 1 write, or
    of `group:artifact:version[:classifier][@packaging]`."""
    text, _, packaging = text.partition("@")
    words = text.split(":")
    if packaging or len(words) < 4:
        words += [""] * (4 - len(words))
        return coordinates(words[0], words[1], packaging or "jar", words[3], words[2])
    if len(words) == 5:
        return coordinates(*words)
    third = words[2]
    is_version = third not in UNNAMED_PACKAGINGS and [c for c in third.elems() if c.isdigit()]
    if is_version:
        return coordinates(words[0], words[1], "jar", words[3], third)
    return coordinates(words[0], words[1], third, "", words[3])

def key(one):
    """`group:artifact`, and what else tells an artifact from others in lock files."""
    words = [one.group, one.artifact]
    if one.classifier:
        return ":".join(words + [one.packaging, one.classifier])
    return ":".join(words + ([] if one.packaging == "jar" else [one.packaging]))

def simple(one):
    """What an artifact is known by among the targets of its hub, without its version."""
    words = [one.group, one.artifact]
    if one.packaging not in UNNAMED_PACKAGINGS:
        words.append(one.packaging)
    if one.classifier not in UNNAMED_CLASSIFIERS:
        words.append(one.classifier)
    return ":".join(words)

def shown(one):
    """What tags say of an artifact of a lock file of version 2 or 3."""
    if RELEASE < (6, 8, 0):
        return key(one) + ":" + one.version
    text = ":".join([one.group, one.artifact, one.version] + ([one.classifier] if one.classifier else []))
    return text if one.packaging == "jar" else text + "@" + one.packaging

def repository_of(text):
    """The repository that has the file of an artifact."""
    if RELEASE < (6, 8, 0):
        return escaped(text)
    one = parsed(text)
    says_packaging = "@" in text or one.packaging in text.split(":")[2:-1]
    words = [one.group, one.artifact, one.packaging if says_packaging else "", one.classifier]
    return escaped(":".join([word for word in words + [one.version] if word]))
