"""`when` over the packages that configs lead to: repository rules decide what there is."""

from __future__ import annotations

import gc
import time
import weakref
from pathlib import Path

import pytest

from bazelscope.analysis.conditions.atoms import FlagRequirement
from bazelscope.analysis.conditions.diagrams import FALSE, TRUE, Diagrams
from bazelscope.analysis.conditions.formula_variables import Atoms
from bazelscope.analysis.paths.kept_reach import ReachSummary
from bazelscope.analysis.paths.loaded_variants import Variant, joined
from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.base.label import Label
from bazelscope.cli import main
from bazelscope.questions.shared.conditions import other_reaches
from bazelscope.questions.shared.conditions.flag_conditions import Now, Verdict
from bazelscope.questions.shared.conditions.loaded_sets import LoadedSets
from bazelscope.questions.shared.conditions.other_reaches import OtherReaches
from bazelscope.questions.shared.world import World
from tests.support.files import write_files
from tests.unit.questions.when_world import lines, of, said

SETTLING = 0.06

_RULE = """
def _impl(ctx):
    env = ctx.os.environ
    deps = ['"@//:extra"'] if env.get("NEED", "0") == "1" else []
    if env.get("MORE") == "1":
        deps.append('"@//:more"')
    text = 'filegroup(name = "x", srcs = [%s], visibility = ["//visibility:public"])'
    ctx.file("BUILD", text % ", ".join(deps))

configure = repository_rule(_impl, environ = ["NEED", "MORE"])
"""
_BUILD = """
MORE = select({":a": [":more"], "//conditions:default": []})
filegroup(name = "top", srcs = ["@conf//:x"] + MORE)
filegroup(name = "aside")
filegroup(name = "extra")
filegroup(name = "more")
config_setting(name = "a", define_values = {"a": "1"})
"""
_RC = """
build --repo_env=NEED=0
build:need --repo_env=NEED=1
build:more --action_env=MORE=1
build:both --config=need --config=more
build:less --deleted_packages=other
build:idle --define=z=1
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(
        tmp_path / "w",
        {
            "WORKSPACE": 'load("//:conf.bzl", "configure")\nconfigure(name = "conf")\n',
            ".bazelversion": "4.2.3\n",
            ".bazelrc": _RC,
            "conf.bzl": _RULE,
            "BUILD": _BUILD,
        },
    )
    return tmp_path / "w"


def opened(root: Path, *words: str, keep: bool = False) -> ConfiguredWorkspace:
    cache = root.parent / "cache" if keep else None
    return Workspace.open(root, environment={}, cache_dir=cache).configure(words)


@pytest.mark.parametrize(
    "words", [["path"], ["path", "--all-paths"], ["graph"]], ids=["path", "all paths", "graph"]
)
def test_a_no_says_of_which_packages(
    root: Path, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    options = ["-w", str(root), "--no-cache"]
    assert main([*words, "//:top", "//:extra", *options]) == 1
    out = capfd.readouterr().out
    assert out.startswith("No path from //:top to //:extra")
    assert "of what this line loads.\n`when` looks at what 3 named configs may add" in out


def test_what_all_paths_share_is_said_of_the_packages_of_the_line(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    told = opened(root).when("//:top", "//:more")
    assert told.packages is not None and told.packages.loaded
    assert "Every path takes, of what this line loads" in lines(told)
    assert main(["path", "//:top", "//:more", "--all-paths", "-w", str(root), "--no-cache"]) == 0
    assert "; there is no other of what this line loads." in capfd.readouterr().out


def test_what_only_another_set_of_packages_has_is_needed_with_its_value(root: Path) -> None:
    answer = opened(root).when("//:top", "//:extra")
    condition = of(answer)
    assert condition.verdict is Verdict.SOMETIMES
    assert said(condition.alternatives) == ["--repo_env=NEED=1"]
    assert said(condition.exceptions) == ["--repo_env=NEED=0"]
    assert condition.now is Now.NO
    assert condition.making is not None
    assert condition.making.words == ("--config=need",)
    text = lines(answer)
    assert "Not so now: --repo_env=NEED=0 (.bazelrc:2)" in text
    assert "Not looked at: what --config=less loads (it sets --deleted_packages)." in text
    assert "Not known: what other values of MORE, NEED load." in text


def test_a_target_whose_package_only_another_set_can_load(root: Path) -> None:
    rule = _RULE.replace(
        "configure =",
        """    if deps:
        ctx.file("defs.bzl", "NAMES = ['lib']")

