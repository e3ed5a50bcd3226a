"""What repository rules would write, without programs and downloads."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.base import budget
from bazelscope.base.budget import BudgetLimits
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.dry_run import rule_run
from bazelscope.loading.packages.repository_access import FileFound, PartlyKnownFile
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.repositories.repository_facts import repository_facts
from tests.unit.loading.repositories.workspaces import Options, evaluate, lay_out, text_of

WORKSPACE = 'load("//:rule.bzl", "rr")\nrr(name = "r")\n'


def rule(body: str, attrs: str = "{}") -> dict[str, str]:
    """A workspace whose repository `@r` is made by a rule with this body."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    made = f"rr = repository_rule(implementation = _impl, attrs = {attrs})"
    text = f"def _impl(ctx):\n{lines}\n{made}\n"
    return {"BUILD": "", "WORKSPACE": WORKSPACE, "rule.bzl": text}


def test_a_file_is_known_and_other_files_are_not_there(tmp_path: Path) -> None:
    table = evaluate(lay_out(tmp_path, rule('ctx.file("a/BUILD", "# text")')))
    assert text_of(table, "r", "a/BUILD") == "# text"
    assert table.find_file("r", "b/BUILD") is None
    assert table.list_files("r", "") == ("a/BUILD",)


def test_a_template_keeps_the_path_of_its_file_while_its_lines_stay(tmp_path: Path) -> None:
    body = """
ctx.template("BUILD", Label("//:a.tpl"), {"%{x}": "one"})
ctx.template("many/BUILD", Label("//:a.tpl"), {"%{x}": "one\\ntwo"})
"""
    table = evaluate(lay_out(tmp_path, {**rule(body), "a.tpl": "x = '%{x}'\n"}))
    assert text_of(table, "r", "BUILD") == "x = 'one'\n"
    found, moved = table.find_file("r", "BUILD"), table.find_file("r", "many/BUILD")
    assert isinstance(found, FileFound) and found.display_path == "a.tpl"
    assert isinstance(moved, FileFound) and moved.display_path == "external/r/many/BUILD"


