"""The questions that are put to Bazel 4.2.3 and to bazelscope, by function and by output."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One `bazel query`: what it is about, the expression, and further flags."""

    about: str
    expression: str
    flags: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((*self.flags, self.expression))


_BARE = ("--noimplicit_deps",)
_NULL = "--line_terminator_null"
_SKY = ("--universe_scope=//...", "--order_output=no", "--noimplicit_deps")

_OF_ASPECTS = (
    "deps(//asp:top, 1)",
    "deps(//asp:top, 2)",
    "deps(//asp:top, 3)",
    "deps(//asp:above, 2)",
    "deps(//asp:above + //asp:top, 2)",
    "deps(//asp:of_files, 2)",
    "deps(//asp:top) ^ deps(//asp:top, 1)",
    "deps(//asp:top, 1) ^ deps(//asp:top)",
    "rdeps(//asp:above, //asp:tool, 1)",
)
"""Steps to what aspects need, which are implicit dependencies."""

_EXPRESSIONS: dict[str, tuple[str, ...]] = {
    "patterns": (
        "//...",
        "//...:*",
        "//a:all",
        "//a:*",
        "//a/...:all-targets",
        "a:main",
        "b",
        "//b",
        "@ext//:all",
        "@ext//...",
        "@ext//:ext",
        "//a:main.out",
        "//a:sub/y.out",
        "//b:BUILD",
        "//b:pg",
    ),
    "operators": (
        "//a:all + //b:b",
        "//a:all union //b:b",
        "//a:* - //a:all",
        "//a:* except kind(rule, //a:*)",
        "//a:all ^ deps(//a:main)",
        "//a:all intersect //a:main",
        "//a:leaf - //a:leaf + //a:leaf",
        "//a:leaf + //a:leaf ^ //b:b",
        "//a:leaf + (//a:leaf ^ //b:b)",
        "//a:main+//a:leaf",
        "set()",
        "set(//a:main //b:b @ext//:ext)",
        "set('//a:main' \"//b:b\") - //b:b",
        "let x = //a:leaf + //b:b in $x - //b:b",
        "let x = //a:leaf in let y = $x + //b:b in $y - $x",
        "//a:al + let x = //a:leaf in $x + $x - //a:leaf",
        "let x = //a:leaf in let x = //b:b in $x",
        "'deps'(//a:leaf, 1)",
        "deps(//a:leaf, '1')",
    ),
    "deps": (
        "deps(//a:main)",
        "deps(//a:main, 0)",
        "deps(//a:main, 1)",
        "deps(//a:main, 2)",
        "deps(//a:all)",
        "deps(//...)",
        "deps(//b:all_tests)",
        "deps(//b:out1.txt)",
        "deps(//b:pg)",
        "deps(//a:al) - deps(//b:b)",
        "deps(//a:vis + //a:d1, 3)",
        "deps(@ext//:ext)",
    ),
    "rdeps": (
        "rdeps(//..., //b:hidden)",
        "rdeps(//..., //b:hidden, 1)",
        "rdeps(//..., //b:hidden, 0)",
        "rdeps(//a:al, //a:leaf, 2)",
        "rdeps(//a:leaf, //b:b)",
        "rdeps(//..., //b:pg)",
        "rdeps(//..., //a:opt)",
        "rdeps(//..., @ext//:f.txt)",
    ),
    "allpaths": (
        "allpaths(//a:al, //b:h.txt)",
        "allpaths(//..., //b:shlib)",
        "allpaths(//a:leaf, //a:al)",
        "allpaths(//a:main, //b:pg2)",
        "allpaths(//a:all, //b:all)",
        "allpaths(//a:main, //a:main)",
    ),
    "somepath": (
        "somepath(//a:mac, //a:main)",
        "somepath(//a:leaf, //a:al)",
        "somepath(//a:d1, //a:leaf)",
        "somepath(//a:vis, @ext//:f.txt)",
        "somepath(//a:plat, //a:cs)",
        "somepath(//a:leaf, //a:leaf)",
    ),
    "kind": (
        "kind(rule, //...:*)",
        "kind('source file', //...:*)",
        "kind('generated file', //...:*)",
        "kind('package group', //...:*)",
        "kind('.*_test rule', //...)",
        "kind('^sh_', //b:all)",
        "kind('test|library', //...)",
        "kind('', //b:*)",
        "kind('alias rule', //...)",
        "kind('rule$', deps(//a:main))",
        r"kind('\bfilegroup\b', //...)",
    ),
    "attr": (
        "attr(name, a, //...)",
        "attr(text, h, //a:all)",
        "attr(text, '^[od]$', //a:all)",
        "attr(deps, '//a:leaf, //b:b', //a:main)",
        "attr(deps, 'shlib, //b:gen', //a:main)",
        "attr(sdict, 'k=v', //a:main)",
        "attr(sldict, '.', //a:all)",
        "attr(keyed, '//b:b=two', //a:all)",
        "attr(flag, 1, //a:all)",
        "attr(flag, 0, //a:all)",
        "attr(count, '^[056]$', //a:all)",
        "attr(ints, '1, 2', //a:all)",
        "attr(tool, '', //a:all)",
        "attr(visibility, private, //...)",
        "attr(visibility, public, //...)",
        "attr(visibility, '//a:__pkg__', //...)",
        "attr(testonly, 1, //...)",
        "attr(tags, '[\\[ ]fast[,\\]]', //b:all)",
        "attr(tags, 'fast, manual', //b:all)",
        "attr(size, '.', //...)",
        "attr(timeout, '.', //...)",
        "attr(generator_function, my_macro, //...)",
        "attr(generator_name, 'mac2?$', //...)",
        "attr(generator_location, 'a/BUILD', //...)",
        "attr(deprecation, '', //a:all)",
        "attr('$private', hidden, //a:all)",
        "attr(_private, hidden, //a:all)",
        "attr('$implicit_tests', small, //b:all)",
        "attr(cmd, 'OUTS', //b:all)",
        "attr(linkstatic, 1, //a:all)",
        "attr(linkopts, s, //a:all)",
        "attr(nosuch, '', //...)",
        "attr(values, opt, //a:all)",
        "attr(flaky, 1, //...)",
        "attr(local, 0, //b:all)",
        "attr(shard_count, '^(-1|3)$', //b:all)",
        "attr(outs, out1, //b:all)",
        "attr(licenses, '', //a:all)",
        "attr(licenses, none, kind('filegroup|sh_', //...))",
        "attr(srcs_version, PY3, //a:all)",
    ),
    "filter": (
        "filter(a, //...)",
        "filter('^//a:m', //...:*)",
        r"filter('\.txt$', //...:*)",
        r"filter('\Q.txt\E', //...:*)",
        r"filter('\p{Digit}', //...:*)",
        "filter('@ext', deps(//b:b))",
        "filter('^//b:', siblings(//b:b))",
        "filter('', //a:all)",
        "filter('a|b:b$', //...)",
    ),
    "labels": (
        "labels(srcs, //a:main + //b:b)",
        "labels(deps, //a:all)",
        "labels(outs, //b:gen)",
        "labels(out, //a:all)",
        "labels(tool, //a:main)",
        "labels(keyed, //a:main)",
        "labels('$private', //a:leaf)",
        "labels(_private, //a:leaf)",
        "labels(nosuch, //...)",
        "labels(actual, //a:al)",
        "labels(tests, //b:all)",
        "labels('$implicit_tests', //b:all)",
        "labels(cmd, //b:gen)",
        "labels(data, //b:all)",
        "labels(srcs, //b:in.txt)",
    ),
    "tests": (
        "tests(//b:all)",
        "tests(//...)",
        "tests(//b:fast)",
        "tests(//b:all_tests)",
        "tests(//b:some_tests)",
        "tests(//b:sub_suite)",
        "tests(//b:not_a_test)",
        "tests(//b:shlib)",
    ),
    "buildfiles": (
        "buildfiles(//a:leaf)",
        "buildfiles(//...)",
        "buildfiles(deps(//a:main))",
        "buildfiles(@ext//:ext)",
        "buildfiles(//b:b)",
        "buildfiles(set())",
        "buildfiles(buildfiles(//a:leaf))",
    ),
    "loadfiles": (
        "loadfiles(//a:leaf)",
        "loadfiles(//...)",
        "loadfiles(//b:b)",
        "loadfiles(set())",
        "loadfiles(deps(//a:main))",
    ),
    "siblings": (
        "siblings(//a:leaf)",
        "siblings(//b:in.txt)",
        "siblings(@ext//:ext + //lib:all)",
        "siblings(set())",
        "siblings(//b:gen) - //b:all",
    ),
    "same_pkg_direct_rdeps": (
        "same_pkg_direct_rdeps(//b:shlib)",
        "same_pkg_direct_rdeps(//a:leaf)",
        "same_pkg_direct_rdeps(//b:in.txt + //b:pg2)",
        "same_pkg_direct_rdeps(//a:opt)",
        "same_pkg_direct_rdeps(set())",
    ),
    "some": (
        "some(//a:main)",
        "some(deps(//a:cs))",
        "some(//b:b + //b:b)",
        "some(kind(platform, //a:all))",
        "some(some(//a:leaf))",
    ),
    "visible": (
        "visible(//a:leaf, //b:all)",
        "visible(//a:leaf, //...:*)",
        "visible(//b:b, //...:*)",
        "visible(set(), //a:all)",
        "visible(//a:leaf + //b:b, //a:all)",
        "visible(//lib:rules.bzl, //...)",
        "visible(@ext//:ext, //...:*)",
        "visible(//a:leaf + @ext//:ext, //... + @ext//:*)",
        "visible(//javatests/x:tests, //java/x:*)",
        "visible(//java/x:private, //javatests/x:*)",
    ),
}