configure =""",
    )
    write_files(
        root,
        {
            "conf.bzl": rule.replace("'\"@//:extra\"'", "'\"@//gated:lib\"'"),
            "gated/BUILD": 'load("@conf//:defs.bzl", "NAMES")\n'
            '[filegroup(name = n, visibility = ["//visibility:public"]) for n in NAMES]\n',
        },
    )
    answer = opened(root).when("//:top", "//gated:lib")
    assert said(of(answer).alternatives) == ["--repo_env=NEED=1"]
    making = of(answer).making
    assert making is not None and making.words == ("--config=need",)
    nowhere = opened(root).when("//:top", "//gated:libs")
    assert nowhere.condition is None
    assert nowhere.target is not None and "error loading package" in nowhere.target.why


def test_flags_and_loading_go_together(root: Path) -> None:
    condition = of(opened(root).when("//:top", "//:more"))
    assert said(condition.alternatives) == ["--define=a=1", "--repo_env=MORE=1"]
    assert said(condition.exceptions) == ["no --repo_env=MORE not --define=a=1"]


def test_a_value_of_the_line_is_fixed(root: Path) -> None:
    condition = of(opened(root, "--config=need").when("//:top", "//:extra"))
    assert condition.verdict is Verdict.ALWAYS
    condition = of(opened(root, "--repo_env=NEED=0").when("//:top", "//:extra"))
    assert condition.verdict is Verdict.NEVER


def test_without_readers_below_nothing_else_is_loaded(root: Path) -> None:
    answer = opened(root).when("//:aside", "//:extra")
    assert answer.packages is not None
    assert answer.packages.loaded == ()
    assert answer.packages.variables == ()


def test_what_is_not_loaded_is_named(root: Path) -> None:
    answer = opened(root).when("//:top", "//:extra", most_loads=1)
    assert of(answer).verdict is Verdict.NEVER
    assert answer.packages is not None
    named = {one.configs for one in answer.packages.unloaded}
    assert named == {("need",), ("more",), ("both",), ("less",)}


def test_whether_it_can_be_built_is_asked_of_all_sets(root: Path) -> None:
    build = (root / "BUILD").read_text()
    extra = 'filegroup(name = "extra", srcs = select({":a": [":more"]}))'
    (root / "BUILD").write_text(build.replace('filegroup(name = "extra")', extra))
    condition = of(opened(root).when("//:top"))
    assert said(condition.exceptions) == ["--repo_env=NEED=1 not --define=a=1"]


def test_a_second_run_says_the_same_and_notices_changes(root: Path) -> None:
    def told() -> tuple[list[str], tuple[str, ...] | None]:
        asked = opened(root, keep=True)
        condition = of(asked.when("//:top", "//:extra"))
        asked.save()
        making = condition.making.words if condition.making is not None else None
        return said(condition.alternatives), making

    first = told()
    assert first == (["--repo_env=NEED=1"], ("--config=need",))
    assert told() == first
    (root / "conf.bzl").write_text(_RULE.replace('"0") == "1"', '"0") == "0"'))
    assert told() == (["--repo_env=NEED=0"], None)
    (root / "conf.bzl").write_text(_RULE)
    (root / "BUILD").write_text(_BUILD.replace('srcs = ["@conf//:x"]', "srcs = []"))
    assert told() == ([], None)


def loads(root: Path, monkeypatch: pytest.MonkeyPatch, target: str = "//:extra") -> int:
    """How many sets of packages a question looks at, beside the line's own."""
    looked: list[int] = []
    add = OtherReaches._add

    def counted(found: OtherReaches, number: int, reached: ReachSummary) -> None:
        looked.append(number)
        add(found, number, reached)

    monkeypatch.setattr(OtherReaches, "_add", counted)
    asked = opened(root, keep=True)
    asked.when("//:top", target)
    asked.save()
    monkeypatch.undo()
    return len(looked)


