"""What is told of settings and select()s: each rule where it holds, and where it is silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_SELECT = 'filegroup(name = "x", srcs = select({{{keys}}}))\n'
_DEFAULT = '"//conditions:default": []'


def _settings(**defines: str) -> str:
    return "".join(
        f'config_setting(name = "{name}", define_values = {{{values}}})\n'
        for name, values in defines.items()
    )


def _using(*keys: str, default: bool = True) -> str:
    written = [f'"{key}": ["{number}.c"]' for number, key in enumerate(keys)]
    return _SELECT.format(keys=", ".join([*written, _DEFAULT] if default else written))


_AB = _settings(a='"a": "1"', b='"b": "1"')
_HOSTS = (
    'config_setting(name = "lin", constraint_values = ["@platforms//os:linux"])\n'
    'config_setting(name = "win", constraint_values = ["@platforms//os:windows"])\n'
)
_RC = "# windows\nbuild:windows --copt=/W3\n"

_RULES = {
    "BZS201": (_AB + _using(":a"), "", ["BZS201 //:b"]),
    "BZS201: not through an alias": (
        _AB + 'alias(name = "c", actual = ":b")\n' + _using(":a", ":c"),
        "",
        [],
    ),
    "BZS201: not where a macro may name it": (_AB + _using(":a") + 'OTHER = "//:b"\n', "", []),
    "BZS202": (_AB + _using(":a"), "build --define=b=1\n", ["BZS201 //:b", "BZS202 --define=b"]),
    "BZS202: what nothing asks about": (
        _AB + _using(":a", ":b"),
        "build --define=lost=1",
        ["BZS202 --define=lost"],
    ),
    "BZS202: not what a make variable stands for": (
        _AB + _using(":a", ":b") + 'genrule(name = "g", outs = ["o"], cmd = "echo $(lost) > $@")\n',
        "build --define=lost=1",
        [],
    ),
    "BZS203: what never holds": (
        'config_setting(name = "a", values = {"cpu": "k8", "compilation_mode": "opt"})\n'
        'config_setting(name = "b", values = {"cpu": "k8", "compilation_mode": "opt"},\n'
        '               define_values = {"x": "1"})\n'
        'alias(name = "c", actual = select({":a": ":b", "//conditions:default": ":a"}))\n'
        'alias(name = "d", actual = select({":a": ":e", "//conditions:default": ":a"}))\n'
        'config_setting(name = "e", values = {"compilation_mode": "dbg"})\n' + _using(":c", ":d"),
        "",
        ["BZS203 //:x.srcs //:d"],
    ),
    "BZS203: not what another C++ toolchain may say": (
        'config_setting(name = "a", flag_values = {"@bazel_tools//tools/cpp:compiler": "zig"})\n'
        + _using(":a"),
        "",
        [],
    ),
    "BZS204: of two configs": (
        _AB + _using(":a", ":b"),
        "build:one --define=a=1\nbuild:two --define=b=1\n",
        ["BZS204 srcs //:a //:b"],
    ),
    "BZS204: not where one refines the other": (
        _settings(a='"a": "1"', b='"a": "1", "b": "1"') + _using(":a", ":b"),
        "build:one --define=a=1\nbuild:two --define=b=1\n",
        [],
    ),
    "BZS204: not where no config sets one of them": (
        _AB + _using(":a", ":b"),
        "build:one --define=a=1\n",
        [],
    ),
    "BZS205": (_HOSTS + _using(":lin", default=False) + _using(":win").replace("x", "y"), _RC,
               ["BZS205 srcs windows"]),
    "BZS205: not with a branch for it": (_HOSTS + _using(":lin", ":win", default=False), _RC, []),
    "BZS205: not without a config for that host": (
        _HOSTS + _using(":lin", default=False) + _using(":win").replace("x", "y"),
        "",
        [],
    ),
    "BZS206": (
        'config_setting(name = "k8", values = {"cpu": "k8"})\n' + _using(":k8"),
        "# arm\nbuild:arm --platforms=//:arm\n",
        ["BZS206 //:k8"],
    ),
    "BZS206: not where the config sets both": (
        'config_setting(name = "k8", values = {"cpu": "k8"})\n' + _using(":k8"),
        "# arm\nbuild:arm --platforms=//:arm --cpu=aarch64\n",
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", _RULES)
def test_rule(case: str, tmp_path: Path) -> None:
    build, rc, wanted = _RULES[case]
    write_files(
        tmp_path, {"WORKSPACE": "", ".bazelversion": "6.5.0", ".bazelrc": rc, "BUILD": build}
    )
    found = Workspace.open(tmp_path).configure().check(codes=["BZS2"]).findings
    assert sorted(f"{one.code} {one.subject}" for one in found) == wanted


def test_a_branch_whose_place_more_specific_ones_take_is_never_taken(tmp_path: Path) -> None:
    modes = ("fastbuild", "opt", "dbg")
    build = 'config_setting(name = "k8", values = {"cpu": "k8"})\n' + "".join(
        f'config_setting(name = "{mode}", values = {{"cpu": "k8", "compilation_mode": "{mode}"}})\n'
        for mode in modes
    )
    keys = (":k8", *(f":{mode}" for mode in modes))
    build += _using(*keys) + _using(*keys, default=False).replace('"x"', '"y"')
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "6.5.0", "BUILD": build})
    (found,) = Workspace.open(tmp_path).check(codes=["BZS203"]).findings
    assert found.message == (
        "the branch of //:k8 is never taken: whenever it holds, a more specific one does"
    )
    assert [(one.message, one.span.line if one.span else 0) for one in found.causes] == [
        ("//:k8 is declared here", 1),
        ("and so for 1 target here", 6),
    ]
    assert found.dependents == 2


def test_a_clash_names_the_configs_and_their_lines(tmp_path: Path) -> None:
    build, rc, _ = _RULES["BZS204: of two configs"]
    write_files(
        tmp_path, {"WORKSPACE": "", ".bazelversion": "6.5.0", ".bazelrc": rc, "BUILD": build}
    )
    (found,) = Workspace.open(tmp_path).check(codes=["BZS204"]).findings
    assert found.message == (
        "`--config=one --config=two` makes //:a and //:b hold, and neither is more specific"
    )
    assert [(one.message, one.span.line if one.span else 0) for one in found.causes] == [
        ("config one", 1),
        ("config two", 2),
        ("Bazel then refuses //:x", 0),
    ]
    # Bazel says so, too.
    asked = Workspace.open(tmp_path).configure(["--config=one", "--config=two"])
    assert [one.kind.value for one in asked.refusals("//:x")] == ["ambiguous-select"]


@pytest.mark.parametrize(
    ("rc", "instead"),
    [
        ("build:one --define=a=1\nbuild:two --define=b=1\n", "take one config"),
        ("build --define=a=1\nbuild:two --define=b=1\n", "leave out `--config=two`"),
    ],
)
def test_who_does_not_mend_the_conditions_leaves_out_a_config(
    rc: str, instead: str, tmp_path: Path
) -> None:
    build = _AB + _using(":a", ":b")
    write_files(tmp_path, {"WORKSPACE": "", ".bazelrc": rc, "BUILD": build})
    (found,) = Workspace.open(tmp_path).check(codes=["BZS204"]).findings
    assert found.remedy.endswith(f", or {instead}")


def test_a_clash_that_is_there_is_refused_and_told_once(tmp_path: Path) -> None:
    rc = "build --define=a=1 --define=b=1\n"
    files = {"WORKSPACE": "", "BUILD": _AB + _using(":a", ":b"), ".bazelrc": rc}
    write_files(tmp_path, {**files, "0.c": "", "1.c": "", "d.c": ""})
    # Without targets only what any flags refuse is told; of a target, all that these flags do.
    workspace = Workspace.open(tmp_path)
    assert workspace.check(codes=["BZS0", "BZS204"]).findings == ()
    found = workspace.check("//:x", codes=["BZS0", "BZS204"]).findings
    assert [one.code for one in found] == ["BZS006"]


def test_a_define_that_a_repository_may_ask_about_is_not_told(tmp_path: Path) -> None:
    archive = (
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        'http_archive(name = "far", url = "https://a.example/x.zip", sha256 = "00")\n'
    )
    files = {".bazelversion": "6.5.0", ".bazelrc": "build --define=lost=1\n", "BUILD": ""}
    write_files(tmp_path, {**files, "WORKSPACE": archive})
    assert not Workspace.open(tmp_path).check(codes=["BZS202"]).findings
    setting = 'config_setting(name = "s", values = {"define": "lost=1"})\n'
    write_files(tmp_path, {"BUILD": setting})
    [finding] = Workspace.open(tmp_path).check(codes=["BZS202"]).findings
    assert finding.message == (
        "`--define=lost` decides nothing of what can be read: "
        "no select() turns on what asks about it"
    )
    assert finding.remedy == (
        "delete `--define=lost`, and the setting, "
        "unless a repository that is not downloaded asks about it"
    )
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": ""})
    [finding] = Workspace.open(tmp_path).check(codes=["BZS202"]).findings
    assert finding.message == "`--define=lost` decides nothing: nothing asks about it"


@pytest.mark.parametrize(
    ("module", "visibility", "key", "found"),
    [
        ('module(name = "m")', "//visibility:public", "//:z", []),
        ('module(name = "m")', "//visibility:private", "//:z", ["//:of_a"]),
        ("", "//visibility:public", "//:z", ["//:of_a"]),
        ("", "//visibility:public", "//:of_b", []),
    ],
)
def test_settings_that_a_loop_makes_are_told_once_and_none_that_are_for_others(
    tmp_path: Path, module: str, visibility: str, key: str, found: list[str]
) -> None:
    made = (
        '[config_setting(name = "of_" + n, define_values = {"n": n}, '
        f'visibility = ["{visibility}"]) for n in ["a", "b", "c"]]\n'
    )
    build = made + _settings(z='"z": "1"') + _using(key) + _using("//:z").replace('"x"', '"y"')
    write_files(tmp_path, {"MODULE.bazel": module, "BUILD": build, ".bazelversion": "8.1.0"})
    told = Workspace.open(tmp_path).check(codes=["BZS201"]).findings
    assert [one.subject for one in told] == found
    assert all(" and 2 more that are made here" in one.message for one in told)


def test_a_setting_of_a_repository_whose_rule_lacks_a_variable_may_hold(tmp_path: Path) -> None:
    never = 'config_setting(name = "has", define_values = {"a": "1"}, values = {"define": "a=2"})'
    rule = f"""
def _impl(ctx):
    ctx.file("BUILD", '''{never}''' if not ctx.os.environ.get("SDK") else "")
sdk = repository_rule(_impl, environ = ["SDK"])
"""
    files = {"WORKSPACE": 'load("//:sdk.bzl", "sdk")\nsdk(name = "sdk")\n', "sdk.bzl": rule}
    for key, told in (("@sdk//:has", []), ("//:has", ["BZS203"])):
        write_files(tmp_path, {**files, "BUILD": f"{never}\n{_using(key)}"})
        found = Workspace.open(tmp_path).check(codes=["BZS203"]).findings
        assert [one.code for one in found] == told