_UNIVERSAL: dict[str, tuple[str, ...]] = {
    "allrdeps": (
        "allrdeps(//a:leaf)",
        "allrdeps(//b:hidden, 1)",
        "allrdeps(//b:h.txt, 2)",
        "allrdeps(//a:cc2 + //b:shlib)",
        "allrdeps(//b:pg)",
        "allrdeps(//a:leaf, 0)",
    ),
    "rbuildfiles": (
        "rbuildfiles(lib/consts.bzl)",
        "rbuildfiles(lib/rules.bzl, b/BUILD)",
        "rbuildfiles(nosuch.bzl)",
        "rbuildfiles(a/BUILD)",
        "rbuildfiles(lib/consts.bzl, nosuch.bzl, b/BUILD)",
    ),
}

FUNCTIONS = tuple(
    Case(about, expression, _BARE)
    for about, expressions in _EXPRESSIONS.items()
    for expression in expressions
)
FUNCTIONS += tuple(Case("aspects", expression) for expression in _OF_ASPECTS)
UNIVERSAL = tuple(
    Case(about, expression, _SKY)
    for about, expressions in _UNIVERSAL.items()
    for expression in expressions
)

_IN_FULL = ("--noimplicit_deps", "--order_output=full", "--relative_locations")
_WIDE = ("//...", "//...:*", "deps(//a:main)", "deps(//a:all, 1)", "//a:main + //b:gen", "set()")
_OUTPUTS: dict[str, tuple[str, ...]] = {
    "label_kind": (),
    "location": (),
    "package": (),
    "build": (),
    "xml": (),
    "graph": ("--order_output=full",),
    "minrank": ("--order_output=full",),
    "maxrank": ("--order_output=full",),
}

