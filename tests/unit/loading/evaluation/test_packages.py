"""BUILD files to packages: targets, files, errors."""

from __future__ import annotations

import pytest

from bazelscope.base.label import PackageId
from bazelscope.loading.packages.targets import InputFile, NoSuchPackage, OutputFile, PackageGroup
from tests.unit.loading.loading_world import Load, label, shown


def test_rules_and_the_files_they_name(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                cc_library(name = "lib", srcs = ["lib.cc", ":gen.cc"], deps = ["//q:other"])
                genrule(name = "gen", srcs = ["in.txt"], outs = ["gen.cc"], cmd = "x")
                cc_binary(name = "bin", srcs = select({":on": ["a.cc"], ":off": []}))
            """,
        }
    )
    assert loaded.kinds("p") == {
        "a.cc": "source file",
        "bin": "cc_binary rule",
        "bin.dwp": "generated file",
        "bin.stripped": "generated file",
        "gen": "genrule rule",
        "gen.cc": "generated file",
        "in.txt": "source file",
        "lib": "cc_library rule",
        "lib.cc": "source file",
        "off": "source file",
        "on": "source file",
    }
    generated = loaded.package("p").targets["gen.cc"]
    assert isinstance(generated, OutputFile)
    assert generated.generating_rule == label("//p:gen")
    assert loaded.errors("p") == []
    assert shown(loaded.rule("//p:gen").outputs) == ["//p:gen.cc"]


def test_files_that_are_no_dependency_are_no_targets(load: Load) -> None:
    loaded = load({"p/BUILD": 'filegroup(name = "f", visibility = ["//p:group", ":local"])\n'})
    assert loaded.kinds("p") == {"f": "filegroup rule"}
    assert loaded.value("//p:f", "visibility") == ["//p:group", "//p:local"]


def test_exported_files_and_package_groups(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                exports_files(["x.txt"])
                package_group(name = "g", packages = ["//a/..."], includes = [":h"])
            """
        }
    )
    file, group = (loaded.package("p").targets[name] for name in ("x.txt", "g"))
    assert isinstance(file, InputFile) and file.is_exported
    assert isinstance(group, PackageGroup)
    assert (group.packages, shown(group.includes)) == (("//a/...",), ["//p:h"])


@pytest.mark.parametrize("made", ["[m(name = n) for n in N]", "{n: m(name = n) for n in N}"])
def test_a_comprehension_is_no_frame(load: Load, made: str) -> None:
    loaded = load(
        {
            "p/m.bzl": "def m(name):\n    native.filegroup(name = name)\n",
            "p/BUILD": f'load(":m.bzl", "m")\nN = ["a"]\nX = {made}\n',
        }
    )
    rule = loaded.rule("//p:a")
    assert (rule.generator_name, rule.generator_function) == ("a", "m")
    assert [(frame.function, frame.location.short) for frame in rule.call_stack] == [
        ("<toplevel>", "p/BUILD:3"),
        ("m", "p/m.bzl:2"),
    ]


def test_macros_leave_their_call_stack(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                load(":m.bzl", "outer")
                outer(
                    name = "made",
                )
                outer("positional")
                filegroup(name = "plain")
            """,
            "p/m.bzl": """
                def inner(name):
                    native.filegroup(name = name + "_x")

                def outer(name):
                    inner(name)
            """,
        }
    )
    rule = loaded.rule("//p:made_x")
    assert [(f.function, f.location.short) for f in rule.call_stack] == [
        ("<toplevel>", "p/BUILD:2"),
        ("outer", "p/m.bzl:5"),
        ("inner", "p/m.bzl:2"),
    ]
    assert str(rule.location) == "p/BUILD:2:6"
    assert (rule.generator_name, rule.generator_function) == ("made", "outer")
    # Without a literal `name`, Bazel takes the rule's own.
    assert loaded.rule("//p:positional_x").generator_name == "positional_x"
    plain = loaded.rule("//p:plain")
    assert (plain.generator_name, plain.generator_function) == (None, None)


def test_package_defaults(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                package(default_visibility = ["//visibility:public"], default_testonly = 1)
                filegroup(name = "a")
                filegroup(name = "b", visibility = ["//visibility:private"])
            """
        }
    )
    assert shown(loaded.package("p").default_visibility) == ["//visibility:public"]
    assert loaded.value("//p:a", "visibility") == ["//visibility:public"]
    assert loaded.value("//p:b", "visibility") == ["//visibility:private"]
    attribute = loaded.rule("//p:a").attribute("testonly")
    assert attribute is not None
    assert (attribute.value, attribute.is_explicit) == (True, False)


