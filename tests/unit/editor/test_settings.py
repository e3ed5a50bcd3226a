"""The settings of a client."""

from __future__ import annotations

import pytest

from bazelscope.base.errors import UsageError
from bazelscope.editor.settings import ClientSettings


def test_settings_are_taken_with_and_without_their_section() -> None:
    own = ClientSettings(("--config=a",))
    given = {"commandLine": "--config=b '--copt=-x y'", "host": "windows", "other": 1}
    for settings in (own.changed_by(given), own.changed_by({"bazelscope": given})):
        assert settings.command_line == ("--config=b", "--copt=-x y")
        assert settings.host == "windows"
    assert own.changed_by({"commandLine": ["//a b"]}).command_line == ("//a b",)
    assert own.changed_by({"commandLine": None}).command_line == ()
    assert own.changed_by(None) is own


@pytest.mark.parametrize(
    "given",
    [
        7,
        [1],
        {"commandLine": 7},
        {"commandLine": ["a", 1]},
        {"commandLine": "'open"},
        {"host": 3},
        {"noCache": "yes"},
        {"maxSeconds": "many"},
        {"maxMemory": True},
    ],
)
def test_settings_of_a_wrong_kind_are_refused_in_a_sentence(given: object) -> None:
    with pytest.raises(UsageError, match="the setting `bazelscope"):
        ClientSettings().changed_by(given)
