"""Which targets a change affects, and why: one edit of each kind, made in a repository."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.errors import UsageError
from bazelscope.cli import main
from bazelscope.questions.affected import refused
from bazelscope.questions.affected.answer import CauseKind
from bazelscope.questions.affected.text import affected_document
from bazelscope.render.console import to_text
from tests.support.files import write_files
from tests.support.repositories import Repository
from tests.unit.questions.affected_world import ALL, FILES, X, affected, names, replace, write


def remove(path: str) -> Callable[[Path], None]:
    return lambda root: (root / path).unlink()


EDITS: dict[str, tuple[Callable[[Path], None], tuple[str, ...], set[str], CauseKind | None]] = {
    "file": (write("p/y.txt"), (), {"chosen", "above", "test"}, CauseKind.FILE),
    "a file of another branch": (write("p/x.txt"), (), set(), None),
    "that file, with the flag": (write("p/x.txt"), X, {"chosen", "above", "test"}, CauseKind.FILE),
    "a file that is gone": (remove("p/m.txt"), (), {"m_1", "m_2"}, CauseKind.FILE),
    "a file that a glob finds": (write("p/g/two"), (), {"globbed"}, CauseKind.ATTRIBUTE),
    "a file that git ignores": (write("p/g/two.ignored"), (), set(), None),
    "a file of a tool": (write("t/t.txt"), (), {"t", "mine"}, CauseKind.FILE),
    "a file of a repository": (write("third/r/f.txt"), (), {"far"}, CauseKind.FILE),
    "an attribute": (
        replace("p/BUILD", '["a"]', '["b"]'), (), {"chosen", "above", "test"}, CauseKind.ATTRIBUTE
    ),
    "an empty list where nothing was said": (
        replace("p/BUILD", 'name = "above",', 'name = "above", tags = [],'), (), set(), None
    ),
    "nobody who may see it": (
        replace("p/BUILD", 'name = "above",', 'name = "above", visibility = [],'),
        (), {"above", "test"}, CauseKind.ATTRIBUTE,
    ),
    "a comment": (replace("p/BUILD", "mine(name", "# why\n\nmine(name"), (), set(), None),
    "a branch that is not taken": (
        replace("p/BUILD", '["x.txt"]', '["m.txt"]'), (), set(), None
    ),
    "a setting": (
        replace("p/BUILD", "x=1", "y=1"), (), {"x", "chosen", "above", "test"}, CauseKind.BRANCH
    ),
    "a macro": (
        replace("defs.bzl", "srcs = [name", 'tags = ["n"], srcs = [name'), (), {"m_2"}, None
    ),
    "the workspace's name": (
        replace("WORKSPACE", "local", 'workspace(name = "w")\nlocal'),
        (), {"mine", "test"}, CauseKind.PACKAGE,  # `mine` has it in a text.
    ),
    "the visibility by default": (
        replace("p/BUILD", "config_", 'package(default_visibility = ["//t:__pkg__"])\nconfig_'),
        (), set(), None,
    ),
    "lines of a .bzl file": (
        replace("defs.bzl", "\ndef both", "\n# why\n\ndef unused():\n    pass\n\ndef both"),
        (), set(), None,
    ),
    "lines above an implementation": (
        replace("impl.bzl", "ONE = 1", "# why\n\nONE = 1"), (), set(), None
    ),
    "lines above a rule": (replace("defs.bzl", "load(", "# why\n\n\nload("), (), set(), None),
    "what an implementation calls": (
        replace("impl.bzl", "ONE = 1\n", "ONE = 2\n"), (), {"mine"}, CauseKind.RULE
    ),
    "what no implementation calls": (replace("impl.bzl", "return 5", "return 1"), (), set(), None),
    "a default that is said": (
        replace("p/BUILD", 'name = "above", ', 'name = "above", testonly = 0, '), (), set(), None
    ),
    "an implementation": (
        write("impl.bzl", "def impl(c):\n  pass\n"), (), {"mine"}, CauseKind.RULE
    ),
    "an rc line": (replace(".bazelrc", "y=1", "y=2"), (), ALL, CauseKind.FLAG),
    "an rc line of a config that is not on": (replace(".bazelrc", "x=1", "x=2"), (), set(), None),
    "a repository's definition": (
        replace("WORKSPACE", '"r",', '"r", repo_mapping = {"@a": "@b"},'), (), {"far"},
        CauseKind.REPOSITORY,
    ),
    "another repository's definition": (
        replace("WORKSPACE", "local", 'local_repository(name = "s", path = "t")\nlocal'),
        (), set(), None,
    ),
    "a version": (write(".bazelversion", "4.2.2"), (), set(), None),
}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_edits(repository: Repository, edit: str) -> None:
    change, words, expected, cause = EDITS[edit]
    assert names(affected(repository, *words)) == set()
    change(repository.root)
    for _ in range(2):
        answer = affected(repository, *words)
        assert names(answer) == expected
        if cause is not None:
            assert {one.kind for target in answer.targets for one in target.causes} >= {cause}
    repository.stage()
    assert names(affected(repository, *words, until=":index")) == expected
    repository.commit()
    assert names(affected(repository, *words)) == set()
    assert names(affected(repository, *words, since="HEAD~1", until="HEAD")) == expected
    assert names(affected(repository, *words, since="HEAD~1")) == expected


def test_the_way_is_the_shortest_and_ends_at_the_cause(repository: Repository) -> None:
    write("p/y.txt")(repository.root)
    answer = affected(repository)
    ways = {target.label.name: [label.name for label in target.way] for target in answer.targets}
    assert ways == {
        "chosen": ["chosen", "y.txt"],
        "above": ["above", "chosen", "y.txt"],
        "test": ["test", "above", "chosen", "y.txt"],
    }
    assert [target.label.name for target in answer.targets] == ["chosen", "above", "test"]
    (cause,) = answer.targets[0].causes
    assert (cause.kind, cause.subject) == (CauseKind.FILE, "p/y.txt")


def test_a_target_that_comes_and_one_that_goes(repository: Repository) -> None:
    replace("p/BUILD", 'name = "globbed"', 'name = "other"')(repository.root)
    answer = affected(repository)
    assert names(answer) == {"other"}
    assert [str(label) for label in answer.gone] == ["//p:globbed"]
    assert answer.targets[0].causes[0].kind is CauseKind.NEW


def test_what_links_lead_to(repository: Repository) -> None:
    (repository.root / "p/g/link").symlink_to("../../t/t.txt")
    (repository.root / "p/g/folder").symlink_to("../../t")
    repository.commit()
    write("t/t.txt", "edited")(repository.root)
    # `p/g/folder` is a package of its own.
    assert names(affected(repository, "//p/...")) == {"globbed", "mine", "t"}


def test_targets_tests_and_what_cannot_be_built(repository: Repository) -> None:
    replace("p/BUILD", "sh_test(", 'sh_test(target_compatible_with = [":x"], ')(repository.root)
    assert names(affected(repository, "//t:t")) == set()
    write("p/BUILD", FILES["p/BUILD"])(repository.root)
    write("p/y.txt")(repository.root)
    assert names(affected(repository, "//p:above")) == {"above"}
    opened = Workspace.open(repository.root, bazel_version="4.2.3")
    assert names(opened.configure().affected(tests=True)) == {"test"}


def run(repository: Repository, *words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "bazelscope", "affected", "--no-cache", *words]
    where = ["--bazel-version", "4.2.3", "-w", str(repository.root)]
    return subprocess.run([*line, *where], capture_output=True, text=True, check=False)


def test_the_output_is_labels_for_other_programs(repository: Repository) -> None:
    nothing = run(repository)
    assert (nothing.returncode, nothing.stdout) == (0, "")
    write("p/y.txt")(repository.root)
    assert run(repository).stdout == "//p:above\n//p:chosen\n//p:test\n"
    kinds = run(repository, "--output=label_kind", "--tests")
    assert kinds.stdout == "sh_test rule //p:test\n"
    assert run(repository, "--output", "package").stdout == "p\n"
    assert run(repository, "--output=nonsense").returncode == 2


def test_what_is_wrong_with_the_former_state_alone_is_told_as_that(repository: Repository) -> None:
    write(".bazelrc", "import %workspace%/lost.rc\n")(repository.root)
    repository.commit()
    write(".bazelrc", "try-import %workspace%/lost.rc\n")(repository.root)
    told = run(repository).stderr.splitlines()[0]
    assert told == "error: in `HEAD`, .bazelrc:1: cannot read the rc file `lost.rc`: no such file"
    write(".bazelrc", "# why\nimport %workspace%/lost.rc\n")(repository.root)
    assert run(repository).stderr.splitlines()[:2] == [
        "error: cannot read the rc file `lost.rc`: no such file",
        "  --> .bazelrc:2:1",
    ]


def test_the_text(repository: Repository) -> None:
    write("p/y.txt")(repository.root)
    replace("p/BUILD", "far", "near")(repository.root)
    told = run(repository, "--why").stdout.partition("\n1 of ")[0]
    assert (
        told
        == """\
