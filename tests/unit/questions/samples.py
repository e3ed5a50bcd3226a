"""Small answers made by hand, with one of everything that a rendering must show."""

from __future__ import annotations

from dataclasses import replace

from bazelscope.analysis.conditions.edges import UnknownEdges
from bazelscope.analysis.conditions.match_result import Match, NoMatch, Requirement
from bazelscope.analysis.paths.clashes import ClashKind
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.source import Frame, Location, Span
from bazelscope.base.unknown import Count, Reason, Unknown, UnknownTargetsCount
from bazelscope.flags.flag_values import (
    ConfigExpansion,
    Define,
    FlagInstance,
    FlagValue,
    FromCommandLine,
    FromRc,
    Origin,
    RcFile,
    RcStatus,
)
from bazelscope.loading.origins.term import Term, TermKind
from bazelscope.questions.configs.answer import (
    ConfigLine,
    ConfigsAnswer,
    ConfigSectionAnswer,
    NamedConfig,
)
from bazelscope.questions.explain.answer import ConditionScope, Explanation
from bazelscope.questions.explain.word_effects import WordAnswer, WordEffect
from bazelscope.questions.flag.answer import FlagAnswer, FlagFacts, RankedSetting
from bazelscope.questions.graph.answer import GraphAnswer
from bazelscope.questions.path.answer import (
    Cut,
    ListedPath,
    PathAnswer,
    PathFlags,
    PathsAnswer,
    PathStep,
    RepositoryAnswer,
    RepositoryFact,
    RouteAnswer,
    Tried,
)
from bazelscope.questions.shared.completeness import Completeness, PackageDiagnostics
from bazelscope.questions.shared.conditions.flag_conditions import (
    AddedWords,
    ClashAnswer,
    FlagCombination,
    FlagCondition,
    FlagWord,
    Now,
    Verdict,
)
from bazelscope.questions.shared.endpoint_answers import NameAnswer, PathOutcome
from bazelscope.questions.shared.envelope import Answer, Envelope
from bazelscope.questions.shared.named_configs import (
    DefinerKind,
    PossibleDefiner,
    UndefinedConfig,
)
from bazelscope.questions.shared.nodes import (
    BranchAnswer,
    ConfigSource,
    EdgeAnswer,
    NodeAnswer,
    OptionNeed,
)
from bazelscope.questions.shared.sections import Section
from bazelscope.questions.shared.select_answers import (
    SelectAnswer,
    SelectBranch,
    SelectOutcome,
)
from bazelscope.questions.shared.setup import Setup
from bazelscope.questions.shared.target_answers import (
    ArgumentAnswer,
    AttributeAnswer,
    AttributeValue,
    CallAnswer,
    DependencyGroup,
    DirectDependency,
    RepositoryNeed,
    TargetAnswer,
)
from bazelscope.questions.why.answer import Fact, FactKind, Link, Relation, WhyAnswer

SETUP = Setup("proj", "build", "3.1.0", ".bazelversion", "2.1.0", "linux")
PLAIN = Envelope(SETUP)
COMMAND_LINE = FromCommandLine(0)


def rc(line: int, section: str = "build:mkl") -> FromRc:
    return FromRc(Span(".bazelrc", line, 11, line, 20), section)


def option(text: str, origin: Origin, written: str = "", because: str = "") -> FlagInstance:
    name, _, value = text.removeprefix("--").partition("=")
    cause = option(because, COMMAND_LINE) if because else None
    return FlagInstance(name, value or None, written or text, origin, (0,), cause)


MKL = option("--define=mkl=true", rc(4), because="--config=mkl")
OPT_RC = option("--compilation_mode=opt", rc(5), "-c opt", "--config=mkl")
FAST = option("--compilation_mode=fastbuild", COMMAND_LINE, "-c fastbuild")

WITH_MKL = Label("", "third_party/mkl", "with_mkl")
WINDOWS = Label("", "", "windows")
DEFAULT = Label("", "conditions", "default")
APP = Label("", "app", "app")
CORE = Label("", "core", "core")
ONE_DNN = Label("mkl_dnn", "", "mkl_dnn")

