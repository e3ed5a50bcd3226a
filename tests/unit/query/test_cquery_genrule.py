"""What a genrule needs of Bazel itself, beside what 4.2.3, 2.1.0 and 0.24.1 say."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_SETUP = "@bazel_tools//tools/genrule:genrule-setup.sh"


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_what_sets_a_genrule_up_is_a_source_file(version: str, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {"WORKSPACE": "", "BUILD": 'genrule(name = "g", outs = ["o"], cmd = "touch $@")\n'},
    )
    workspace = Workspace.open(tmp_path, bazel_version=version, host="linux")
    asked = workspace.configure()
    (found,) = asked.cquery(f"somepath(//:g, {_SETUP}) - //:g").targets
    assert (str(found.label), found.kind) == (_SETUP, "source file")
    written = workspace.configure(["--noimplicit_deps"], command="cquery")
    assert not written.cquery(f"somepath(//:g, {_SETUP})").targets
