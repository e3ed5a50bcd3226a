"""What Bazel refuses of functions of BUILD files and of attributes, as its own tests have it."""

from __future__ import annotations

import pytest

from tests.unit.loading.loading_world import Load

_TWICE = "licenses for exported file 'a.cc' declared twice"
_DEPSET = "in call to exports_files(), parameter 'visibility' got value of type 'depset'"
_LAMBDA = "functions may not be defined in BUILD files. You may move the function to a .bzl file"
_FUNCTION = "parameter 'default' got value of type 'function'"


@pytest.mark.parametrize(
    ("build", "problem", "versions"),
    [
        # Measured with 4.2.3, but for lambda and subpackages(), which it lacks.
        ('exports_files(["a.cc"], licenses = ["notice"])\n' * 2, _TWICE, ("4.2.3", "9.1.0")),
        (
            'exports_files(["a.cc"], licenses = ["notice"])\nexports_files(["a.cc"])\n',
            "",
            ("4.2.3", "9.1.0"),
        ),
        (
            'exports_files([], visibility = depset(["//a:b"]))',
            f"{_DEPSET}, want 'sequence or NoneType'",
            ("4.2.3", "9.1.0"),
        ),
        (
            'package(default_compatible_with = ["//e", "//f", "//e:e"])',
            "label '//e:e' is duplicated in the 'default_compatible_with' list of 'package p'",
            ("4.2.3", "9.1.0"),
        ),
        (
            'package(default_restricted_to = ["//e", "//e"])',
            "label '//e:e' is duplicated in the 'default_restricted_to' list of 'package p'",
            ("4.2.3", "8.7.0"),
        ),
        (
            "sorted([2, 1], key = lambda one: -one)",
            f"{_LAMBDA} and load it.",
            ("7.0.0", "9.1.0"),
        ),
        ("subpackages()", "subpackages() missing 1 required named argument: include", ("8.7.0",)),
    ],
)
def test_calls(load: Load, build: str, problem: str, versions: tuple[str, ...]) -> None:
    for version in versions:
        errors = load({"MODULE.bazel": "", "p/BUILD": build, "p/a.cc": ""}, version).errors("p")
        assert errors == ([problem] if problem else []), version


@pytest.mark.parametrize(
    ("bzl", "problem"),
    [
        (
            'r = rule(_impl, attrs = {"tags": attr.int()})',
            "attribute `tags`: built-in attributes cannot be overridden.",
        ),
        (
            'r = rule(_impl, attrs = {"name": attr.string()})',
            "attribute `name`: built-in attributes cannot be overridden.",
        ),
        (
            'r = rule(_impl, executable = True, attrs = {"args": attr.int()})',
            "attribute `args`: built-in attributes cannot be overridden.",
        ),
        ('r = rule(_impl, attrs = {"args": attr.int()})', ""),
        *(
            (
                f"x = attr.{kind}(default = _impl)",
                f"in call to {kind}(), {_FUNCTION}, want '{wanted}'",
            )
            for kind, wanted in [
                ("string", "string"),
                ("int", "int"),
                ("bool", "bool"),
                ("string_list", "sequence"),
                ("int_list", "sequence"),
                ("string_dict", "dict"),
                ("string_list_dict", "dict"),
            ]
        ),
        ("x = [attr.label(default = _impl), attr.label_list(default = _impl)]", ""),
    ],
)
def test_attributes(load: Load, bzl: str, problem: str) -> None:
    files = {
        "MODULE.bazel": "",
        "p/m.bzl": f"def _impl(ctx):\n    return []\n\n{bzl}\nloaded = 1\n",
        "p/BUILD": 'load(":m.bzl", "loaded")\n',
    }
    assert load(files, "9.1.0").errors("p") == ([problem] if problem else [])


def test_macros_declare_no_environments(load: Load) -> None:
    files = {
        "MODULE.bazel": "",
        "p/m.bzl": """
            def _impl(name, visibility):
                native.environment(name = name)

            m = macro(implementation = _impl)
        """,
        "p/BUILD": 'load(":m.bzl", "m")\nm(name = "e")\n',
    }
    assert load(files, "9.1.0").errors("p") == [
        "environment rule can only be instantiated while evaluating a BUILD file or legacy macro"
    ]
