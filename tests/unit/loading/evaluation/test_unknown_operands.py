"""What a program makes of a value that nobody can tell: the result is unknown, no error of its."""

from __future__ import annotations

import pytest

from bazelscope.base.label import PackageId
from bazelscope.base.source import SourceFile
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchTarget, Rule, UnknownTarget
from bazelscope.starlark.compile import carried_doubts
from bazelscope.starlark.compile.carried_doubts import CarriedDoubts
from bazelscope.starlark.syntax.file_kind import FileKind
from tests.unit.loading.loading_world import Load, Loaded, label

WORKSPACE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.com/far.zip"])
"""
LOAD = 'load("@far//:defs.bzl", "far")\n'

RESULTS = [
    # Built-in functions.
    'int(far)', 'float(far)', 'hash(far)', 'range(far)', 'range(0, far)', 'max(far)',
    'sorted([2, far])', 'enumerate([1], far)', 'int("10", far)', 'str(far)',
    'json.decode(far)', 'json.indent(far)', 'getattr(struct(a = 1), far)', 'Label("//p:" + far)',
    # Methods.
    '", ".join(["a", far])', '"a".startswith(far)', '"a".startswith(("b", far))',
    '"a".replace("a", far)', '"a".split(far)', '"a b".rsplit(" ", far)', '"a".strip(far)',
    '"a".find(far)', '"a".rfind(far)', '[1].index(far)', '("a" + far).split(",")',
    # Texts.
    '"%s.cc" % far', '"%s %d" % ("a", far)', '"{}.cc".format(far)', '"{a}".format(a = far)',
    '"%s" % [far]', '"a" + far', 'far + "a"', '"a" + str(far)',
    # Elements and slices.
    '[1][far]', '"abc"[far]', '{"a": 1}[far]', '[1, 2][far:]', '"abc"[:far]', 'far[1:]',
]  # fmt: skip


def _loaded(load: Load, build: str, **files: str) -> tuple[Loaded, Package]:
    """The root package of that BUILD file, and what it was loaded with."""
    loaded = load({"WORKSPACE": WORKSPACE, "BUILD": f"{LOAD}{build}\n", **files})
    package = loaded.loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    return loaded, package


def _srcs(package: Package) -> object:
    rule = package.targets["a"]
    assert isinstance(rule, Rule)
    attribute = rule.attribute("srcs")
    assert attribute is not None
    return attribute.value


@pytest.mark.parametrize("expression", RESULTS)
def test_the_result_is_unknown(load: Load, expression: str) -> None:
    build = 'load("v.bzl", "v")\nfilegroup(name = "a", srcs = v)'
    _, package = _loaded(load, build, **{"v.bzl": f"{LOAD}v = {expression}\n"})
    assert not package.diagnostics
    srcs = _srcs(package)
    assert isinstance(srcs, Unknown)
    assert "not downloaded" in str(srcs)


@pytest.mark.parametrize(
    "condition",
    ['far == "a"', '1 == far', '[] == far', 'far != None', 'min(1, far) == 1', '1 < far',
     'far <= 1', 'far in "abc"', 'far in ["a"]', '"a" in far', 'far'],
)  # fmt: skip
def test_a_branch_that_an_unknown_value_decides_is_told(load: Load, condition: str) -> None:
    _, package = _loaded(load, f'filegroup(name = "a", srcs = ["b"] if {condition} else ["c"])')
    assert not package.diagnostics
    assert [found.reason for found in package.unknowns] == [Reason.DEPENDS_ON_UNKNOWN]
    assert "taken as" in package.unknowns[0].detail


def test_a_text_with_an_unknown_piece_is_no_label_and_no_name(load: Load) -> None:
    loaded, package = _loaded(
        load,
        'filegroup(name = "a", srcs = ["%s.cc" % far, "known.cc", "x" + far])\n'
        'filegroup(name = "%s_b" % far)',
    )
    srcs = _srcs(package)
    assert isinstance(srcs, tuple)
    unknown, known, other = srcs
    assert isinstance(unknown, Unknown)
    assert unknown.subject == '"%s.cc" % far'
    assert str(known) == "//:known.cc"
    assert isinstance(other, Unknown)
    # Some filegroup has a name that nobody knows.
    assert isinstance(loaded.loader.target(label("//:z_b")), UnknownTarget)


def test_what_the_program_does_wrong_is_an_error_still(load: Load) -> None:
    _, package = _loaded(load, 'filegroup(name = "a", srcs = [",".join([1])])')
    assert [found.code for found in package.diagnostics] == ["starlark-eval"]
    loaded, package = _loaded(load, 'fail(far)\nfilegroup(name = "a")')
    assert [found.code for found in package.diagnostics] == ["starlark-fail"]
    assert isinstance(loaded.loader.target(label("//:a")), NoSuchTarget)


@pytest.mark.parametrize(
    "build",
    [
        'load("m.bzl", "m")\nm()',
        'package_group(name = "a", packages = far + ["//p/..."])',
    ],
)
def test_what_is_known_of_a_target_stays(load: Load, build: str) -> None:
    macro = f'{LOAD}def m():\n    native.filegroup(name = "a", **far)\n'
    _, package = _loaded(load, build, **{"m.bzl": macro})
    assert "a" in package.targets
    assert not package.diagnostics
    assert package.unknowns


@pytest.mark.parametrize(
    "build",
    [
        '[fail("empty") for _ in [0] if not far]',
        'len(far) > 0 or fail("empty")',
        'fail("empty") if not far else None',
        'filegroup(name = "b", no_such_attribute = 1 if far else 2)',
    ],
)
def test_an_error_behind_an_unknown_condition_is_unknown(load: Load, build: str) -> None:
    _, package = _loaded(load, f'{build}\nfilegroup(name = "rest")')
    assert not package.diagnostics
    assert any("is taken as" in str(one) for one in package.unknowns)
    assert "rest" in package.targets
    _, package = _loaded(load, f'{build}\n{{}}["an error of its own"]')
    assert [found.code for found in package.diagnostics] == ["starlark-eval"]


@pytest.mark.parametrize(
    ("between", "is_refused"),
    [
        ("", False),
        ("names = [x for x in names]", False),
        ("other = [x for x in names]", False),
        ('names = ["a"]', True),
        ("names = []", True),
    ],
)
def test_a_doubt_goes_on_to_statements_that_use_what_was_bound_in_doubt(
    load: Load, between: str, is_refused: bool
) -> None:
    build = f'names = [x for x in far if x != "local"]\n{between}\n'
    build += 'load("//:m.bzl", "m")\nm(names)\nfilegroup(name = "b")'
    macro = 'def m(names):\n    if names in ([], ["a"]):\n        fail("no names")\n'
    _, package = _loaded(load, build, **{"m.bzl": macro})
    assert bool(package.diagnostics) is is_refused
    assert ("b" in package.targets) is not is_refused


def test_a_doubt_goes_on_in_files_and_in_workspace(load: Load) -> None:
    wrong = 'names = [x for x in far]\n[fail("no names") for one in [0] if not names]\n'
    workspace = f"{WORKSPACE}{LOAD}{wrong}"
    files = {"WORKSPACE": workspace, "BUILD": 'load("m.bzl", "N")', "m.bzl": f"{LOAD}{wrong}N = 1"}
    loaded = load(files)
    package = loaded.loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics
    assert not loaded.loader.table.diagnostics


@pytest.mark.parametrize(
    ("workspace", "is_refused"),
    [
        ('workspace(name = "w")\nload("//:m.bzl", "workspace")\nworkspace()\n', False),
        ('workspace(name = "w")\nworkspace = 1\n', True),
        (
            'workspace(name = "w")\nload("//:m.bzl", "workspace")\nbind(name = "b")\nbind = 1\n',
            True,
        ),
        ('bind(name = "b")\nload("//:m.bzl", "workspace")\nbind = 1\n', False),
    ],
)
def test_a_chunk_of_workspace_knows_nothing_of_what_later_ones_bind(
    load: Load, workspace: str, is_refused: bool
) -> None:
    """Measured: 4.2.3."""
    loaded = load({"WORKSPACE": workspace, "BUILD": "", "m.bzl": "def workspace():\n    pass\n"})
    loaded.package("")
    assert bool(loaded.loader.table.diagnostics) is is_refused


def test_the_doubts_of_a_file_are_looked_for_once(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many errors it has: each would read the whole file again."""
    files: list[str] = []

    class Counted(CarriedDoubts):
        def __init__(self, source: SourceFile, kind: FileKind) -> None:
            files.append(source.path)
            super().__init__(source, kind)

    monkeypatch.setattr(carried_doubts, "CarriedDoubts", Counted)
    wrong = "".join(f'filegroup(name = "r{n}", srcs = ["x", "x"])\n' for n in range(9))
    _, package = _loaded(load, f"names = [x for x in far]\n{wrong}")
    assert len(package.diagnostics) == 9
    assert files == ["BUILD"]


