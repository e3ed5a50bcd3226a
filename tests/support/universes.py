"""Questions about what `query` loads and what it does not know of, with Bazel's answers."""

from __future__ import annotations

SKY = ("--order_output=no", "--noimplicit_deps")

FILES = {
    "WORKSPACE": "",
    "a/BUILD": """
load("//l:l.bzl", "implies", "r", "needs")
filegroup(name = "a", srcs = ["//d:x"])
filegroup(name = "vis", visibility = ["//c:g"])
r(name = "r")
""",
    "a/s/BUILD": 'filegroup(name = "s")\n',
    "b/BUILD": 'filegroup(name = "b", srcs = ["//a:a"])\n',
    "bad/BUILD": 'filegroup(name = "p")\nfilegroup(name = "p2", srcs = ["//bad:p"])\nfail("x")\n',
    "c/BUILD": 'package_group(name = "g")\n',
    "d/BUILD": 'filegroup(name = "x")\nfilegroup(name = "y", srcs = ["x"])\n',
    "d/e/BUILD": 'filegroup(name = "e")\n',
    "h/BUILD": 'load(":h.bzl", "hashed")\nhashed(name = "h")\n',
    "h/h.bzl": """
load("//h:z.bzl", "Z")
load(":a.bzl", "A")
def _impl(ctx):
    return []
hashed = rule(implementation = _impl)
""",
    "h/a.bzl": "A = 1\n",
    "h/z.bzl": 'load(":a.bzl", "A")\nZ = A\n',
    "l/BUILD": 'filegroup(name = "imp", srcs = ["//d/e:e"])\n',
    "l/l.bzl": """
def _impl(ctx):
    pass
r = rule(implementation = _impl, attrs = {"_h": attr.label(default = "//l:imp")})
needs = rule(implementation = _impl, attrs = {
    "tool": attr.label(cfg = "host"),
    "deps": attr.label_list(),
})
implies = rule(implementation = _impl, attrs = {"_h": attr.label(default = "//lacks:imp")})
implies_none = rule(implementation = _impl, attrs = {"h": attr.label(default = "//d:none")})
""",
    "lacks/BUILD": """
load("//l:l.bzl", "implies", "implies_none", "needs")
filegroup(name = "imp", srcs = ["//nopkg:z"])
filegroup(name = "tool", srcs = ["//nopkg:y"])
implies(name = "t")
filegroup(name = "t2", srcs = [":t"])
implies_none(name = "none_there")
implies_none(name = "given", h = ":tool2")
filegroup(name = "tool2")
needs(name = "u", tool = ":tool")
needs(name = "v", tool = "//d:missing")
needs(name = "w", visibility = ["//lacks:nogroup"])
needs(name = "x", visibility = [":group"])
needs(name = "y", deps = [":w"])
package_group(name = "group", includes = ["//nopkg:g"])
""",
    "miss/BUILD": """
filegroup(name = "m", srcs = ["//nopkg:q"])
filegroup(name = "n", srcs = ["//d:nosuch"])
filegroup(name = "ok")
""",
    "usebad/BUILD": 'filegroup(name = "u", srcs = ["//bad:p"])\n',
    "w/BUILD": """
config_setting(name = "o", values = {"compilation_mode": "opt"})
alias(name = "alike", actual = select({":o": "//d:x", "//conditions:default": "//d:x"}))
alias(name = "other", actual = select({":o": "//d:x", "//conditions:default": "//d:y"}))
alias(name = "only", actual = select({":o": "//d:x"}))
genrule(
    name = "g",
    outs = ["q"],
    cmd = select({":o": "x", "//conditions:default": "x"}),
    local = select({":o": 1, "//conditions:default": 1}),
)
package_group(name = "p", packages = ["//d/e", "//...", "//a", "-//z/...", "//x/..."])
""",
}

