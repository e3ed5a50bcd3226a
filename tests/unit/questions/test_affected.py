"""Which targets a change affects, and why: one edit of each kind, made in a repository."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace
from bazelscope.base.errors import UsageError
from bazelscope.cli import main
from bazelscope.loading import evaluators
from bazelscope.questions.affected.answer import AffectedAnswer, CauseKind
from bazelscope.questions.affected.kept_prints import KeptPrints, PrintsCache
from tests.support.files import write_files
from tests.support.repositories import Repository

FILES = {
    "WORKSPACE": 'local_repository(name = "r", path = "third/r")\n',
    ".bazelrc": "build --define=y=1\nbuild:x --define=x=1\n",
    ".gitignore": "*.ignored\n",
    "defs.bzl": """
load(":impl.bzl", "impl")
mine = rule(
    implementation = impl,
    attrs = {"srcs": attr.label_list(allow_files = True), "_tool": attr.label(default = "//t:t")},
)
def both(name, **kwargs):
    native.filegroup(name = name + "_1", **kwargs)
    native.filegroup(name = name + "_2", srcs = [name + "_1"])
""",
    "impl.bzl": """
ONE = 1
def unused():
    return 5
def other():
    return 0
def helper():
    return {other(): ONE, True: "workspace_name"}
def impl(ctx):
    helper()
""",
    "t/BUILD": 'filegroup(name = "t", srcs = ["t.txt"], visibility = ["//visibility:public"])',
    "t/t.txt": "",
    "p/BUILD": """
load("//:defs.bzl", "both", "mine")
config_setting(name = "x", values = {"define": "x=1"})
filegroup(
    name = "chosen",
    srcs = select({":x": ["x.txt"], "//conditions:default": ["y.txt"]}),
    tags = ["a"],
)
filegroup(name = "above", srcs = [":chosen"])
filegroup(name = "globbed", srcs = glob(["g/**"]))
sh_test(name = "test", srcs = ["test.sh"], data = [":above"])
filegroup(name = "far", srcs = ["@r//:f"])
mine(name = "mine")
both("m", srcs = ["m.txt"])
""",
    "p/x.txt": "",
    "p/y.txt": "",
    "p/test.sh": "",
    "p/g/one": "",
    "p/m.txt": "",
    "third/r/WORKSPACE": "",
    "third/r/BUILD": 'filegroup(name="f", srcs=["f.txt"], visibility=["//visibility:public"])',
    "third/r/f.txt": "",
}
ALL = {"above", "chosen", "far", "globbed", "m_1", "m_2", "mine", "t", "test", "x"}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    write_files(tmp_path / "w", FILES)
    made = Repository(tmp_path / "w")
    made.commit()
    return made


def affected(repository: Repository, *words: str, **options: str) -> AffectedAnswer:
    opened = Workspace.open(
        repository.root, bazel_version="4.2.3", cache_dir=repository.root.parent / "cache"
    )
    configured = opened.configure(words)
    answer = configured.affected(**options)
    configured.save()
    return answer


def names(answer: AffectedAnswer) -> set[str]:
    return {label.name for label in answer.labels}


def replace(path: str, old: str, new: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        text = (root / path).read_text()
        assert old in text
        (root / path).write_text(text.replace(old, new))

    return change


def write(path: str, text: str = "new") -> Callable[[Path], None]:
    return lambda root: write_files(root, {path: text})


def remove(path: str) -> Callable[[Path], None]:
    return lambda root: (root / path).unlink()


X = ("--config=x",)
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


def test_the_text(repository: Repository) -> None:
    write("p/y.txt")(repository.root)
    replace("p/BUILD", "far", "near")(repository.root)
    told = run(repository, "--why").stdout.partition("\nKnown")[0]
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


def test_a_second_run_loads_nothing_where_source_files_alone_differ(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bazelscope.api import affected_question

    assert names(affected(repository)) == set()
    made: list[str] = []
    actual = affected_question.prints_of

    def noted(state: Any, *words: Any) -> Any:
        made.append(state.name)
        return actual(state, *words)

    monkeypatch.setattr(affected_question, "prints_of", noted)
    write("p/y.txt", "1")(repository.root)
    assert names(affected(repository)) == {"chosen", "above", "test"}
    assert made == []
    replace("p/BUILD", '["a"]', '["b"]')(repository.root)
    assert names(affected(repository)) == {"chosen", "above", "test"}
    assert made == []  # What is in the package alone is made anew.
    # Other flags, and another commit, have fingerprints of their own.
    assert names(affected(repository, *X)) == {"chosen", "above", "test"}
    repository.commit()
    assert names(affected(repository)) == set()
    assert made == ["HEAD", "HEAD"]
    write("p/g/new", "")(repository.root)
    assert names(affected(repository)) == {"globbed"}
    assert made[-1] == ":worktree"


def test_a_line_of_an_rc_file_makes_no_state_be_looked_at_anew(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it makes another configuration, that alone makes everything be affected."""
    affected(repository)
    made: list[Any] = []
    monkeypatch.setattr(
        "bazelscope.api.affected_question.prints_of", lambda *words: made.append(words)
    )
    for line in ("build:more --copt=-DX", "build --jobs=3", "# nothing"):
        write(".bazelrc", f"{FILES['.bazelrc']}{line}\n")(repository.root)
        assert names(affected(repository)) == set()
    write(".bazelrc", f"{FILES['.bazelrc']}build --copt=-DX\n")(repository.root)
    answer = affected(repository)
    assert names(answer) == ALL
    assert {(len(one.way), one.causes[0].subject) for one in answer.targets} == {(1, "copt")}
    assert made == []


