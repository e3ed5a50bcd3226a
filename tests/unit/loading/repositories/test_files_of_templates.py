"""Files that a repository rule makes of a template are shown as it, and found by its path."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import Label
from bazelscope.loading.evaluation.rules.rule_transitions import find_rule
from bazelscope.loading.evaluation.rules.rule_values import StarlarkRule
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.targets import Rule
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.kept_runs import write_settled

FILES = {
    "WORKSPACE": 'load("//:made.bzl", "make")\nmake(name = "made")\n',
    "BUILD": "",
    "made.bzl": """
def _impl(ctx):
    ctx.template("crosstool/config.bzl", Label("//:config.bzl.tpl"), {})
    ctx.file("crosstool/BUILD", 'load(":config.bzl", "config")\\nconfig(name = "c")\\n')

make = repository_rule(implementation = _impl)
""",
    "config.bzl.tpl": "config = rule(implementation = lambda ctx: [])\n",
}


def test_a_rule_of_a_template_is_found_again_by_a_second_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_settled(tmp_path / "w", FILES, monkeypatch)
    for _ in range(2):
        loader = Loader(Workspace.open(root), LoadingOptions("6.5.0"), tmp_path / "cache")
        target = loader.target(Label("made", "crosstool", "c"))
        assert isinstance(target, Rule)
        assert target.rule_class.defined_at[0].location.path == "config.bzl.tpl"
        assert isinstance(find_rule(loader, target.rule_class), StarlarkRule)
        assert loader.label_of("config.bzl.tpl") == Label("made", "crosstool", "config.bzl")
        loader.save()
