"""What newer Bazels refuse of `macro()`, of rules that extend others, and of `configurable`.

As Bazel's `StarlarkRuleClassFunctions` and the tests of it have it.
"""

from __future__ import annotations

import pytest

from tests.unit.loading.loading_world import Load

_IMPLEMENTATIONS = """
def _rule(ctx):
    return []

def _plain(name, visibility):
    pass

def _any(name, visibility, **kwargs):
    pass

def _computed():
    return "d"

def make_rule():
    return rule(_rule)

def make_macro():
    return macro(implementation = _plain)

def make_aspect(target, ctx):
    return []

"""


def _files(bzl: str, build: str = "") -> dict[str, str]:
    names = [line.split(" = ")[0] for line in bzl.splitlines() if " = " in line[:9]]
    loads = "".join(f', "{name}"' for name in ["make_rule", "make_macro", *names])
    return {
        "MODULE.bazel": "",
        "p/m.bzl": _IMPLEMENTATIONS + bzl + "\n",
        "p/BUILD": f'load(":m.bzl"{loads})\n{build}\n',
    }


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("_plain, attrs = {1: attr.int()}", "got dict<int, Attribute> for 'attrs', want dict<str"),
        ('_plain, attrs = {"x": 1}', "got dict<string, int> for 'attrs', want dict<string, Att"),
        ('_plain, attrs = {"a b": None}', "attribute name `a b` is not a valid identifier."),
        (
            '_plain, attrs = {"name": attr.string()}',
            "Cannot declare a macro attribute named 'name'",
        ),
        (
            '_plain, attrs = {"visibility": None}',
            "Cannot declare a macro attribute named 'visibility'",
        ),
        (
            '_plain, attrs = {"x": attr.label(default = _computed)}',
            "In macro attribute 'x': Macros do not support computed defaults or late-bound def",
        ),
        (
            '_plain, attrs = {"x": attr.label(default = configuration_field("cpp", "zipper"))}',
            "In macro attribute 'x': Macros do not support computed defaults or late-bound def",
        ),
        ('_any, inherit_attrs = "all"', "Invalid 'inherit_attrs' value \"all\"; expected a rule,"),
        ('_plain, inherit_attrs = "common"', "If inherit_attrs is set, implementation function m"),
        (
            "_any, inherit_attrs = struct(r = rule(_rule)).r",
            "a rule or macro callable must be assigned to a global variable in a .bzl file befor",
        ),
        # Fine are attributes that are taken away, and rules of the same file.
        ('_any, inherit_attrs = "common", attrs = {"features": None, "tags": None}', ""),
        ("_any, inherit_attrs = own", ""),
        ('_any, attrs = {"x": attr.string(configurable = False)}', ""),
    ],
)
def test_arguments_of_macro(load: Load, arguments: str, problem: str) -> None:
    bzl = f"own = rule(_rule)\nm = macro(implementation = {arguments})"
    errors = load(_files(bzl), "9.1.0").errors("p")
    assert [error[: len(problem)] for error in errors] == ([problem] if problem else [])


@pytest.mark.parametrize(
    ("parent", "child", "problem"),
    [
        ("", "", ""),
        ("extendable = True", 'attrs = {"deps": attr.label_list(), "own": attr.int()}', ""),
        ("extendable = False", "", "The rule 'parent' is not extendable. Only Starlark rules not"),
        ("output_to_genfiles = True", "", "The rule 'parent' is not extendable. Only Starlark"),
        ("build_setting = config.int()", "", "The rule 'parent' is not extendable. Only Starlark"),
        ("", "test = False", "Omit test parameter when extending rules."),
        ("", "executable = True", "Omit executable parameter when extending rules."),
        ("", "host_fragments = ['x']", "host_fragments are not supported when extending rules (d"),
        ("", "build_setting = config.int()", "build_setting is not supported when extending rul"),
        (
            "",
            'attrs = {"_tool": attr.label()}',
            "attribute `_tool`: private attributes cannot be overridden.",
        ),
        (
            "",
            'attrs = {"text": attr.string()}',
            "attribute `text`: Only label types maybe be overridden.",
        ),
        (
            "",
            'attrs = {"deps": attr.string()}',
            "attribute `deps`: Types of parent and child's attributes mismatch.",
        ),
    ],
)
def test_rules_that_extend_others(load: Load, parent: str, child: str, problem: str) -> None:
    attrs = '{"deps": attr.label_list(), "_tool": attr.label(), "text": attr.string()}'
    bzl = f"parent = rule(_rule, attrs = {attrs}, {parent})\n"
    errors = load(_files(f"{bzl}r = rule(_rule, parent = parent, {child})"), "8.7.0").errors("p")
    assert [error[: len(problem)] for error in errors] == ([problem] if problem else [])


