"""Addresses that nothing is downloaded from: what real Bazels say of each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.support.addresses import REPOSITORIES, files_of
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

_SAID = re.compile(
    r"no such package '@(?P<name>\w+)//': java\.io\.IOException: "
    r"(?P<why>(?:No URLs|urls not|Bad URL|Unsupported).*?)(?: and referenced by .*)?$"
)


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_same_words(version: str, warm_root: Path, bazel: Callable[[str], Bazel]) -> None:
    write_files(warm_root, files_of(REPOSITORIES))
    theirs = bazel(version).run(warm_root, "build", "--nobuild", "-k", "//...")
    own = ["-w", str(warm_root), f"--bazel-version={version}", "--format=json", "--no-cache"]
    mine = CliRunner().invoke(cli, ["explain", *own, "//..."])
    told = _told([one["message"] for one in json.loads(mine.stdout)["refusals"]])
    assert told == _told(theirs.stderr.splitlines())
    assert len(told) >= 4


def _told(lines: list[str]) -> dict[str, str]:
    return {
        match["name"]: match["why"].rstrip() for match in filter(None, map(_SAID.search, lines))
    }
