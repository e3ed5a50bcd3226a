"""`ctx.actions.args()`: what it takes, and the words that it comes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.rules.args import pieces_of
from bazelscope.analysis.rules.provided import Implemented
from bazelscope.base.unknown import Reason, Unknown
from tests.unit.analysis.rules.rules_world import known, ran

_RULES = """
def _impl(ctx):
    out = ctx.actions.declare_file("out")
    tree = ctx.actions.declare_directory("tree")
    args = ctx.actions.args()
    {call}
    ctx.actions.run(executable = "/x", arguments = [args], outputs = [out, tree])
    return []
def _odd(x): return 1
def _none(x): return None
r = rule(implementation = _impl)
"""


def pieces(tmp_path: Path, call: str, version: str = "4.2.3") -> list[str | Reason]:
    rules = _RULES.replace("{call}", call)
    result = known(ran(tmp_path, rules, 'r(name = "top")\n', version=version))
    found = pieces_of(result.actions[0].given["arguments"])
    return [one.reason if isinstance(one, Unknown) else one for one in found]


_WORDS: dict[str, list[str | Reason]] = {
    'args.add("-x", True)': ["-x", "true"],
    "args.add(None)": ["None"],
    'args.add_all([1, ["a"]])': ["1", '["a"]'],
    'args.add_all("-f", [], omit_if_empty = False, terminate_with = "--")': ["-f", "--"],
    'args.add_all(["a"], map_each = _none)': [],
    'args.add_joined(["a", "a"], join_with = ":", uniquify = True)': ["a"],
    # what a directory holds is not known, and all else is
    'args.add_all(["a", tree, "b"], before_each = "-i")': (
        ["-i", "a", "-i", Reason.NEEDS_ANALYSIS, "-i", "b"]
    ),
    'args.add_all("-t", ["a"], map_each = _odd)': ["-t", Reason.FAILED],
}


@pytest.mark.parametrize("call", _WORDS)
def test_words(tmp_path: Path, call: str) -> None:
    assert pieces(tmp_path, call) == _WORDS[call]


@pytest.mark.parametrize(("version", "shown"), [("4.2.3", "50%%a"), ("9.1.0", "50%a")])
def test_percent_signs_in_formats(tmp_path: Path, version: str, shown: str) -> None:
    assert pieces(tmp_path, 'args.add("a", format = "50%%%s")', version=version) == [shown]


_REFUSED = {
    'args.add(["a"])': "Args.add() doesn't accept vectorized arguments",
    "args.add(tree)": "Cannot add directories to Args#add",
    'args.add("a", format = "x")': 'parameter "format": Expected string with a single "%s"',
    'args.add_all("a")': "expected value of type 'sequence or depset' for values, got 'string'",
    'args.add_all("-x", "a")': "parameter 'values' got value of type 'string'",
    'args.add_all(["a"], before_each = 1)': "want 'string or NoneType'",
    'args.add_all(["a"], each = "x")': "each",
    'args.set_param_file_format("x")': 'Expected one of "shell", "multiline"',
    "args = 1": "expected list of strings or ctx.actions.args() for arguments instead of int",
}


@pytest.mark.parametrize("call", _REFUSED)
def test_what_is_refused(tmp_path: Path, call: str) -> None:
    result = ran(tmp_path, _RULES.replace("{call}", call), 'r(name = "top")\n')
    assert isinstance(result, Implemented) and result.failure is not None
    assert _REFUSED[call] in result.failure.message