def test_what_a_transition_sets_hangs_on_no_line(repository: Repository) -> None:
    write_files(
        repository.root,
        {
            "moved/rules.bzl": """
def _impl(ctx):
    return []
def _set(settings, attr):
    return {"//command_line_option:copt": ["-DMINE"]}
_mine = transition(implementation = _set, inputs = [], outputs = ["//command_line_option:copt"])
moved = rule(implementation = _impl, cfg = _mine, attrs = {
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/whitelists/function_transition_whitelist"),
})
""",
            "moved/BUILD": 'load(":rules.bzl", "moved")\nmoved(name = "m")\n'
            'filegroup(name = "f")\n',
        },
    )
    repository.commit()
    write(".bazelrc", f"build --copt=-DX\n{FILES['.bazelrc']}")(repository.root)
    assert names(affected(repository, "//moved:all")) == {"f"}
    write(".bazelrc", f"build --linkopt=-lx\n{FILES['.bazelrc']}")(repository.root)
    assert names(affected(repository, "//moved:all")) == {"m", "f"}


def test_another_work_tree_of_the_same_commit_has_its_own_files(
    repository: Repository, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    repository.git.add_worktree("other", str(other))
    affected(repository)
    write("p/m.txt")(other)
    cache = tmp_path / "cache"
    there = Workspace.open(other, bazel_version="4.2.3", cache_dir=cache).configure()
    assert {"m_1", "m_2"} <= names(there.affected())


def test_kept_fingerprints_that_are_damaged_are_made_anew(repository: Repository) -> None:
    affected(repository)
    write("p/y.txt")(repository.root)
    for file in (repository.root.parent / "cache/affected").iterdir():
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2] + b"x" + content[len(content) // 2 + 1 :])
    assert names(affected(repository)) == {"chosen", "above", "test"}


def test_packages_that_other_processes_evaluated_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a commit rests on is kept, whichever process has read it."""
    monkeypatch.setattr(evaluators, "cores", lambda: 3)
    build = 'filegroup(name = "f", srcs = ["f.txt"])\n'
    packages = {f"p{number}/BUILD": build for number in range(16)}
    write_files(tmp_path / "w", {"WORKSPACE": "", **packages})
    repository = Repository(tmp_path / "w")
    repository.commit()
    kept: list[KeptPrints] = []
    put = PrintsCache.put

    def noted(self: PrintsCache, *given: Any) -> KeptPrints:
        kept.append(put(self, *given))
        return kept[-1]

    monkeypatch.setattr(PrintsCache, "put", noted)
    affected(repository)
    assert {str(repository.root / path) for path in packages} <= kept[0].touched


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


def test_packages_that_come_and_go(repository: Repository) -> None:
    write("p/g/BUILD", 'filegroup(name = "new")')(repository.root)
    (repository.root / "third/r/BUILD").unlink()
    answer = affected(repository)
    assert names(answer) == {"new", "globbed", "far"}
    (repository.root / "p/BUILD").unlink()
    assert {label.name for label in affected(repository).gone} == ALL - {"t"}


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
