"""How rules_js (3.0 to 3.4) names what it makes of the keys of a pnpm-lock.yaml."""

load("//:bazelscope.bzl", "RELEASE")

STORE = ".aspect_rules_js/node_modules/"

_LONGEST = 60 if RELEASE >= (3, 3, 0) else 120
_LONGEST_PEERS = 32
_DIGITS_OF_HASH = 10

def _hashed(text):
    return str(hash(text)).lstrip("-")

def _shortened(key):
    """The key, with hashes in the place of what makes it too long for paths."""
    at = key.find("@", 1)
    peers = key.find("(", at)
    if peers == -1:
        peers = len(key)
    elif len(key) - peers > _LONGEST_PEERS or len(key) > _LONGEST:
        key = "%s(%s)" % (key[:peers], _hashed(key[peers:]))
    if len(key) > _LONGEST:
        version, hashed = key[at:peers], "@" + _hashed(key[at:peers])
        if RELEASE < (3, 3, 0) or len(hashed) < len(version):
            key = key[:at] + hashed + key[peers:]
    if len(key) > _LONGEST and RELEASE >= (3, 3, 0):
        key = "%s_%s" % (key[:_LONGEST - _DIGITS_OF_HASH - 1], _hashed(key))
    return key

def link_key(name, path):
    """The key of a package that lies in the workspace, by the name that it is linked by."""
    return "link:%s|%s" % (name, path)

def path_of_link(key):
    return key.partition("|")[2]

def store_name(key):
    if key.startswith("link:"):
        key = key[len("link:"):].partition("|")[0] + "@0.0.0"
        if RELEASE >= (3, 3, 0):
            key = _shortened(key)
    else:
        key = _shortened(key)
    made = ""
    for sign in key.elems():
        if sign in "/:":
            made += "+"
        elif sign.isalnum() or sign in "-_.+@":
            made += sign
        elif made and not made.endswith("_"):
            made += "_"
    return made.rstrip("_-.")

def repository_name(hub, key):
    key = _shortened(key)
    at = key.find("@", 1)
    made = hub + "__"
    before = ""
    for place, sign in enumerate(key.elems()):
        if place == at:
            made += "__"
        elif sign == "@" and before in ["", "("]:
            made += "at_" if made.endswith("_") else "_at_"
        elif sign.isalnum() or sign in "-_.":
            made += sign
        elif sign != ")":
            made += "_"
        before = sign
    return made.rstrip("_-.")