def test_an_attribute_that_a_child_overrides_stays_the_parents(load: Load) -> None:
    bzl = """
aspect_a = aspect(make_aspect)
aspect_b = aspect(make_aspect)
parent = rule(_rule, attrs = {
    "srcs": attr.label_list(allow_files = [".x"], aspects = [aspect_a], mandatory = True),
    "tool": attr.label(default = ":old", executable = True, cfg = "exec"),
})
child = rule(_rule, parent = parent, attrs = {
    "srcs": attr.label_list(default = [":new"], aspects = [aspect_b]),
    "tool": attr.label(default = ":new"),
})
"""
    loaded = load(_files(bzl, 'child(name = "c", srcs = ["f.x"])'), "8.7.0")
    assert loaded.errors("p") == []
    attributes = loaded.rule("//p:c").rule_class.attributes
    assert attributes["srcs"].aspects == ("aspect_a", "aspect_b")
    assert attributes["srcs"].mandatory
    assert attributes["tool"].executable
    assert attributes["tool"].configured.value == "exec"
    assert loaded.value("//p:c", "tool") == "//p:new"


@pytest.mark.parametrize("maker", ["rule", "aspect"])
def test_macros_alone_have_attributes_that_say_whether_they_are_configurable(
    load: Load, maker: str
) -> None:
    function = "_rule" if maker == "rule" else "make_aspect"
    bzl = f'r = {maker}({function}, attrs = {{"x": attr.string(configurable = True)}})'
    (error,) = load(_files(bzl), "8.7.0").errors("p")
    why = "attribute 'x' has the 'configurable' argument set, which is not allowed in"
    assert error == f"{why} {maker} definitions"


@pytest.mark.parametrize(
    ("function", "version", "refused"),
    [
        ("rule", "6.5.0", False),
        ("rule", "7.0.0", True),
        ("rule", "9.1.0", True),
        ("macro", "8.0.0", True),
    ],
)
def test_a_build_file_makes_no_rules(
    load: Load, function: str, version: str, refused: bool
) -> None:
    arguments = "implementation = print" if function == "macro" else "print"
    bzl = f"def make_{function}():\n    return {function}({arguments})\n"
    build = f'load(":m.bzl", "make_{function}")\nmade = make_{function}()\n'
    errors = load({"MODULE.bazel": "", "p/m.bzl": bzl, "p/BUILD": build}, version).errors("p")
    words = f"{function}() can only be used during .bzl initialization (top-level evaluation)"
    assert errors == ([words] if refused else [])


@pytest.mark.parametrize(
    ("attribute", "given", "change"),
    [
        ("int_list(configurable = False)", "[1]", "x.append(2)"),
        ('string_dict(default = {"a": "b"}, configurable = False)', "None", 'x["a"] = "c"'),
        ("string()", '""', "visibility.append(1)"),
    ],
)
def test_what_a_macro_gets_is_frozen(load: Load, attribute: str, given: str, change: str) -> None:
    bzl = f"""
def _impl(name, visibility, x):
    {change}

m = macro(implementation = _impl, attrs = {{"x": attr.{attribute}}})
"""
    (error,) = load(_files(bzl, f'm(name = "m", x = {given})'), "8.7.0").errors("p")
    assert error.startswith("trying to mutate a frozen ")


