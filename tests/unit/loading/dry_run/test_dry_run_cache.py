"""Dry runs of repository rules are kept between runs, until what they rest on changes."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from bazelscope.loading.cache import kept_entries
from bazelscope.loading.dry_run import rule_run
from bazelscope.loading.dry_run.run_cache import decode_result, encode_result
from bazelscope.loading.dry_run.run_result import DryRunResult
from bazelscope.loading.loader import Loader
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files
from tests.unit.loading.repositories.workspaces import lay_out

FILES = {
    "WORKSPACE": """
load("//:rule.bzl", "LISTED", "configure")
local_repository(name = "other", path = "other_files")
configure(name = "made", template = "//:made.tpl", values = {"k": "v"}, listed = LISTED)
configure(name = "plain", template = "//:made.tpl")
""",
    "BUILD": "",
    "made.tpl": "FIRST = '%{flavour}'\n",
    "helper.bzl": "WORD = 'helper'\n",
    "unrelated.bzl": "",
    "linked/a.txt": "",
    "marked/WORKSPACE": "",
    "other_files/WORKSPACE": "",
    "other_files/BUILD": "",
    "other_files/data.txt": "data",
    "rule.bzl": """
load("//:helper.bzl", "WORD")

def _impl(ctx):
    flavour = ctx.os.environ.get("FLAVOUR", WORD)
    if ctx.path(Label("//:BUILD")).dirname.get_child("marker.txt").exists:
        flavour += " marked"
    if ctx.name == "made":
        flavour += ctx.read(Label("@other//:data.txt"))
        ctx.symlink(ctx.path(Label("//:linked/a.txt")).dirname, "links")
        version = ctx.execute(["tool", "--version"]).stdout
        if "9" in version:
            fail("too new")
        ctx.file("version.bzl", "VERSION = '%s'" % version)
        ctx.download_and_extract(url = "https://example.com/a.zip", output = "archive")
        if not ctx.which("compiler"):
            ctx.file("no_compiler", "")
    ctx.template("defs.bzl", ctx.attr.template, {"%{flavour}": flavour})

configure = repository_rule(
    implementation = _impl,
    attrs = {
        "listed": attr.string_list(),
        "template": attr.label(),
        "values": attr.string_dict(),
    },
)

LISTED = ["frozen once the file has run"]
""",
}


class Runs:
    """Runs of one workspace, each by a new loader, as separate processes would make them."""

    def __init__(self, root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.cache = cache
        self.ran: list[str] = []
        run = rule_run.dry_run

        def counted(repository: str, *arguments: object) -> DryRunResult:
            self.ran.append(repository)
            return run(repository, *arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(rule_run, "dry_run", counted)

    def run(
        self,
        *repositories: str,
        cached: bool = True,
        bazel_version: str = "4.2.3",
        **options: object,
    ) -> dict[str, DryRunResult | None]:
        """The dry runs of some repositories; `ran` then says which of them were run."""
        self.ran.clear()
        made = LoadingOptions(bazel_version, **options)  # type: ignore[arg-type]
        loader = Loader(Workspace.open(self.root), made, self.cache if cached else None)
        found = {}
        for name in repositories or ("made", "plain"):
            placement = loader.table.placement(name)
            assert placement is not None
            found[name] = placement.dry_run
        loader.save()
        return found

    def text(self, repository: str = "plain", **options: object) -> str | None:
        """The file that the rule makes of its template."""
        result = self.run(repository, **options)[repository]
        assert result is not None
        return result.files["defs.bzl"].text


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    made = Runs(lay_out(tmp_path / "w", FILES), tmp_path / "cache", monkeypatch)
    made.run()
    assert made.ran == ["made", "plain"]
    return made


def test_the_second_run_runs_nothing_and_says_the_same(runs: Runs) -> None:
    kept = runs.run()
    assert runs.ran == []
    fresh = runs.run(cached=False)
    assert runs.ran == ["made", "plain"]
    assert kept == fresh
    made = kept["made"]
    assert made is not None
    assert sorted(made.files) == ["defs.bzl", "links/a.txt", "version.bzl"]
    assert made.open_below and made.downloads and made.programs and made.assumptions
    assert made.files["version.bzl"].unknown_names
    assert list(made.files) == list(fresh["made"].files)  # type: ignore[union-attr]


def test_a_failure_is_kept_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    rule = """
def _impl(ctx):
    ctx.file("written", "")
    fail("no luck: " + ctx.which("tool").basename)

