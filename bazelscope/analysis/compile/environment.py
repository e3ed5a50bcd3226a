"""The environment that compile and link actions run in.

Measured with `build --subcommands`; `aquery` does not show it.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.compile.words import FromBazel, FromOption, WordOrigin
from bazelscope.analysis.configuration.configuration import Configuration

_STRICT = "incompatible_strict_action_env"


def action_environment(
    configuration: Configuration,
) -> Iterator[tuple[str, str | None, WordOrigin]]:
    """Each variable with its value, None for the client's own, and who sets it."""
    variables: dict[str, tuple[str | None, WordOrigin]] = {}
    if configuration.is_on(_STRICT):
        path = "/bin:/usr/bin:/usr/local/bin"
        if configuration.release.cc_has_genfiles:
            path = "/bin:/usr/bin"
        variables["PATH"] = (path, FromOption(_STRICT, configuration.value(_STRICT).set_by))
    else:
        client = FromBazel("the client's environment")
        variables["PATH"] = variables["LD_LIBRARY_PATH"] = (None, client)
    variables["PWD"] = ("/proc/self/cwd", FromBazel("every action"))
    for text, instance in configuration.value("action_env").each:
        name, equals, given = text.partition("=")
        variables[name] = (given if equals else None, FromOption("action_env", instance))
    for name, (given_value, origin) in variables.items():
        yield name, given_value, origin
