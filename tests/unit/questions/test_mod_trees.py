"""What `mod` prints of graphs with cycles, targets below the depth, overrides and extensions.

The worlds are those of Bazel's own tests (`ModExecutorTest`, `mod_command_test`), and so is what
is expected of them; the first four lines of `FILES` keep Bazel's own modules out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from bazelscope.cli import main
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey
from bazelscope.questions.mod.result_graph import Child, TooManyPathsError, expand, paths

Graph = dict[str, str]
"""Modules and what each depends on; the root is `main`."""


def _dependencies(graph: Graph, key: ModuleKey) -> Sequence[ModuleKey]:
    return [_key(name) for name in sorted(graph.get(key.name or "main", "").split())]


def _key(name: str) -> ModuleKey:
    return ROOT if name == "main" else ModuleKey(name, "1.0")


def _shown(result: dict[ModuleKey, object] | object) -> dict[str, str]:
    """`b ..d (c)` of a module: b is below it, modules to d are left out, c stands above it."""
    assert isinstance(result, dict)
    return {
        (key.name or "main") + ("#" if node.is_target else ""): " ".join(map(_word, node.by_kind()))
        for key, node in result.items()
    }


def _word(child: Child) -> str:
    name = child.key.name or "main"
    if child.is_cycle:
        return f"({name})"
    return f"{'..' if child.is_indirect else ''}{name}{'' if child.is_expanded else '*'}"


def _expand(graph: Graph, *tops: str, depth: int = 99, cycles: bool = True) -> dict[str, str]:
    keys = [_key(top) for top in tops]
    return _shown(expand(keys, lambda key: _dependencies(graph, key), depth, cycles))


def _paths(
    graph: Graph, targets: str, top: str = "main", depth: int = 99, single: bool = False
) -> dict[str, str]:
    wanted = [_key(name) for name in targets.split()]
    found = paths([_key(top)], wanted, lambda key: _dependencies(graph, key), single, depth, True)
    return _shown(found)


CHAIN = {"main": "b", "b": "c", "c": "d"}


def test_a_module_to_start_from_stands_below_the_root() -> None:
    assert _expand(CHAIN, "main", "c") == {"main": "b ..c", "b": "c*", "c": "d", "d": ""}
    assert _expand(CHAIN, "c", depth=1) == {"main": "..c", "c": ""}


def test_a_module_has_its_dependencies_below_it_where_it_is_nearest() -> None:
    assert _expand({"main": "a z", "a": "z", "z": "deep"}, "main") == {
        **{"main": "a z", "a": "z*", "z": "deep", "deep": ""}
    }


def test_cycles_are_pointed_out_or_not() -> None:
    cycle = {"main": "a", "a": "b", "b": "a main"}
    assert _expand(cycle, "main") == {"main": "a", "a": "b", "b": "(main) (a)"}
    assert _expand(cycle, "main", cycles=False) == {"main": "a", "a": "b", "b": ""}


NESTED = {
    **{"main": "bbb", "bbb": "ccc", "ccc": "ddd", "ddd": "eee", "eee": "ddd fff"},
    **{"fff": "ggg", "ggg": "hhh"},
}


def test_targets_below_the_depth_stay_with_their_parents() -> None:
    assert _paths(NESTED, "eee hhh", depth=1) == {
        **{"main": "bbb", "bbb": "..ddd", "ddd": "eee", "eee#": "..ggg", "ggg": "hhh"},
        "hhh#": "",
    }
    direct = {"main": "bbb", "bbb": "ccc ddd", "ccc": "ddd", "ddd": "eee", "eee": "ddd"}
    assert _paths(direct, "eee", depth=1) == {
        **{"main": "bbb", "bbb": "ddd", "ddd": "eee", "eee#": ""}
    }


COMPLEX = {
    **{"main": "A G I", "A": "B E", "B": "C", "C": "D", "E": "F", "F": "C", "G": "H", "I": "D"}
}


def test_paths_are_the_shortest_to_each_module_that_needs_a_target() -> None:
    every = {"main": "A I", "A": "B", "B": "C", "C": "D", "D#": "", "I": "D"}
    assert _paths(COMPLEX, "D") == every
    assert _paths(COMPLEX, "D", single=True) == {"main": "I", "I": "D", "D#": ""}
    assert _paths(COMPLEX, "D G") == {**every, "main": "A G I", "G#": ""}
    assert _paths(COMPLEX, "D G", single=True) == {"main": "G I", "I": "D", "D#": "", "G#": ""}
    assert _paths(COMPLEX, "D", top="E") == {
        **{"main": "..E", "E": "F", "F": "C", "C": "D", "D#": ""}
    }
    assert _paths(COMPLEX, "A", top="D") == {}


def test_a_deep_graph_ends_and_one_of_too_many_paths_is_told() -> None:
    deep = {"main": "m0", **{f"m{number}": f"m{number + 1}" for number in range(5_000)}}
    assert len(_expand(deep, "main", depth=10_000)) == 5_002
    wide = {"main": "a0 b0"}
    for number in range(30):
        wide[f"a{number}"] = wide[f"b{number}"] = f"a{number + 1} b{number + 1}"
    with pytest.raises(TooManyPathsError):
        _paths(wide, " ".join(wide).replace("main ", ""))


# ---- Through the command line


def _lay(root: Path, main_file: str, registry: dict[str, str]) -> None:
    (root / ".bazelversion").write_text("8.1.0\n")
    (root / ".bazelrc").write_text("common --registry=file://%workspace%/registry\n")
    (root / "MODULE.bazel").write_text(main_file)
    for key, text in registry.items():
        name, _, version = key.partition("@")
        folder = root / "registry/modules" / name / version
        folder.mkdir(parents=True)
        needs = [need for need in text.split("\n", 1)[0].split(" ") if need]
        lines = [f'module(name = "{name}", version = "{version}")']
        for need in needs:
            needed, _, rest = need.partition("@")
            asked, _, apparent = rest.partition("=")
            repo = f', repo_name = "{apparent}"' if apparent else ""
            lines.append(f'bazel_dep(name = "{needed}", version = "{asked}"{repo})')
        (folder / "MODULE.bazel").write_text("\n".join([*lines, *text.split("\n")[1:], ""]))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        "bazelscope.loading.modules.module_evaluation.requests_of_bazel_tools", lambda version: ()
    )
    return tmp_path


def _run(capfd: pytest.CaptureFixture[str], root: Path, *words: str) -> list[str]:
    main(["mod", *words, "-w", str(root), "--no-cache"])
    lines = capfd.readouterr().out.splitlines()
    return [re.sub(r"  (\S+/)?MODULE\.bazel:\d+$", "", line) for line in lines]


LETTERS = {
    "b@1.0": "c@0.1 y@1.0",
    "c@1.0": "d@1.0",
    "d@1.0": "e@1.0",
    "e@1.0": "d@1.0 f@1.0",
    "f@1.0": "g@1.0",
    "g@1.0": "h@1.0 y@2.0",
    **{"h@1.0": "", "y@1.0": "", "y@2.0": ""},
}
LETTERS_MAIN = """\
module(name = "a", version = "1.0")
bazel_dep(name = "b", version = "1.0")
single_version_override(module_name = "c", version = "1.0")
"""
TARGETS = ("c", "y", "e", "h", "--verbose", "--include_unused", "--depth=1")


def test_versions_that_are_not_used_and_why(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    _lay(root, LETTERS_MAIN, LETTERS)
    assert _run(capfd, root, "all_paths", *TARGETS) == [
        "<root> (a@1.0)",
        "└───b@1.0",
        "    ├───c@1.0 # (was 0.1, cause single_version_override)",
        "    │   └───d@1.0",
        "    │       └───e@1.0 #",
        "    │           └╌╌╌g@1.0",
        "    │               ├───h@1.0 #",
        "    │               └───y@2.0 #",
        "    ├───y@1.0 # (to 2.0, cause g@1.0)",
        "    └───y@2.0 # (was 1.0, cause g@1.0)",
    ]
    assert _run(capfd, root, "all_paths", *TARGETS, "--output=graph") == [
        "digraph mygraph {",
        "  node [ shape=box ]",
        "  edge [ fontsize=8 ]",
        '  "<root>" [ label="<root> (a@1.0)" ]',
        '  "<root>" -> "b@1.0" [  ]',
        '  "b@1.0" -> "c@1.0" [ label=SVO ]',
        '  "b@1.0" -> "y@1.0" [ label=MVS ]',
        '  "b@1.0" -> "y@2.0" [ label=MVS ]',
        '  "c@1.0" [ shape=diamond style=solid ]',
        '  "c@1.0" -> "d@1.0" [  ]',
        '  "y@1.0" [ shape=diamond style=dotted ]',
        '  "y@2.0" [ shape=diamond style=solid ]',
        '  "d@1.0" -> "e@1.0" [  ]',
        '  "e@1.0" [ shape=diamond style=solid ]',
        '  "e@1.0" -> "g@1.0" [ style=dashed ]',
        '  "g@1.0" -> "h@1.0" [  ]',
        '  "g@1.0" -> "y@2.0" [  ]',
        '  "h@1.0" [ shape=diamond style=solid ]',
        "}",
    ]
    tree = json.loads("\n".join(_run(capfd, root, "all_paths", *TARGETS, "--output=json")))
    (below,) = tree["dependencies"]
    (second, first, third) = below["dependencies"][1:] + below["dependencies"][:1]
    assert {key: first[key] for key in ("key", "originalVersion")} == {
        **{"key": "y@2.0", "originalVersion": "1.0"}
    }
    assert second["unused"] and second["resolvedVersion"] == "2.0"
    assert second["resolvedRequestedBy"] == ["g@1.0"] and "apparentName" not in second
    assert third["resolutionReason"] == "0.1" and "resolvedRequestedBy" not in third
    (step,) = third["dependencies"][0]["dependencies"]
    assert [item["key"] for item in step["indirectDependencies"]] == ["g@1.0"]


def test_a_version_that_an_override_replaced(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    _lay(root, LETTERS_MAIN, LETTERS)
    assert _run(capfd, root, "deps", "b", "--include_unused", "--depth=1")[2:] == []
    assert _run(capfd, root, "deps", "b", "--include_unused")[2:] == [
        "    ├───c@0.1 (unused)",
        "    ├───c@1.0",
        "    ├───y@1.0 (unused)",
        "    └───y@2.0",
    ]


def test_cycles_in_text_and_json(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    _lay(
        root,
        'module(name = "main", version = "1.0")\nbazel_dep(name = "a", version = "1.0")\n',
        {"a@1.0": "b@1.0", "b@1.0": "a@1.0"},
    )
    tree = ["<root> (main@1.0)", "└───a@1.0", "    └───b@1.0"]
    assert _run(capfd, root, "graph") == [*tree, "        └───a@1.0 (cycle)"]
    assert _run(capfd, root, "graph", "--nocycles") == tree
    graph = json.loads("\n".join(_run(capfd, root, "graph", "--output=json")))
    (cycle,) = graph["dependencies"][0]["dependencies"][0]["cycles"]
    assert cycle == {
        **{"key": "a@1.0", "name": "a", "version": "1.0", "apparentName": "a"},
        "unexpanded": True,
    }


EXT = """\
def _repo(ctx):
    ctx.file("BUILD")

