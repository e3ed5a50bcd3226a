"""What repository rules would write, without programs and downloads."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import PackageId
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.repository_access import FileFound, PartlyKnownFile
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.repositories.repository_facts import repository_facts
from tests.unit.loading.repositories.workspaces import (
    Options,
    evaluate,
    lay_out,
    loader,
    rule,
    text_of,
)


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


_ASKS_THE_MACHINE = """
uname = [ctx.execute(["uname", option]).stdout.strip() for option in ("-s", "-m")]
ctx.file("BUILD", "# %s, %s" % (ctx.os.arch, " ".join(uname)))
"""


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("linux x86_64", "amd64, Linux x86_64"),
        ("linux aarch64", "aarch64, Linux aarch64"),
        ("macos x86_64", "x86_64, Darwin x86_64"),
        ("macos aarch64", "aarch64, Darwin arm64"),
    ],
)
def test_the_machine_is_told(tmp_path: Path, host: str, told: str) -> None:
    system, _, cpu = host.partition(" ")
    options = Options(host=system, host_cpu=cpu, bazel_version="5.1.0")
    table = evaluate(lay_out(tmp_path, rule(_ASKS_THE_MACHINE)), options)
    assert text_of(table, "r", "BUILD") == f"# {told}"


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


def test_what_an_unknown_function_does_with_the_context_is_unknown(tmp_path: Path) -> None:
    load = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.org/x.zip"])
"""
    files = rule('make(ctx)\nctx.file("a", "")')
    (path,) = (name for name in files if name.endswith(".bzl"))
    files[path] = 'load("@far//:x.bzl", "make")\n' + files[path]
    files["WORKSPACE"] = load + files["WORKSPACE"]
    table = evaluate(lay_out(tmp_path, files))
    assert text_of(table, "r", "a") == ""
    build_file = table.build_file("r", "")
    assert isinstance(build_file, Unknown)
    assert "@far//:x.bzl" in str(build_file)


def test_a_walk_through_directories_that_nobody_knows_ends(tmp_path: Path) -> None:
    body = """
ctx.download_and_extract("https://example.org/x.tar.gz")
queue, seen = [ctx.path(".")], 0
for _ in range(1000):
    if not queue:
        break
    for child in queue.pop().readdir():
        seen += 1
        if child.is_dir:
            queue.append(child)
ctx.file("BUILD", "# %s" % (seen < 10))
"""
    table = evaluate(lay_out(tmp_path, rule(body)), Options(bazel_version="7.1.0"))
    assert text_of(table, "r", "BUILD") == "# True"


_SHOWN = """
_COMMON = ["compatible_with", "expect_failure", "features", "restricted_to", "tags", "visibility"]

def _impl(ctx):
    lines = ["# %s %s\\n" % (name, getattr(ctx.attr, name)) for name in _COMMON]
    lines += ["# %s\\n" % ctx.attr.testonly] if ctx.name == "b" else []
    ctx.file("BUILD", "".join(lines))

r = repository_rule(implementation = _impl)
"""


@pytest.mark.parametrize("release", ["0.24.1", "4.2.3", "8.4.0"])
def test_a_repository_rule_reads_attributes_of_every_rule(tmp_path: Path, release: str) -> None:
    given = 'tags = ["t"], testonly = 1, visibility = ["//x:y"], compatible_with = ["//c"]'
    load = 'load("//:r.bzl", "r")'
    files = {"BUILD": "", "r.bzl": _SHOWN}
    files["WORKSPACE"] = f'{load}\nr(name = "a")\nr(name = "b", {given})\n'
    options = Options(bazel_version=release, enable_workspace=True)
    table = evaluate(lay_out(tmp_path, files), options)
    assert text_of(table, "a", "BUILD").splitlines() == [
        *("# compatible_with []", "# expect_failure ", "# features []", "# restricted_to []"),
        *("# tags []", "# visibility []"),
    ]
    told = text_of(table, "b", "BUILD")
    assert '# tags ["t"]\n' in told and "//x:y" in told and told.endswith("# True\n")


def test_bazel_9_has_none_of_them(tmp_path: Path) -> None:
    files = {
        "BUILD": "",
        "r.bzl": _SHOWN + "e = module_extension(lambda ctx: r(name = 'a'))\n",
        "MODULE.bazel": 'e = use_extension("//:r.bzl", "e")\nuse_repo(e, "a")\n',
    }
    for release, failure in (("8.4.0", ""), ("9.0.0", "No such attribute 'compatible_with'")):
        found = loader(tmp_path / release, files, release).package(PackageId("a", ""))
        assert failure in repr(found) if failure else isinstance(found, Package), found


@pytest.mark.parametrize(
    ("name", "releases"),
    [
        ("visibility", ("0.24.1", "4.2.3")),
        ("generator_name", ("4.2.3", "8.4.0")),
        ("name", ("4.2.3", "9.0.0")),
        ("licenses", ()),
        ("environ", ()),
    ],
)
def test_a_repository_rule_declares_no_attribute_that_it_has(
    tmp_path: Path, name: str, releases: tuple[str, ...]
) -> None:
    bzl = f'r = repository_rule(print, attrs = {{"{name}": attr.string()}})\n'
    files = {"r.bzl": bzl, "BUILD": 'load(":r.bzl", "r")\n'}
    for release in releases or ("0.24.1", "4.2.3", "9.0.0"):
        found = loader(tmp_path / release, files, release).package(PackageId("", ""))
        told = f"There is already a built-in attribute '{name}' which cannot be overridden"
        assert (told in repr(found)) is bool(releases), found


@pytest.mark.parametrize(("version", "has_it"), [("8.2.1", False), ("8.3.0", True)])
def test_a_rule_may_return_metadata_of_its_repository(
    tmp_path: Path, version: str, has_it: bool
) -> None:
    body = """
ctx.file("BUILD", str(hasattr(ctx, "repo_metadata")))
return ctx.repo_metadata(reproducible = True) if hasattr(ctx, "repo_metadata") else None
"""
    module = 'r = use_repo_rule("//:rule.bzl", "r")\nr(name = "made")\n'
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    defined = f"def _r(ctx):\n{lines}r = repository_rule(_r)\n"
    files = {"MODULE.bazel": module, "BUILD": "", "rule.bzl": defined}
    table = evaluate(lay_out(tmp_path, files), Options(version))
    assert text_of(table, "made", "BUILD") == str(has_it)


@pytest.mark.parametrize("name", ["entry.basename", "str(entry)", '("%s" % entry)'])
@pytest.mark.parametrize(
    "makes",
    [
        'ctx.download("https://example.org/x.whl", "x.zip")\nctx.extract("x.zip", "lib")',
        'ctx.download_and_extract("https://example.org/x.zip", "lib")',
        'ctx.execute(["unzip", "x.zip", "-d", "lib"])',
    ],
)
def test_what_a_directory_holds_that_nobody_knows_may_have_the_name_wanted(
    makes: str, name: str, tmp_path: Path
) -> None:
    body = f"""
{makes}
wanted = None
for entry in ctx.path("./lib").readdir():
    if {name}.endswith(".dist-info"):
        wanted = entry
if not wanted:
    fail("there is none")
ctx.file("BUILD", "# found")
"""
    assert text_of(evaluate(lay_out(tmp_path, rule(body))), "r", "BUILD") == "# found"