@pytest.mark.parametrize(("version", "refused"), [("4.2.3", False), ("8.7.0", True)])
@pytest.mark.parametrize("change", ['found["a"] = 1', 'found["data"].append(1)'])
def test_existing_rules_are_frozen(load: Load, version: str, refused: bool, change: str) -> None:
    bzl = f"""
def m():
    native.filegroup(name = "f", data = ["x"])
    found = native.existing_rule("f")
    {change if refused or "append" not in change else "pass"}
"""
    files = {"p/m.bzl": bzl, "p/BUILD": 'load(":m.bzl", "m")\nm()\n', "MODULE.bazel": ""}
    assert bool(load(files, version).errors("p")) == refused


@pytest.mark.parametrize(
    ("made", "problem"),
    [
        ("return 1", "got int for 'return value of provider init()', want dict"),
        ("return {(1,): 2}", "got dict<tuple, int> for 'return value of provider init()', want"),
    ],
)
def test_what_the_init_of_a_provider_returns(load: Load, made: str, problem: str) -> None:
    bzl = f"def _init():\n    {made}\n\nInfo, _new = provider(init = _init)\nvalue = Info()\n"
    (error,) = load(_files(bzl), "8.7.0").errors("p")
    assert error.startswith(problem)


def test_instances_of_two_providers_are_not_added(load: Load) -> None:
    bzl = "A = provider()\nB = provider()\nvalue = A(a = 1) + B(b = 2)\n"
    assert load(_files(bzl), "8.7.0").errors("p") == [
        "Cannot use '+' operator on instances of different providers (A and B)"
    ]


@pytest.mark.parametrize("version", ["0.24.1", "4.2.3", "9.1.0"])
def test_a_file_whose_name_begins_with_a_repositorys_sign(load: Load, version: str) -> None:
    build = 'filegroup(name = "g", srcs = glob(["*.txt"]))\n'
    build += '[name for name in glob(["@*"]) if name != ":@f.txt"] and fail("no colon")\n'
    files = {"MODULE.bazel": "", "p/BUILD": build, "p/@f.txt": "", "p/g.txt": ""}
    loaded = load(files, version)
    assert loaded.errors("p") == []
    assert sorted(map(str, loaded.value("//p:g", "srcs"))) == ["//p:@f.txt", "//p:g.txt"]  # type: ignore[call-overload]


@pytest.mark.parametrize("version", ["4.2.3", "9.0.0"])
@pytest.mark.parametrize(
    ("made", "problem"),
    [
        ("attr.int(default = 1 << 31)", "for parameter 'default' of attribute '', got 2147483648,"),
        ("attr.int(default = -(1 << 31))", ""),
        (
            "attr.int_list(default = [1, 1 << 32])",
            "for element 1 of parameter 'default' of attribute '', got 4294967296, want value in",
        ),
        ("rule(attrs = {})", "rule() missing 1 required positional argument: implementation"),
        ('rule(_rule, cfg = "exec")', "`cfg` must be set to a transition object"),
    ],
)
def test_what_is_refused_of_attributes_and_rules(
    load: Load, made: str, problem: str, version: str
) -> None:
    """Measured: 4.2.3."""
    files = {"p/m.bzl": f"def _rule(ctx):\n    return []\n\nx = {made}\n"}
    files |= {"WORKSPACE": "", "p/BUILD": 'load(":m.bzl", "x")\n'}
    errors = load(files, version).errors("p")
    assert problem in errors[0] if problem else errors == []


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        ("4.2.3", "'config' value has no field or method 'exec'"),  # measured
        ("5.0.0", "`cfg` must be set to a transition object"),
        ("9.0.0", "`cfg` must be set to a transition object"),
    ],
)
def test_a_rule_has_no_execution_transition(load: Load, version: str, problem: str) -> None:
    made = "def _rule(ctx):\n    return []\n\nx = rule(_rule, cfg = config.exec())\n"
    files = {"WORKSPACE": "", "p/m.bzl": made, "p/BUILD": 'load(":m.bzl", "x")\n'}
    assert problem in load(files, version).errors("p")[0]