configure = repository_rule(implementation = _impl)
"""
    workspace = 'load("//:rule.bzl", "configure")\nconfigure(name = "made")\n'
    root = lay_out(tmp_path / "w", {"WORKSPACE": workspace, "BUILD": "", "rule.bzl": rule})
    runs = Runs(root, tmp_path / "cache", monkeypatch)
    first = runs.run("made")
    assert runs.ran == ["made"]
    assert first["made"] is not None and first["made"].failure is not None
    assert runs.run("made") == first
    assert runs.ran == []


@pytest.mark.parametrize(
    ("path", "text", "ran"),
    [
        ("rule.bzl", FILES["rule.bzl"] + "\n# longer\n", ["made", "plain"]),
        ("helper.bzl", "WORD = 'another'\n", ["made", "plain"]),
        ("made.tpl", "SECOND = '%{flavour}'\n", ["made", "plain"]),
        ("marker.txt", "", ["made", "plain"]),  # looked for, and not there before
        ("other_files/data.txt", "other data", ["made"]),
        ("linked/b.txt", "", ["made"]),  # in a directory that was linked
        ("linked/a.txt", "text", ["made"]),
        ("WORKSPACE", FILES["WORKSPACE"].replace('"v"', '"x"'), ["made"]),
        ("WORKSPACE", "\n" + FILES["WORKSPACE"], ["made", "plain"]),  # answers name its lines
        ("WORKSPACE", 'workspace(name = "w")' + FILES["WORKSPACE"], ["made", "plain"]),
        ("WORKSPACE", FILES["WORKSPACE"].replace("other_files", "marked"), ["made"]),
        ("WORKSPACE", FILES["WORKSPACE"] + "\n# nothing that counts\n", []),
        ("unrelated.bzl", "X = 1\n", []),
    ],
)
def test_a_change_is_seen(runs: Runs, path: str, text: str, ran: list[str]) -> None:
    (runs.root / path).write_text(text)
    found = runs.run()
    assert runs.ran == ran
    assert runs.run() == found
    assert runs.ran == []
    assert runs.run(cached=False) == found


def test_the_new_text_is_told(runs: Runs) -> None:
    assert runs.text() == "FIRST = 'helper'\n"
    (runs.root / "made.tpl").write_text("SECOND = '%{flavour}'\n")
    assert runs.text() == "SECOND = 'helper'\n"
    (runs.root / "marker.txt").write_text("")
    assert runs.text() == "SECOND = 'helper marked'\n"
    (runs.root / "marker.txt").unlink()
    assert runs.text() == "SECOND = 'helper'\n"


def test_the_environment_is_part_of_the_key(runs: Runs) -> None:
    sour = {"FLAVOUR": "sour"}
    assert runs.text(repo_env=sour) == "FIRST = 'sour'\n"
    assert runs.ran == ["plain"]
    assert runs.text(repo_env=sour) == "FIRST = 'sour'\n"
    assert runs.ran == []
    assert runs.text() == "FIRST = 'helper'\n"
    assert runs.ran == []


def test_an_overridden_repository_is_read_anew(runs: Runs, tmp_path: Path) -> None:
    files = {"BUILD": "", "data.txt": " overridden"}
    override = {"other": str(lay_out(tmp_path / "override", files))}
    assert runs.text("made", override_repositories=override) == "FIRST = 'helper overridden'\n"
    assert runs.ran == ["made"]
    (tmp_path / "override/data.txt").write_text(" again")
    assert runs.text("made", override_repositories=override) == "FIRST = 'helper again'\n"
    assert runs.ran == ["made"]
    assert runs.text("made") == "FIRST = 'helperdata'\n"
    assert runs.ran == []


@pytest.mark.parametrize("host", ["macos", "windows"])
def test_the_host_is_part_of_the_key(runs: Runs, host: str) -> None:
    runs.run(host=host)
    assert runs.ran == ["made", "plain"]


def test_another_version_of_the_tool_runs_everything(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_entries, "code_digest", lambda: "a later version")
    runs.run()
    assert runs.ran == ["made", "plain"]


def _file(runs: Runs) -> Path:
    (found,) = (runs.cache / "repositories").iterdir()
    return found


@pytest.mark.parametrize("position", [0, 25, 60, 200, -1, -2000])
def test_damage_is_no_harm(runs: Runs, position: int) -> None:
    expected = runs.run()
    file = _file(runs)
    content = bytearray(file.read_bytes())
    content[position] ^= 0xFF
    file.write_bytes(content)
    assert runs.run() == expected
    assert runs.ran  # at least what was damaged
    assert runs.run() == expected
    assert runs.ran == []


def test_damage_is_not_sealed_when_something_else_is_saved(runs: Runs) -> None:
    expected = runs.run()
    file = _file(runs)
    content = bytearray(file.read_bytes())
    content[content.index(b"links/a.txt")] ^= 0xFF  # in what is kept of @made
    file.write_bytes(content)
    (runs.root / "WORKSPACE").write_text(FILES["WORKSPACE"].replace('"plain", t', '"plain",  t'))
    (runs.root / "made.tpl").write_text("SECOND = 1\n")
    runs.run("plain")  # writes the file without looking at @made
    assert runs.ran == ["plain"]
    (runs.root / "made.tpl").write_text(FILES["made.tpl"])
    assert runs.run("made")["made"] == expected["made"]
    assert runs.ran == ["made"]


def test_a_file_that_others_can_write_is_not_read(runs: Runs) -> None:
    file = _file(runs)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    file.chmod(0o666)
    runs.run()
    assert runs.ran == ["made", "plain"]


def test_a_directory_that_cannot_be_written_is_no_error(runs: Runs) -> None:
    file = _file(runs)
    file.unlink()
    file.parent.rmdir()
    file.parent.write_text("in the way")
    assert runs.text() == "FIRST = 'helper'\n"
    assert runs.ran == ["plain"]


def test_what_changed_just_now_is_not_kept(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 3_600_000_000_000)
    (runs.root / "made.tpl").write_text("SECOND = '%{flavour}'\n")
    runs.run()
    assert runs.ran == ["made", "plain"]
    runs.run()
    assert runs.ran == ["made", "plain"]


def test_rules_that_need_each_other_say_the_same_in_any_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each says of the other what it said when it was first asked."""
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    rule = """
def _impl(ctx):
    ctx.symlink(Label("@" + ctx.attr.of + "//:file"), "link")
    ctx.file("file", ctx.name)

configure = repository_rule(implementation = _impl, attrs = {"of": attr.string()})
"""
    workspace = """
load("//:rule.bzl", "configure")
configure(name = "a", of = "b")
configure(name = "b", of = "a")
"""
    root = lay_out(tmp_path / "w", {"WORKSPACE": workspace, "BUILD": "", "rule.bzl": rule})
    runs = Runs(root, tmp_path / "cache", monkeypatch)
    for order in (("a", "b"), ("b", "a"), ("b", "a"), ("a", "b")):
        assert runs.run(*order) == runs.run(*order, cached=False)


