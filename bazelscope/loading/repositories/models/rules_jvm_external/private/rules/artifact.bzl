"""Model of @rules_jvm_external//private/rules:artifact.bzl (2.0 to 7.1): the labels of artifacts alone."""

load("//:bazelscope.bzl", "RELEASE")
load("//private:coordinates.bzl", "UNNAMED_CLASSIFIERS", "UNNAMED_PACKAGINGS")

def _escaped(text):
    for sign in [".", "-", ":"] + (["$"] if RELEASE >= (6, 1, 0) else []):
        text = text.replace(sign, "_")
    return text

def _named(coordinates):
    """Group and artifact, and of `group:artifact:packaging:classifier:version` what else tells it
    from others."""
    words = coordinates.split(":")
    if len(words) < 4 or RELEASE < (4, 3, 0):
        return words[:2]
    told = words[2:-1]
    if len(told) > 1 and told[1] and told[1] in UNNAMED_CLASSIFIERS:
        told = told[:1]
    return words[:2] + (told[1:] if told[0] in UNNAMED_PACKAGINGS else told)

def _coordinates(said):
    words = [said["group"], said["artifact"]]
    if "version" in said:
        if "packaging" in said:
            words.append(said["packaging"])
            if "classifier" in said:
                words.append(said["classifier"])
        words.append(said["version"])
    return ":".join(words)

def artifact(a, repository_name = "maven"):
    named = _named(a if type(a) == "string" else _coordinates(a))
    return "@%s//:%s" % (repository_name, _escaped(":".join(named)))

def maven_artifact(a):
    return artifact(a)