@pytest.mark.parametrize(
    "made",
    ['d = {"a": 1}\nd[far] = 2', 'd = {"a": 1}\nd.update([(far, 2)])', 'd = {"a": 1, far: 2}'],
)
@pytest.mark.parametrize(
    ("asked", "is_known"),
    [
        ('d["a"] == 1', False),
        ('d.get("a") == 1', False),
        ('d.setdefault("a", 3) == 1', False),
        ('d.pop("a") == 1', False),
        ('len(d) == 2', False),
        ('d != {"a": 1, "b": 2, "c": 3}', False),
        ('sorted(d) == ["a"]', False),
        ('take(**d) == ["a"]', False),
        ('type(d) == "dict"', True),
        ('dict([("b", 1)]).get("b") == 1', True),
        ('[dict(d, c = 3)["c"]] == [3]', True),
        ('len({far: 1}) == 1', True),
    ],
)  # fmt: skip
def test_a_key_that_nobody_knows_may_be_one_that_is_there(
    load: Load, made: str, asked: str, is_known: bool
) -> None:
    lines = "\n".join(f"    {one}" for one in made.splitlines())
    macro = f"{LOAD}def take(**k):\n    return sorted(k)\ndef m():\n{lines}\n"
    macro += f'    if {asked}:\n        fail("no doubt")\n'
    _, package = _loaded(load, 'load("m.bzl", "m")\nm()', **{"m.bzl": macro})
    assert bool(package.diagnostics) is is_known
    assert [str(one) for one in package.unknowns] or is_known


