"""Addresses that nothing is downloaded from; the words are compared with real Bazels
(`tests/oracle/test_addresses.py`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.support.addresses import REPOSITORIES, SOUND, files_of
from tests.support.files import write_files

_NONE_LEFT = "No URLs left after removing plain http URLs due to missing checksum."


@pytest.mark.parametrize(
    ("version", "without_checksum"),
    [
        ("0.24.1", set()),
        ("2.1.0", {"archive", "extracted", "file", "here", "plain"}),
        ("6.4.0", {"archive", "extracted", "file", "here", "plain"}),
    ],
)
def test_what_is_refused(tmp_path: Path, version: str, without_checksum: set[str]) -> None:
    write_files(tmp_path, files_of(REPOSITORIES | SOUND))
    line = ["explain", "-w", str(tmp_path), f"--bazel-version={version}", "--no-cache"]
    said = CliRunner().invoke(cli, [*line, "--format=json", "//..."]).stdout
    found = {one["target"]: one["message"] for one in json.loads(said)["refusals"]}
    assert {name for name in REPOSITORIES if _NONE_LEFT in found.get(f"//{name}:x", "")} == (
        without_checksum
    )
    assert "Bad URL: e.invalid/x" in found["//no_protocol:x"]
    assert "Bad URL: gopher://e.invalid/x" in found["//strange:x"]
    assert "urls not set" in found["//nothing:x"]
    assert "Unsupported protocol: ftp" in found["//other:x"]
    assert not any("IOException" in found.get(f"//{name}:x", "") for name in SOUND)
