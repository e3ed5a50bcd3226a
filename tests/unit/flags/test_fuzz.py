"""Random texts through the rc parser and the whole pipeline: no crash, no hang, no lost line.

The parser is compared with a second reading of Bazel's rules, character by character, that
shares no code with it. `BAZELSCOPE_FUZZ_CASES` asks for more cases than the few of a
usual run.
"""

from __future__ import annotations

import os
import random

from bazelscope.base.source import SourceFile
from bazelscope.flags import rcfile
from tests.unit.flags.flag_world import resolve

CASES = int(os.environ.get("BAZELSCOPE_FUZZ_CASES", "1500"))
SEED = int(os.environ.get("BAZELSCOPE_FUZZ_SEED", "20190"))

RC = """\
# A file with everything in it.
import %workspace%/other.rc
try-import %workspace%/none.rc
common --tool_tag=x   # a comment
build -c opt --copt="-DNAME='a b'" \\
    --define=a=b --define  c='d e'
build:mkl --config=opt --copt=-O3 --enable_platform_specific_config
build:opt --copt -march=native --java_debug
build:linux --copt=-w\ttest --keep_going
test:ci --test_output=streamed -k- -- //a -//b
startup --host_jvm_args=-Xmx1g
build --//p:f=v --no//p:g --@r//:h
query --noimplicit_deps
"""
PIECES = (
    "build",
    "build:a",
    "common:a",
    "test",
    "startup",
    "import",
    "try-import",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\\",
    "\\\n",
    "\\\r\n",
    "#",
    "'",
    '"',
    "\v",
    "\f",
    "\0",
    "\ufeff",
    "=",
    "--config=a",
    "--config=b",
    "--config",
    "-c",
    "opt",
    "--copt",
    "--copt=x",
    "--",
    "-",
    "-k-",
    "--define=a=b",
    "//a",
    "--//f",
    "%workspace%/.bazelrc",
    "%workspace%/other.rc",
    "é",
    "\udcff",
    "--no",
    "--nocopt",
    "--java_debug",
    "--enable_platform_specific_config",
    "build:linux",
    ":",
)


def reference(text: str) -> list[list[str]]:
    """Bazel's rules, read once more: delete continuations, strip lines, cut into words."""
    for continuation in ("\\\r\n", "\\\n"):
        text = text.replace(continuation, "")
    result: list[list[str]] = []
    for line in text.split("\n"):
        words = _reference_words(line.strip(" \t\r\v\f"))
        if words:
            result.append(words)
    return result


def _reference_words(line: str) -> list[str]:
    words: list[str] = []
    index = 0
    while index < len(line):
        if line[index] in " \t\r\0":
            index += 1
            continue
        if line[index] == "#":
            break
        word, quote = "", ""
        while index < len(line) and (quote or line[index] not in " \t\r\0"):
            character = line[index]
            if character == "\\":
                word += line[index + 1 : index + 2]
                index += 2
            elif quote:
                word, quote = (word, "") if character == quote else (word + character, quote)
                index += 1
            elif character == "#":
                index = len(line)
            elif character in "'\"":
                quote = character
                index += 1
            else:
                word += character
                index += 1
        if word:
            words.append(word)
    return words


def random_text(r: random.Random) -> str:
    """Bytes, pieces of rc files, or a real file with some characters changed."""
    kind = r.randrange(3)
    if kind == 0:
        data = bytes(r.randrange(256) for _ in range(r.randrange(120)))
        return data.decode("utf-8", "surrogateescape")
    if kind == 1:
        return "".join(r.choice(PIECES) for _ in range(r.randrange(60)))
    text = list(RC)
    for _ in range(r.randrange(1, 12)):
        position = r.randrange(len(text))
        change = r.randrange(3)
        if change == 0:
            del text[position : position + r.randrange(1, 9)]
        elif change == 1:
            text.insert(position, r.choice(PIECES))
        else:
            other = r.randrange(len(text))
            text[position:position] = text[other : other + r.randrange(1, 40)]
        text = text or list("x")
    return "".join(text)


def test_every_text_has_the_words_that_bazel_sees_in_it() -> None:
    r = random.Random(SEED)
    for _ in range(CASES):
        text = random_text(r)
        found = [[w.text for w in line.words] for line in rcfile.parse(SourceFile("rc", text))]
        assert found == reference(text), repr(text)


def test_every_line_is_accounted_for() -> None:
    """A line either holds a word whose place says so, or Bazel sees nothing on it."""
    r = random.Random(SEED + 1)
    for _ in range(CASES):
        text = random_text(r)
        source = SourceFile("rc", text)
        covered: set[int] = set()
        for line in rcfile.parse(source):
            for word in line.words:
                covered |= set(range(word.span.line, word.span.end_line + 1))
                if "\\" not in text and not set("'\"") & set(text):
                    # Nothing was escaped or quoted: the place holds the word itself.
                    (number, start, _, end) = word.span[1:]
                    assert source.line(number)[start - 1 : end - 1] == word.text, repr(text)
        if "\\\n" in text or "\\\r\n" in text:
            continue
        for number, physical in enumerate(text.split("\n"), start=1):
            assert (number in covered) == bool(reference(physical)), (number, repr(text))


def test_every_text_resolves() -> None:
    """Whatever stands in the files, there is an answer, and its problems have places in them."""
    r = random.Random(SEED + 2)
    for number in range(CASES):
        files = {".bazelrc": random_text(r), "other.rc": random_text(r)}
        words = tuple(r.choice(PIECES) for _ in range(r.randrange(4)))
        version = r.choice(("0.24.1", "2.1.0", "4.2.3", "6.5.0", "9.1.0"))
        resolved = resolve(
            files, *words, version=version, command=r.choice(("build", "test", "query"))
        )
        assert resolved.bazel_version == version, number
        for problem in resolved.diagnostics:
            if problem.span is not None:
                lines = files[problem.span.path].count("\n") + 1
                assert 1 <= problem.span.line <= problem.span.end_line <= lines, repr(files)
