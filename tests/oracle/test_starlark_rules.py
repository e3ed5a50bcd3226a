"""What three real Bazels say of each case of `support.starlark_rules` while they load packages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.bazel import Bazel
from tests.support.starlark_rules import CASES, lay_out

pytestmark = pytest.mark.oracle

_SUMMARIES = ("package contains errors", "error loading package", "Evaluation of query")
_PLACE = re.compile(r"[^\s:]+/(?:BUILD|\w+\.bzl):\d+:\d+: ")
_LAST_LINE = re.compile(r"(?ms)^Error(?: in [^\n:]*)?: (.*)\Z")
_IN_TRACEBACK = re.compile(r"(?s)(?P<head>.*?)Traceback.*\nError(?: in [^\n:]*)?: (?P<tail>.*)")

# What older Bazels say of these, the unit tests of rules have.
_TRANSITIONS = {case.name for case in CASES if case.name.startswith("transition_")}
_OTHERWISE = {
    "2.1.0": {
        *("setting_own", "type_int_big"),  # the error has no package: a crash, a syntax error
        *("values_default", "values_default_not_in"),  # defaults are checked, too
        *_TRANSITIONS,
    },
    "0.24.1": {
        *("own_deps_bad_ident", "non_empty_old", "type_int_big"),
        *("values_default", "values_default_not_in"),
        *(case.name for case in CASES if "build_setting = " in case.bzl),  # experimental
        *_TRANSITIONS,
    },
}
"""Cases that older Bazels take or refuse otherwise than 4.2.3."""


@pytest.fixture(scope="module")
def root(clear_room: Callable[[], Path]) -> Path:
    folder = clear_room() / "w"
    lay_out(folder)
    return folder


def _said(stderr: str, root: Path) -> Iterator[str]:
    """Each error, without its place and the way there."""
    text = stderr.replace(f"{root}/", "")
    for block in re.split(r"(?m)^(?=[A-Z]+: )", text):
        error = block.removeprefix("ERROR: ").rstrip("\n")
        if error == block.rstrip("\n") or error.startswith(_SUMMARIES):
            continue
        if error.startswith("Traceback"):
            found = _LAST_LINE.search(error)
            yield found[1] if found else error
            continue
        error = _PLACE.sub("", error, count=1)
        inner = _IN_TRACEBACK.fullmatch(error)
        yield inner["head"] + inner["tail"] if inner else error


def test_words_of_the_newest(root: Path, bazel: Callable[[str], Bazel]) -> None:
    answer = bazel("4.2.3").query(root, "//...")
    wanted = Counter(words for case in CASES for words in case.says)
    assert Counter(_said(answer.stderr, root)) == wanted


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0"])
def test_older_ones_refuse_the_same(
    root: Path, bazel: Callable[[str], Bazel], version: str
) -> None:
    answer = bazel(version).query(root, "//...")
    refused = set(re.findall(r"package contains errors: (\w+)", answer.stderr))
    refused |= set(re.findall(r"error loading package '(\w+)'", answer.stderr))
    wanted = {case.name for case in CASES if case.says}
    assert refused ^ wanted <= _OTHERWISE[version]