data_repo = repository_rule(implementation = _repo, attrs = {"data": attr.string()})

def _ext(ctx):
    for name in {dep.name: 1 for mod in ctx.modules for dep in mod.tags.dep}:
        data_repo(name = name, data = "requested repo")

ext = module_extension(
    implementation = _ext,
    tag_classes = {"dep": tag_class(attrs = {"name": attr.string()})},
)
"""
PROJECT = """\
module(name = "my_project", version = "1.0")

bazel_dep(name = "foo", version = "1.0", repo_name = "foo1")
bazel_dep(name = "foo", version = "2.0", repo_name = "foo2")
bazel_dep(name = "ext", version = "1.0")
bazel_dep(name = "ext2", version = "1.0")
multiple_version_override(
  module_name= "foo",
  versions = ["1.0", "2.0"],
)
ext = use_extension("@ext//:ext.bzl", "ext")
use_repo(ext, myrepo="repo1")
ext2 = use_extension("@ext2//:ext.bzl", "ext")
ext2.dep(name="repo1")
use_repo(ext2, myrepo2="repo1")
"""


def _use(module: str, made: str, imports: str) -> str:
    deps = "\n".join(f'my_ext.dep(name="{name}")' for name in made.split())
    named = ", ".join(f'my_{name} = "{name}"' for name in imports.split())
    return (
        f'my_ext = use_extension("@{module}//:ext.bzl", "ext")\n{deps}\nuse_repo(my_ext, {named})'
    )


@pytest.fixture
def project(root: Path) -> Path:
    _lay(
        root,
        PROJECT,
        {
            "foo@1.0": f"bar@1.0 ext@1.0\n{_use('ext', 'repo1 repo2 repo5', 'repo1')}",
            "foo@2.0": f"bar@2.0 ext@1.0=ext_mod\n{_use('ext_mod', 'repo4', 'repo3 repo4')}",
            "bar@1.0": "ext@1.0",
            "bar@2.0": f"ext@1.0 ext2@1.0\n{_use('ext', 'repo3', 'repo3')}\n"
            + _use("ext2", "repo3", "repo3").replace("my_", "my_2"),
            **{"ext@1.0": "", "ext2@1.0": ""},
        },
    )
    for name in ("ext", "ext2"):
        vendored = root / "vendor" / f"{name}+"
        vendored.mkdir(parents=True)
        registered = root / "registry/modules" / name / "1.0/MODULE.bazel"
        (vendored / "MODULE.bazel").write_text(registered.read_text())
        (vendored / "BUILD").write_text("")
        (vendored / "ext.bzl").write_text(EXT)
    with (root / ".bazelrc").open("a") as options:
        options.write("mod --charset=ascii --vendor_dir=%workspace%/vendor\n")
    return root


def test_the_graph_of_bazels_own_project(capfd: pytest.CaptureFixture[str], project: Path) -> None:
    assert _run(capfd, project, "graph") == [
        "<root> (my_project@1.0)",
        "|___ext@1.0",
        "|___ext2@1.0",
        "|___foo@1.0",
        "|   |___ext@1.0 (*)",
        "|   |___bar@2.0",
        "|       |___ext@1.0 (*)",
        "|       |___ext2@1.0 (*)",
        "|___foo@2.0",
        "    |___bar@2.0 (*)",
        "    |___ext@1.0 (*)",
    ]
    assert _run(capfd, project, "graph", "--extension_info=all") == [
        "<root> (my_project@1.0)",
        "|___$@@ext+//:ext.bzl%ext",
        "|   |___repo1",
        "|   |...repo2",
        "|   |...repo5",
        "|___$@@ext2+//:ext.bzl%ext",
        "|   |___repo1",
        "|___ext@1.0",
        "|___ext2@1.0",
        "|___foo@1.0",
        "|   |___$@@ext+//:ext.bzl%ext ...",
        "|   |   |___repo1",
        "|   |___ext@1.0 (*)",
        "|   |___bar@2.0",
        "|       |___$@@ext+//:ext.bzl%ext ...",
        "|       |   |___repo3",
        "|       |___$@@ext2+//:ext.bzl%ext ...",
        "|       |   |___repo3",
        "|       |___ext@1.0 (*)",
        "|       |___ext2@1.0 (*)",
        "|___foo@2.0",
        "    |___$@@ext+//:ext.bzl%ext ...",
        "    |   |___repo3",
        "    |   |___repo4",
        "    |___bar@2.0 (*)",
        "    |___ext@1.0 (*)",
    ]


def test_an_extension_filter_leaves_what_leads_to_its_users(
    capfd: pytest.CaptureFixture[str], project: Path
) -> None:
    words = ("graph", "--extension_info=repos", "--extension_filter=@ext//:ext.bzl%ext")
    searched = [
        "<root> (my_project@1.0)",
        "|___$@@ext+//:ext.bzl%ext",
        "|   |___repo1",
        "|___foo@1.0 #",
        "|   |___$@@ext+//:ext.bzl%ext",
        "|   |   |___repo1",
        "|   |___bar@2.0 #",
        "|       |___$@@ext+//:ext.bzl%ext",
        "|           |___repo3",
        "|___foo@2.0 #",
        "    |___$@@ext+//:ext.bzl%ext",
        "    |   |___repo3",
        "    |   |___repo4",
        "    |___bar@2.0 #",
        "        |___$@@ext+//:ext.bzl%ext",
        "            |___repo3",
    ]
    assert _run(capfd, project, *words, "--bazel-version=8.5.0") == searched
    left = _run(capfd, project, *words, "--bazel-version=8.4.0")
    assert left == [*searched[:-3], "    |___bar@2.0 (*)"]


def test_show_extension_shows_every_usage_or_those_that_are_asked_for(
    capfd: pytest.CaptureFixture[str], project: Path
) -> None:
    words = ("show_extension", "@ext//:ext.bzl%ext")
    lines = [" ".join(line.split()) for line in _run(capfd, project, *words)]
    assert [line for line in lines if line] == [
        "## @@ext+//:ext.bzl%ext:",
        "Fetched repositories:",
        "- repo1 (imported by <root>, foo@1.0) @@ext++ext+repo1",
        "- repo3 (imported by bar@2.0, foo@2.0) @@ext++ext+repo3",
        "- repo4 (imported by foo@2.0) @@ext++ext+repo4",
        "- repo2 @@ext++ext+repo2",
        "- repo5 @@ext++ext+repo5",
        "## Usage in <root> from MODULE.bazel:11",
        *("use_repo(", "ext,", 'myrepo="repo1",', ")"),
        "## Usage in foo@1.0 from foo@1.0/MODULE.bazel:4",
        *('ext.dep(name="repo1")', 'ext.dep(name="repo2")', 'ext.dep(name="repo5")'),
        *("use_repo(", "ext,", 'my_repo1="repo1",', ")"),
        "## Usage in foo@2.0 from foo@2.0/MODULE.bazel:4",
        'ext.dep(name="repo4")',
        *("use_repo(", "ext,", 'my_repo3="repo3",', 'my_repo4="repo4",', ")"),
        "## Usage in bar@2.0 from bar@2.0/MODULE.bazel:4",
        'ext.dep(name="repo3")',
        *("use_repo(", "ext,", 'my_repo3="repo3",', ")"),
    ]
    both = _run(capfd, project, "show_extension", "@ext2//:ext.bzl%ext", words[1], words[1])
    titles = [line for line in both if line.startswith("## @@")]
    assert titles == ["## @@ext+//:ext.bzl%ext:", "## @@ext2+//:ext.bzl%ext:"]
    some = _run(capfd, project, *words, "--extension_usages=@foo2")
    assert [line.partition(" from ")[0] for line in some if line.startswith("## Usage")] == [
        "## Usage in foo@2.0"
    ]