OUTPUTS = (
    *(
        Case(f"--output={output}", expression, (*_BARE, *flags, f"--output={output}"))
        for output, flags in _OUTPUTS.items()
        for expression in _WIDE
    ),
    *(
        Case(
            "--output=graph", expression, (*_BARE, "--order_output=full", "--output=graph", *flags)
        )
        for expression in ("deps(//a:main)", "//...", "deps(//...)")
        for flags in (
            ("--nograph:factored",),
            ("--graph:conditional_edges_limit=2",),
            ("--graph:conditional_edges_limit=-1",),
            ("--graph:conditional_edges_limit=0",),
            ("--graph:node_limit=60",),
            ("--graph:node_limit=-1",),
        )
    ),
    *(
        Case("--output=xml", expression, (*_BARE, "--output=xml", flag))
        for expression in ("//...:*", "buildfiles(//a:leaf)")
        for flag in ("--noxml:line_numbers", "--relative_locations")
    ),
    *(
        Case("--xml:default_values", expression, (*_BARE, "--output=xml", "--xml:default_values"))
        for expression in ("//a:leaf", "//a:main", "//a:sel", "//b:all", "//b:gen")
    ),
    Case("--output=label", "deps(//a:main)", (*_BARE, "--line_terminator_null")),
    Case("--output=label_kind", "buildfiles(//...)", (*_BARE, "--output=label_kind")),
    Case("--output=location", "//...:*", (*_BARE, "--output=location", "--relative_locations")),
    Case(
        "--output=location",
        "//...:*",
        (*_BARE, "--output=location", "--incompatible_display_source_file_location"),
    ),
    Case("--output=build", "//...", (*_BARE, "--output=build", "--relative_locations")),
    Case("--notool_deps", "deps(//a:main)", (*_BARE, "--notool_deps")),
    Case("--notool_deps", "deps(//...)", (*_BARE, "--notool_deps")),
    Case("--notool_deps", "//...", (*_BARE, "--notool_deps", "--output=xml")),
    Case("--nonodep_deps", "deps(//a:main)", (*_BARE, "--nonodep_deps")),
    Case("--nonodep_deps", "deps(//...:*)", (*_BARE, "--nonodep_deps")),
    Case("--implicit_deps", "deps(//a:main, 2) ^ //...:*", ()),
    Case("--implicit_deps", "rdeps(//..., //b:hidden)", ()),
    Case("--implicit_deps", "deps(//b:gen, 1)", ()),
    Case("--implicit_deps", "//a:all", ()),
    Case("--implicit_deps", "deps(//b:small_test, 1)", ()),
    Case("--implicit_deps", "//b:all", ("--output=xml",)),
    Case("--keep_going", "//a:nosuch + //a:leaf + //nopkg:x", (*_BARE, "--keep_going")),
    Case("--keep_going", "deps(//nopkg/... + //a:leaf)", (*_BARE, "--keep_going")),
    *(
        Case(f"--order_output={order}", expression, (*_BARE, f"--order_output={order}", *flags))
        for order in ("full", "deps", "auto")
        for expression, flags in (
            ("somepath(//a:mac, //a:main)", ()),
            ("somepath(//a:mac, //a:main)", ("--output=minrank",)),
        )
    ),
    *(
        Case(f"--order_output={order}", expression, (*_BARE, f"--order_output={order}"))
        for order in ("full", "auto")
        for expression in ("//...:*", "deps(//a:all)", "rdeps(//..., //b:hidden)")
    ),
    *(
        Case("--line_terminator_null", expression, (*_BARE, "--line_terminator_null", *flags))
        for expression in ("//a:all", "set()")
        for flags in (
            (),
            ("--output=label_kind",),
            ("--output=location", "--relative_locations"),
            ("--output=package",),
        )
    ),
    *(
        Case("--relative_locations", expression, (*_IN_FULL, f"--output={output}"))
        for output in ("location", "xml")
        for expression in ("deps(//a:main)", "@ext//:*", "//...:*")
    ),
    *(
        Case("--keep_going", expression, (*_BARE, "--keep_going"))
        for expression in (
            "deps(//a:nosuch)",
            "//nopkg:all",
            "rdeps(//a:all + //nopkg/..., //a:leaf)",
        )
    ),
    *(
        Case("--notool_deps", expression, (*_BARE, "--notool_deps"))
        for expression in (
            "rdeps(//..., //b:shlib)",
            "somepath(//a:main, //b:shlib)",
            "allpaths(//a:main, //b:in.txt)",
            "labels(tool, //a:main)",
            "same_pkg_direct_rdeps(//b:shlib)",
        )
    ),
    *(
        Case("--strict_test_suite", expression, (*_BARE, "--strict_test_suite"))
        for expression in ("tests(//b:all_tests)", "tests(//b:fast)")
    ),
    Case("--infer_universe_scope", "deps(//a:leaf)", (*_BARE, "--infer_universe_scope")),
    Case("--universe_scope", "deps(//a:leaf)", (*_BARE, "--universe_scope=//...")),
    Case("--order_output", "deps(//a:main)", (*_BARE, "--order_output=full")),
)