@pytest.mark.parametrize(
    ("package", "statement", "testonly"),
    [
        ("javatests/p", "", True),
        ("javatests/p", "package(default_testonly = 0)", False),
        ("javatests", "", False),
        ("java/javatests", "", False),
    ],
)
def test_what_lies_below_javatests_is_for_tests(
    load: Load, package: str, statement: str, testonly: bool
) -> None:
    loaded = load({f"{package}/BUILD": f'{statement}\nfilegroup(name = "a")\n'})
    attribute = loaded.rule(f"//{package}:a").attribute("testonly")
    assert (attribute is not None and attribute.value) is testonly


def test_a_later_change_of_a_list_does_not_reach_the_rule(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                load(":m.bzl", "m")
                m()
            """,
            "p/m.bzl": """
                def m():
                    srcs = ["a"]
                    native.filegroup(name = "f", srcs = srcs)
                    srcs.append("b")
            """,
        }
    )
    assert loaded.value("//p:f", "srcs") == ["//p:a"]


@pytest.mark.parametrize(
    ("build", "error"),
    [
        ('genrule(name = "g", cmd = "")', "missing value for mandatory attribute 'outs'"),
        ('filegroup(name = "g", nonsense = 1)', "no such attribute 'nonsense' in 'filegroup'"),
        ('filegroup(name = "g", srcs = "a")', "for attribute 'srcs' in 'filegroup' rule"),
        ('filegroup(name = "g", srcs = ["a", ":a"])', "Label '//p:a' is duplicated in the 'srcs'"),
        ('filegroup(name = "g", srcs = ["a:b:c"])', "invalid label"),
        ('filegroup(name = "g", tags = select({"//conditions:default": []}))', "not configurable"),
        ('filegroup(name = "g", distribs = ["x"])', "Invalid distribution type 'x'"),
        (
            'filegroup(name = "g", srcs = select({":a": ["b"], ":c": [1]}))',
            "attribute 'srcs' in 'filegroup' rule (including '//p:c'), but got 1 (int)",
        ),
    ],
)
def test_errors_cost_only_themselves(load: Load, build: str, error: str) -> None:
    loaded = load({"p/BUILD": f'{build}\nfilegroup(name = "rest")\n'})
    assert any(error in message for message in loaded.errors("p")), loaded.errors("p")
    assert "rest" in loaded.kinds("p")


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("filegroup()", "filegroup rule has no 'name' attribute"),
        ('filegroup(name = "before")', "conflicts with existing filegroup rule"),
        ('filegroup(name = "a:b//c")', "illegal rule name"),
        ("filegroup(name = 3)", "must be a string"),
        ('filegroup("x")', "unexpected positional arguments"),
        ('genrule(name = "g", outs = ["o", "o"], cmd = "")', "conflicts with existing"),
        (
            'genrule(name = "g", outs = ["x"], cmd = "", srcs = ["x"])',
            "rule 'g' has file 'x' as both an input and an output",
        ),
        ('genrule(name = "g", outs = ["o", "o/p"], cmd = "")', "conflicting output files"),
        ('package_group(name = "before")', "conflicts with existing filegroup rule"),
        ('exports_files(["../f"])', "up-level references"),
        ('exports_files(["f"])\nexports_files(["f"], visibility = ["//a:__pkg__"])', "twice"),
        ("package(default_testonly = 1)\npackage(default_testonly = 1)", "used once"),
        ("package(nonsense = 1)", "unexpected keyword"),
    ],
)
def test_what_ends_the_file(load: Load, statement: str, error: str) -> None:
    # Measured: 4.2.3 has nothing of what stands behind any of these, 0.24.1 has.
    files = {"p/BUILD": f'filegroup(name = "before")\n{statement}\nfilegroup(name = "behind")\n'}
    loaded = load(files, "4.2.3")
    assert any(error in message for message in loaded.errors("p")), loaded.errors("p")
    assert {"before"} <= set(loaded.kinds("p"))
    assert "behind" not in loaded.kinds("p")
    assert {"before", "behind"} <= set(load(files, "0.24.1").kinds("p"))


@pytest.mark.parametrize(("version", "goes_on"), [("0.26.1", True), ("2.1.0", False)])
def test_a_failing_statement_ends_the_file(load: Load, version: str, goes_on: bool) -> None:
    # Measured: 0.24.1 and 0.26.1 go on behind it, 2.1.0 and 4.2.3 do not.
    loaded = load(
        {
            "p/BUILD": """
                filegroup(name = "a")
                x = {}["missing"]
                filegroup(name = "b", srcs = x)
            """
        },
        version,
    )
    assert ("b" in loaded.kinds("p")) is goes_on
    assert "a" in loaded.kinds("p")
    assert len(loaded.errors("p")) == 1
    assert not loaded.package("p").is_complete


def test_duplicate_names(load: Load) -> None:
    loaded = load({"p/BUILD": 'filegroup(name = "x")\ncc_library(name = "x")\n'})
    assert loaded.kinds("p") == {"x": "filegroup rule"}
    (message,) = loaded.errors("p")
    assert message == (
        "cc_library rule 'x' in package 'p' conflicts with existing filegroup rule, defined at"
        " p/BUILD:1:10"
    )


def test_two_rules_of_one_output(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                genrule(name = "a", outs = ["o"], cmd = "")
                genrule(name = "b", outs = ["o"], cmd = "")
            """
        }
    )
    (message,) = loaded.errors("p")
    assert message == (
        "generated file 'o' in rule 'b' conflicts with existing generated file from rule 'a',"
        " defined at p/BUILD:1:8"
    )


