"""What `compile` says of pigweed, whose toolchains are made of rules_cc's own rules: the words were
read by hand off `pw_toolchain/host_clang` and `pw_toolchain/cc/args`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.compile.words import FromToolchain
from bazelscope.api import Workspace
from tests.support.parts import need_sibling, need_within

pytestmark = pytest.mark.corpus

_HOST = (
    *("external/llvm_toolchain/bin/clang++", "--sysroot=external/linux_sysroot", "-g"),
    *("-fno-common", "-fno-exceptions", "-ffunction-sections", "-fdata-sections"),
    *("-no-canonical-prefixes", "-fno-rtti", "-Wthread-safety"),
    *("-D_LIBCPP_ENABLE_THREAD_SAFETY_ANNOTATIONS=1", "-Wno-register", "-Wnon-virtual-dtor"),
    *("-Wall", "-Wextra", "-Wimplicit-fallthrough", "-Wcast-qual", "-Wpointer-arith", "-Wshadow"),
    *("-Wredundant-decls", "-Werror", "-Wno-error=cpp", "-Wno-error=deprecated-declarations"),
    "-fdiagnostics-color",
    "--warning-suppression-mappings=pw_toolchain/cc/args/warning_exceptions.txt",
    *("-Wpedantic", "-Wno-c++20-designator", "-Wno-gnu-zero-variadic-macro-arguments"),
    *("-Wswitch-enum", "-Wextra-semi", "-std=c++17"),
    # Asked for by REPO.bazel, and known after the features that are enabled.
    *("-Wconversion", "-Wctad-maybe-unsupported"),
)


@pytest.mark.parametrize("release", [None, "0.1.2", "0.2.22"])
def test_words_of_a_rule_based_toolchain(release: str | None) -> None:
    """By bazelscope's model of rules_cc, and by its own files; in 0.2.22 `cc_library` is a rule in
    Starlark."""
    trees = need_sibling("BAZELSCOPE_MODULE_TREES", "trees/modules")
    tree = need_within(trees, "pigweed")
    flags = []
    if release is not None:
        flags = [f"--override_module=rules_cc={need_within(trees, f'rules_cc-{release}')}"]
    answer = Workspace.open(tree).configure(flags).compile("//pw_string:builder")
    line = answer.actions[0].words
    told = [word for word in line if word.unknown is None]
    own = [word for word in told if _is_own(word.origin) or word.number == 1]
    assert tuple(word.text for word in own) == _HOST
    for word in own[2:]:
        assert isinstance(word.origin, FromToolchain) and word.origin.location is not None
        rule = _rule_at(tree / word.origin.location.path, word.origin.location.line)
        assert f'"{word.text.partition("=")[0]}' in rule


def _is_own(origin: object) -> bool:
    return (
        isinstance(origin, FromToolchain)
        and origin.location is not None
        and not origin.location.path.startswith("external/rules_cc")
    )


def _rule_at(path: Path, line: int) -> str:
    """The call that begins at a line."""
    text = "\n".join(path.read_text().splitlines()[line - 1 :])
    return text[: text.index("\n)")]