def test_a_download_leaves_the_rest_unknown_and_the_overlay_known(tmp_path: Path) -> None:
    files = {
        "BUILD": "",
        "third_party/BUILD": "",
        "third_party/x.BUILD": 'filegroup(name = "x")\n',
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(
    name = "x",
    build_file = "//third_party:x.BUILD",
    sha256 = "ab12",
    urls = ["https://example.org/x.tar.gz"],
)
""",
    }
    table = evaluate(lay_out(tmp_path, files))
    repository = table.get("x")
    assert repository is not None
    assert repository.provenance is Provenance.OVERLAY
    assert str(repository.build_file) == "//third_party:x.BUILD"
    build_file = table.build_file("x", "")
    assert isinstance(build_file, FileFound)
    assert build_file.display_path == "third_party/x.BUILD"
    below = table.list_files("x", "")
    assert isinstance(below, Unknown) and below.reason is Reason.NOT_FETCHED
    other = table.build_file("x", "src")
    assert isinstance(other, Unknown) and other.subject == "@x//src:BUILD.bazel"
    facts = repository_facts(table, "x")
    assert facts is not None
    assert (facts.urls, facts.sha256) == (("https://example.org/x.tar.gz",), "ab12")
    assert facts.location is not None and facts.location.short == "WORKSPACE:3"


def test_the_environment_decides(tmp_path: Path) -> None:
    body = """
if ctx.os.environ.get("TF_SYSTEM_LIBS") == "zlib":
    ctx.file("BUILD", "system")
else:
    ctx.file("BUILD", "bundled")
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "bundled"
    options = Options(repo_env={"TF_SYSTEM_LIBS": "zlib"})
    assert text_of(evaluate(root, options), "r", "BUILD") == "system"


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


def test_output_of_a_program_in_a_file_is_a_named_unknown_piece(tmp_path: Path) -> None:
    body = """
version = ctx.execute(["tool", "--version"]).stdout.strip()
ctx.file("defs.bzl", "VERSION = %s\\nKNOWN = 1\\n" % version)
"""
    table = evaluate(lay_out(tmp_path, rule(body)))
    found = table.find_file("r", "defs.bzl")
    assert isinstance(found, PartlyKnownFile)
    ((name, unknown),) = found.unknown_names.items()
    assert found.text == f"VERSION = {name}\nKNOWN = 1\n"
    assert unknown.reason is Reason.RUNS_PROGRAM
    assert "`tool --version`" in unknown.subject


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


def test_a_rule_that_fails_keeps_what_it_wrote(tmp_path: Path) -> None:
    body = 'ctx.file("a/BUILD", "kept")\nfail("no such luck")\n'
    table = evaluate(lay_out(tmp_path, rule(body)))
    assert text_of(table, "r", "a/BUILD") == "kept"
    missing = table.build_file("r", "b")
    assert isinstance(missing, Unknown)
    assert "no such luck" in missing.detail


def test_a_patch_that_creates_a_file_makes_it_known(tmp_path: Path) -> None:
    body = """
ctx.download_and_extract("https://example.org/a.zip")
ctx.patch(Label("//:a.patch"), 1)
"""
    patch = "--- /dev/null\n+++ b/sub/BUILD\n@@ -0,0 +1,2 @@\n+# one\n+# two\n"
    table = evaluate(lay_out(tmp_path, {**rule(body), "a.patch": patch}))
    assert text_of(table, "r", "sub/BUILD") == "# one\n# two\n"


def test_a_rule_may_read_another_repository_that_comes_later(tmp_path: Path) -> None:
    files = rule('ctx.symlink(Label("@s//:BUILD"), "BUILD")')
    files["WORKSPACE"] += 'load("//:other.bzl", "ss")\nss(name = "s")\n'
    files["other.bzl"] = (
        "def _impl(ctx):\n    ctx.file('BUILD', 'from s')\n\n"
        "ss = repository_rule(implementation = _impl)\n"
    )
    table = evaluate(lay_out(tmp_path, files))
    assert text_of(table, "r", "BUILD") == "from s"


@pytest.mark.parametrize(
    "copy",
    [
        'ctx.template("defs.bzl", Label("@s//:defs.bzl"), {"KNOWN": "OTHER"})',
        'ctx.file("defs.bzl", ctx.read(Label("@s//:defs.bzl")).replace("KNOWN", "OTHER"))',
        (
            'ctx.symlink(Label("@s//:defs.bzl"), "first.bzl")\n'
            'ctx.template("defs.bzl", "first.bzl", {"KNOWN": "OTHER"})'
        ),
    ],
)
def test_what_one_rule_does_not_know_of_a_file_its_copy_does_not_know(
    copy: str, tmp_path: Path
) -> None:
    files = rule(f'mine = ctx.execute(["mine"]).stdout\n{copy}\nctx.file("BUILD", mine)')
    files["WORKSPACE"] += 'load("//:other.bzl", "ss")\nss(name = "s")\n'
    files["other.bzl"] = (
        "def _impl(ctx):\n    out = ctx.execute(['theirs']).stdout\n"
        "    ctx.file('defs.bzl', 'KNOWN = 1\\nVERSION = %s\\n' % out)\n\n"
        "ss = repository_rule(implementation = _impl)\n"
    )
    table = evaluate(lay_out(tmp_path, files))
    found = table.find_file("r", "defs.bzl")
    assert isinstance(found, PartlyKnownFile)
    ((name, unknown),) = found.unknown_names.items()
    assert found.text == f"OTHER = 1\nVERSION = {name}\n"
    assert "`theirs`" in unknown.subject


def test_two_rules_that_need_each_other_end(tmp_path: Path) -> None:
    files = rule('ctx.symlink(Label("@s//:BUILD"), "BUILD")')
    files["WORKSPACE"] += 'rr(name = "s")\n'
    table = evaluate(lay_out(tmp_path, files))
    assert isinstance(table.find_file("r", "BUILD"), Unknown)


def test_nothing_outside_the_named_repositories_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden")
    inside = tmp_path / "ws"
    (inside / "link.txt").parent.mkdir()
    (inside / "link.txt").symlink_to(secret)
    body = f"""
ctx.file("a.bzl", "A = '" + ctx.read("{secret}") + "'")
ctx.file("b.bzl", "B = '" + ctx.read("{inside}/../secret.txt") + "'")
"""
    table = evaluate(lay_out(inside, rule(body)))
    assert "hidden" not in text_of(table, "r", "a.bzl")
    assert "hidden" not in text_of(table, "r", "b.bzl")
    table = evaluate(lay_out(inside, rule('ctx.symlink(Label("//:link.txt"), "c.txt")')))
    found = table.find_file("r", "c.txt")
    assert isinstance(found, Unknown)
    assert "symbolic link" in found.detail


def test_writing_outside_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    table = evaluate(lay_out(tmp_path / "ws", rule(f'ctx.file("{target}", "x")')))
    assert isinstance(table.find_file("r", "BUILD"), Unknown)
    assert not target.exists()
    assert not (tmp_path / "ws" / "external").exists()


@pytest.mark.parametrize(("path", "above"), [("{}/BUILD", "x"), ("a/v{}/BUILD", "a/x")])
def test_files_under_unknown_names_leave_their_folder_open(
    tmp_path: Path, path: str, above: str
) -> None:
    body = f'''
ctx.file("known/BUILD", "")
for line in ctx.execute(["ls"]).stdout.split("\\n"):
    if line and not line.startswith("-"):
        ctx.file("{path}".format(line), "")
'''
    table = evaluate(lay_out(tmp_path, rule(body)))
    assert isinstance(table.build_file("r", above), Unknown)
    assert isinstance(table.list_files("r", above), Unknown)
    assert isinstance(table.build_file("r", "known"), FileFound)
    assert (table.build_file("r", "other") is None) is path.startswith("a/")


def test_an_endless_rule_is_stopped(tmp_path: Path) -> None:
    body = "for a in range(100000):\n    for b in range(100000):\n        x = a\n"
    table = evaluate(lay_out(tmp_path, rule(body)))
    found = table.find_file("r", "BUILD")
    assert isinstance(found, Unknown) and found.reason is Reason.FAILED


def test_an_unknown_load_costs_only_what_it_would_define(tmp_path: Path) -> None:
    files = {
        "BUILD": "",
        "one/BUILD": "",
        "one/WORKSPACE": "",
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.org/far.zip"])
load("@far//:defs.bzl", "far_repositories")
far_repositories()
local_repository(name = "near", path = "one")
""",
    }
    table = evaluate(lay_out(tmp_path, files))
    near, perhaps = table.get("near"), table.get("perhaps")
    assert near is not None and near.provenance is Provenance.LOCAL
    assert perhaps is not None and perhaps.unknown is not None
    assert [item.reason for item in table.unknowns][:1] == [Reason.NOT_FETCHED]


def test_without_unknowns_an_undefined_repository_is_certainly_undefined(tmp_path: Path) -> None:
    table = evaluate(lay_out(tmp_path, {"WORKSPACE": "", "BUILD": ""}))
    assert table.get("nope") is None
    assert table.find_file("nope", "BUILD") is None


def test_override_goes_first(tmp_path: Path) -> None:
    root = lay_out(tmp_path / "ws", rule('ctx.file("BUILD", "rule")'))
    other = lay_out(tmp_path / "other", {"BUILD": "override"})
    table = evaluate(root, Options(override_repositories={"r": str(other), "new": str(other)}))
    assert text_of(table, "r", "BUILD") == "override"
    for name in ("r", "new"):
        found = table.get(name)
        assert found is not None and found.provenance is Provenance.OVERRIDE


def test_a_named_output_base_goes_before_the_rule(tmp_path: Path) -> None:
    root = lay_out(tmp_path / "ws", rule('ctx.file("BUILD", "rule")'))
    lay_out(tmp_path / "base/external/r", {"BUILD": "fetched"})
    table = evaluate(root, Options(output_base=str(tmp_path / "base")))
    assert text_of(table, "r", "BUILD") == "fetched"


def test_a_vendored_repository_goes_before_a_fetched_one(tmp_path: Path) -> None:
    root = lay_out(tmp_path / "ws", rule('ctx.file("BUILD", "rule")'))
    lay_out(tmp_path / "base/external/r", {"BUILD": "fetched"})
    lay_out(tmp_path / "vendor/r", {"BUILD": "vendored"})
    base, vendor = str(tmp_path / "base"), str(tmp_path / "vendor")
    table = evaluate(root, Options(output_base=base, vendor_dir=vendor))
    assert text_of(table, "r", "BUILD") == "vendored"
    found = table.get("r")
    assert found is not None and found.provenance is Provenance.VENDORED


def test_a_new_local_repository_has_its_build_file_over_its_files(tmp_path: Path) -> None:
    files = {
        "BUILD": "",
        "d/f.txt": "",
        "n.BUILD": "# overlay",
        "WORKSPACE": 'new_local_repository(name = "n", path = "d", build_file = "n.BUILD")\n',
    }
    table = evaluate(lay_out(tmp_path, files))
    assert text_of(table, "n", "BUILD.bazel") == "# overlay"
    assert table.list_files("n", "") == ("BUILD.bazel", "f.txt")


def test_repo_mapping(tmp_path: Path) -> None:
    text = 'local_repository(name = "x", path = "one", repo_mapping = {"@z": "@y"})\n'
    table = evaluate(lay_out(tmp_path, {"WORKSPACE": text, "one/BUILD": ""}))
    assert table.repo_mapping("x") == {"z": "y"}


def test_a_definition_that_rests_on_an_unknown_says_so(tmp_path: Path) -> None:
    files = {
        **rule('ctx.file("BUILD", "x")', '{"urls": attr.string_list()}'),
        "macro.bzl": """
load("@far//:defs.bzl", "KNOWN")
load("//:rule.bzl", "rr")

def sure():
    rr(name = "sure")

def both():
    sure()
    doubtful()

def doubtful():
    urls = []
    if "r" in KNOWN:
        urls = ["https://example.org/r.zip"]
    rr(name = "doubtful", urls = urls)
""",
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.org/far.zip"])
load("//:macro.bzl", "both")
both()
""",
    }
    table = evaluate(lay_out(tmp_path, files))
    assert not isinstance(table.find_file("sure", "BUILD"), PartlyKnownFile)
    assert table.find_file("sure", "other/BUILD") is None
    found = table.find_file("doubtful", "BUILD")
    assert isinstance(found, PartlyKnownFile)
    assert [item.reason for item in found.unknowns] == [Reason.DEPENDS_ON_UNKNOWN]
    assert isinstance(table.find_file("doubtful", "other/BUILD"), Unknown)


def assumed(root: Path, options: Options | None = None) -> list[str]:
    """What the dry run of `@r` assumed."""
    facts = repository_facts(evaluate(root, options), "r")
    assert facts is not None
    return [f"{item.subject.removeprefix('@r: ')}: {item.detail}" for item in facts.assumptions]


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


def test_what_is_known_in_a_text_stays_known(tmp_path: Path) -> None:
    body = """
path = ctx.execute(["tool"]).stdout.strip() + "/lib/libcudart.so"
if not path.endswith(".so") or path.endswith(".dylib") or "libcudart" not in path:
    fail("known text is asked of the machine")
name = path
for i in range(len(path)):
    at = len(path) - 1 - i
    if path[at] == "/":
        name = path[at + 1:]
        break
if name != "libcudart.so" or path.rpartition("/")[2] != name:
    fail("got %s" % name)
ctx.file("BUILD", name)
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "libcudart.so"
    assert assumed(root) == []


def test_unknown_text_in_formatted_text_is_still_unknown(tmp_path: Path) -> None:
    body = """
version = ctx.execute(["tool"]).stdout
for shown in ["v%s" % version, "v{}".format(version), "v".join(["", version])]:
    if shown == "v8":
        fail("8 is not supported")
    if shown == "w8":
        fail("cannot be")
ctx.file("BUILD", "ok")
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "ok"
    assert assumed(root) == [
        "`tool`: assumed that `v...` is not `v8`, since the rule fails otherwise"
    ]


@pytest.mark.parametrize("encode", ["json.encode", "json.encode_indent"])
def test_unknown_text_in_json_is_still_unknown(tmp_path: Path, encode: str) -> None:
    body = f"""
text = {encode}({{"versions": [ctx.execute(["tool"]).stdout]}})
if text == "none":
    fail("cannot be")
if '"versions"' not in text:
    fail("what is known stands in it")
ctx.file("x.bzl", "X = " + text)
ctx.file("BUILD", "ok")
"""
    table = evaluate(lay_out(tmp_path, rule(body)))
    assert text_of(table, "r", "BUILD") == "ok"
    file = table.find_file("r", "x.bzl")
    assert isinstance(file, PartlyKnownFile) and len(file.unknown_names) == 1


@pytest.mark.parametrize("read", ['ctx.os.environ.get("BAZEL_REAL")', 'ctx.getenv("BAZEL_REAL")'])
def test_where_the_real_bazel_is_is_not_known(tmp_path: Path, read: str) -> None:
    """Bazelisk says it to the `tools/bazel` of a workspace."""
    body = f"""
if not {read}:
    fail("BAZEL_REAL is not set")
ctx.file("BUILD", "ok")
"""
    assert text_of(evaluate(lay_out(tmp_path, rule(body))), "r", "BUILD") == "ok"


def test_the_values_of_a_printed_table_are_unknown_one_by_one(tmp_path: Path) -> None:
    body = """
table = dict([line.split(": ") for line in ctx.execute(["tool"]).stdout.splitlines()])
if table["a"] != "1" or table["b"] == "1":
    fail("a must be 1 and b not")
ctx.file("BUILD", "ok")
"""
    root = lay_out(tmp_path, rule(body))
    assert text_of(evaluate(root), "r", "BUILD") == "ok"
    assert assumed(root) == [
        "`tool`[a]: assumed that its output is `1`, since the rule fails otherwise",
        "`tool`[b]: assumed that its output is not `1`, since the rule fails otherwise",
    ]


def test_a_string_with_an_unknown_piece_is_an_unknown_value(tmp_path: Path) -> None:
    body = """
out = ctx.execute(["find", "/usr/include"]).stdout
ctx.template("BUILD", Label("//:a.tpl"), {"%{out}": out})
"""
    template = (
        'load(":%{out}.bzl", "x")\n'
        '# not a string: "%{out}"\n'
        'genrule(name = "g", outs = ["a/%{out}", "b"], cmd = """cp\n%{out}\n""")\n'
        'cc_library(name = "after")\n'
    )
    table = evaluate(lay_out(tmp_path, {**rule(body), "a.tpl": template}))
    found = table.find_file("r", "BUILD")
    assert isinstance(found, PartlyKnownFile)
    (piece,) = found.unknown_names
    assert text_of(table, "r", "BUILD") == (
        f'load(":{piece}.bzl", "x")\n'
        f'# not a string: "{piece}"\n'
        f'genrule(name = "g", outs = [{piece}, "b"], cmd = ({piece}\n\n))\n'
        'cc_library(name = "after")\n'
    )


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


@pytest.mark.parametrize("pair", ["line.split(': ')", "tuple(line.split(': '))"])
def test_a_dict_of_unknown_keys_may_have_any(tmp_path: Path, pair: str) -> None:
    rule = f"""
def _r(ctx):
    lines = ctx.execute(["tool"]).stdout.splitlines()
    table = dict([{pair} for line in lines])
    ctx.file("BUILD", "# %s %s" % (table["version"], [lines[4]]))
r = repository_rule(_r)
"""
    root = lay_out(
        tmp_path / "w",
        {"WORKSPACE": 'load("//:r.bzl", "r")\nr(name = "r")\n', "BUILD": "", "r.bzl": rule},
    )
    found = evaluate(root).build_file("r", "")
    assert isinstance(found, PartlyKnownFile)


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
