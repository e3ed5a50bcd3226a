"""How a dry run goes on where it must decide by something that it cannot know."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.base import budget
from bazelscope.base.budget import BudgetLimits
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run import rule_run
from bazelscope.loading.packages.repository_access import FileFound, PartlyKnownFile
from tests.unit.loading.repositories.workspaces import assumed, evaluate, lay_out, rule, text_of


def test_a_rule_that_checks_its_program_goes_on_as_if_it_succeeded(tmp_path: Path) -> None:
    body = """
result = ctx.execute(["tool", "--version"])
if result.return_code != 0:
    fail("tool failed")
ctx.file("BUILD", "ok")
"""
    table = evaluate(lay_out(tmp_path, rule(body)))
    found = table.find_file("r", "BUILD")
    assert isinstance(found, FileFound)
    assert not isinstance(found, PartlyKnownFile)


def test_a_file_that_rests_on_a_program_says_so(tmp_path: Path) -> None:
    body = """
if ctx.which("nvcc"):
    ctx.file("BUILD", "with")
else:
    ctx.file("BUILD", "without")
ctx.file("always/BUILD", "same")
"""
    table = evaluate(lay_out(tmp_path, rule(body)))
    found = table.find_file("r", "BUILD")
    assert isinstance(found, PartlyKnownFile)
    assert [item.reason for item in found.unknowns] == [Reason.DEPENDS_ON_UNKNOWN]
    assert not isinstance(table.find_file("r", "always/BUILD"), PartlyKnownFile)


def test_a_wrong_assumption_is_taken_back(tmp_path: Path) -> None:
    body = """
if ctx.which("forbidden"):
    fail("must not be installed")
ctx.file("BUILD", "ok")
"""
    table = evaluate(lay_out(tmp_path, rule(body)))
    assert text_of(table, "r", "BUILD") == "ok"


_FOR_WANT_OF = {
    "what a program prints": 'root = json.decode(ctx.execute([path]).stdout)["root"]',
    "a variable that a machine with the program has": 'root = ctx.os.environ["NO_SUCH_ROOT"]',
}


@pytest.mark.parametrize("line", _FOR_WANT_OF.values(), ids=_FOR_WANT_OF.keys())
def test_a_run_that_fails_for_want_of_what_is_unknown_here_proves_nothing(
    tmp_path: Path, line: str
) -> None:
    """The rule works where the program is installed, and writes what cannot be told."""
    body = f"""
root = ""
path = ctx.which("compiler")
if path:
    {line}
ctx.file("BUILD", 'filegroup(name = "with")' if path else "")
"""
    table = evaluate(lay_out(tmp_path, rule(body)))
    found = table.find_file("r", "BUILD")
    assert isinstance(found, PartlyKnownFile)
    assert [one.detail for one in found.unknowns] == ["assumed that the program does not exist"]


def test_a_comparison_with_unknown_text_tries_both(tmp_path: Path) -> None:
    body = """
version = ctx.execute(["tool", "--version"]).stdout.strip()
lock = None
for known in ["3.9", "3.10"]:
    if known == version:
        lock = known
if not lock:
    fail("no lock file for this version")
ctx.file("BUILD", "lock")
"""
    table = evaluate(lay_out(tmp_path, rule(body)))
    assert text_of(table, "r", "BUILD") == "lock"


def test_an_assumption_without_which_the_rule_fails_says_so(tmp_path: Path) -> None:
    body = """
if not ctx.which("nvcc"):
    fail("no nvcc")
ctx.file("BUILD", "ok")
"""
    root = lay_out(tmp_path, rule(body))
    assert not isinstance(evaluate(root).find_file("r", "BUILD"), PartlyKnownFile)
    assert assumed(root) == [
        "which(nvcc): assumed that the program exists, since the rule fails otherwise"
    ]


def test_an_assumption_that_changes_a_file_is_on_that_file(tmp_path: Path) -> None:
    body = """
if ctx.execute(["probe"]).return_code == 0:
    ctx.file("BUILD", "with")
else:
    ctx.file("BUILD", "without")
"""
    root = lay_out(tmp_path, rule(body))
    found = evaluate(root).find_file("r", "BUILD")
    assert isinstance(found, PartlyKnownFile)
    assert [item.detail for item in found.unknowns] == ["assumed that its exit code is 0"]
    assert assumed(root) == ["`probe`: assumed that its exit code is 0"]


def test_an_assumption_that_changes_nothing_is_none(tmp_path: Path) -> None:
    body = """
note = "here" if ctx.which("tool") else "not here"
print(note)
ctx.file("BUILD", "ok")
"""
    assert assumed(lay_out(tmp_path, rule(body))) == []


def test_a_list_of_lines_is_compared_as_a_whole(tmp_path: Path) -> None:
    """One line stands for all that a program may print."""
    body = """
wanted = ["/lib/%s.so" % name for name in ["a", "b"]]
found = [line for line in ctx.execute(["check"]).stdout.splitlines() if len(line) > 0]
if wanted != found:
    fail("missing: %s" % wanted)
ctx.file("BUILD", "ok")
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "ok"
    assert assumed(root)[-1] == (
        "`check`: assumed that its output is the list [/lib/a.so, /lib/b.so],"
        " since the rule fails otherwise"
    )