def test_labels_over_a_border(load: Load) -> None:
    loaded = load(
        {
            "s/BUILD": 'filegroup(name = "f", srcs = ["t/x", "u/v"])\n',
            "s/t/BUILD": "",
            "s/u/v": "",
        }
    )
    (message,) = loaded.errors("s")
    assert message == (
        "Label '//s:t/x' is invalid because 's/t' is a subpackage; perhaps you meant to put the"
        " colon here: '//s/t:x'?"
    )
    assert loaded.kinds("s") == {"f": "filegroup rule", "u/v": "source file"}


def test_suites_without_tests_take_the_package_s(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                sh_test(name = "a", srcs = ["a.sh"], tags = ["slow"])
                sh_test(name = "b", srcs = ["b.sh"], size = "small")
                sh_test(name = "c", srcs = ["c.sh"], tags = ["slow", "manual"])
                test_suite(name = "all")
                test_suite(name = "slow", tags = ["slow"])
                test_suite(name = "small", tags = ["small"])
                test_suite(name = "fast", tags = ["-slow"])
                test_suite(name = "one", tests = [":c"])
            """
        }
    )
    implicit = {
        name: loaded.value(f"//p:{name}", "$implicit_tests")
        for name in ("all", "slow", "small", "fast", "one")
    }
    assert implicit == {
        "all": ["//p:a", "//p:b"],
        "slow": ["//p:a"],
        "small": ["//p:b"],
        "fast": ["//p:b"],
        "one": [],
    }


def test_existing_rules(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                load(":m.bzl", "copy")
                filegroup(name = "a", srcs = ["x", "//q:y"], tags = ["t"])
                copy("a", "b")
            """,
            "p/m.bzl": """
                def copy(old, new):
                    rule = native.existing_rule(old)
                    if native.existing_rule("none") or len(native.existing_rules()) != 1:
                        fail("wrong")
                    native.filegroup(name = new, srcs = rule["srcs"], tags = [rule["kind"]])
            """,
        }
    )
    assert loaded.errors("p") == []
    assert loaded.value("//p:b", "srcs") == ["//p:x", "//q:y"]
    assert loaded.value("//p:b", "tags") == ["filegroup"]