def test_sets_that_come_out_the_same_are_loaded_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = "build:same --repo_env=NEED=00\nbuild:again --repo_env=NEED=1 --repo_env=MORE=0\n"
    (root / ".bazelrc").write_text(_RC + more)
    time.sleep(SETTLING)
    assert loads(root, monkeypatch) == 3
    answer = opened(root, keep=True).when("//:top", "//:extra")
    assert said(of(answer).alternatives) == ["--repo_env=NEED=1"]
    assert said(of(answer).exceptions) == ["not --repo_env=NEED=1"]


def test_a_later_run_loads_no_set_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    time.sleep(SETTLING)
    assert loads(root, monkeypatch) == 3
    assert loads(root, monkeypatch, "//:more") == 0
    (root / ".bazelrc").write_text(f"{_RC}build:other --repo_env=NEED=2\n")
    assert loads(root, monkeypatch) == 3
    assert loads(root, monkeypatch) == 0


def test_a_file_that_only_another_set_reads_is_noticed(root: Path) -> None:
    def told() -> list[str]:
        time.sleep(SETTLING)
        asked = opened(root, keep=True)
        condition = of(asked.when("//:top", "//:extra"))
        asked.save()
        return said(condition.alternatives)

    template = 'filegroup(name = "x", srcs = [%s], visibility = ["//visibility:public"])'
    rule = _RULE.replace('ctx.file("BUILD", text %', 'ctx.file("BUILD", (text if not deps else ')
    rule = rule.replace('", ".join(deps))', 'ctx.read(Label("//:need.tpl"))) % ", ".join(deps))')
    write_files(root, {"conf.bzl": rule, "need.tpl": template})
    assert told() == ["--repo_env=NEED=1"]
    assert told() == ["--repo_env=NEED=1"]
    (root / "need.tpl").write_text(template.replace("[%s]", "[] and [%s]"))
    assert told() == []


_MANY_RULES = """
_TEXT = '''
package(default_visibility = ["//visibility:public"])
config_setting(name = "asks", values = {"compilation_mode": "%s"})
alias(name = "also", actual = %s)
filegroup(name = "x", srcs = [%s])
filegroup(name = "y", srcs = select({"@//:a": ["@//:c"], "//conditions:default": [":x"]}))
%s
'''

def _impl(ctx):
    env = ctx.os.environ
    names = [name for name in env.get("DEPS", "").split("+") if name]
    ctx.file("BUILD", _TEXT % (
        env.get("MODE", "opt"),
        "':asks'" if env.get("ALSO") else "'@//:a'",
        ", ".join(["'@//:%s'" % name for name in names]),
        "filegroup(name = 'z', srcs = ['@//:d'])" if env.get("LAST") else "",
    ))

configure = repository_rule(_impl, environ = ["MODE", "ALSO", "DEPS", "LAST"])
"""
_MANY_TARGETS = """
config_setting(name = "a", define_values = {"a": "1"})
filegroup(name = "top", srcs = [":one", "@conf//:x"] + select({
    "@conf//:also": [":b"],
    "//conditions:default": ["@conf//:y"],
}))
filegroup(name = "one", srcs = select({"@conf//:asks": [":c"], ":a": [":two"]}))
filegroup(name = "two", srcs = ["@conf//:z"])
filegroup(name = "b", srcs = [":c"])
filegroup(name = "c", srcs = [":e"])
filegroup(name = "d", srcs = [":e"])
filegroup(name = "e")
"""
_MANY_CONFIGS = """
build:mode --repo_env=MODE=dbg
build:also --repo_env=ALSO=1
build:deps --repo_env=DEPS=b+d
build:other --repo_env=DEPS=top
build:last --repo_env=LAST=1
build:two --config=mode --config=last
build:all --config=also --config=deps --config=two
"""


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_set_beside_another_is_as_one_that_is_loaded_whole(
    root: Path, monkeypatch: pytest.MonkeyPatch, is_kept: bool
) -> None:
    write_files(root, {"conf.bzl": _MANY_RULES, "BUILD": _MANY_TARGETS, ".bazelrc": _MANY_CONFIGS})
    time.sleep(SETTLING)
    ends = [f"//:{name}" for name in ("one", "two", *"bcde")] + ["@conf//:y", "@conf//:z"]

    def told() -> list[object]:
        asked = opened(root, keep=is_kept)
        conditions = [of(asked.when("//:top", end)) for end in ends]
        built = of(asked.when("//:top"))
        return [
            (one.verdict, said(one.alternatives), said(one.exceptions))
            for one in (*conditions, built)
        ]

    beside = told()
    monkeypatch.setattr(other_reaches, "_FEW", -1)
    assert told() == beside
    assert len({str(one) for one in beside}) > 5


