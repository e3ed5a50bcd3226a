"""What releases of Bazel say of their options, as `make_flag_catalog.py` puts it into the table.

Facts that a release was asked for, or its reference page tells, are completed: by types that a page
tells in words, by options that it leaves out, and by those that stood in releases around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_WORD = r"[A-Za-z0-9_][A-Za-z0-9_/.+-]*"
_ENUM = re.compile(rf"^({_WORD})((?:, {_WORD})*) or ({_WORD})$")
_KINDS = {
    "a boolean": "boolean",
    "a tri-state (auto, yes, no)": "tristate",
    "void": "void",
    "a string": "string",
    "an integer": "integer",
    "a long integer": "long",
    "a double": "double",
    "a 'name=value' assignment": "assignment",
    "a 'name=value' flag alias": "flag-alias",
    "a 'name=value' assignment with an optional value part": "optional-assignment",
    "a build target label": "label",
    "a label": "label",
    "comma-separated list of options": "list",
    "comma-separated set of options": "list",
    "a path": "path",
    "path": "path",
    "An immutable length of time.": "duration",
    "a positive integer or test_regex@runs. This flag may be passed more than once": "runs",
    'a positive integer, the string "default", or test_regex@attempts. '
    "This flag may be passed more than once": "attempts",
}
_RANGES = (
    re.compile(r"an integer in (?P<least>\d+|\(-\d+\))-(?P<most>\d+) range"),
    re.compile(r"(?P<least>\d+) <= an integer <= (?P<most>\d+)"),
    re.compile(r"an integer, >= (?P<least>\d+)"),
)
_RESOURCE = re.compile(r'an integer, or (?:a keyword \()?"(?:auto|HOST_CPUS|HOST_RAM)"')
_SHORT_NAMES = {"runs": "a number of runs", "attempts": "a number of attempts"}


def version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def actual_type(
    name: str, version: str, fact: Mapping[str, Any], releases: Mapping[str, Mapping[str, Any]]
) -> str | None:
    """The type of an option; what the reference page calls a boolean may be something else.

    The page says so of everything that can be written as a switch, tristates and some
    enumerations included. Binaries tell their own options' types rightly; the newest that
    knows the option is asked.
    """
    stated: str | None = fact["type"]
    if stated != "a boolean" or not is_documented(releases[version]):
        return stated
    asked = [v for v in releases if not is_documented(releases[v])]
    for other in sorted(asked, key=version_key, reverse=True):
        known = releases[other]["flags"].get(name)
        if known is not None and known["type"] not in (None, "a boolean"):
            return str(known["type"])
    if fact["default"] == "auto":
        return "a tri-state (auto, yes, no)"
    if fact["default"] not in ("true", "false", None):
        return "a switch, or one of several words"
    return stated


def classify(type_text: str | None) -> list[Any]:
    """The entry of the table's `types` for one option: `[kind, text, enum values]`."""
    if type_text is None:
        return ["unknown", "", []]
    kind = _KINDS.get(type_text)
    if kind is not None:
        return [kind, _SHORT_NAMES.get(kind, type_text), []]
    for pattern in _RANGES:
        match = pattern.fullmatch(type_text)
        if match is not None:
            bounds = match.groupdict()
            least = bounds["least"].strip("()")
            return ["range", type_text, [least, bounds.get("most", "2147483647")]]
    if _RESOURCE.match(type_text):
        keywords = [k for k in ("auto", "HOST_CPUS", "HOST_RAM") if f'"{k}"' in type_text]
        return ["resource", "an amount of a resource", keywords]
    match = _ENUM.match(type_text)
    if match is not None:
        middle = [word.strip() for word in match.group(2).split(",") if word.strip()]
        return ["enum", type_text, [match.group(1), *middle, match.group(3)]]
    # Longer descriptions are Bazel's help text rather than the name of a type.
    return ["other", type_text if len(type_text) <= 60 else "", []]


def of_nearest(
    version: str, releases: Mapping[str, Mapping[str, Any]], says: Callable[[str], Any]
) -> Any:
    """What the release itself says, or else the nearest before it of its major version, or
    else the nearest after it. Some releases' reference pages leave a whole kind of fact out."""
    before = [v for v in releases if version_key(v) <= version_key(version)]
    before = [v for v in before if v.split(".")[0] == version.split(".")[0]]
    after = [v for v in releases if version_key(v) > version_key(version)]
    ordered = sorted(before, key=version_key, reverse=True) + sorted(after, key=version_key)
    return next((found for other in ordered if (found := says(other))), None)


