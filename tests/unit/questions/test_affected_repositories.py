"""How repositories are made counts: definitions, rules, files that they name."""

from __future__ import annotations

from pathlib import Path

from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.support.repositories import Repository
from tests.unit.questions.affected_world import FILES, affected, names, replace, write


def test_a_file_that_is_a_template_of_a_repository_is_told_apart(tmp_path: Path) -> None:
    """One path stands for two files: whose rule it is does not hang on what was read before."""
    write_files(
        tmp_path / "w",
        {
            "WORKSPACE": 'load("//:repo.bzl", "repo")\nrepo(name = "r")\n',
            "repo.bzl": "def _impl(ctx):\n"
            '    ctx.file("BUILD", "")\n'
            '    ctx.symlink(Label("//t:defs.bzl"), "defs.bzl")\n'
            "repo = repository_rule(implementation = _impl)\n",
            "BUILD": "",
            "t/BUILD": "",
            "t/defs.bzl": "def _impl(ctx):\n    pass\nmade = rule(implementation = _impl)\n",
            "p/BUILD": 'load("@r//:defs.bzl", "made")\nmade(name = "m")\n',
        },
    )
    repository = Repository(tmp_path / "w")
    repository.commit()
    assert not affected(repository).labels
    write("t/BUILD", "# new")(repository.root)
    assert not affected(repository).labels
    assert not affected(repository).labels, "when packages are kept"
    replace("t/defs.bzl", "pass", "return []")(repository.root)
    assert names(affected(repository)) == {"m"}


def test_where_a_repository_is_put_elsewhere_its_definition_does_not_count(
    repository: Repository,
) -> None:
    elsewhere = repository.root.parent / "elsewhere"
    write_files(elsewhere, {"WORKSPACE": "", "BUILD": FILES["third/r/BUILD"], "f.txt": ""})
    replace("WORKSPACE", "third/r", "third/q")(repository.root)
    assert names(affected(repository)) >= {"far"}
    assert "far" not in names(affected(repository, f"--override_repository=r={elsewhere}"))


def test_a_line_that_puts_a_repository_elsewhere_is_its_one_cause(repository: Repository) -> None:
    elsewhere = repository.root.parent / "elsewhere"
    write_files(elsewhere, {"WORKSPACE": "", "BUILD": FILES["third/r/BUILD"], "f.txt": "other"})
    said = (repository.root / ".bazelrc").read_text()
    line = f"build --override_repository=r={elsewhere}\n"
    write(".bazelrc", line + said)(repository.root)
    target = next(one for one in affected(repository).targets if one.label.name == "far")
    (cause,) = target.causes
    assert (cause.kind.value, cause.subject) == ("flag", "override_repository")
    assert (cause.before, cause.after) == (None, f"r={elsewhere}")
    assert str(cause.location).startswith(".bazelrc:1")


def test_each_repository_counts_by_its_own_definition_and_rule(tmp_path: Path) -> None:
    repos = """
_held = depset(["x"])
def _impl(ctx):
    _held.to_list()
    ctx.file("BUILD", 'filegroup(name = "f", visibility = ["//visibility:public"])')
made = repository_rule(implementation = _impl, attrs = {"sha": attr.string()})
def all():
    made(name = "r", sha = "1")
    made(name = "s", sha = "2")
"""
    write_files(
        tmp_path / "w",
        {
            "WORKSPACE": 'load("//:repos.bzl", "all")\nall()\n',
            "repos.bzl": repos,
            "BUILD": "".join(f'filegroup(name = "{n}", srcs = ["@{n}//:f"])\n' for n in "rs"),
        },
    )
    made = Repository(tmp_path / "w")
    made.commit()
    for old, new, expected in (
        ('sha = "2"', 'sha = "3"', {"s"}),
        ("def all", "# why\n\ndef all", set()),
        ('["x"]', '["y"]', {"r", "s"}),
        ("ctx.file", "x = 1\n    ctx.file", {"r", "s"}),
    ):
        replace("repos.bzl", old, new)(made.root)
        assert names(affected(made)) == expected
        made.undo()


def test_modules(tmp_path: Path) -> None:
    """Of repositories that MODULE.bazel itself declares."""
    module = 'module(name = "m")\nlocal = use_repo_rule("//:repo.bzl", "repo")\n'
    write_files(
        tmp_path / "w",
        {
            "MODULE.bazel": f'{module}local(name = "r", text = "1")\n'
            'local(name = "s", text = "1")\n',
            "repo.bzl": """
def _impl(ctx):
    ctx.file("BUILD", 'filegroup(name = "f", visibility = ["//visibility:public"])')
repo = repository_rule(implementation = _impl, attrs = {"text": attr.string()})
""",
            "BUILD": "".join(f'filegroup(name = "{n}", srcs = ["@{n}//:f"])\n' for n in "rs"),
        },
    )
    made = Repository(tmp_path / "w")
    made.commit()

    def told() -> set[str]:
        opened = Workspace.open(made.root, bazel_version="7.4.1", cache_dir=tmp_path / "cache")
        return names(opened.configure(()).affected())

    assert told() == set()
    write("MODULE.bazel", (made.root / "MODULE.bazel").read_text() + "# more\n")(made.root)
    assert told() == set()
    replace("MODULE.bazel", '"s", text = "1"', '"s", text = "2"')(made.root)
    assert told() == {"s"}
    replace("MODULE.bazel", '"m"', '"other"')(made.root)
    assert told() >= {"s"}


