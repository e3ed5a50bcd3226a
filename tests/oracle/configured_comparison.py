"""The configured graph of generated worlds, asked of a real Bazel and of bazelscope.

Compared are which targets can be analysed, every configured target of their closure, and
every attribute that is set. 4.2.3 tells the options of each configuration; older Bazels
tell what kind it is, and how many there are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bazelscope.analysis.graph.aliases import cquery_label
from tests.oracle.configured_oracle import FORMAT, Ours, their_nodes, their_values
from tests.support.bazel import Bazel, Output

CRASHED = 37
_INCOMPATIBLE = "command succeeded, but not all targets were analyzed"
CULPRIT = re.compile(r"Unrecoverable error while evaluating node '(?:[^']*?label=)?(//w\d+:)")
_LINE = re.compile(r"^(?P<label>\S+) \((?P<configuration>[^)]*)\)$")
_TELLS_OPTIONS = "4.2.3"


@dataclass
class Comparison:
    """What came of comparing: a check is one target, configured target or set of values."""

    checks: int = 0
    left_out: int = 0
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        told = f"{self.checks} checks, {len(self.differences)} differences"
        return f"{told}, {self.left_out} worlds left out"

    def report(self, texts: dict[str, str]) -> str:
        """The differences, and the text of the first package that has one."""
        told = sorted(self.differences, key=lambda text: text.partition("//w")[1] == "")
        name = told[0].split("//")[-1].split(":")[0]
        head = "\n".join(told[:40])
        return f"{len(told)} differences of {self.checks}:\n{head}\n\n{texts.get(name, '')}"


def compare(
    real: Bazel,
    root: Path,
    labels: Sequence[str],
    flag_sets: Iterable[list[str]],
    may_crash: int,
) -> Comparison:
    """Compares the closure of `labels` under each command line. Bazel may crash on so many
    worlds under one, which are left out then."""
    found = Comparison()
    for words in flag_sets:

        def ask(expression: str, *output: str, words: list[str] = words) -> Output:
            return real.cquery(root, expression, *words, *output, "--noimplicit_deps")

        flags = [word for word in words if not word.startswith("--override_repository")]

        asked = list(labels)
        left_out = found.left_out
        said = ask(f"set({' '.join(asked)})")
        while said.exit_code == CRASHED:
            # Bugs of 2.1.0 and 4.2.3 in rules with several transitions: leave that world out.
            culprit = CULPRIT.search(said.stderr)
            assert culprit is not None, said.stderr[-4000:]
            asked = [label for label in asked if not label.startswith(culprit[1])]
            found.left_out += 1
            assert found.left_out - left_out <= may_crash, "Bazel crashes on too many worlds"
            said = ask(f"set({' '.join(asked)})")
        analysed = {line.split(" ")[0] for line in said.lines}
        assert analysed, said.stderr[-4000:]
        ours = Ours(root, real.version, words)
        good: list[str] = []
        for label in asked:
            problem = ours.problem(label)
            found.checks += 1
            if label in analysed and problem is None:
                good.append(label)
            elif (label in analysed) != (problem is None):
                found.differences.append(f"{flags} {label}: {label in analysed}, ours {problem}")
        _compare_closures(found, real, ours, flags, good, ask, root)
    return found


def _compare_closures(
    found: Comparison,
    real: Bazel,
    ours: Ours,
    flags: list[str],
    good: list[str],
    ask: Callable[..., Output],
    root: Path,
) -> None:
    closure = f"deps(set({' '.join(good)}))"
    expected: Counter[tuple[str, ...]]
    got: Counter[tuple[str, ...]]
    if real.version == _TELLS_OPTIONS:
        format_file = root.parent / "format.cquery"
        format_file.write_text(FORMAT)
        starlark = ("--output=starlark", f"--starlark:file={format_file}")
        expected = Counter(their_nodes(_answered(ask(closure, *starlark)).lines))
        got = Counter(ours.nodes(good))
    else:
        expected = _nodes_of_labels(_answered(ask(closure)).lines)
        closure_of_ours = ours.graph.deps([ours.label(label) for label in good])
        got = Counter(
            (str(cquery_label(ours.graph, node)), node.description.replace("exec", "target"))
            for node in closure_of_ours
        )
    found.checks += expected.total()
    found.differences += [f"{flags} {node}: missing" for node in sorted(expected - got)]
    found.differences += [f"{flags} {node}: too many" for node in sorted(got - expected)]
    values = their_values(_answered(ask(closure, "--output=jsonproto")).stdout)
    mine = ours.values(good)
    for label in sorted({*values, *mine}):
        found.checks += 1
        if values.get(label) != mine.get(label):
            found.differences.append(f"{flags} {label}: {values.get(label)}, not {mine.get(label)}")


def _nodes_of_labels(lines: Iterable[str]) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        match = _LINE.match(line)
        assert match is not None, line
        kind = {"null": "source", "HOST": "host"}.get(match["configuration"], "target")
        found[match["label"], kind] += 1
    return found


def _answered(output: Output) -> Output:
    """An answer; Bazel complains of incompatible targets that were asked about by name."""
    return output if _INCOMPATIBLE in output.stderr else output.checked()