MKL_HOLDS = Match(
    WITH_MKL,
    WITH_MKL,
    (Requirement("--define=mkl", "true", "true", MKL),),
    Location("third_party/mkl/BUILD", 3, 1),
)
NO_WINDOWS = NoMatch(
    WINDOWS,
    WINDOWS,
    (Requirement("--cpu", "x64_windows", "k8"),),
    location=Location("BUILD", 9, 1),
)
SELECT = SelectAnswer(
    "deps",
    SelectOutcome.CHOSEN,
    Location("third_party/mkl/build_defs.bzl", 12, 18),
    (
        SelectBranch(MKL_HOLDS, False, (str(ONE_DNN),), is_chosen=True),
        SelectBranch(NO_WINDOWS, False, ()),
        SelectBranch(NoMatch(DEFAULT, DEFAULT, ()), True, ()),
    ),
    term=Term(
        TermKind.CALL,
        "mkl_deps()",
        Location("core/BUILD", 8, 20),
        Location("third_party/mkl/build_defs.bzl", 12, 18),
    ),
)
CORE_NODE = NodeAnswer(
    CORE,
    "cc_library rule",
    Location("core/BUILD", 5, 1),
    "fast_library",
    (
        Frame("<toplevel>", Location("core/BUILD", 5, 13)),
        Frame("fast_library", Location("core/defs.bzl", 30, 14)),
    ),
)
UNFETCHED = Unknown(Reason.NOT_FETCHED, "@cuda//:defs.bzl", location=Location("core/BUILD", 1, 6))
TAKEN_FOR_GRANTED = Unknown(
    Reason.DEPENDS_ON_UNKNOWN,
    "@cuda: which(nvcc)",
    "assumed that the program exists, since the rule fails otherwise",
    Location("WORKSPACE", 3, 1),
)
FOOT = Completeness(
    counts=(Count("targets", 1207, 40, 3), Count("packages", 4), Count("loads", 9, 2, 1)),
    unknown_targets=(
        UnknownTargetsCount("cuda", Reason.NOT_FETCHED, 2),
        UnknownTargetsCount("", Reason.DEPENDS_ON_UNKNOWN, 1),
    ),
    assumptions=(TAKEN_FOR_GRANTED,),
    unknowns=(UNFETCHED,),
    elsewhere=(UNFETCHED,),
    packages_in_error=(
        PackageDiagnostics("//broken", (Diagnostic("syntax-error", "unexpected `)`"),)),
    ),
)

UNDEFINED = UndefinedConfig(
    "opt",
    "--config=opt",
    COMMAND_LINE,
    (
        PossibleDefiner(
            DefinerKind.SCRIPT, "build:opt", Location("configure.py", 20, 9), ".made.bazelrc"
        ),
        PossibleDefiner(DefinerKind.MISSING_RC_FILE, ".made.bazelrc", Location(".bazelrc", 9, 1)),
    ),
)

EXPLANATION = Explanation(
    envelope=Envelope(SETUP, (UNDEFINED,), completeness=FOOT),
    rc_files=(
        RcFile(".bazelrc", RcStatus.READ),
        RcFile(".made.bazelrc", RcStatus.NOT_FOUND, Span(".bazelrc", 9, 1, 9, 25)),
    ),
    configs=(
        ConfigExpansion(
            "mkl",
            option("--config=mkl", COMMAND_LINE),
            (Span(".bazelrc", 4, 1, 4, 10),),
            (
                MKL,
                ConfigExpansion(
                    "fast",
                    option("--enable_platform_specific_config", rc(6)),
                    (Span(".bazelrc", 7, 1, 7, 10),),
                    (OPT_RC,),
                ),
            ),
        ),
    ),
    options=(FlagValue("compilation_mode", ("opt",), (OPT_RC,), (FAST,)),),
    starlark_flags=(),
    defines=(Define("mkl", "true", MKL),),
    condition_scope=ConditionScope.TARGETS,
    conditions=(MKL_HOLDS, NO_WINDOWS),
    targets=(
        TargetAnswer(
            "//core",
            CORE_NODE,
            (SELECT,),
            calls=(
                CallAnswer(
                    "fast_library",
                    Location("core/BUILD", 5, 13),
                    (
                        ArgumentAnswer("name", '"core"'),
                        ArgumentAnswer("srcs", '["a.cc", "a_rather_long_file_name.cc", "b.cc"]'),
                        ArgumentAnswer("**", "COMMON"),
                    ),
                ),
                CallAnswer("cc_library", Location("core/defs.bzl", 30, 14), is_readable=False),
            ),
            attributes=(
                AttributeAnswer("deps", (AttributeValue(str(ONE_DNN), WITH_MKL),)),
                AttributeAnswer("srcs", tuple(map(AttributeValue, "abcde")), 1),
            ),
            dependencies=(
                DependencyGroup(
                    "deps",
                    (DirectDependency(ONE_DNN, "cc_library", "target"),),
                    SELECT.term,
                    Location("core/BUILD", 8, 20),
                    WITH_MKL,
                    SELECT.location,
                ),
                DependencyGroup(
                    "srcs",
                    tuple(
                        DirectDependency(Label("", "core", f"{name}.cc"), "source file", "source")
                        for name in "abcdefgh"
                    ),
                ),
            ),
            hidden=(UnknownEdges(CORE, "data", UNFETCHED),),
        ),
        TargetAnswer("//cor", None, (), "no such package `cor`", ("//core",)),
    ),
    sections=tuple(Section),
    words=(
        WordAnswer(
            "--config=mkl",
            1,
            (
                WordEffect(MKL, counts=True),
                WordEffect(OPT_RC, counts=True, same_as=FAST),
                WordEffect(FAST, counts=False, beaten_by=OPT_RC),
            ),
            (WITH_MKL,),
        ),
        WordAnswer("-c fastbuild", 2, (WordEffect(FAST, counts=True, instead_of=OPT_RC),)),
        WordAnswer("--config=opt", 3, (), is_undefined=True),
        WordAnswer("--repo_env=A=1", 4, (), read_by=("cuda",)),
    ),
    repositories=(
        RepositoryNeed(
            "cuda",
            "cuda_configure",
            Location("WORKSPACE", 9, 1),
            "unknown",
            0,
            files=1,
            loaded_at=Location("core/BUILD", 1, 6),
            unknown=UNFETCHED,
        ),
        RepositoryNeed(
            "mkl_dnn", "http_archive", Location("WORKSPACE", 7, 1), "overlay", 3, ONE_DNN, CORE
        ),
    ),
    reached=12,
)