_EVERYTHING = "//...:*"

BINARY = (
    *(
        Case(f"--output={output}", expression, (*_IN_FULL, f"--output={output}"))
        for output in ("proto", "streamed_proto")
        for expression in (
            _EVERYTHING,
            "//a:main",
            "//a:sel",
            "//b:gen",
            "//b:pg + //b:pg2",
            "//a:main.out + //b:out1.txt",
            "//b:all",
            "buildfiles(//a:leaf)",
            "@ext//:*",
            "set()",
        )
    ),
    *(
        Case(f"--{flag.partition('=')[0]}", _EVERYTHING, (*_IN_FULL, "--output=proto", f"--{flag}"))
        for flag in (
            "noproto:flatten_selects",
            "noproto:default_values",
            "noproto:locations",
            "noproto:rule_inputs_and_outputs",
            "proto:output_rule_attrs=srcs,deps",
            "proto:output_rule_attrs=",
            "proto:instantiation_stack",
            "proto:definition_stack",
        )
    ),
)

_CONFIGURED: dict[str, tuple[str, ...]] = {
    "cquery patterns": ("//a:main", "//b:b", "//a:al", "set(//a:leaf //b:in.txt)", "//a:mac2"),
    "cquery deps": ("deps(//a:main)", "deps(//a:main, 1)", "deps(//a:al)", "deps(//a:sel)"),
    "cquery rdeps": (
        "rdeps(//a:al, //b:hidden)",
        "rdeps(//a:al, //b:hidden, 1)",
        "rdeps(//a:main, //b:shlib)",
    ),
    "cquery allpaths": ("allpaths(//a:al, //b:h.txt)", "allpaths(//a:main, //b:in.txt)"),
    "cquery somepath": ("somepath(//a:mac, //a:main)", "somepath(//a:plat, //a:cs)"),
    "cquery config": (
        "config(//b:b, target)",
        "config(deps(//b:gen), host)",
        "config(//b:b.txt, null)",
    ),
    "cquery kind": ("kind(rule, deps(//a:main))", "kind('source file', deps(//b:gen))"),
    "cquery attr": (
        "attr(text, '^o$', //a:sel)",
        "attr(text, '^d$', //a:sel)",
        "attr(flag, 1, //a:sel + //a:main)",
        "attr(texts, 'z, only', //a:sel)",
    ),
    "cquery filter": ("filter(txt, deps(//a:main))",),
    "cquery labels": (
        "labels(deps, //a:main)",
        "labels(srcs, //a:main)",
        "labels(tool, //a:main)",
        "labels(tool, //a:sel)",
    ),
    "cquery tests": ("tests(//b:small_test + //b:sub_suite)",),
    "cquery operators": (
        "deps(//a:main) - deps(//b:b)",
        "deps(//a:main) ^ deps(//b:gen)",
        "let x = //a:leaf in $x + //b:b",
    ),
}

CONFIGURED = (
    *(
        Case(about, expression, ("-c", "opt", *_BARE))
        for about, expressions in _CONFIGURED.items()
        for expression in expressions
    ),
    *(
        Case("cquery --notool_deps", expression, ("-c", "opt", *_BARE, "--notool_deps"))
        for expression in ("deps(//a:main)", "deps(//b:gen)")
    ),
    *(
        Case("cquery flags", "deps(//a:main)", flags)
        for flags in (("-c", "dbg", *_BARE), ("-c", "dbg", "--define=a=b", *_BARE))
    ),
    *(
        Case(f"cquery --output={output}", expression, ("-c", "opt", *_BARE, f"--output={output}"))
        for output in ("label_kind", "build", "graph")
        for expression in ("//a:main", "//a:sel", "deps(//b:b)")
    ),
    *(
        Case("cquery --line_terminator_null", "//a:main", ("-c", "opt", *_BARE, _NULL, *flags))
        for flags in ((), ("--output=label_kind",), ("--output=build",), ("--output=graph",))
    ),
)