def test_as_few_variables_as_tell_graphs_apart_are_named() -> None:
    atoms = Atoms()
    diagrams: Diagrams = atoms.diagrams

    def need(name: str, value: str) -> FlagRequirement:
        return FlagRequirement(name, value, Label("", "", "x"), domain=("0", "1"))

    def variant(a: str, b: str, formula: int) -> Variant:
        return Variant({"a": need("a", a), "b": need("b", b)}, formula, FALSE)

    same = joined(
        diagrams, atoms.of_requirement, [variant("0", "0", TRUE), variant("1", "1", TRUE)]
    )
    assert same == (TRUE, FALSE, FALSE)
    found = joined(
        diagrams,
        atoms.of_requirement,
        [variant("0", "0", FALSE), variant("0", "1", TRUE), variant("1", "1", TRUE)],
    )
    assert found.formula == atoms.of_requirement(need("b", "1"))
    assert found.elsewhere == FALSE


def test_effects_count_what_a_variable_loads(root: Path) -> None:
    answer = opened(root).effects("NEED", "//:top")
    (effect,) = answer.effects
    assert effect.readers == ("conf",)
    (value,) = effect.values
    assert value.need.text == "--repo_env=NEED=1"
    assert value.brings == 1
    assert [str(label) for label in value.first_brought] == ["//:extra"]
    whole = opened(root).effects("both", "//:top").whole
    assert whole is not None
    assert {str(label) for label in whole.first_brought} == {"//:extra", "//:more"}


def test_other_questions_name_the_configs_that_load_other_packages(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = "what --config=both, --config=more, --config=need load was not looked at"
    for line in (
        ("path", "//:top", "//:more"),
        ("path", "//:top", "//:extra"),
        ("path", "//:top", "//:more", "--all-paths"),
        ("graph", "//:top", "//:more"),
        ("rdeps", "//:more"),
        ("deps", "//:top"),
        ("select", "//:top"),
    ):
        for again in range(2):
            main([*line, "-w", str(root), "--cache-dir", str(root.parent / "cache")])
            out, err = capsys.readouterr()
            assert told in out + err, (line, again)
    main(["path", "//:top", "//:extra", "--config=need", "-w", str(root), "--no-cache"])
    assert "not looked at" not in capsys.readouterr().out
    main(["path", "//:aside", "//:more", "-w", str(root), "--no-cache"])
    assert "not looked at" not in capsys.readouterr().out


@pytest.mark.parametrize("frozen", [False, True])
def test_one_set_of_packages_at_a_time_is_in_memory(
    root: Path, monkeypatch: pytest.MonkeyPatch, frozen: bool
) -> None:
    """Each takes 100 MB on TensorFlow. What somebody has frozen stays so, and nothing else."""
    monkeypatch.setattr(gc, "get_freeze_count", lambda: int(frozen))
    thawed: list[bool] = []
    monkeypatch.setattr(gc, "unfreeze", lambda: thawed.append(True))
    monkeypatch.setattr(gc, "freeze", list)
    left: list[weakref.ref[World]] = []
    held: list[bool] = []
    put_down = LoadedSets.put_down

    def watched(sets: LoadedSets, number: int) -> None:
        gc.collect()
        held.extend(one() is not None for one in left)
        left.append(weakref.ref(sets.sets[number].world))
        put_down(sets, number)

    monkeypatch.setattr(LoadedSets, "put_down", watched)
    time.sleep(SETTLING)  # Nothing is kept of files that changed only just now.
    opened(root, keep=True).when("//:top", "//:extra")
    assert len(left) == 3
    assert not any(held)
    assert bool(thawed) is not frozen