4 of 10 targets are affected between `HEAD` and the work tree, 1 test among them.

//p:near is new  p/BUILD:12
  //p:near

p/y.txt differs
  //p:chosen
  //p:above  through //p:chosen
  //p:test  through //p:above > //p:chosen

Gone: 1
  //p:far
"""
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--since", "none"], "git knows no revision `none` here"),
        (["--until", "HEAD:p/BUILD"], "git knows no revision `HEAD:p/BUILD` here"),
        (["--since", ":nonsense"], "git knows no revision `:nonsense` here"),
        (["--since", ""], "git knows no revision"),
        (["--since", "\0"], "git knows no revision"),
    ],
)
def test_bad_revisions(
    repository: Repository, words: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code = main(["affected", "--no-cache", *words, "-w", str(repository.root)])
    captured = capfd.readouterr()
    assert (code, captured.out) == (2, "")
    assert said in captured.err
    assert "Traceback" not in captured.err


def test_a_target_that_is_in_neither_state(repository: Repository) -> None:
    write("p/BUILD", FILES["p/BUILD"].replace('name = "far"', 'name = "near"'))(repository.root)
    for name in ("//p:far", "//p:near", "//p/...", "//no/..."):
        affected(repository, name)
    for name in ("//p:gone", "//no:where", "//p:x.txt"):
        with pytest.raises(UsageError, match=f"`{name}` names no rule in either of the states"):
            affected(repository, name)


def test_no_repository(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "WORKSPACE").touch()
    assert main(["affected", "--no-cache", "-w", str(tmp_path)]) == 2
    assert "is in no git repository" in capfd.readouterr().err


def test_a_mere_list_says_beside_it_what_is_wrong(repository: Repository) -> None:
    replace("p/BUILD", "mine(name", "fail('no')\nmine(name")(repository.root)
    done = run(repository, "--config=unheard")
    assert (done.returncode, "--config=unheard is not defined" in done.stderr) == (2, True)
    assert "In error: //p; their targets may be missing here." in done.stderr
    assert run(repository).returncode == 3


def test_no_workspace_then(repository: Repository) -> None:
    (repository.root / "WORKSPACE").rename(repository.root / "MODULE.bazel")
    done = run(repository, "--since", "HEAD", "--until", ":worktree")
    assert done.returncode in (0, 3)
    (repository.root / "MODULE.bazel").unlink()
    write("only")(repository.root)
    repository.commit()
    write("WORKSPACE", "")(repository.root)
    done = run(repository)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no Bazel workspace here in git's `HEAD`" in done.stderr


def test_what_is_renamed(repository: Repository) -> None:
    """A target is one that is gone, and one that is new; a file of a glob an attribute."""
    text = FILES["p/BUILD"].replace('"above"', '"over"').replace(':above"', ':over"')
    write("p/BUILD", text)(repository.root)
    (repository.root / "p/g/one").rename(repository.root / "p/g/other")
    answer = affected(repository)
    assert [label.name for label in answer.gone] == ["above"]
    kinds = {target.label.name: {one.kind for one in target.causes} for target in answer.targets}
    assert kinds == {
        "over": {CauseKind.NEW}, "test": {CauseKind.ATTRIBUTE}, "globbed": {CauseKind.ATTRIBUTE},
    }  # fmt: skip


def test_modes_and_links(repository: Repository) -> None:
    """What is in a file counts, however it comes to be there."""
    root = repository.root
    (root / "p/y.txt").chmod(0o755)
    assert names(affected(repository)) == set()
    write("elsewhere.txt", "else")(root)
    (root / "p/m.txt").unlink()
    (root / "p/m.txt").symlink_to(root / "elsewhere.txt")
    assert names(affected(repository)) == {"m_1", "m_2"}
    repository.commit()
    write("elsewhere.txt", "other")(root)
    assert names(affected(repository)) == {"m_1", "m_2"}


def test_a_link_that_has_no_other_content(repository: Repository) -> None:
    root = repository.root
    write("elsewhere.txt", (root / "p/y.txt").read_text())(root)
    repository.commit()
    (root / "p/y.txt").unlink()
    (root / "p/y.txt").symlink_to("../elsewhere.txt")
    assert names(affected(repository)) == set()
    write("elsewhere.txt", "other")(root)
    assert names(affected(repository)) == {"chosen", "above", "test"}


def test_a_link_that_git_does_not_track_belongs_to_the_work_tree(repository: Repository) -> None:
    (repository.root / "p/g/new").symlink_to("one")
    assert names(affected(repository)) == {"globbed"}


def test_what_comes_beside_the_workspace_file(repository: Repository) -> None:
    """The folder of the rc files is listed for these first."""
    root = repository.root
    write("BUILD", 'filegroup(name = "here", srcs = glob(["*.txt"]))')(root)
    repository.commit()
    assert names(affected(repository)) == set()  # What is kept from now on.
    write("new.txt")(root)
    assert names(affected(repository)) == {"here"}
    (root / "new.txt").unlink()
    write("WORKSPACE.bazel", 'local_repository(name = "r", path = "third/other")')(root)
    # A folder that is no repository any more is a package here.
    assert names(affected(repository)) == {"far", "f"}


def test_packages_that_come_and_go(repository: Repository) -> None:
    write("p/g/BUILD", 'filegroup(name = "new")')(repository.root)
    (repository.root / "third/r/BUILD").unlink()
    answer = affected(repository)
    assert names(answer) == {"new", "globbed", "far"}
    (repository.root / "p/BUILD").unlink()
    assert {label.name for label in affected(repository).gone} == ALL - {"t"}


def test_a_repository_without_a_work_tree(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    import pygit2

    write_files(tmp_path / "w.git", {"WORKSPACE": ""})
    pygit2.init_repository(str(tmp_path / "w.git"), bare=True)
    assert main(["affected", "--no-cache", "-w", str(tmp_path / "w.git")]) == 2
    assert "has no work tree" in capfd.readouterr().err


def test_what_is_not_there_any_more(repository: Repository) -> None:
    (repository.root / "t/BUILD").unlink()
    answer = affected(repository)
    causes = {cause for target in answer.targets for cause in target.causes}
    assert {(one.kind, one.subject) for one in causes} == {(CauseKind.GONE, "//t:t")}


def test_a_dependency_that_is_in_the_later_state_alone_and_not_there(
    repository: Repository,
) -> None:
    """Bazel refuses those who ask for it, which the list alone would not tell."""
    replace("p/BUILD", '"@r//:f"', '"@r//:f", "//t:no", "//none"')(repository.root)
    answer = affected(repository)
    assert (names(answer), answer.exit_code) == ({"far"}, 3)
    told = [one.message for one in answer.envelope.diagnostics]
    assert ["//t:no" in one or "'none'" in one for one in told] == [True, True]
    repository.commit()
    write("p/y.txt")(repository.root)
    assert affected(repository).exit_code == 0  # It was so before.


KINDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "another rule": (
        replace("p/BUILD", "mine(name", "filegroup(name"),
        "//p:mine is a filegroup rule, was a mine rule",
    ),
    "nothing in its place": (
        replace("p/BUILD", 'name = "chosen"', 'name = "other"'),
        "//p:chosen is a source file that is not there, was a filegroup rule",
    ),
    "a file that is gone": (remove("p/m.txt"), "p/m.txt is not there any more"),
    "a file that comes": (write("p/z.txt"), "p/z.txt is new"),
    "a file": (write("p/m.txt"), "p/m.txt differs"),
}


@pytest.mark.parametrize("edit", KINDS)
def test_what_a_target_or_a_file_has_become(repository: Repository, edit: str) -> None:
    replace("p/BUILD", '["m.txt"]', '["m.txt", "z.txt"]')(repository.root)
    repository.commit()
    change, said = KINDS[edit]
    change(repository.root)
    assert said in to_text(affected_document(affected(repository)), 200)


def test_what_rules_of_one_file_have_otherwise_is_told_once(repository: Repository) -> None:
    more = FILES["p/BUILD"] + 'mine(name = "mine_2")\n'
    write("p/BUILD", more)(repository.root)
    repository.commit()
    replace("impl.bzl", "ONE = 1\n", "ONE = 2\n")(repository.root)
    told = to_text(affected_document(affected(repository)), 200)
    assert "2 targets are made by impl.bzl, which differs\n  //p:mine\n  //p:mine_2\n" in told


def test_of_many_values_of_an_option_those_that_differ_are_told_with_their_line(
    repository: Repository,
) -> None:
    rc = "build --copt=-O1 --copt=-fno-omit-frame-pointer --copt=-DA_LONG_NAME\n"
    write(".bazelrc", f"{rc}build --copt=-g\nbuild --copt=-DTHE_LAST_OF_THEM\n")(repository.root)
    repository.commit()
    replace(".bazelrc", "=-g", "=-g1")(repository.root)
    told = to_text(affected_document(affected(repository)), 200)
    assert "--copt: ..., -g, ..., now ..., -g1, ...  .bazelrc:2" in told
    replace(".bazelrc", "build --copt=-g1\n", "")(repository.root)
    told = to_text(affected_document(affected(repository)), 200)
    assert "--copt: ..., -g, ..., now ...\n" in told


def test_only_an_error_that_comes_makes_the_answer_partial(repository: Repository) -> None:
    """In a package that is in error in both states nobody can build anything."""
    write("broken/BUILD", "fail()")(repository.root)
    repository.commit()
    assert affected(repository).exit_code == 0
    write("p/y.txt")(repository.root)
    answer = affected(repository)
    assert (bool(answer.labels), answer.exit_code, answer.in_error) == (True, 0, ())
    write("p/y.txt", "")(repository.root)
    write("WORKSPACE", FILES["WORKSPACE"] + "# more")(repository.root)
    answer = affected(repository)
    assert (names(answer), answer.exit_code) == (set(), 0)
    write("t/BUILD", "fail()")(repository.root)
    answer = affected(repository)
    assert (answer.exit_code, answer.in_error) == (3, ("//t",))


REFUSED = {
    "WORKSPACE": "",
    "a/BUILD": """
