"""What options of loading refuse or take, in the words of each Bazel: measured with 0.24.1,
0.26.1, 2.1.0 and 4.2.3, later releases as Bazel's source has it."""

from __future__ import annotations

import pytest

from bazelscope.questions.shared.loading_flags import FLAGS_OF_FACTS
from tests.unit.loading.loading_world import Load, Loaded

_IMPL = "def _impl(ctx):\n    pass\n"
_RULE = 'load(":d.bzl", "r")\nr(name = "x")\n'
_LATE_LOAD = {"a/d.bzl": 'X = 1\nload(":e.bzl", "Z")\nr = Z\n', "a/e.bzl": "Z = print\n"}
_CALLED = "load() statements must be called before any other statement. First non-load() statement"
_ENABLED = "is deprecated and will be removed soon. It may be temporarily re-enabled by setting"
_LACKS = (
    "third-party rule '//third_party/a:x' lacks a license declaration with one of the following"
    " types: notice, reciprocal, permissive, restricted, unencumbered, by_exception_only"
)


def _loaded(load: Load, files: dict[str, str], version: str, option: str) -> Loaded:
    facts = {}
    if option:
        name, _, value = option.partition("=")
        fact, is_opposite = FLAGS_OF_FACTS[name]
        facts[fact] = (value != "false") is not is_opposite
    return load(files, version=version, facts=facts)


def _rule(options: str, attributes: str = "") -> dict[str, str]:
    made = f"{_IMPL}\nr = rule(_impl, attrs = {{{attributes}}}, {options})\n"
    return {"a/d.bzl": made, "a/BUILD": _RULE}


_TWICE = (
    "Can not set both default_package_metadata and default_applicable_licenses. Move all"
    " declarations to default_package_metadata."
)
_SINGLE = _rule("", '"l": attr.label(single_file = True)')
_DEFAULT = _rule("", '"l": attr.output(default = "x.o")')
_DATA = _rule("", '"l": attr.label(cfg = "data")')
_OUTPUTS = _rule('outputs = {"o": "%{name}.o"}')
_NONE = _rule("") | {"a/BUILD": 'load(":d.bzl", "r")\nr(name = "x", foo = None)\n'}
_ANDROID = {"a/BUILD": 'load(":d.bzl", "X")\n', "a/d.bzl": "X = [AndroidSdkInfo]\n"}
_NO_ANDROID = "name 'AndroidSdkInfo' is not defined"
_ITEMS = {"a/BUILD": 'x = depset(items = ["a"])\n'}
_NO_SINGLE = (
    "'single_file' is no longer supported. use allow_single_file instead. You can use"
    " --incompatible_disable_deprecated_attr_params=false to temporarily disable this check."
)


