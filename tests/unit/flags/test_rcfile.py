"""The lexical form of rc files: each text beside the lines of words that Bazel sees."""

from __future__ import annotations

import pytest

from bazelscope.base.source import SourceFile
from bazelscope.flags import rcfile


def lines(text: str) -> list[list[str]]:
    return [[word.text for word in line.words] for line in rcfile.parse(SourceFile("rc", text))]


CASES = {
    "empty file": ("", []),
    "only white space": ("      \n\t      ", []),
    "only a comment": ("# startup foo", []),
    "comments and blank lines": ("\n\n# a\n   # b\n\n", []),
    "one word": ("startup", [["startup"]]),
    "a word and a comment": ("startup # bar", [["startup"]]),
    "two words": ("startup foo", [["startup", "foo"]]),
    "two words and a comment": ("startup foo # comment", [["startup", "foo"]]),
    "spaces": ("startup foo   bar", [["startup", "foo", "bar"]]),
    "tabs": ("startup\tfoo\t\tbar", [["startup", "foo", "bar"]]),
    "indented": ("  startup foo\n\tstartup  \t baz", [["startup", "foo"], ["startup", "baz"]]),
    "a value after equals": ("startup --opt=foo", [["startup", "--opt=foo"]]),
    "double quotes": ('startup "foo bar"', [["startup", "foo bar"]]),
    "single quotes": ("startup 'foo bar'", [["startup", "foo bar"]]),
    "quotes after equals": ('startup --opt="foo bar"', [["startup", "--opt=foo bar"]]),
    "quotes around a value": ('startup --opt "foo bar"', [["startup", "--opt", "foo bar"]]),
    "quotes of the other kind": ('b "it\'s" \'a "b"\'', [["b", "it's", 'a "b"']]),
    "pieces join": ("b a'b'\"c\"d", [["b", "abcd"]]),
    "quotes on the command": ("'bu'ild x", [["build", "x"]]),
    "an empty quote is no word": ("b \"\" '' x", [["b", "x"]]),
    "an empty quote joins": ('b a""c', [["b", "ac"]]),
    "an empty quote first": ('"" b x', [["b", "x"]]),
    "an unclosed quote": ("b 'c d\nb e", [["b", "c d"], ["b", "e"]]),
    "an unclosed quote and trailing space": ('b "c d  \t', [["b", "c d"]]),
    "a comment sign in quotes": ("b 'a#b' \"c # d\"", [["b", "a#b", "c # d"]]),
    "a comment inside a word": ("b c#d e", [["b", "c"]]),
    "a comment right after quotes": ("b 'c'#d", [["b", "c"]]),
    "an escaped comment sign": ("b a\\#b", [["b", "a#b"]]),
    "an escaped space": ("b a\\ b", [["b", "a b"]]),
    "an escaped quote": ("b \\'a\\\"", [["b", "'a\""]]),
    "escapes in single quotes": ("b 'a\\'b'", [["b", "a'b"]]),
    "escapes in double quotes": ('b "a\\"b\\\\"', [["b", 'a"b\\']]),
    "a backslash and n is n": ("b a\\nb", [["b", "anb"]]),
    "a dangling backslash": ("b a\\", [["b", "a"]]),
    "a dangling backslash and space": ("b a\\  \nb c", [["b", "a"], ["b", "c"]]),
    "a dangling backslash in a quote": ("b 'a\\  \nb c", [["b", "a"], ["b", "c"]]),
    "only a backslash": ("b \\ \nb c", [["b"], ["b", "c"]]),
    "a continuation": ("b \\\nfoo\nb bar \\\nbaz", [["b", "foo"], ["b", "bar", "baz"]]),
    "a continuation joins words": ("b a\\\nb", [["b", "ab"]]),
    "a continuation with carriage return": ("b a\\\r\nb", [["b", "ab"]]),
    "two continuations": ("b a\\\n\\\nc", [["b", "ac"]]),
    "a continuation that leaves a continuation": ("b a\\\\\r\n\nc", [["b", "ac"]]),
    "a continuation in quotes": ("b 'a\\\nb'", [["b", "ab"]]),
    "no continuation before a space": ("b a \\ \nb c", [["b", "a"], ["b", "c"]]),
    "two backslashes at a line end": ("b a\\\\\nc", [["b", "ac"]]),
    "a comment swallows what continues it": ("# a \\\nb x\nb y", [["b", "y"]]),
    "a comment inside a continuation": ("b x \\\n# y \\\nz\nb w", [["b", "x"], ["b", "w"]]),
    "a continued line that is empty": ("b x \\\n\nb y", [["b", "x"], ["b", "y"]]),
    "a continuation at the end": ("b x \\", [["b", "x"]]),
    "carriage returns at line ends": ("b x\r\nb y\r\n", [["b", "x"], ["b", "y"]]),
    "a carriage return separates": ("b x\ry", [["b", "x", "y"]]),
    "no vertical tab or form feed separates": ("b x\vy\fz", [["b", "x\vy\fz"]]),
    "no other space separates": ("b x\u00a0y\u2003z", [["b", "x\u00a0y\u2003z"]]),
    "form feed at a line's ends": ("\f\vb x\f \v\nb y", [["b", "x"], ["b", "y"]]),
    "a form feed after a comment": ("b x# \f", [["b", "x"]]),
    "a form feed before a comment": ("b x\f# c", [["b", "x\f"]]),
    "an escaped form feed at the end": ("b x\\\f\nb y", [["b", "x"], ["b", "y"]]),
    "a line of form feeds": ("\f\v\f\nb x", [["b", "x"]]),
    "a null character separates": ("b x\0y", [["b", "x", "y"]]),
    "a byte order mark sticks": ("\ufeffb x", [["\ufeffb", "x"]]),
    "many arguments": (
        """# Several
startup foo # for a reason
startup --a   --b # wide
#startup --no


 # and
startup\t "one two 3. " --bar""",
        [["startup", "foo"], ["startup", "--a", "--b"], ["startup", "one two 3. ", "--bar"]],
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_words(text: str, expected: list[list[str]]) -> None:
    assert lines(text) == expected


PLACES = {
    "plain": ("build --copt=x", ["rc:1:1-1:6", "rc:1:7-1:15"]),
    "second line": ("# c\n  build  'a b'", ["rc:2:3-2:8", "rc:2:10-2:15"]),
    "after a continuation": ("build \\\n  --x", ["rc:1:1-1:6", "rc:2:3-2:6"]),
    "across a continuation": ("build a\\\nbc d", ["rc:1:1-1:6", "rc:1:7-2:3", "rc:2:4-2:5"]),
    "with carriage returns": (
        "b a\\\r\nbc\r\nb x",
        ["rc:1:1-1:2", "rc:1:3-2:3", "rc:3:1-3:2", "rc:3:3-3:4"],
    ),
    "before form feeds": ("\fb x\f", ["rc:1:2-1:3", "rc:1:4-1:5"]),
    "at the end of the text": ("b\nb x\\", ["rc:1:1-1:2", "rc:2:1-2:2", "rc:2:3-2:5"]),
}


@pytest.mark.parametrize(("text", "expected"), PLACES.values(), ids=PLACES.keys())
def test_places(text: str, expected: list[str]) -> None:
    spans = [w.span for line in rcfile.parse(SourceFile("rc", text)) for w in line.words]
    shown = [f"{s.path}:{s.line}:{s.column}-{s.end_line}:{s.end_column}" for s in spans]
    assert shown == expected