def test_what_a_file_does_to_an_existing_rule_it_does_to_its_own_copy(load: Load) -> None:
    build = """
        load(":m.bzl", "change")
        genrule(name = "a", outs = ["o"], cmd = "x", exec_properties = {"k": "v"})
        change()
    """
    change = """
        def change():
            for rules in (native.existing_rules(), {"a": native.existing_rule("a")}):
                rules["a"]["exec_properties"]["more"] = "w"
                rules["a"]["cmd"] = "y"
            again = native.existing_rules()["a"]
            native.filegroup(name = again["cmd"] + again["exec_properties"].get("more", "0"))
    """
    loaded = load({".bazelversion": "4.2.3", "p/BUILD": build, "p/m.bzl": change})
    assert loaded.errors("p") == []
    assert "x0" in loaded.kinds("p")


def test_no_package(load: Load) -> None:
    loaded = load({"p/BUILD": "", "ignored/BUILD": "", ".bazelignore": "ignored\n"})
    for name in ("nowhere", "ignored", "../x"):
        assert isinstance(loaded.loader.package(PackageId("", name)), NoSuchPackage)
    assert loaded.loader.trees.packages() == (PackageId("", "p"),)


def test_deleted_packages(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": 'filegroup(name = "f", srcs = glob(["**"]))\n',
            "p/q/BUILD": "",
            "p/q/file": "",
        },
        deleted_packages=frozenset({"p/q"}),
    )
    assert loaded.loader.trees.packages() == (PackageId("", "p"),)
    assert loaded.value("//p:f", "srcs") == ["//p:BUILD", "//p:q/BUILD", "//p:q/file"]


def test_native_in_build_files_of_old_bazels(load: Load) -> None:
    files = {"p/BUILD": 'native.filegroup(name = "f")\n'}
    assert load(files, "0.24.1").kinds("p") == {"f": "filegroup rule"}
    assert load(files, "4.2.3").kinds("p") == {}


PUBLIC = 'visibility = ["//visibility:public"]'
PRIVATE = 'visibility = ["//visibility:private"]'
OWN = 'visibility = ["//a:__pkg__"]'

# What the calls export: whether Bazel 4.2.3 says "declared twice".
EXPORTED_TWICE = {
    f'exports_files(["x", "x"], {PUBLIC})': False,
    f'exports_files(["x", "x"], {OWN})': False,
    f'exports_files(["x"], {PUBLIC})\nexports_files(["x"], {PUBLIC})': False,
    f'exports_files(["x"], {PRIVATE})\nexports_files(["x"], {PRIVATE})': False,
    f'exports_files(["x"], {PUBLIC})\nexports_files(["x"])': False,
    f'exports_files(["x"])\nexports_files(["x"], {PUBLIC})': False,
    'exports_files(["x"])\nexports_files(["x"])': False,
    f'exports_files(["x"])\nexports_files(["x"], {PRIVATE})': True,
    f'exports_files(["x"], {PUBLIC})\nexports_files(["x"], {PRIVATE})': True,
    f'exports_files(["x"], {OWN})\nexports_files(["x"])': True,
    f'exports_files(["x"], {OWN})\nexports_files(["x"], {OWN})': True,
    'exports_files(["x", "x"], visibility = [])': False,
    'exports_files(["x"], visibility = [])\nexports_files(["x"], visibility = [])': True,
}


@pytest.mark.parametrize(("text", "refused"), EXPORTED_TWICE.items(), ids=EXPORTED_TWICE)
def test_a_file_may_be_exported_again_with_the_same_visibility(
    load: Load, text: str, refused: bool
) -> None:
    told = ["visibility for exported file 'x' declared twice"] if refused else []
    assert load({"p/BUILD": text}).errors("p") == told


def test_names_reach_into_what_is_ignored(load: Load) -> None:
    # Measured with 4.2.3 and 2.1.0: there is no package, whatever BUILD files there are.
    loaded = load(
        {
            ".bazelignore": "n\nm\n",
            "n/BUILD": "",
            "n/y/BUILD": "",
            "BUILD": 'filegroup(name = "n/t", srcs = ["m/x", "n/x", "n/y/z"])\n',
        }
    )
    assert not loaded.errors("")
    assert loaded.kinds("")["n/t"] == "filegroup rule"
