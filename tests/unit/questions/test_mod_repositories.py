"""What `mod` prints of repositories that `use_repo_rule` and extensions make, release by release.

Bazel: `ModExecutor.displayExtension`, `RepoOutputFormatter`, and its own `mod_command_test`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main

FILES = {
    ".bazelrc": "common --enable_bzlmod --noenable_workspace\n",
    "BUILD": "",
    "MODULE.bazel": (
        "module(name = 'main')\n"
        "repo = use_repo_rule('//:rules.bzl', 'repo')\n"
        "repo(name = 'one', text = 'x')\n"
        "other = use_repo_rule('//:rules.bzl', 'other')\n"
        "other(name = 'two')\n"
        "ext = use_extension('//:rules.bzl', 'ext')\n"
        "use_repo(ext, 'three')\n"
    ),
    "rules.bzl": (
        "def _repo(ctx):\n    ctx.file('BUILD')\n"
        "repo = repository_rule(_repo, attrs = {'text': attr.string()})\n"
        "other = repository_rule(_repo)\n"
        "def _ext(ctx):\n    repo(name = 'three', text = 'y')\n"
        "ext = module_extension(_ext)\n"
    ),
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        "bazelscope.loading.modules.module_evaluation.requests_of_bazel_tools", lambda version: ()
    )
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    return tmp_path


def _run(capfd: pytest.CaptureFixture[str], root: Path, release: str, *words: str) -> list[str]:
    code = main(["mod", *words, "-w", str(root), "--no-cache", "--bazel-version", release])
    out = capfd.readouterr().out
    assert code == 0, out
    return [" ".join(line.split()) for line in out.splitlines() if line.strip()]


INNATE = {
    "7.4.0": ["@@//:MODULE.bazel%_repo_rules"],
    "8.5.0": ["@@//:MODULE.bazel%//:rules.bzl%other", "@@//:MODULE.bazel%//:rules.bzl%repo"],
    "9.0.0": ["@@//:MODULE.bazel%//:rules.bzl other", "@@//:MODULE.bazel%//:rules.bzl repo"],
}


@pytest.mark.parametrize("release", INNATE)
def test_rules_that_modules_use_are_extensions_to_bazel(
    capfd: pytest.CaptureFixture[str], root: Path, release: str
) -> None:
    lines = _run(capfd, root, release, "graph", "--extension_info=usages")
    assert [line[line.index("$") + 1 :] for line in lines if "$" in line] == [
        *INNATE[release],
        "@@//:rules.bzl%ext",
    ]
    for extension in INNATE[release]:
        first, *_ = _run(capfd, root, release, "show_extension", extension)
        assert first == f"## {extension}:"


USAGES = {
    "7.4.0": (
        INNATE["7.4.0"][0],
        [
            "- one (imported by <root>) @@_main~_repo_rules~one",
            "- two (imported by <root>) @@_main~_repo_rules~two",
            "## Usage in <root> from MODULE.bazel:3",
            '_repo_rules.//:rules.bzl%repo(name="one", text="x")',
            '_repo_rules.//:rules.bzl%other(name="two") MODULE.bazel:5',
            *("use_repo(", "_repo_rules,", '"one",', '"two",', ")"),
        ],
    ),
    "8.5.0": (
        INNATE["8.5.0"][0],
        [
            "- two (imported by <root>) @@+_repo_rules2+two",
            "## Usage in <root> from MODULE.bazel:5",
            '//:rules.bzl%other.repo(name="two") MODULE.bazel:5',
            *("use_repo(", "//:rules.bzl%other,", '"two",', ")"),
        ],
    ),
    "9.0.0": (
        INNATE["9.0.0"][1],
        [
            "- one (imported by <root>) @@+repo+one",
            "## Usage in <root> from MODULE.bazel:3",
            'repo = use_repo_rule("//:rules.bzl", "repo")',
            'repo(name="one", text="x") MODULE.bazel:3',
        ],
    ),
}


@pytest.mark.parametrize("release", USAGES)
def test_calls_of_a_repository_rule(
    capfd: pytest.CaptureFixture[str], root: Path, release: str
) -> None:
    extension, expected = USAGES[release]
    lines = _run(capfd, root, release, "show_extension", extension)
    assert [line.removesuffix(" MODULE.bazel:3") for line in lines[2:]] == [
        line.removesuffix(" MODULE.bazel:3") for line in expected
    ]


QUERY_FORM = [
    "## @three: rules.bzl:6",
    "# <builtin>",
    *("repo(", 'name = "{name}",', 'text = "y",', ")"),
    "# Rule {name} instantiated at (most recent call last):",
    "# <builtin> in <toplevel>",
    "# Rule repo defined at (most recent call last):",
    "# rules.bzl:3:23 in <toplevel>",
]
DEFINITIONS = {
    "7.4.0": [line.format(name="_main~ext~three") for line in QUERY_FORM],
    "8.5.0": [
        *(line.format(name="+ext+three") for line in QUERY_FORM[:4]),
        '_original_name = "three",',
        *(line.format(name="+ext+three") for line in QUERY_FORM[4:]),
    ],
    "9.0.0": [
        "## @three: rules.bzl:6",
        'load("@@//:rules.bzl", "repo")',
        *("repo(", 'name = "+ext+three",', '_original_name = "three",', 'text = "y",', ")"),
    ],
}


@pytest.mark.parametrize("release", DEFINITIONS)
def test_definitions(capfd: pytest.CaptureFixture[str], root: Path, release: str) -> None:
    assert _run(capfd, root, release, "show_repo", "@three") == DEFINITIONS[release]


def test_what_bazel_brings_along_or_a_flag_overrides(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    assert _run(capfd, root, "9.0.0", "show_repo", "@bazel_tools") == [
        "## @bazel_tools:",
        "Builtin or overridden repo located at: external/bazel_tools of the output base",
    ]
    line = ("show_repo", "@one", "--override_repository=one=/some/where")
    assert _run(capfd, root, "9.0.0", *line)[1] == (
        "Builtin or overridden repo located at: /some/where"
    )


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        (("--all_repos",), ["@@+repo+one", "@@+other+two", "@@+ext+three"]),
        (("--all_visible_repos",), ["@one", "@two", "@three"]),
    ],
)
def test_all_repositories(
    capfd: pytest.CaptureFixture[str], root: Path, words: tuple[str, ...], titles: list[str]
) -> None:
    lines = _run(capfd, root, "9.0.0", "show_repo", *words)
    shown = [line[3:].partition(":")[0] for line in lines if line.startswith("## ")]
    made = [title for title in shown if "bazel_tools" not in title and "platform" not in title]
    assert sorted(made) == sorted(titles)
    single = _run(capfd, root, "9.0.0", "show_repo", "@three")
    start = shown.index(titles[-1])
    assert (
        lines[[i for i, line in enumerate(lines) if line[:3] == "## "][start] + 1 :][
            : len(single) - 1
        ]
        == single[1:]
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("show_repo", "@one", "--all_repos"),
            (
                "the 'show_repo' command requires exactly one of --all_repos,"
                " --all_visible_repos, or a list of repo arguments"
            ),
        ),
        (("graph", "--all_repos"), "the 'graph' command doesn't take the --all_repos option"),
    ],
)
def test_options_that_do_not_go_together(
    capfd: pytest.CaptureFixture[str], root: Path, words: tuple[str, ...], said: str
) -> None:
    code = main(["mod", *words, "-w", str(root), "--no-cache", "--bazel-version", "9.0.0"])
    assert (code, capfd.readouterr().out.splitlines()[0]) == (1, f"error: {said}")
