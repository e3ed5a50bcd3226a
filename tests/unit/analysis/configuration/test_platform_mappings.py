"""Platforms that stand for flags, and flags that stand for a platform."""

from __future__ import annotations

from bazelscope.analysis.configuration.platform_mappings import apply, parse
from bazelscope.base.source import SourceFile
from tests.unit.analysis.analysis_world import configuration, label

TEXT = """\
# Both ways.
platforms:
  //p:arm
    --cpu=arm
    --copt=-marm
    --nostamp
flags:
  --cpu=aarch64
  --compilation_mode=OPT
    //p:big
  --cpu=aarch64
    //p:arm64
"""
MAPPINGS = parse(SourceFile("platform_mappings", TEXT))


def test_the_file_is_read() -> None:
    assert MAPPINGS.diagnostics == ()
    (flags,) = MAPPINGS.platforms.values()
    assert [(f.name, f.value, f.span.line) for f in flags] == [
        ("cpu", "arm", 4),
        ("copt", "-marm", 5),
        ("stamp", "0", 6),
    ]
    assert [m.platform for m in MAPPINGS.flags] == [label("//p:big"), label("//p:arm64")]


def test_a_platform_sets_flags() -> None:
    mapped = apply(configuration("--platforms=//p:arm", "--copt=-g", "--stamp=1"), MAPPINGS)
    assert mapped.value("cpu").value == "arm"
    assert mapped.value("copt").values == ("-marm",)
    assert mapped.value("stamp").value == "0"
    (instance,) = mapped.value("cpu").instances
    assert instance.location is not None
    assert instance.location.short == "platform_mappings:4"


def test_flags_choose_the_first_platform_that_fits() -> None:
    opt = configuration("--cpu=aarch64", "--compilation_mode=opt")
    assert apply(opt, MAPPINGS).value("platforms").value == "//p:big"
    plain = configuration("--cpu=aarch64")
    assert apply(plain, MAPPINGS).value("platforms").value == "//p:arm64"


def test_nothing_applies() -> None:
    for words in ((), ("--platforms=//p:other",)):
        before = configuration(*words)
        assert apply(before, MAPPINGS) is before


def test_what_bazel_refuses() -> None:
    broken = parse(SourceFile("platform_mappings", "--cpu=k8\nplatforms:\n  --cpu=k8\n"))
    assert [d.span and d.span.line for d in broken.diagnostics] == [1, 3]


def test_who_set_a_flag_is_to_blame_for_what_it_is_mapped_to() -> None:
    mapped = apply(configuration("--cpu=aarch64", "--compilation_mode=opt"), MAPPINGS)
    (instance,) = mapped.value("platforms").instances
    assert [cause.text for cause in instance.chain] == [
        "--compilation_mode=opt",
        "--platforms=//p:big",
    ]
    mapped = apply(configuration("--platforms=//p:arm"), MAPPINGS)
    (instance,) = mapped.value("cpu").instances
    assert [cause.text for cause in instance.chain] == ["--platforms=//p:arm", "--cpu=arm"]