@pytest.mark.parametrize(
    ("asked", "is_known"),
    [
        ('["b"] + far != ["b"]', False),
        ("[] + far", False),
        ('["b"] + far', True),
        ('not (["b"] + far)', None),
    ],
)
def test_a_sum_with_what_nobody_knows_may_be_no_more(
    load: Load, asked: str, is_known: bool | None
) -> None:
    _, package = _loaded(load, f'fail("no doubt") if {asked} else None')
    assert bool(package.diagnostics) is bool(is_known)
    assert bool(package.unknowns) is (is_known is False)


@pytest.mark.parametrize(
    ("value", "is_whole"),
    [
        ('D.get("x", ["c"])', False),
        ('D["b"]', False),
        ('D["x"]', False),
        ("[str(D)]", False),
        ("D.keys()", False),
        ("sorted(D)", False),
        ("[k for k in D]", False),
        ('LATER["b"]', True),
    ],
)
@pytest.mark.parametrize("more", ["far", "far.items()", "dict(far)"])
def test_a_dictionary_with_entries_that_nobody_knows_is_not_whole(
    load: Load, more: str, value: str, is_whole: bool
) -> None:
    files = {
        "d.bzl": f'{LOAD}D = {{"b": ["c"]}}\nD.update({more})\n'
        f'LATER = dict({more})\nLATER["b"] = ["c"]\n',
        "m.bzl": 'load("d.bzl", "D", "LATER")\ndef m():\n'
        f'    native.filegroup(name = "a", srcs = {value})\n',
    }
    _, package = _loaded(load, 'load("m.bzl", "m")\nm()', **files)
    assert not package.diagnostics
    srcs = _srcs(package)
    parts = srcs if isinstance(srcs, tuple) else (srcs,)
    assert any(isinstance(part, Unknown) for part in parts) is not is_whole