def expansion_of(
    name: str,
    version: str,
    releases: Mapping[str, Mapping[str, Any]],
    facts: Mapping[str, Any],
) -> list[str]:
    """What an option expands to: what the release's own page says, whose words name options
    even where the page lists them nowhere. Another release's expansion is taken only if it names
    no option that this release is not known to have."""
    asked = facts["expansions"].get(version, {}).get(name)
    if asked is not None:
        return list(asked)
    fact = releases[version]["flags"].get(name)
    own = list(fact["expands_to"]) if fact is not None else []
    if fact is None or fact["type"] != "void" or (own and is_documented(releases[version])):
        return own
    known = releases[version]["flags"]

    def says(other: str) -> list[str] | None:
        words = releases[other]["flags"].get(name, {}).get("expands_to") or []
        fits = all(option_of(word, known) or is_internal(word) for word in words)
        return words if fits else None

    return list(of_nearest(version, releases, says) or ())


def option_of(word: str, known: Mapping[str, Any]) -> str | None:
    """The option of `known` that a word of an expansion names."""
    name = word.removeprefix("--").partition("=")[0]
    for candidate in (name, name.removeprefix("no")):
        if candidate in known:
            return candidate
    return None


def is_internal(word: str) -> bool:
    """Whether a word names an option that exists only as a part of expansions."""
    return word.startswith("--internal_")


def internal_options(
    flags: Mapping[str, Mapping[str, Any]],
    expansions: Mapping[str, list[str]],
    former: Mapping[str, str],
) -> dict[str, dict[str, Any]]:
    """Stand-ins for the options that expansions name and no documentation lists."""
    found: dict[str, dict[str, Any]] = {}
    for name, expansion in expansions.items():
        for word in expansion:
            if option_of(word, {**flags, **former}) is None:
                option, equals, _ = word.removeprefix("--").partition("=")
                found[option] = {
                    "type": None,
                    "default": None,
                    "multiple": False,
                    "negatable": not equals,
                    "abbreviation": None,
                    "requires_value": bool(equals),
                    "commands": flags[name]["commands"],
                    "expands_to": [],
                }
    return found


