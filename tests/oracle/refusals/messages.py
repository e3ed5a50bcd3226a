"""What a real Bazel says on stderr of what it refuses: pairs of a kind and a target."""

from __future__ import annotations

import re
from pathlib import Path

from tests.oracle.refusals.worlds import RefusalWorld

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(text))
    for kind, text in (
        ("package-in-error", r"Target '.*' contains an error.* and referenced by '([^']+)'"),
        ("package-in-error", r"error loading package .* and referenced by '([^']+)'"),
        ("no-such-target", r"no such target .* and referenced by '([^']+)'"),
        ("no-such-target", r"in target '([^']+)', no such label .*: no such target"),
        ("no-such-package", r"in target '([^']+)', no such label .*: no such package"),
        ("package-in-error", r"in target '([^']+)', no such label .* contains an error"),
        ("no-such-target", r"While resolving configuration keys for (\S+): no such target"),
        ("no-such-package", r"no such package .* and referenced by '([^']+)'"),
        ("not-visible", r"is not visible from target '([^']+)'"),
        ("testonly", r"non-test target '([^']+)' depends on testonly (?:target|alias)"),
        ("ambiguous-select", r'Illegal ambiguous match on configurable attribute ".*" in (\S+):'),
        ("no-matching-toolchain", r"resolving toolchains for target (\S+): no matching"),
        (
            "invalid-condition",
            r"is not a valid (?:select\(\) condition|configuration key) for (\S+)",
        ),
        ("invalid-condition", r"resolving configuration keys for (\S+): Analysis of target"),
        ("invalid-condition", r"in \w+ attribute of config_setting rule (\S+):"),
        ("invalid-condition", r"in config_setting rule (\S+):"),
        (
            "misplaced",
            (
                r"in (?:\S+ attribute of )?\S+ rule (\S+): .*"
                r"(?:is misplaced here|does not produce any|must produce a single file"
                r"|does not exist|expecting a test)"
            ),
        ),
        ("missing-provider", r"in \S+ attribute of \S+ rule (\S+): .* mandatory providers"),
        ("missing-attribute", r"in cmd attribute of genrule rule (\S+): missing value"),
        (
            "implementation-failed",
            (
                r"in \S+ attribute of \S+ rule (\S+): "
                r"(?:if genrules produce|you must specify|corresponding default|could not find)"
            ),
        ),
        ("implementation-failed", r"in \w+ rule (\S+): *$"),
        ("implementation-failed", r"in text attribute of expands rule (\S+): .*not defined"),
        (
            "expansion-failed",
            (
                r"in (?:\S+ attribute of )?\S+ rule (\S+): .*"
                r"(?:not defined|\$\(location|unterminated|syntax is not|variable '\$.' *:)"
            ),
        ),
    )
)


_OF_TREES: tuple[tuple[str, re.Pattern[str]], ...] = (
    *_PATTERNS,
    ("missing-provider", re.compile(r"in \w+ rule (\S+): .* does not have mandatory provider")),
    ("implementation-failed", re.compile(r"in cc_toolchain_suite rule (\S+): ")),
)
_PLACE = re.compile(r"ERROR: (/\S+?):(\d+):\d+: (.*)")


_ELSEWHERE = (
    "Analysis of target",
    "command succeeded",
    "depends on an already-reported cycle",
    "error loading package",
    "package contains errors",
    "Traceback",
)
"""What begins a line that tells of what another line tells, or of a package by itself."""
_PLACED = (
    ("every rule of type", "no-such-target"),
    ("doesn't match this configuration", "no-matching-branch"),
    ("Mandatory attribute", "missing-attribute"),
    ("does not refer to a package group", "misplaced"),
    ("usually caused by a missing package group", "no-such-target"),
)
"""Errors that name no target: they stand where the target is."""
_BY_PLACE = re.compile(r"^ERROR: (?:\S*/)?(p\d+)/BUILD:(\d+):\d+: (?:in \w+ rule \S+: )?(.*)")


