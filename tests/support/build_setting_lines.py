"""Command lines that set flags of the project's own, and the value that `//f:sf` then has.

What a line comes to was asked of Bazel 4.2.3 and 2.1.0; None is a line that they refuse.
"""

from __future__ import annotations

BUILD = """\
load(":f.bzl", "bf", "inner", "it", "sf")
sf(name = "sf", build_setting_default = "d")
bf(name = "bf", build_setting_default = False)
it(name = "it", build_setting_default = 1)
inner(name = "inner", build_setting_default = "d")
alias(name = "al", actual = ":sf")
label_flag(name = "lab", build_setting_default = ":sf")
filegroup(name = "fg")
[config_setting(name = "sf_" + v, flag_values = {":sf": v}) for v in ["d", "p", "q", "r", ""]]
filegroup(
    name = "t",
    srcs = select({":sf_" + v: [(v or "empty") + ".txt"] for v in ["d", "p", "q", "r", ""]}),
)
"""
BZL = """\
def _nothing(ctx):
    return []

sf = rule(implementation = _nothing, build_setting = config.string(flag = True))
bf = rule(implementation = _nothing, build_setting = config.bool(flag = True))
it = rule(implementation = _nothing, build_setting = config.int(flag = True))
inner = rule(implementation = _nothing, build_setting = config.string())
"""
FILES = {
    "WORKSPACE": 'workspace(name = "w")\n',
    "f/BUILD": BUILD,
    "f/f.bzl": BZL,
    **{f"f/{name}.txt": "" for name in ("d", "p", "q", "r", "empty")},
}

ALIKE: dict[str, str | None] = {
    "--//f:sf=p": "p",
    "--@//f:sf=p": "p",
    "--@w//f:sf=p": "d",
    "--//f:sf=p --//f:sf=q": "q",
    "--//f:sf=p --@//f:sf=q": None,
    "--@w//f:sf=q --//f:sf=p": "p",
    "--//f:sf=": "",
    "--//f:sf=d": "d",
    "--//f:sf": None,
    "--//f:bf": "d",
    "--//f:bf=1": "d",
    "--//f:al=p": None,
    "--//f:al=p --//f:sf=q": None,
    "--//f:inner=a": None,
    "--//f:fg=a": None,
    "--//f:none=a": None,
    "--//g:x=a": None,
    "--//f:it=x": None,
    "--//f:it=x --//f:it=2": "d",
    "--//f:it": None,
    "--//f:lab=//f:bf": "d",
    "--//f:lab": None,
}
"""By line, the value; as both releases have it."""

BY_RELEASE: dict[str, dict[str, str | None]] = {
    "4.2.3": {
        **ALIKE,
        "--no//f:sf": None,
        "--no//f:bf": "d",
        "--no//f:bf=1": None,
        "--no@//f:bf": "d",
        "--//f:it=07": None,
    },
    "2.1.0": {
        **ALIKE,
        "--no//f:bf": None,
        "--no//f:sf": None,
        "--//f:it=07": "d",
    },
}
"""By release and line, the value."""

LINES = [(version, line) for version, lines in BY_RELEASE.items() for line in lines]
