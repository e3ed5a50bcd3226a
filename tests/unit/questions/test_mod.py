"""`mod`: Bazel's subcommands on a small workspace, through the command line and the API."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.json_format.answer_schema import shipped_schema
from tests.unit.questions.json_schema import violations

REGISTRY = {
    "a/1": 'module(name = "a", version = "1")\nbazel_dep(name = "c", version = "1")\n',
    "b/1": 'module(name = "b", version = "1")\n'
    'bazel_dep(name = "c", version = "2", repo_name = "cc")\n',
    "c/1": 'module(name = "c", version = "1")\nbazel_dep(name = "old", version = "1")\n',
    "c/2": 'module(name = "c", version = "2")\n',
    "old/1": 'module(name = "old", version = "1")\n',
}

FILES = {
    ".bazelversion": "8.1.0\n",
    ".bazelrc": "common --registry=file://%workspace%/registry\n",
    "MODULE.bazel": """\
module(name = "main", version = "1.0")
bazel_dep(name = "a", version = "1")
bazel_dep(name = "b", version = "1")
ext = use_extension("//:ext.bzl", "ext")
ext.tag(name = "made")
use_repo(ext, "made")
""",
    "ext.bzl": """\
def _repo(ctx):
    ctx.file("BUILD", "")

repo = repository_rule(implementation = _repo, attrs = {"text": attr.string()})

def _ext(ctx):
    for module in ctx.modules:
        for tag in module.tags.tag:
            repo(name = tag.name, text = "x")
            repo(name = tag.name + "_more")

ext = module_extension(
    implementation = _ext,
    tag_classes = {"tag": tag_class(attrs = {"name": attr.string()})},
)
""",
    "BUILD": "",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Bazel's own modules ask for nothing here, so that the graph is small."""
    monkeypatch.setattr(
        "bazelscope.loading.modules.module_evaluation.requests_of_bazel_tools", lambda version: ()
    )
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    for path, text in REGISTRY.items():
        folder = tmp_path / "registry/modules" / path
        folder.mkdir(parents=True)
        (folder / "MODULE.bazel").write_text(text)
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], root: Path, *words: str) -> tuple[int, list[str]]:
    code = main(["mod", *words, "-w", str(root), "--no-cache"])
    return code, capfd.readouterr().out.splitlines()


TREES = {
    ("graph",): [
        "<root> (main@1.0)",
        "├───a@1  MODULE.bazel:2",
        "│   └───c@2  a@1/MODULE.bazel:2",
        "└───b@1  MODULE.bazel:3",
        "    └───c@2 (*)  b@1/MODULE.bazel:2",
    ],
    ("graph", "--depth=1", "--charset=ascii"): [
        "<root> (main@1.0)",
        "|___a@1  MODULE.bazel:2",
        "|___b@1  MODULE.bazel:3",
    ],
    ("graph", "--include_unused"): [
        "<root> (main@1.0)",
        "├───a@1  MODULE.bazel:2",
        "│   ├───c@1 (unused)  a@1/MODULE.bazel:2",
        "│   │   └───old@1 (unused)  c@1/MODULE.bazel:2",
        "│   └───c@2  a@1/MODULE.bazel:2",
        "└───b@1  MODULE.bazel:3",
        "    └───c@2 (*)  b@1/MODULE.bazel:2",
    ],
    ("deps",): ["<root> (main@1.0)"],
    ("deps", "c", "a", "--verbose", "--include_unused"): [
        "<root> (main@1.0)",
        "├───a@1  MODULE.bazel:2",
        "│   ├───c@1 (*) (to 2, cause b@1)  a@1/MODULE.bazel:2",
        "│   └───c@2 (*) (was 1, cause b@1)  a@1/MODULE.bazel:2",
        "├╌╌╌c@1",
        "│   └───old@1  c@1/MODULE.bazel:2",
        "└╌╌╌c@2",
    ],
    ("path", "c"): [
        "<root> (main@1.0)",
        "└───a@1  MODULE.bazel:2",
        "    └───c@2 #  a@1/MODULE.bazel:2",
    ],
    ("all_paths", "c@2"): [
        "<root> (main@1.0)",
        "├───a@1  MODULE.bazel:2",
        "│   └───c@2 #  a@1/MODULE.bazel:2",
        "└───b@1  MODULE.bazel:3",
        "    └───c@2 #  b@1/MODULE.bazel:2",
    ],
    ("path", "@cc", "--base_module=b"): [
        "<root> (main@1.0)",
        "└───a@1  MODULE.bazel:2",
        "    └───c@2 #  a@1/MODULE.bazel:2",
    ],
}


