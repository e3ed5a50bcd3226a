"""Which native options belong to the build configuration, so that config_settings may
name them; others (`--keep_going`) are options of the command alone.

Bazel: `FragmentOptions` as opposed to `OptionsBase` of a command.
"""

from __future__ import annotations

# Options of `build` that are no part of the configuration, measured by asking each version
# for a config_setting on every option that `build` takes.
_COMMAND_ONLY = frozenset({"keep_going"})


def is_configuration_option(name: str, bazel_version: str) -> bool:
    """Whether `values = {name: ...}` is legal in a config_setting."""
    return name not in _COMMAND_ONLY