_WITHOUT = "//...,-//bad/...,-//usebad/...,-//miss/...,-//lacks/..."
IN_UNIVERSES: tuple[tuple[str, ...], ...] = (
    ("//a/...", "//b:b"),
    ("//a/...", "//b:all"),
    ("//a/...", "//d:y"),
    ("//a/...", "//d/..."),
    ("//a/...", "//a/s/..."),
    ("//a/...", "//l:imp"),
    ("//a/...", "//c:g", "--nonodep_deps"),
    ("//a/...", "allrdeps(//d/e:e)"),
    ("//a/...", "rbuildfiles(l/l.bzl)"),
    ("//a/...", "rbuildfiles(d/BUILD, d/e/BUILD, c/BUILD, l/BUILD, b/BUILD)"),
    ("//a/...", "visible(//b:b, //a:all)", "--keep_going"),
    ("//a/...", "//b:b", "--output=graph"),
    ("//a:all", "//a/..."),
    ("//a:all", "//a/s:s"),
    (_WITHOUT, "allrdeps(//d:x)"),
    (_WITHOUT, "//miss:ok"),
    (_WITHOUT, "//miss/..."),
    (_WITHOUT, "//a/..."),
    ("//nodir/...", "//a:a", "--keep_going"),
    ("//a:nosuch,//a:a", "//a:a", "--keep_going"),
    ("//bad/...", "//bad:p"),
    ("//usebad:u", "//usebad:u"),
    ("//usebad:u", "//usebad:u", "--keep_going"),
    ("//d:x", "same_pkg_direct_rdeps(//d:x)"),
    ("//miss/...", "deps(//miss:m)", "--keep_going"),
    ("//miss/...", "deps(//miss:m)"),
    ("//miss/...", "allrdeps(//miss:ok)"),
    ("//...", "allrdeps(//d:x)", "--output=minrank"),
)
"""A universe, a question, and flags."""

_BARE = "--noimplicit_deps"
BELOW: tuple[tuple[str, ...], ...] = (
    (_BARE, "deps(//lacks:t)"),
    (_BARE, "deps(//lacks:t2)"),
    (_BARE, "deps(//lacks:t2, 1)"),
    (_BARE, "deps(//lacks:t2, 19)"),
    (_BARE, "deps(//lacks:t2, 20)"),
    (_BARE, "deps(//lacks:t2)", "--keep_going"),
    (_BARE, "rdeps(//lacks:t, //d:x)"),
    (_BARE, "allpaths(//lacks:t, //d:x)"),
    (_BARE, "somepath(//lacks:t, //d:x)"),
    (_BARE, "//lacks:t"),
    (_BARE, "deps(//lacks:none_there)"),
    (_BARE, "deps(//lacks:none_there, 1)"),
    (_BARE, "deps(//lacks:given)"),
    (_BARE, "deps(buildfiles(//a:r))"),
    (_BARE, "deps(buildfiles(//a:r))", "--keep_going"),
    (_BARE, "deps(buildfiles(//a:r), 2)"),
)
"""Questions to which the options leave out what is not there."""

DIRECT: tuple[tuple[str, ...], ...] = (
    ("'*'",),
    ("'*'", "--keep_going"),
    ("'-//d:x'",),
    ("'*:x'",),
    ("//d:x~y",),
    ("'//d:x~y'",),
)
"""Words that not every Bazel takes for a pattern."""

WRITTEN: tuple[tuple[str, ...], ...] = tuple(
    (_BARE, "--order_output=full", "--noproto:default_values", *flags, expression)
    for expression in (
        "//w:alike",
        "//w:other",
        "//w:only",
        "//w:g",
        "//w:p",
        "deps(//w:alike)",
        "//h:h",
    )
    for flags in (
        ("--output=proto",),
        ("--output=xml",),
        ("--output=xml", "--relative_locations"),
        ("--output=location", "--relative_locations"),
        ("--output=graph",),
        ("--output=build", "--line_terminator_null"),
    )
)


def as_lines(text: str) -> list[str]:
    """The lines of an answer without an order."""
    return sorted(text.splitlines())