def test_what_modules_say_to_an_extension_that_is_not_here_counts(tmp_path: Path) -> None:
    module = (
        'bazel_dep(name = "dep", version = "1.0")\ne = use_extension("@dep//:e.bzl", "e")\n'
        'e.tag(x = "1", file = "//:f.txt")\nuse_repo(e, "r")\n'
    )
    build = 'filegroup(name = "x", srcs = ["@r//:f"])\nfilegroup(name = "y")\n'
    write_files(tmp_path / "w", {"MODULE.bazel": module, "BUILD": build, "f.txt": ""})
    made = Repository(tmp_path / "w")
    made.commit()
    for path, old, new, expected in (
        ("MODULE.bazel", "e = use", "# more\n\ne = use", set()),
        ("MODULE.bazel", '"1"', '"2"', {"x"}),
        ("MODULE.bazel", "1.0", "1.1", {"x"}),
        ("f.txt", "", "text", {"x"}),
    ):
        replace(path, old, new)(made.root)
        opened = Workspace.open(made.root, bazel_version="7.4.1", cache_dir=tmp_path / "cache")
        assert names(opened.configure(()).affected()) == expected, (old, new)
        made.undo()


def test_a_file_that_a_repository_names_counts(tmp_path: Path) -> None:
    write_files(
        tmp_path / "w",
        {
            "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
local_repository(name = "near", path = "near")
http_archive(
    name = "far",
    build_file = "//p:far.BUILD",
    patches = ["//p:one.patch", "@near//:two.patch"],
    urls = ["https://example.org/far.zip"],
)
""",
            "p/BUILD": "",
            "p/one.patch": "-",
            "p/other.patch": "-",
            "near/BUILD": "",
            "near/WORKSPACE": "",
            "near/two.patch": "-",
            "p/far.BUILD": 'filegroup(name = "f", visibility = ["//visibility:public"])',
            "BUILD": 'filegroup(name = "x", srcs = ["@far//:f"])',
        },
    )
    made = Repository(tmp_path / "w")
    made.commit()
    affected(made)
    for path, expected in (
        ("p/one.patch", {"x"}),
        ("near/two.patch", {"x"}),
        ("p/other.patch", set()),
        ("p/far.BUILD", set()),
    ):
        (made.root / path).write_text((made.root / path).read_text() + "\n# edited\n")
        answer = affected(made)
        assert names(answer) == expected
        if expected:
            (target,) = answer.targets
            assert [cause.subject for cause in target.causes] == [path]
        made.undo()
    replace("WORKSPACE", "far.zip", "far-2.zip")(made.root)
    (target,) = affected(made).targets
    assert [cause.subject for cause in target.causes] == ["`urls` of its definition"]


def test_what_a_rule_does_that_cannot_be_read_hangs_on_its_repository(tmp_path: Path) -> None:
    """No file of `@far` is here, and of `@bazel_skylib` a model that is alike in every release."""
    archive = 'http_archive(name = "{}", url = "https://far.example/{}.tar.gz", sha256 = "{}")\n'
    load = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    names_ = ("far", "other", "bazel_skylib")
    write_files(
        tmp_path / "w",
        {
            "WORKSPACE": load + "".join(archive.format(n, f"{n}-1", "1" * 64) for n in names_),
            "BUILD": 'load("@far//:defs.bzl", "made")\nmade(name = "m")\n'
            'filegroup(name = "beside")\nfilegroup(name = "above", srcs = [":m"])\n',
            "o/BUILD": 'load("@other//:defs.bzl", "other")\nother(name = "o")\n',
            "s/BUILD": 'load("@bazel_skylib//rules:write_file.bzl", "write_file")\n'
            'write_file(name = "s", out = "s.txt", content = [])\n',
        },
    )
    repository = Repository(tmp_path / "w")
    repository.commit()
    assert not affected(repository).labels
    for name, expected in (("far", {"m", "above"}), ("other", {"o"}), ("bazel_skylib", {"s"})):
        replace("WORKSPACE", f"{name}-1", f"{name}-2")(repository.root)
        answer = affected(repository)
        assert names(answer) == expected
        cause = next(one for target in answer.targets for one in target.causes)
        assert (cause.subject, cause.location and cause.location.path) == (f"@{name}", "WORKSPACE")
        repository.undo()
