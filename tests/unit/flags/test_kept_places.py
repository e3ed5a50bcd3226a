"""What is kept of rc files: enough to need no parser again, and no word of what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.source import SourceFile
from bazelscope.flags import kept_places, rcfile
from bazelscope.flags.kept_places import KeptPlaces

TEXT = """\
# --config=dbg
build:opt --copt=-O3 \\
    '--remote_header=key=s3cret' \\
    --define="a b"=c  # why
\v build "" -c opt
"""
SOURCE = SourceFile(".bazelrc", TEXT)


def no_parser(text: str) -> rcfile.Places:
    raise AssertionError("parsed again")


def kept(directory: Path) -> Path:
    (found,) = [path for path in directory.iterdir() if path.is_file()]
    return found


def test_a_file_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = rcfile.parse(SOURCE)
    assert rcfile.parse(SOURCE, KeptPlaces(tmp_path / "rc")) == expected
    monkeypatch.setattr(kept_places.rcfile, "places", no_parser)
    assert rcfile.parse(SOURCE, KeptPlaces(tmp_path / "rc")) == expected
    with pytest.raises(AssertionError, match="parsed again"):
        rcfile.parse(SourceFile(".bazelrc", f"{TEXT}\n#"), KeptPlaces(tmp_path / "rc"))


def test_no_text_is_kept(tmp_path: Path) -> None:
    rcfile.parse(SOURCE, KeptPlaces(tmp_path / "rc"))
    assert b"s3cret" not in kept(tmp_path / "rc").read_bytes()


@pytest.mark.parametrize("harm", ["truncated", "changed", "writable"])
def test_what_is_not_sound_is_made_anew(tmp_path: Path, harm: str) -> None:
    expected = rcfile.parse(SOURCE, KeptPlaces(tmp_path / "rc"))
    path = kept(tmp_path / "rc")
    content = path.read_bytes()
    if harm == "truncated":
        path.write_bytes(content[:-3])
    elif harm == "changed":
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    else:
        path.chmod(0o666)
    assert rcfile.parse(SOURCE, KeptPlaces(tmp_path / "rc")) == expected
    assert path.read_bytes() == content
    assert path.stat().st_mode & 0o777 == 0o600
