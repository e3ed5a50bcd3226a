"""Random questions for `cquery`, each made from its seed and the words of a workspace.

What `query` alone has is left out; there are configurations instead, and the outputs of cquery.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.support.random_queries import Question, QuestionMaker

OUTPUTS = (
    *(("label",) * 3),
    *("label_kind", "build", "graph", "transitions", "starlark", "textproto", "jsonproto"),
)
OLD_OUTPUTS = (*(("label",) * 5), "transitions", "textproto", "textproto")
"""What releases before 3 have of them."""
FUNCTIONS = (
    *("allpaths", "allrdeps", "attr", "config", "deps", "filter", "kind"),
    *("labels", "rdeps", "tests"),
)
_SHARES = {"deps": 5, "config": 4, "rdeps": 2, "attr": 2, "kind": 2, "labels": 3}
_NOT_IN_0 = ("--noproto:locations", "--noproto:rule_inputs_and_outputs")
_PROGRAMS = (
    "target.label.name",
    "str(target.label) + ' ' + str(bool(build_options(target)))",
    "build_options(target)['//command_line_option:cpu'] if build_options(target) else None",
    "str(build_options(target).get('//command_line_option:copt') if build_options(target) else 0)",
)


def make_cquery(
    seed: int, labels: Sequence[str], patterns: Sequence[str], version: str = "4.2.3"
) -> Question:
    """The question of a seed about a workspace with these targets and wildcards, for a release."""
    question = _Maker(seed, labels, patterns).make(version == "4.2.3")
    tools = "host_deps" if version.startswith("0.") else "tool_deps"
    flags = [flag.replace("tool_deps", tools) for flag in question.flags]
    if tools == "host_deps":
        flags = [flag for flag in flags if not flag.startswith(_NOT_IN_0)]
    return replace(question, flags=tuple(flags))


class _Maker(QuestionMaker):
    command = "cquery"

    def make(self, is_new: bool = True) -> Question:
        choose = self.random.choice
        output = choose(OUTPUTS if is_new else OLD_OUTPUTS)
        expression = self.expression(choose((1, 1, 2, 2, 3)))
        if self.chance(0.06):
            # Which path it is, and which target, is Bazel's own affair: nothing is asked of it.
            output = "label"
            ends = (self.expression(1), self.expression(1))
            expression = self.call("somepath", *ends)
        flags = [f"--output={output}", "--keep_going"]
        if output == "transitions":
            flags[0] = f"--transitions={choose(('lite', 'full')) if is_new else 'lite'}"
        if output == "starlark":
            flags.append(f"--starlark:expr={choose(_PROGRAMS)}")
        if self.chance(0.15) or "allrdeps" in expression:
            flags.append(f"--universe_scope={choose(self.patterns)}")
        flags += [flag for flag, share in self.options(output) if self.chance(share)]
        return Question(self.seed, expression, tuple(flags), is_ordered=False)

    def options(self, output: str) -> list[tuple[str, float]]:
        found = [
            ("--noimplicit_deps", 0.6),
            (self.random.choice(("--notool_deps", "--tool_deps")), 0.3),
            ("--nonodep_deps", 0.03),
            ("--strict_test_suite", 0.02),
        ]
        if output == "graph":
            limit = self.random.choice((-1, 0, 1, 3, 10, 60))
            found.append((f"--graph:conditional_edges_limit={limit}", 0.3))
        elif "proto" in output:
            found += [
                ("--noproto:flatten_selects", 0.2),
                ("--noproto:default_values", 0.4),
                ("--noproto:locations", 0.2),
                ("--noproto:rule_inputs_and_outputs", 0.2),
                ("--proto:output_rule_attrs=srcs,deps,name", 0.2),
                ("--noproto:include_configurations", 0.3),
            ]
        return found

    def function(self, depth: int) -> str:
        names = [name for name in FUNCTIONS for _ in range(_SHARES.get(name, 1))]
        name = self.random.choice(names)
        if name == "config":
            kind = self.random.choice(("target", "target", "host", "null"))
            return self.call(name, self.expression(depth - 1), kind)
        return self.named(name, depth)