def test_a_question_is_answered_once(tmp_path: Path) -> None:
    body = """
first = ctx.execute(["tool"]).return_code
again = ctx.execute(["tool"]).return_code
if (first == 0) != (again == 0):
    fail("two answers")
if first == 0:
    fail("must not succeed")
ctx.file("BUILD", "ok")
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "ok"
    assert assumed(root) == [
        "`tool`: assumed that its exit code is not 0, since the rule fails otherwise"
    ]


def test_numbers_that_were_assumed_are_in_order(tmp_path: Path) -> None:
    body = """
version = int(ctx.execute(["tool"]).stdout.split(".")[0])
if version >= 11 and not version >= 10:
    fail("no such number")
if version > 12 or version == 11:
    fail("not supported")
ctx.file("BUILD", "version %s" % (version >= 10))
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "version True"


def test_a_helper_from_an_unknown_file_is_assumed_to_find_what_it_looks_for(
    tmp_path: Path,
) -> None:
    files = {
        "BUILD": "",
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.org/far.zip"])
load("//:rule.bzl", "rr")
rr(name = "r")
""",
        "rule.bzl": """
load("@far//:find.bzl", "find_compiler")

def _impl(ctx):
    compiler = find_compiler(ctx)
    if not compiler:
        fail("no compiler")
    if compiler == "none":
        fail("none of that name")
    ctx.file("BUILD", "genrule(name = 'g', cmd = '%s')" % compiler)

rr = repository_rule(implementation = _impl)
""",
    }
    root = lay_out(tmp_path, files)
    found = evaluate(root).find_file("r", "BUILD")
    assert isinstance(found, PartlyKnownFile)
    (piece,) = found.unknown_names
    assert found.text == f"genrule(name = 'g', cmd = {piece})"
    about = "@far//:find.bzl: assumed that `find_compiler(...)`"
    assert assumed(root) == [
        f"{about} is true, since the rule fails otherwise",
        f"{about} is not `none`, since the rule fails otherwise",
    ]


def test_a_rule_may_take_a_program_to_print_several_lines(tmp_path: Path) -> None:
    body = """
found = [line == "True" for line in ctx.execute(["exist", "a", "b", "c"]).stdout.splitlines()]
for i in range(3):
    if not found[i]:
        fail("missing")
ctx.file("BUILD", "ok")
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "ok"
    assert assumed(root) == [
        "`exist a b c`: assumed that its output is `True`, since the rule fails otherwise",
        "the output of its programs: assumed that it has 3 parts where the rule needs as many",
    ]


def test_an_index_that_no_output_bears_on_still_fails(tmp_path: Path) -> None:
    table = evaluate(lay_out(tmp_path, rule("x = [1][1]")))
    found = table.find_file("r", "BUILD")
    assert isinstance(found, Unknown) and "index out of range" in found.detail


def test_a_run_that_a_limit_ends_is_not_tried_with_other_decisions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []

    class Context(rule_run.RepositoryContext):
        def value(self) -> object:
            begun.append(self)
            return super().value()

    monkeypatch.setattr(rule_run, "RepositoryContext", Context)
    monkeypatch.setattr(rule_run, "LIMITS", starlark.Limits(steps=5000))
    table = evaluate(lay_out(tmp_path, rule('for i in range(10000):\n    ctx.which("a%d" % i)')))
    with budget.spending(BudgetLimits()) as account:
        unknown = table.build_file("r", "")
    assert isinstance(unknown, Unknown)
    assert "takes more than 5000 steps" in unknown.detail
    assert len(begun) == 1
    assert account.cuts == 1


_LINES = """
ctx.download_and_extract("https://example.org/x.tar.gz")
found = {"MAJOR": None, "MINOR": None}
for line in ctx.read("versions.txt").splitlines():
"""
_WRITTEN = """
ctx.file("vars.bzl", "".join(['%s = "%s"\\n' % (name, value) for name, value in found.items()]))
ctx.file("always/BUILD", "same")
"""


@pytest.mark.parametrize(
    "loop",
    [
        """
    if line.startswith("MAJOR"):
        found["MAJOR"] = line[6:]
""",
        """
    call = line.partition("(")
    if call[1] != "(" or call[0].strip().lower() != "set":
        continue
    words = call[2].strip()
    end = words.find(" ")
    if end < 0:
        continue
    key = words[:end]
    if key not in found or found[key] != None:
        continue
    found[key] = words[end:].strip().partition(")")[0]
""",
        """
    words = line.split("=")
    if len(words) == 2 and words[0] in ["MAJOR", "MINOR"]:
        found[words[0]] = words[1]
""",
    ],
    ids=["one question", "a question after another", "a list of names"],
)
def test_what_is_made_of_lines_of_a_file_that_nobody_has_is_unknown(
    tmp_path: Path, loop: str
) -> None:
    root = lay_out(tmp_path, rule(f"{_LINES.rstrip()}{loop}{_WRITTEN}"))
    table = evaluate(root)
    unknown = table.find_file("r", "vars.bzl")
    if isinstance(unknown, FileFound):
        text = table.read_text(unknown)
        assert isinstance(text, Unknown), text
        unknown = text
    assert isinstance(unknown, Unknown) and unknown.reason is Reason.NOT_FETCHED
    assert text_of(table, "r", "always/BUILD") == "same"
    assert not assumed(root)


def test_a_key_that_a_text_was_found_to_be_is_looked_up_and_set(tmp_path: Path) -> None:
    body = """
table = {"one": 1}
name = ctx.execute(["tool"]).stdout
if name not in table:
    fail("another")
table[name] += table.get(name) + 1
ctx.file("BUILD", "%s" % table)
"""
    table = evaluate(lay_out(tmp_path, rule(body)))
    assert text_of(table, "r", "BUILD") == '{"one": 3}'