def test_arguments_that_are_unknown_tell_calls_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    rule = """
def _impl(ctx):
    ctx.file("file", str(ctx.attr.value))

configure = repository_rule(implementation = _impl, attrs = {"value": attr.string()})
"""
    workspace = """
load("//:rule.bzl", "configure")
load("@gone//:x.bzl", "ONE", "TWO")
configure(name = "a", value = ONE)
"""
    root = lay_out(tmp_path / "w", {"WORKSPACE": workspace, "BUILD": "", "rule.bzl": rule})
    runs = Runs(root, tmp_path / "cache", monkeypatch)
    one = runs.run("a")
    assert runs.ran == ["a"]
    assert runs.run("a") == one
    assert runs.ran == []
    (root / "WORKSPACE").write_text(workspace.replace("value = ONE", "value = TWO"))
    assert runs.run("a") != one
    assert runs.ran == ["a"]


def test_a_result_is_the_same_as_bytes_and_back(runs: Runs) -> None:
    for result in runs.run(cached=False).values():
        assert result is not None
        assert decode_result(encode_result(result)) == result


def test_a_directory_that_becomes_a_repository_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Out on the machine nothing is looked at, in the directory of a repository everything."""
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    outside = tmp_path / "outside"
    rule = f"""
def _impl(ctx):
    ctx.file("found", str(ctx.path("{outside}/not_there").exists))