def unlisted_options(
    version: str, releases: Mapping[str, Mapping[str, Any]], facts: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Options that a release has and its reference page leaves out: those with a colon in
    their names, as the nearest page with such options has them, and some undocumented ones,
    made like an option of a release that was asked."""
    asked = [v for v in releases if not is_documented(releases[v])]
    newest = releases[max(asked, key=version_key)]["flags"]
    found = {name: newest[model] for name, model in of_major(version, facts["unlisted"]).items()}

    def with_colon(other: str) -> dict[str, Any]:
        flags = releases[other]["flags"]
        return {name: fact for name, fact in flags.items() if ":" in name}

    return {**found, **(of_nearest(version, releases, with_colon) or {})}


def of_major(version: str, table: Mapping[str, Any]) -> Any:
    """What a table by release says of the releases of one major version."""
    return next((v for k, v in table.items() if k.split(".")[0] == version.split(".")[0]), {})


def is_documented(release: Mapping[str, Any]) -> bool:
    """Whether the release's facts come from its reference page rather than from its binary."""
    return "command_inherits" in release


def hidden_options(version: str, hidden: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Options that a release has and its reference page leaves out, of
    `flag_catalog_hidden.json`: the commands, what kind of option it is, an abbreviation
    (`-x`) and the default (`=true`), if they are known."""
    found: dict[str, dict[str, Any]] = {}
    for name, (commands, *marks) in of_major(version, hidden["hidden"]).items():
        found[name] = {
            "type": None,
            "default": next((mark[1:] for mark in marks if mark.startswith("=")), None),
            "multiple": "multiple" in marks,
            "negatable": "negatable" in marks,
            "abbreviation": next((mark[1:] for mark in marks if mark.startswith("-")), None),
            "requires_value": "requires_value" in marks,
            "commands": hidden["command_sets"][commands],
            "expands_to": [],
        }
    return found


def former_names(
    version: str,
    known: Mapping[str, Any],
    releases: Mapping[str, Mapping[str, Any]],
    facts: Mapping[str, Any],
) -> dict[str, str]:
    """Former names of options: those that were asked for, or, where a reference page is all
    there is, those of the newest release that was asked and what later sources call `oldName`,
    of options that the release has. Bazel has kept such names ever since."""
    if not is_documented(releases[version]):
        return dict(facts["former_names"].get(version, {}))
    asked = [v for v in releases if not is_documented(releases[v])]
    older = facts["former_names"][max(asked, key=version_key)]
    names = {**older, **facts["renamed"]}
    return {old: new for old, new in sorted(names.items()) if new in known and old not in known}


def options_of(
    version: str,
    releases: Mapping[str, Mapping[str, Any]],
    facts: Mapping[str, Any],
    hidden: Mapping[str, Any],
) -> dict[str, dict[str, Any]]:
    """Every option that a release has for certain, with its expansion and deprecation."""
    release = releases[version]
    listed = {
        **(hidden_options(version, hidden) if is_documented(release) else {}),
        **(unlisted_options(version, releases, facts) if is_documented(release) else {}),
        **release["flags"],
    }
    expansions = {name: expansion_of(name, version, releases, facts) for name in listed}
    former = former_names(version, listed, releases, facts)
    known = {**internal_options(release["flags"], expansions, former), **listed}
    deprecated = facts["deprecated"].get(version, {})
    return {
        name: {
            **fact,
            "type": actual_type(name, version, fact, releases),
            "expands_to": expansions.get(name, []),
            "deprecated": deprecated.get(name),
            "perhaps": False,
        }
        for name, fact in known.items()
    }


def add_doubtful(
    versions: Sequence[str],
    releases: Mapping[str, Mapping[str, Any]],
    options: Mapping[str, dict[str, dict[str, Any]]],
) -> None:
    """Adds to releases that are known from their reference pages what those may leave out.

    What a release before had may be hidden rather than gone: Bazel hides what does nothing any
    more. What another after it has, too, is there in between. Of 7 all hidden options are
    known, so what came before and is not there is gone.
    """
    for position, version in enumerate(versions):
        if not is_documented(releases[version]):
            if 0 < position < len(versions) - 1:
                add_between(*(options[v] for v in versions[position - 1 : position + 2]))
            continue
        major = int(version.split(".")[0])
        later = [v for v in versions[position + 1 :] if int(v.split(".")[0]) <= major + 1]
        for other in versions[:position]:
            if int(other.split(".")[0]) < (4 if major < 7 else 7):
                continue
            for name, fact in options[other].items():
                if name in options[version] or is_internal(f"--{name}"):
                    continue
                again = any(not options[v].get(name, {"perhaps": True})["perhaps"] for v in later)
                sure = again and not fact["perhaps"]
                options[version][name] = {**fact, "deprecated": None, "perhaps": not sure}


def add_between(
    before: Mapping[str, dict[str, Any]],
    between: dict[str, dict[str, Any]],
    after: Mapping[str, dict[str, Any]],
) -> None:
    """Adds to a release what those on both sides have: its binary may have been built without
    it, as a distribution builds Bazel without Android."""
    for name, fact in before.items():
        if name in after and name not in between:
            between[name] = {**fact, "deprecated": None, "perhaps": True}


def with_measured(
    releases: Mapping[str, Mapping[str, Any]], facts: Mapping[str, Any]
) -> dict[str, Any]:
    """The shared facts with what `measure_options.py` asked of binaries. Which commands inherit
    from which is in them as the release before has it, as far as its neighbours agree."""
    found = {kind: dict(known) for kind, known in facts.items()}
    for version in sorted(releases, key=version_key):
        measured = releases[version].get("measured")
        if measured is None:
            continue
        for kind, known in measured.items():
            found[kind][version] = known
        after = min(
            (v for v in facts["inherits"] if version_key(v) > version_key(version)), key=version_key
        )
        found["inherits"][version] = facts["inherits"][after]
    return found


def commands_of(version: str, release: Mapping[str, Any], facts: Mapping[str, Any]) -> list[str]:
    """The commands of a release: what its facts mention, and those that have no option."""
    stated: list[str] | None = facts["commands"].get(version)
    if stated is not None:
        return stated
    mentioned = {command for fact in release["flags"].values() for command in fact["commands"]}
    mentioned |= {*release.get("command_inherits", ())}
    mentioned |= {"analyze-profile", "config", "coverage", "license"}
    return sorted(mentioned - {"*", "common", "startup"})


def inherits_of(
    version: str, release: Mapping[str, Any], facts: Mapping[str, Any], names: Sequence[str]
) -> dict[str, list[str]]:
    """By command of a release, the commands whose options it takes."""
    inherits = {**release.get("command_inherits", {}), **facts["inherits"].get(version, {})}
    if is_documented(release):
        inherits.setdefault("config", ["build"])
    return {c: list(bases) for c, bases in sorted(inherits.items()) if c in names}