@pytest.mark.parametrize(("words", "tree"), TREES.items(), ids=" ".join)
def test_trees(
    capfd: pytest.CaptureFixture[str], root: Path, words: tuple[str, ...], tree: list[str]
) -> None:
    assert run(capfd, root, *words) == (0, tree)


def test_what_a_module_that_is_not_here_asks_for_the_lock_file_tells(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    module = (root / "MODULE.bazel").read_text()
    far = 'bazel_dep(name = "far")\ngit_override(module_name = "far", remote = "x", commit = "1")\n'
    (root / "MODULE.bazel").write_text(module + far)
    (root / "registry/modules/c/3").mkdir()
    (root / "registry/modules/c/3/MODULE.bazel").write_text('module(name = "c", version = "3")\n')
    folder = f"file://{root}/registry/modules"
    asked = ["a/1", "b/1", "c/1", "c/2", "c/3"]
    hashes = {f"{folder}/{one}/MODULE.bazel": "0" * 64 for one in asked}
    hashes |= {f"{folder}/{one}/source.json": "0" * 64 for one in ("a/1", "b/1", "c/3")}
    lock = {"lockFileVersion": 18, "registryFileHashes": hashes}
    (root / "MODULE.bazel.lock").write_text(json.dumps(lock))
    _, lines = run(capfd, root, "explain", "c")
    assert lines[:2] == [
        "Why c@3",
        "  the lock file decides: a module that is not on this machine asks for it",
    ]
    _, lines = run(capfd, root, "explain", "a")
    unknown = "what would be without this line is not known: the lock file decides"
    assert lines[2].strip() == unknown


def test_why_a_version(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    code, lines = run(capfd, root, "explain", "c")
    assert code == 0
    assert [" ".join(line.split()) for line in lines[1:3]] == [
        "b@1 decides 2 b@1/MODULE.bazel:2",
        "a@1 asks for 1 a@1/MODULE.bazel:2",
    ]
    text = (root / "MODULE.bazel").read_text()
    added = 'bazel_dep(name = "c", version = "1")\n'
    (root / "MODULE.bazel").write_text(text.replace("ext =", f"{added}ext =", 1))
    _, lines = run(capfd, root, "explain", "c")
    (place,) = (at for at, line in enumerate(lines) if "<root> asks for 1" in line)
    assert "without this line it would still be 2, not visible to <root>" in lines[place + 1]
    _, lines = run(capfd, root, "explain", "b")
    told = "without this line it would not be there; besides: c 2 -> 1, old none -> 1"
    assert told in "\n".join(lines)


def test_mappings_and_repositories(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    _, (line,) = run(capfd, root, "dump_repo_mapping", "b+")
    assert json.loads(line) == {
        **{"b": "b+", "cc": "c+"},
        **{"bazel_tools": "bazel_tools", "local_config_platform": "local_config_platform"},
    }
    code, lines = run(capfd, root, "show_repo", "@made", "@@+ext+made_more")
    assert code == 0
    assert [line.strip() for line in lines if line and not line.startswith("#  ")] == [
        "## @made:  ext.bzl:9",
        *("# <builtin>", "repo(", 'name = "+ext+made",'),
        *('_original_name = "made",', 'text = "x",', ")"),
        "# Rule +ext+made instantiated at (most recent call last):",
        "# Rule repo defined at (most recent call last):",
        "## @@+ext+made_more:  ext.bzl:10",
        *("# <builtin>", "repo(", 'name = "+ext+made_more",'),
        *('_original_name = "made_more",', ")"),
        "# Rule +ext+made_more instantiated at (most recent call last):",
        "# Rule repo defined at (most recent call last):",
    ]


def test_an_extension(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    code, lines = run(capfd, root, "show_extension", "//:ext.bzl%ext")
    assert code == 0
    assert [" ".join(line.split()) for line in lines if line] == [
        "## @@//:ext.bzl%ext:",
        "Fetched repositories:",
        "- made (imported by <root>) @@+ext+made",
        "- made_more @@+ext+made_more",
        "## Usage in <root> from MODULE.bazel:4",
        'ext.tag(name="made") MODULE.bazel:5',
        *("use_repo(", "ext,", '"made",', ")"),
    ]


def test_bazels_machine_formats(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    _, lines = run(capfd, root, "graph", "--output=json")
    graph = json.loads("\n".join(lines))
    assert (graph["key"], graph["root"]) == ("<root>", True)
    first, second = graph["dependencies"]
    assert first["dependencies"][0] == {
        **{"key": "c@2", "name": "c", "version": "2", "apparentName": "c"},
        **{"dependencies": [], "indirectDependencies": [], "cycles": []},
    }
    assert second["dependencies"] == [
        {"key": "c@2", "name": "c", "version": "2", "apparentName": "cc", "unexpanded": True}
    ]
    _, lines = run(capfd, root, "graph", "--output=graph")
    assert '  "b@1" -> "c@2" [  ]' in lines and lines[0] == "digraph mygraph {"


UNUSED = (
    "Module old is unused as a result of module resolution. Use the --include_unused flag to"
    " include it."
)
NO_NOBODY = "Module nobody does not exist in the dependency graph."
GONE = "Module old does not exist in the dependency graph."
USED_ONLY = "(Note that unused modules cannot be used here)"
NO_EXTENSION = "No extension @@//:ext.bzl%no exists in the dependency graph"
NO_NAME = (
    "invalid argument '@_a': invalid user-provided repo name '_a': valid names may contain only"
    " A-Z, a-z, 0-9, '-', '_', '.', and must start with a letter"
)
WRONG = {
    ("path", "nobody"): f"In module argument nobody: {NO_NOBODY}",
    ("path", "nobody@1"): "In module argument nobody@1: " + NO_NOBODY,
    (
        "path",
        "c@7",
    ): "In module argument c@7: Module version c@7 does not exist, available versions: [c@2].",
    ("path", "old"): f"In module argument old: {UNUSED}",
    ("path", "c@1"): "In module argument c@1: Module version c@1 is unused as a result of module"
    " resolution. Use the --include_unused flag to include it.",
    ("deps", "@nobody"): "In module argument @nobody: No module with the apparent repo name @nobody"
    " exists in the dependency graph",
    ("deps", "@@no+"): "In module argument @@no+: No module with the canonical repo name @@no+"
    " exists in the dependency graph",
    ("graph", "a"): "the 'graph' command doesn't take extra arguments",
    ("path", "c", "--from=old"): f"In --from [old] option: {UNUSED}",
    ("path", "a", "--from=c"): "No path found to the specified target modules.",
    ("graph", "--base_module=nobody"): f"In --base_module nobody option: {NO_NOBODY} {USED_ONLY}",
    ("graph", "--extension_filter=//:ext.bzl%no"): "In --extension_filter [//:ext.bzl%no] option: "
    + NO_EXTENSION,
    ("show_extension", "ext", "--extension_usages=nobody"): "In --extension_usages [nobody] option:"
    f" {NO_NOBODY} {USED_ONLY}",
    ("explain",): "No target modules specified.",
    ("deps", "c@"): "In module argument c@: invalid argument 'c@': use _ for the empty version",
    ("deps", "c@a_b"): "In module argument c@a_b: invalid argument 'c@a_b': bad version (does not"
    " match regex): a_b",
    ("deps", "c@1..0"): "In module argument c@1..0: invalid argument 'c@1..0': error parsing"
    " version: 1..0",
    ("deps", "@_a"): f"In module argument @_a: {NO_NAME}",
    ("show_repo", "@_a"): f"In repo argument @_a: {NO_NAME} {USED_ONLY}",
    ("show_repo", "a@"): "In repo argument a@: invalid argument 'a@': use _ for the empty version"
    f" {USED_ONLY}",
    ("show_extension", "@_a//:x.bzl%y"): f"In extension argument @_a//:x.bzl%y: {NO_NAME}",
    ("show_extension", "a//:x.bzl"): "In extension argument a//:x.bzl: Invalid argument"
    " a//:x.bzl: missing extension name",
    ("show_extension", "a%x//y"): "In extension argument a%x//y: Invalid argument a%x//y: missing"
    " extension name",
    ("show_extension", "a/:x.bzl%y"): "In extension argument a/:x.bzl%y: bad label format in"
    " /:x.bzl: invalid package name '/': package names may not start with '/'",
    ("show_extension", "a@1///x.bzl%y"): "In extension argument a@1///x.bzl%y: bad label format in"
    " ///x.bzl: invalid package name '/x.bzl': package names may not start with '/'",
    ("show_extension", "ex"): "In extension argument ex: Invalid argument ex: missing .bzl label",
    ("show_extension", "//:ext.bzl%no"): f"In extension argument //:ext.bzl%no: {NO_EXTENSION}",
    ("show_repo", "@no"): "In repo argument @no: No repo visible as no from @main repository"
    f" {USED_ONLY}",
    ("show_repo", "c@1"): "In repo argument c@1: Module version c@1 does not exist, available"
    f" versions: [c@2]. {USED_ONLY}",
    ("show_repo", "old"): f"In repo argument old: {GONE} {USED_ONLY}",
    ("show_repo", "@@no"): "In repo argument @@no: no such repo",
    ("graph", "--base_module=old"): f"In --base_module old option: {GONE} {USED_ONLY}",
    ("show_extension", "@a//x:e.bzl%ext"): "In extension argument @a//x:e.bzl%ext: No extension"
    " @@a+//x:e.bzl%ext exists in the dependency graph",
    ("dump_repo_mapping", "{}"): "invalid repository name '{}': repo names may contain only A-Z,"
    " a-z, 0-9, '-', '_', '.' and '+'",
    ("dump_repo_mapping",): "No repository name(s) specified",
    ("dump_repo_mapping", "c", "b+"): "Repositories not found: c",
}


@pytest.mark.parametrize(("words", "said"), WRONG.items(), ids=" ".join)
def test_what_means_nothing(
    capfd: pytest.CaptureFixture[str], root: Path, words: tuple[str, ...], said: str
) -> None:
    code, lines = run(capfd, root, *words)
    assert (code, lines[0]) == (1, f"error: {said}")


def test_an_extension_that_fails_is_told_whatever_is_asked(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    text = (root / "ext.bzl").read_text()
    (root / "ext.bzl").write_text(
        text.replace("ext = module", '    fail("enough")\n\next = module')
    )
    for words in (("graph",), ("show_repo", "a"), ("show_extension", "ext")):
        assert main(["mod", *words, "-w", str(root), "--no-cache"]) == 3
        out, err = capfd.readouterr()
        assert "enough" in err
        assert "Results may be incomplete as 1 extension failed." in err
    assert [line.split("  @@")[0] for line in out.splitlines()[2:4]] == [
        "Fetched repositories:",
        "  - made (imported by <root>)",
    ]
    assert "made_more" not in out
    assert main(["mod", "graph", "-w", str(root), "--no-cache", "--bazel-version=7.7.1"]) == 3
    assert "Results may be" not in capfd.readouterr().err
    assert main(["mod", "dump_repo_mapping", "", "-w", str(root), "--no-cache"]) == 0


def test_an_extension_is_of_one_version_of_a_module(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    file = root / "MODULE.bazel"
    more = 'multiple_version_override(module_name = "c", versions = ["1", "2"])\n'
    file.write_text(file.read_text() + more)
    code, lines = run(capfd, root, "show_extension", "c//:x.bzl%y")
    said = "should represent exactly one module version. Choose one of: [c@1, c@2]."
    assert code == 1
    assert lines[0].endswith(f": Module c, as part of the extension specifier, {said}")


def test_an_apparent_name_is_also_of_the_version_that_is_asked_for(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    words = ("deps", "@c", "--base_module=a", "--depth=1")
    _, lines = run(capfd, root, *words)
    assert [line for line in lines if "c@1" in line] == []
    _, lines = run(capfd, root, *words, "--include_unused")
    assert [line.split("  ")[0][4:] for line in lines if "c@" in line] == ["c@1 (unused)", "c@2"]


def test_a_word_that_an_option_does_not_take(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    for option in ("base_module", "from", "extension_usages"):
        assert main(["mod", "graph", f"--{option}=c@", "-w", str(root), "--no-cache"]) == 2
        said = " ".join(capfd.readouterr().err.split())
        assert f"option --{option}=c@: invalid argument 'c@': use _ for the empty version" in said
    assert main(["mod", "graph", "--extension_filter=a//:x", "-w", str(root), "--no-cache"]) == 2
    assert "Invalid argument a//:x: missing extension name" in capfd.readouterr().err


def test_a_value_that_an_option_does_not_take(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    for option, kind, words in (
        ("output", "output format", "text, json or graph"),
        ("charset", "output charset", "utf8 or ascii"),
        ("extension_info", "extension show", "hidden, usages, repos or all"),
    ):
        assert main(["mod", "graph", f"--{option}=no", "-w", str(root), "--no-cache"]) == 2
        said = " ".join(capfd.readouterr().err.split())
        assert f"option --{option}=no: Not a valid {kind}: 'no' (should be {words})" in said


def test_without_modules_mod_says_how_to_have_them(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    (root / ".bazelversion").write_text("7.7.1\n")
    code, lines = run(capfd, root, "graph", "--noenable_bzlmod")
    said = "Bzlmod has to be enabled for mod command to work, run with --enable_bzlmod"
    assert (code, lines[0]) == (1, f"error: {said}")


def test_an_empty_filter_means_every_extension(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    """Modules that use none are left out then."""
    _, lines = run(capfd, root, "graph", "--extension_filter=", "--extension_info=usages")
    assert lines == ["<root> (main@1.0)", "└───$@@//:ext.bzl%ext"]
    _, lines = run(capfd, root, "graph", "--extension_info=usages")
    assert any("a@1" in line for line in lines)


def test_json_and_the_api(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    _, lines = run(capfd, root, "explain", "c", "--format", "json")
    answer = json.loads("\n".join(lines))
    schema = json.loads(shipped_schema())
    assert not list(violations(answer, schema, schema))
    assert answer["explanations"][0]["requests"][0]["module"] == "b@1"
    asked = Workspace.open(root, cache_dir=None).configure((), command="mod")
    assert [node.key for node in asked.mod("path", "b").tree] == ["<root>", "b@1"]


@pytest.mark.parametrize(
    ("override", "told", "is_pinned"),
    [
        (
            'single_version_override(module_name = "c", patches = ["//:p.patch"])',
            ["single_version_override leaves the version as it is", 'patches = ["//:p.patch"]'],
            False,
        ),
        (
            'single_version_override(module_name = "c", version = "1")',
            ["single_version_override decides", 'version = "1"'],
            True,
        ),
        (
            'local_path_override(module_name = "c", path = "c")',
            ["local_path_override decides", 'path = "c"'],
            True,
        ),
    ],
)
def test_explain_says_what_an_override_does(
    capfd: pytest.CaptureFixture[str], root: Path, override: str, told: list[str], is_pinned: bool
) -> None:
    (root / "MODULE.bazel").write_text(f"{FILES['MODULE.bazel']}{override}\n")
    (root / "c").mkdir()
    (root / "c/MODULE.bazel").write_text('module(name = "c")\n')
    _, lines = run(capfd, root, "explain", "c")
    assert lines[1].split("  MODULE.bazel:")[0].strip() == told[0]
    assert lines[2].strip() == told[1]
    assert any(line.strip().startswith("b@1 decides 2") for line in lines) is not is_pinned


@pytest.mark.parametrize(
    ("level", "below"),
    [
        ("hidden", []),
        ("usages", ["├───$@@//:ext.bzl%ext"]),
        ("repos", ["├───$@@//:ext.bzl%ext", "│   └───made"]),
        ("all", ["├───$@@//:ext.bzl%ext", "│   ├───made", "│   └╌╌╌made_more"]),
    ],
)
def test_a_tree_says_of_extensions_what_it_is_asked(
    capfd: pytest.CaptureFixture[str], root: Path, level: str, below: list[str]
) -> None:
    code, lines = run(capfd, root, "graph", f"--extension_info={level}", "--depth=1")
    assert code == 0
    assert lines[1 : len(below) + 1] == below
    assert lines[len(below) + 1].startswith("├───a@1")


@pytest.mark.parametrize(
    ("level", "usage"),
    [
        ("usages", {}),
        ("repos", {"used_repos": ["made"]}),
        ("all", {"used_repos": ["made"], "unused_repos": ["made_more"]}),
    ],
)
def test_extensions_in_bazels_json(
    capfd: pytest.CaptureFixture[str], root: Path, level: str, usage: dict[str, list[str]]
) -> None:
    words = ("graph", f"--extension_info={level}", "--output=json")
    tree = json.loads("".join(run(capfd, root, *words)[1]))
    seen = {"key": "@@//:ext.bzl%ext", "unexpanded": False}
    assert tree["extensionUsages"] == [{**seen, **usage}]
    assert tree["dependencies"][0]["extensionUsages"] == []
    hidden = json.loads("".join(run(capfd, root, "graph", "--output=json")[1]))
    assert "extensionUsages" not in hidden


def test_an_extension_that_was_shown_stands_without_what_nobody_imports(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    (root / "registry/modules/b/1/MODULE.bazel").write_text(
        'module(name = "b", version = "1")\n'
        'ext = use_extension("@main//:ext.bzl", "ext")\nuse_repo(ext, "made")\n'
    )
    (root / "registry/modules/main/1.0").mkdir(parents=True)
    text = (root / "registry/modules/b/1/MODULE.bazel").read_text()
    (root / "registry/modules/b/1/MODULE.bazel").write_text(
        text.replace("ext = ", 'bazel_dep(name = "main", version = "1.0")\next = ')
    )
    _, lines = run(capfd, root, "graph", "--extension_info=all")
    shown = [line.strip("│├└─╌ ") for line in lines]
    assert shown.count("$@@//:ext.bzl%ext") == 1
    assert shown.count("$@@//:ext.bzl%ext ...") == 1
    assert shown.count("made") == 2
    assert shown.count("made_more") == 1
