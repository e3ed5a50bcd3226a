"""What named configs set is kept: a later run parses none of them, until a line has moved."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from bazelscope.flags.config_effects import ConfigEffects
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    ".bazelrc": "build:fast -c opt\nbuild:faster --config=fast\n",
    "BUILD": """
config_setting(name = "opt", values = {"compilation_mode": "opt"})
cc_library(name = "a", deps = select({":opt": [":b"], "//conditions:default": []}))
cc_library(name = "b")
""",
}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The flags whose values were looked for in configs."""
    flags: list[str] = []
    find = ConfigEffects.setters

    def noted(effects: ConfigEffects, flag: str, value: str | None = None) -> object:
        flags.append(flag)
        return find(effects, flag, value)

    monkeypatch.setattr(ConfigEffects, "setters", noted)
    return flags


def test_a_later_run_parses_no_configs(
    tmp_path: Path, parsed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    root, cache = tmp_path / "w", tmp_path / "cache"
    asked = 0

    def told() -> str:
        nonlocal asked
        asked += 1  # Other words, or the answer itself would be printed again.
        words = ["select", "//:a", "-w", str(root), "--cache-dir", str(cache)]
        assert main([*words, f"--define=asked={asked}"]) == 0
        return capsys.readouterr().out

    write_files(root, FILES)
    first = told()
    assert ".bazelrc:1" in first
    assert parsed
    parsed.clear()
    assert told() == first
    assert parsed == []
    write_files(root, {".bazelrc": "\n" + FILES[".bazelrc"]})
    assert told() == first.replace(".bazelrc:1", ".bazelrc:2")
    assert parsed
