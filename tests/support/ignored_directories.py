"""What Bazel 2.1.0 and 4.2.3 leave out of a workspace, and how they say so."""

from __future__ import annotations

_TARGET = 'filegroup(name = "x")\n'

FILES = {
    "WORKSPACE": 'local_repository(name = "r", path = "r")\n',
    **{f"{name}/BUILD": _TARGET for name in ("a", "a/sub", "b", "c/d", "h i", "r", "r/in")},
    "r/WORKSPACE": "",
    "r/.bazelignore": "in\n",
}
EVERYTHING = "//...:all + @r//...:all"
WHOLE = ("//a/sub:x", "//a:x", "//b:x", "//c/d:x", "//h i:x", "@r//:x")

LEFT_OUT = {
    "": (),
    "/a": (),
    "a": ("//a/sub:x", "//a:x"),
    "b/": ("//b:x",),
    "./c": ("//c/d:x",),
    "# b": (),
    "b #x": (),
    "  b": (),
    "b  ": (),
    "h i": ("//h i:x",),
    '"h i"': (),
    "a/../b": ("//b:x",),
    "../w/b": (),
    "c//d": ("//c/d:x",),
    "b*": (),
    "a\r\nb": ("//a/sub:x", "//a:x", "//b:x"),
    "r": (),
}
"""By the text of `.bazelignore`: what is no longer there."""

_DELETED = "Package is considered deleted due to --deleted_packages"
_CROSSES = (
    "Invalid package reference {} crosses into repository @r: did you mean to use {} instead?"
)
MESSAGES = {
    "//a:x": f"no such package 'a': {_DELETED}",
    "//a/b/c:x": f"no such package 'a/b/c': {_DELETED}",
    "//b:x": f"no such package 'b': {_DELETED}",
    "@r//in:x": f"no such package '@r//in': {_DELETED}",
    "//r:x": f"no such package 'r': {_CROSSES.format('r', '@r//')}",
    "//r/in:x": f"no such package 'r/in': {_CROSSES.format('r/in', '@r//in')}",
    "//r/no:x": f"no such package 'r/no': {_CROSSES.format('r/no', '@r//no')}",
}
"""With `a` in `.bazelignore`, and --deleted_packages=//b: what is said of a target."""
OPTION = "--deleted_packages=//b"