filegroup(name = "base", srcs = ["base.txt"], visibility = ["//visibility:public"])
filegroup(name = "mid", srcs = [":base"], visibility = ["//visibility:public"])
""",
    "a/base.txt": "",
    "b/BUILD": """
filegroup(name = "b", srcs = ["//a:mid"])
filegroup(name = "free", srcs = ["//a:base"])
filegroup(name = "top", srcs = [":b"])
config_setting(name = "x", values = {"define": "x=1"})
filegroup(name = "before", srcs = select({":x": []}), data = ["//a:base"])
""",
}


@pytest.mark.parametrize("is_much", [False, True])
def test_affected_targets_that_bazel_refuses_are_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_much: bool
) -> None:
    """Bazel 4.2.3 analyses `base`, `mid` and `free` of them. Where much lies below, what was
    refused before is not looked for."""
    if is_much:
        monkeypatch.setattr(refused, "_MOST_BELOW", 0)
    write_files(tmp_path / "w", REFUSED)
    repository = Repository(tmp_path / "w")
    repository.commit()
    write("a/base.txt")(repository.root)
    replace("a/BUILD", '":base"], visibility = ["//visibility:public"', '":base"], visibility = [')(
        repository.root
    )
    for _ in range(2):
        answer = affected(repository)
        marked = {target.label.name for target in answer.targets if target.is_refused}
        assert names(answer) == {"base", "mid", "free", "b", "top", "before"}
        assert marked == ({"b", "top"} if is_much else {"b", "top", "before"})
        assert answer.refusals_of_changes_only is is_much
        assert answer.exit_code == 3
    told = to_text(affected_document(answer))
    assert f"Bazel refuses {len(marked)} of them as they are now." in told
    assert "//b:top  refused  through //b:b > //a:mid" in told
    assert ("looked for in what differs" in told) is is_much
    replace("b/BUILD", '"free", srcs = ["//a:base"]', '"free", srcs = ["//no:thing"]')(
        repository.root
    )
    answer = affected(repository)
    refusing = {one.target.name for one in answer.envelope.refusals if one.target is not None}
    assert refusing == {"free", "b"} | (set() if is_much else {"before"})
    assert next(one for one in answer.targets if one.label.name == "free").is_refused
