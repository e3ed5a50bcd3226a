"""Small workspaces of which conditions are asked, and the answers to `when` as texts."""

from __future__ import annotations

from pathlib import Path

from bazelscope.api import Workspace
from bazelscope.questions.shared.conditions.flag_conditions import (
    FlagCombination,
    FlagCondition,
)
from bazelscope.questions.when.answer import WhenAnswer
from bazelscope.questions.when.text import when_document
from bazelscope.render.console import to_text
from tests.support.files import write_files

_SETTINGS = """
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "b", define_values = {"b": "1"})
config_setting(name = "cuda", define_values = {"cuda": "true"})
config_setting(name = "shared", define_values = {"shared": "true"})
config_setting(name = "both", define_values = {"cuda": "true", "shared": "true"})
config_setting(name = "win", values = {"cpu": "x64_windows"})
config_setting(name = "nogcp", define_values = {"nogcp": "true"})
config_setting(name = "mac", constraint_values = ["@platforms//os:macos"])
alias(name = "a_or_b", actual = select({":a": ":a", "//conditions:default": ":b"}))
filegroup(name = "g")
filegroup(name = "lib")
"""


def workspace(folder: Path, build: str, rc: str = "") -> Workspace:
    files = {"WORKSPACE": "", ".bazelversion": "4.2.3\n", ".bazelrc": rc}
    write_files(folder, {**files, "BUILD": _SETTINGS + build})
    return Workspace.open(folder, environment={}, cache_dir=None)


def said(alternatives: tuple[FlagCombination, ...]) -> list[str]:
    return [
        " ".join(("" if word.is_so else "not ") + word.need.text for word in one.words)
        for one in alternatives
    ]


def of(answer: WhenAnswer) -> FlagCondition:
    assert answer.condition is not None
    return answer.condition


def lines(answer: WhenAnswer) -> list[str]:
    text = to_text(when_document(answer), None, False)
    return [" ".join(line.split()) for line in text.splitlines()]


TWO = """
filegroup(name = "two", srcs = select({":a": [":g"], ":b": [":g"], "//conditions:default": []}))
"""
DRIVER = """
filegroup(name = "top", srcs = select({":cuda": [":driver"], "//conditions:default": []}))
filegroup(name = "driver", srcs = select({":both": [], "//conditions:default": [":lib"]}))
"""
GCS = """
filegroup(name = "top", srcs = select({
    ":win": [":lib"], ":nogcp": [], "//conditions:default": [":lib"],
}))
"""
BOTH = """
filegroup(name = "x", srcs = select({":a": [":g", ":lib"], "//conditions:default": [":g"]}))
"""
GROUP = """
filegroup(name = "z", srcs = select({":a_or_b": [":g"], "//conditions:default": []}))
"""
GROUPS = """
alias(name = "any", actual = select({":a": ":a", "//conditions:default": ":b"}))
alias(name = "all", actual = select({":a": ":b", "//conditions:default": ":a"}))
alias(name = "also_a", actual = "//p:a")
filegroup(name = "with_any", srcs = select({":any": [":g"], "//conditions:default": []}))
filegroup(name = "with_all", srcs = select({":all": [":g"], "//conditions:default": []}))
filegroup(name = "first", srcs = select({":a": [":lib"], "//conditions:default": []}))
filegroup(name = "aliased", srcs = select({":also_a": [":g"], "//conditions:default": [":first"]}))
filegroup(name = "only_default", srcs = select({"//conditions:default": [":g"]}))
"""
PUBLIC = """
package(default_visibility = ["//visibility:public"])

config_setting(name = "a", define_values = {"a": "1"})
"""