@pytest.mark.parametrize(
    ("files", "version", "option", "told"),
    [
        (_NONE, "4.2.3", "", None),
        (_NONE, "6.5.0", "", None),
        (_NONE, "6.5.0", "incompatible_fail_on_unknown_attributes", "//a:x: no such attribute"),
        (_NONE, "7.0.0", "", "//a:x: no such attribute 'foo' in 'r' rule"),
        (_NONE, "7.0.0", "incompatible_fail_on_unknown_attributes=false", None),
        (_ANDROID, "7.4.1", "", _NO_ANDROID),
        (_ANDROID, "7.4.1", "experimental_google_legacy_api", None),
        (_ANDROID, "2.1.0", "experimental_google_legacy_api", _NO_ANDROID),
        (_ANDROID, "8.0.0", "experimental_google_legacy_api", _NO_ANDROID),
        (_LATE_LOAD, "0.24.1", "", None),
        (_LATE_LOAD, "0.24.1", "incompatible_bzl_disallow_load_after_statement", _CALLED),
        (_LATE_LOAD, "0.26.1", "", _CALLED),
        (_LATE_LOAD, "2.1.0", "incompatible_bzl_disallow_load_after_statement=false", None),
        (_LATE_LOAD, "4.2.3", "", "load statements must appear before any other statement"),
        (_SINGLE, "0.24.1", "", None),
        (_SINGLE, "0.24.1", "incompatible_disable_deprecated_attr_params", _NO_SINGLE),
        (_SINGLE, "2.1.0", "", _NO_SINGLE),
        (_SINGLE, "2.1.0", "incompatible_disable_deprecated_attr_params=false", None),
        (_SINGLE, "4.2.3", "", "label() got unexpected keyword argument 'single_file'"),
        (_DEFAULT, "0.24.1", "", "expected value of type 'Label or function or NoneType'"),
        (_DEFAULT, "2.1.0", "", f"parameter 'default' {_ENABLED}"),
        (_DEFAULT, "4.2.3", "", "output() got unexpected keyword argument 'default'"),
        (_DATA, "0.24.1", "", 'Using cfg = "data" on an attribute is a noop and no longer'),
        (_DATA, "0.24.1", "incompatible_disallow_data_transition=false", None),
        (_DATA, "2.1.0", "", "cfg must be either 'host' or 'target'."),
        (_DATA, "4.2.3", "", "cfg must be either 'host', 'target', 'exec' or a starlark"),
        (_OUTPUTS, "2.1.0", "", None),
        (
            _OUTPUTS,
            "2.1.0",
            "incompatible_no_rule_outputs_param",
            f"parameter 'outputs' {_ENABLED}",
        ),
        (
            _OUTPUTS,
            "4.2.3",
            "incompatible_no_rule_outputs_param",
            f"in call to rule(), parameter 'outputs' {_ENABLED}",
        ),
        (_ITEMS, "4.2.3", "", None),
        (
            _ITEMS,
            "4.2.3",
            "incompatible_disable_depset_items",
            f"in call to depset(), parameter 'items' {_ENABLED}",
        ),
    ],
)
def test_options(
    files: dict[str, str], version: str, option: str, told: str | None, load: Load
) -> None:
    world = _loaded(load, {"a/BUILD": 'load(":d.bzl", "r")\n', **files}, version, option)
    errors = world.errors("a")
    texts = "\n".join(errors)
    if told is None:
        assert errors == []
    else:
        assert told in texts


@pytest.mark.parametrize(
    ("version", "option", "told"),
    [
        ("0.24.1", "", True),
        ("0.24.1", "check_third_party_targets_have_licenses=false", False),
        ("0.24.1", "incompatible_disable_third_party_license_checking", False),
        ("0.26.1", "", False),
    ],
)
def test_licenses_of_third_parties(version: str, option: str, told: bool, load: Load) -> None:
    build = 'filegroup(name = "x")\nfilegroup(name = "y", licenses = ["notice"])\n'
    files = {"third_party/a/BUILD": build, "third_party/b/BUILD": f'licenses(["notice"])\n{build}'}
    world = _loaded(load, files, version, option)
    assert world.errors("third_party/a") == ([_LACKS] if told else [])
    assert world.errors("third_party/b") == []


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_existing_rules_tell_the_macro(version: str, load: Load) -> None:
    bzl = """
def m(name):
    native.filegroup(name = name + "_1")
    made = native.existing_rule(name + "_1")
    tags = [made["generator_name"] + " " + made["generator_function"]]
    native.filegroup(name = name, tags = tags)
"""
    build = 'load(":d.bzl", "m")\nm(name = "y")\n'
    world = load({"a/BUILD": build, "a/d.bzl": bzl}, version=version)
    assert world.value("//a:y", "tags") == ["y m"]


@pytest.mark.parametrize("version", ["6.0.0", "8.0.0", "9.0.0"])
def test_package_has_metadata_once(version: str, load: Load) -> None:
    build = "package(default_applicable_licenses = [], default_package_metadata = [])\n"
    assert load({"a/BUILD": build}, version=version).errors("a") == [_TWICE]