WHY = WhyAnswer(
    Envelope(SETUP, (UNDEFINED,)),
    "with_mkl",
    (
        Fact(
            FactKind.CONDITION,
            str(WITH_MKL),
            "holds",
            MKL_HOLDS.location,
            (
                Link(
                    Relation.MEETS,
                    "--define=mkl=true",
                    causes=(
                        Link(
                            Relation.SET_BY,
                            "--define=mkl=true",
                            Location(".bazelrc", 4, 11),
                            "build:mkl",
                            (Link(Relation.EXPANDED_FROM, "--config=mkl", None, "word 1"),),
                        ),
                    ),
                ),
                *(Link(Relation.ASKED_BY, f"//core:{name}") for name in "abcdefgh"),
            ),
        ),
        Fact(FactKind.DEFINE, "--define=mkl", "true", None, ()),
        Fact(
            FactKind.CONFIG,
            "--config=opt",
            "undefined",
            None,
            (Link(Relation.UNKNOWN, "who knows", Location("a", 1, 1)),),
        ),
    ),
)
WHY_NOT = WhyAnswer(PLAIN, "wiht_mkl", (), (str(WITH_MKL), "--define=mkl"))

BRANCH = BranchAnswer(
    WITH_MKL,
    False,
    Location("third_party/mkl/build_defs.bzl", 12, 18),
    (
        OptionNeed(
            "--define=mkl=true",
            "--define=mkl",
            "true",
            WITH_MKL,
            Location("third_party/mkl/BUILD", 3, 1),
            (
                ConfigSource("mkl", Location(".bazelrc", 4, 11)),
                ConfigSource("all", Location(".bazelrc", 4, 11), ("mkl",)),
            ),
        ),
    ),
)
TO_CORE = EdgeAnswer(
    APP,
    CORE,
    "data",
    "attribute",
    Location("app/BUILD", 4, 5),
    Term(TermKind.VARIABLE, "COMMON", Location("app/BUILD", 4, 5), Location("app/BUILD", 1, 1)),
)
TO_ONE_DNN = EdgeAnswer(
    CORE,
    ONE_DNN,
    "deps",
    "attribute",
    Location("core/BUILD", 8, 20),
    Term(TermKind.CALL, "mkl_deps()", Location("core/BUILD", 8, 20)),
    BRANCH,
)
APP_NODE = NodeAnswer(APP, "sh_binary rule", Location("app/BUILD", 3, 1))
ONE_DNN_NODE = NodeAnswer(
    ONE_DNN, "cc_library rule", Location("third_party/mkl_dnn.BUILD", 2, 1), provenance="overlay"
)
ARCHIVE = RepositoryAnswer(
    "mkl_dnn",
    "http_archive",
    Location("WORKSPACE", 7, 1),
    (),
    "overlay",
    (RepositoryFact("urls", ("https://example.org/a.tgz",)), RepositoryFact("sha256", ("0" * 8,))),
)
UNLESS_WINDOWS = FlagWord(OptionNeed("--cpu=x64_windows", "--cpu", "x64_windows"), False)
ONLY_WITH = FlagCondition(
    Verdict.SOMETIMES,
    Now.NO,
    (FlagCombination((FlagWord(BRANCH.needs[0]), UNLESS_WINDOWS), BRANCH.needs[0].configs),),
    (
        FlagCombination((FlagWord(BRANCH.needs[0], False),)),
        FlagCombination((replace(UNLESS_WINDOWS, is_so=True),)),
    ),
    making=AddedWords(("--config=mkl",)),
)
PATH = PathAnswer(
    Envelope(SETUP, completeness=FOOT),
    NameAnswer("app", APP, (Label("", "old", "app"),)),
    NameAnswer("//@mkl_dnn", ONE_DNN),
    PathOutcome.FOUND,
    configured=False,
    steps=(
        PathStep(APP_NODE, TO_CORE),
        PathStep(CORE_NODE, TO_ONE_DNN),
        PathStep(ONE_DNN_NODE),
    ),
    needs=BRANCH.needs,
    forbids=((OptionNeed("--cpu=x64_windows", "--cpu", "x64_windows"),),),
    repositories=(ARCHIVE,),
    condition=ONLY_WITH,
)
PATHS = PathsAnswer(
    Envelope(SETUP, completeness=FOOT),
    NameAnswer("app", APP),
    NameAnswer("//@mkl_dnn", ONE_DNN),
    PathOutcome.FOUND,
    configured=False,
    route=RouteAnswer(("//old/...",), (CORE,), ("data", "deps")),
    paths=(
        ListedPath(
            PATH.steps,
            PATH.needs,
            PATH.forbids,
            PathFlags(("--define=mkl=true",), Tried.CONFIRMED, PATH.needs[0].configs),
            ONLY_WITH,
        ),
    ),
    left_out=(
        ClashAnswer(
            ClashKind.TWO_VALUES,
            (OptionNeed("--cpu=arm", "--cpu", "arm"), OptionNeed("--cpu=k8", "--cpu", "k8")),
            None,
            1200,
        ),
        ClashAnswer(ClashKind.RULED_OUT, PATH.needs, None, 1),
        ClashAnswer(ClashKind.NEVER_TAKEN, (), WITH_MKL),
    ),
    more=123_456_789_012_345,
    is_complete=False,
    repositories=(ARCHIVE,),
    condition=ONLY_WITH,
    shared=(TO_CORE,),
)
CLASHING = PathAnswer(
    PLAIN,
    NameAnswer("//app", APP),
    NameAnswer("@mkl_dnn", ONE_DNN),
    PathOutcome.FOUND,
    configured=False,
    steps=PATH.steps,
    needs=PATHS.left_out[0].needs,
    contradiction=PATHS.left_out[0].needs,
    clash=replace(PATHS.left_out[0], edges=(TO_CORE, TO_ONE_DNN)),
    condition=FlagCondition(Verdict.NEVER),
)
CUT = PathAnswer(
    PLAIN,
    NameAnswer("//app", APP),
    NameAnswer("@mkl_dnn", ONE_DNN),
    PathOutcome.CUT,
    configured=True,
    steps=PATH.steps,
    cuts=(
        Cut(
            TO_ONE_DNN,
            NoMatch(WITH_MKL, WITH_MKL, (Requirement("--define=mkl", "true", None),)),
            Match(DEFAULT, DEFAULT, ()),
            BRANCH.needs,
        ),
    ),
)
AMBIGUOUS = PathAnswer(
    PLAIN,
    NameAnswer("lib", None, (Label("", "a", "lib"), Label("", "b", "lib")), (), "two libs"),
    NameAnswer("cor", None, (), ("//core:core",)),
    PathOutcome.NAME_AMBIGUOUS,
    configured=False,
)
GRAPH = GraphAnswer(
    PLAIN,
    PATH.source,
    PATH.target,
    PathOutcome.FOUND,
    configured=False,
    nodes=(APP_NODE, CORE_NODE, ONE_DNN_NODE),
    edges=(TO_CORE, TO_ONE_DNN),
    hidden_nodes=3,
)
FLAG = FlagAnswer(
    PLAIN,
    "compilation_mode",
    FlagFacts(
        "compilation_mode",
        "c",
        "an enum",
        "fastbuild",
        False,
        False,
        ("build",),
        "in every known release",
        True,
        (),
        (),
    ),
    ("opt",),
    (RankedSetting(FAST, False), RankedSetting(OPT_RC, True)),
    is_default=False,
)
NO_FLAG = FlagAnswer(
    PLAIN, "compilation_mood", None, (), (), True, suggestions=("compilation_mode",)
)
CONFIGS = ConfigsAnswer(
    PLAIN,
    None,
    (
        NamedConfig("fast", (), (), ("mkl",)),
        NamedConfig(
            "mkl",
            (
                ConfigSectionAnswer(
                    "build",
                    (
                        ConfigLine("--define=mkl=true", Location(".bazelrc", 4, 11)),
                        ConfigLine("--config=gone", Location(".bazelrc", 5, 11)),
                    ),
                ),
            ),
            ("fast",),
            (),
            ("gone",),
        ),
    ),
)
ANSWERS: dict[str, list[Answer]] = {
    "explain": [EXPLANATION],
    "why": [WHY, WHY_NOT],
    "path": [PATH, CUT, CLASHING, AMBIGUOUS],
    "paths": [PATHS],
    "graph": [GRAPH],
    "flag": [FLAG, NO_FLAG],
    "configs": [CONFIGS],
}