configure = repository_rule(implementation = _impl)
"""
    workspace = 'load("//:rule.bzl", "configure")\nconfigure(name = "made")\n'
    root = lay_out(tmp_path / "w", {"WORKSPACE": workspace, "BUILD": "", "rule.bzl": rule})
    lay_out(outside, {"BUILD": ""})
    runs = Runs(root, tmp_path / "cache", monkeypatch)
    before = runs.run("made")["made"]
    assert before is not None and before.files["found"].text == "True"
    assert len(before.assumptions) == 1
    local = f'local_repository(name = "a", path = "{outside}")\n'
    (root / "WORKSPACE").write_text(workspace + local)
    after = runs.run("a", "made")["made"]
    assert runs.ran == ["made"]
    assert after is not None and after.files["found"].text == "False"
    assert after.assumptions == ()


def test_repositories_of_modules_are_kept_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    files = {
        "MODULE.bazel": """
configure = use_repo_rule("//:rule.bzl", "configure")
configure(name = "called")
extension = use_extension("//:rule.bzl", "extension")
use_repo(extension, "extended")
""",
        "BUILD": "",
        "rule.bzl": """
def _impl(ctx):
    ctx.file("word", ctx.attr.word + ctx.read(Label("//:text.txt")))

configure = repository_rule(implementation = _impl, attrs = {"word": attr.string()})

def _extend(ctx):
    configure(name = "extended", word = ctx.read(Label("//:word.txt")))

extension = module_extension(implementation = _extend)
""",
        "text.txt": " text",
        "word.txt": "word",
    }
    runs = Runs(lay_out(tmp_path / "w", files), tmp_path / "cache", monkeypatch)
    names = ("called", "extended")
    first = runs.run(*names, bazel_version="8.0.0")
    assert runs.ran == ["called", "extended"]
    assert runs.run(*names, bazel_version="8.0.0") == first
    assert runs.ran == []
    (runs.root / "word.txt").write_text("another")
    second = runs.run(*names, bazel_version="8.0.0")
    assert runs.ran == ["extended"]
    extended = second["extended"]
    assert extended is not None and extended.files["word"].text == "another text"


@pytest.mark.parametrize("asked", ["first", "again"])
def test_what_a_rule_is_made_of_is_asked_once_however_many_it_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """As of a lock file of npm, of which an extension makes thousands by one rule."""
    from bazelscope.loading.cache import file_stamps

    def questions(number: int) -> int:
        root = tmp_path / str(number)
        names = [f"r{index}" for index in range(number)]
        write_files(
            root / "w",
            {
                "MODULE.bazel": 'bazel_dep(name = "rules", version = "1")\n'
                'local_path_override(module_name = "rules", path = "rules")\n'
                'e = use_extension("@rules//:e.bzl", "e")\n'
                + "".join(f'use_repo(e, "{name}")\n' for name in names),
                "rules/MODULE.bazel": 'module(name = "rules", version = "1")\n',
                "rules/BUILD": "",
                "rules/e.bzl": 'load("//:rule.bzl", "made")\n'
                f"def _e(ctx):\n    for name in {names}:\n        made(name = name)\n"
                "e = module_extension(_e)",
                "rules/rule.bzl": 'load("//:one.bzl", "ONE")\nload("//:two.bzl", "TWO")\n'
                'def _made(ctx):\n    ctx.file("BUILD", "filegroup(name = ONE + TWO)")\n'
                "made = repository_rule(_made)",
                "rules/one.bzl": 'ONE = "o"',
                "rules/two.bzl": 'TWO = "t"',
                "BUILD": f"filegroup(name = 'x', srcs = ['@' + n + '//:ot' for n in {names}])",
            },
        )
        count = 0
        real = file_stamps.external_answer

        def counted(*words: Any) -> object:
            nonlocal count
            count += 1
            return real(*words)

        for run in ("first", "again"):
            options = LoadingOptions("9.1.0")
            loader = Loader(Workspace.open(root / "w"), options, cache_dir=root / "cache")
            with monkeypatch.context() as patched:
                if run == asked:
                    patched.setattr(file_stamps, "external_answer", counted)
                assert all(loader.table.placement(name) is not None for name in names)
                loader.save()
        return count

    few, many = questions(4), questions(24)
    assert few > 0
    assert many - few <= 2 * 20