def said(stderr: str, world: RefusalWorld) -> tuple[frozenset[tuple[str, str]], tuple[str, ...]]:
    """The kinds and targets that Bazel's errors are about, and errors that none of that tells."""
    found: set[tuple[str, str]] = set()
    rest: list[str] = []
    lines = stderr.splitlines()
    for number, line in enumerate(lines):
        if line.endswith("cycle in dependency graph:"):
            around = []
            inside = False
            for step in lines[number + 1 :]:
                if step.startswith("This cycle"):
                    break
                label = re.search(r"(//[^\s']+)", step)
                if label is None:
                    break
                inside = inside or ".->" in step
                if step.startswith("`--"):
                    break
                if inside:
                    around.append(label[1])
            found.add(("dependency-cycle", min(around, key=_by_label)))
            continue
        if not line.startswith("ERROR:"):
            continue
        if " is a prefix of output path " in line:
            found.add(("output-conflict", min(re.findall(r"to (//[^)]+)", line), key=_by_label)))
            continue
        if line.endswith("is generated by these conflicting actions:"):
            labels = lines[number + 1].removeprefix("Label: ").split(", ")
            found.add(("output-conflict", min(labels, key=_by_label)))
            continue
        if "no such package" in line:
            line += " ".join(step for step in lines[number + 1 : number + 3] if step[:2] == " -")
        placed = _BY_PLACE.match(line)
        kind = next((kind for words, kind in _PLACED if placed and words in placed[3]), "")
        if placed is not None and kind:
            text = world.files[f"{placed[1]}/BUILD"].splitlines()[int(placed[2]) - 1]
            name = re.search(r'(?:name = |exports_files\(\[)"([^"]+)"', text)
            assert name is not None
            found.add((kind, f"//{placed[1]}:{name[1]}"))
            continue
        for kind, pattern in _PATTERNS:
            match = pattern.search(line)
            if match is not None:
                found.add((kind, match[1].rstrip(":.").strip("'")))
                break
        else:
            if not any(words in line for words in _ELSEWHERE):
                rest.append(line)
    return frozenset(found), tuple(rest)


def said_of_tree(stderr: str, root: Path) -> tuple[frozenset[tuple[str, str]], tuple[str, ...]]:
    """The same of a tree of any kind."""
    told: set[tuple[str, str]] = set()
    rest: list[str] = []
    for line in stderr.splitlines():
        is_of_key = "While resolving configuration keys for" in line
        is_elsewhere = any(words in line for words in _ELSEWHERE) and not is_of_key
        if not line.startswith("ERROR:") or is_elsewhere:
            continue
        placed = _PLACE.match(line)
        if placed is not None and "doesn't match this configuration" in line:
            told.add(("no-matching-branch", _target_at(placed, root)))
        elif placed is not None and placed[3].startswith("every rule of type"):
            told.add(("no-such-target", _target_at(placed, root)))
        else:
            matches = ((kind, pattern.search(line)) for kind, pattern in _OF_TREES)
            kind, match = next((one for one in matches if one[1]), ("", None))
            if match is None:
                rest.append(line)
            else:
                told.add((kind, match[1].rstrip(":.").strip("'")))
    return frozenset(told), tuple(rest)


def _target_at(placed: re.Match[str], root: Path) -> str:
    """The label of the target that stands at a place."""
    path = Path(placed[1])
    following = path.read_text().splitlines()[int(placed[2]) - 1 :]
    name = next(match[1] for line in following if (match := re.search(r'name = "([^"]+)"', line)))
    if path.is_relative_to(root):
        return f"//{path.relative_to(root).parent}:{name}"
    repository, _, inside = placed[1].partition("/external/")[2].partition("/")
    package = inside.rpartition("/")[0]
    return f"@{repository}//{package}:{name}"


def _by_label(text: str) -> tuple[str, ...]:
    package, _, name = text.removeprefix("//").partition(":")
    return (package, name)
