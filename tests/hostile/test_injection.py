"""Names, values and texts that are markup, orders or formulas somewhere are data in every output.

`_READERS` has a reader for each format there is; a format without one fails here. What `query` and
`cquery` write in Bazel's own formats is Bazel's, byte for byte (`_BAZELS_OWN`;
tests/oracle/test_odd_characters.py compares).
"""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest
from sarif_pydantic import Sarif

from bazelscope.bazel.release import Release
from bazelscope.cli import main
from bazelscope.cli.entry import cli
from bazelscope.query.formats.format_names import format_names
from bazelscope.query.language.signatures import Command
from bazelscope.questions.mod.options import FORMATS as FORMATS_OF_MOD
from tests.support.files import write_files
from tests.support.parts import need_dot

NAMES = (
    "a<script>alert(1)</script>",
    'b" onload="alert(1)',
    "c]]><!--&lt;'`",
    'd"];evil[label="',
    "e|{x}<b>#quot;",
    "f![x](evil)[y](x)",
    "=g+cmd|x",
    "h%%{init}`$(id)`",
)
"""Each in the place of a target, and of what it needs: the whole is a chain."""
_ORDERS = "\\033]0;owned\\007\\n::error::owned\\r</script><img src=x onerror=alert(1)>"
_CONFIG = "c<script>alert(1)</script>"
_CHAIN = "".join(
    f"filegroup(name = {json.dumps(name)}, srcs = [{json.dumps(needed)}], tags = ['{_ORDERS}'])\n"
    for name, needed in zip(NAMES, (*NAMES[1:], "last<i>.txt"), strict=True)
)
FILES = {
    "WORKSPACE": "",
    ".bazelrc": (
        f"build:{_CONFIG} --copt='\x1b]0;owned\x07' --define=x=<b>\n"
        "build --copt='=1+<script>alert(1)</script>' --define='a=[x](http://evil/)'\n"
        "build:![x](http://evil/) --copt=%0A::error::owned\n"
    ),
    "BUILD": f"""{_CHAIN}
config_setting(name = "set<b>", values = {{"define": "x=<b>"}})
genrule(name = "gen", outs = ["o<b>.c"], cmd = "{_ORDERS}", srcs = select({{
    ":set<b>": [{json.dumps(NAMES[0])}],
    "//conditions:default": [{json.dumps(NAMES[1])}],
}}))
cc_library(name = "lib<b>", srcs = ["s<b>&.cc"], copts = ["-D\\"x\\"=<b>\\033"])
""",
    "p&'(x)/BUILD": 'filegroup(name = "x", srcs = ["//:none<b>\\033"])\n',
    "MODULE.bazel": 'module(name = "m")\nbazel_dep(name = "d")\n'
    'local_path_override(module_name = "d", path = "d<b>]]>\\"")\n',
    'd<b>]]>"/MODULE.bazel': 'module(name = "d", version = "1")\n',
}

AS_SOMEBODY = ("-c", "user.name=a", "-c", "user.email=a@b")
_LINE = (f"--config={_CONFIG}",)
_FIRST, _LAST = f"//:{NAMES[0]}", f"//:{NAMES[-1]}"
WORDS: dict[str, tuple[str, ...]] = {
    "affected": ("//...",),
    "canonicalize-flags": ("--", *_LINE, "--copt=<b>\x1b"),
    "check": (),
    "compile": ("//:lib<b>", *_LINE),
    "configs": (),
    "cquery": ("deps(//:gen)", *_LINE),
    "deps": ("//:gen",),
    "diff": ("//:gen", "--after", *_LINE),
    "effects": ("x",),
    "explain": ("//:gen", *_LINE),
    "flag": ("copt", *_LINE),
    "graph": ("//:gen",),
    "matrix": ("flag", "copt", "--over", f"configs=,{_CONFIG}"),
    "mod": ("graph", "--bazel-version", "7.1.0"),
    "page": ("//:gen", "-o", "page.html"),
    "path": (_FIRST, _LAST),
    "query": ("deps(//:gen) + '//:lib<b>'",),
    "rdeps": (_LAST,),
    "repos": (),
    "select": ("//:gen", *_LINE),
    "settings": _LINE,
    "when": ("//:gen", _LAST),
    "why": ("copt", *_LINE, "//:gen"),
}

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


# ---- Readers: each fails where its format says something else than data


def _terminal(text: str) -> None:
    assert _CONTROL.findall(text) == []
    assert text


def _json(text: str) -> None:
    assert _CONTROL.findall(text) == []
    json.loads(text)


def _json_lines(text: str) -> None:
    for line in text.splitlines():
        _json(line)
    assert text


def _sarif(text: str) -> None:
    _json(text)
    (run,) = Sarif.model_validate_json(text).runs
    told = [result.message.text or "" for result in run.results or ()]
    assert any("x](http://evil/)" in message for message in told)
    assert not any(re.search(r"(?<!\\)\[[^]]*\]\(", message) for message in told)


def _annotations(text: str) -> None:
    assert _CONTROL.findall(text) == []
    assert text.startswith("::")
    for line in text.splitlines():
        # A property ends at a comma, the properties at the first "::".
        assert re.match(r"::(error|warning|notice) (\w+=[^,:]*,)*title=BZS\d+::", line), line


def _csv(text: str) -> None:
    rows = list(csv.reader(io.StringIO(text)))
    assert {len(row) for row in rows} == {5}
    assert not [cell for row in rows for cell in row if cell.startswith(_FORMULA)]


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {tag, *(f"{tag} {name}" for name, _ in attrs)}


def _html(text: str) -> None:
    tags = _Tags()
    tags.feed(text)
    table = {"table", "tr", "th", "td", "td class", "td title"}
    assert tags.seen == {"meta", "meta charset", "title", "style", "h1", "h2", "ul", "li", *table}


def _tree(text: str) -> ElementTree.Element:
    root = ElementTree.fromstring(text)
    for element in root.iter():
        assert element.tag.rpartition("}")[2] not in {"script", "image", "img", "foreignObject"}
        names = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
        assert not [name for name in names if name.lower().startswith("on")]
        assert not names.get("href")
    return root


def _svg(text: str) -> None:
    _tree(text)
    assert "//:" in text


def _dot(text: str) -> None:
    from bazelscope.render.layout import by_wheel

    titles = [
        str(title.text)
        for group in _tree(by_wheel(text).decode()).iter("{http://www.w3.org/2000/svg}g")
        if group.get("class") == "node"
        for title in group.iter("{http://www.w3.org/2000/svg}title")
    ]
    assert all(title.startswith(("//:", "hidden", "hub", "rest")) for title in titles), titles


def _mermaid(text: str) -> None:
    for line in text.splitlines():
        if line.lstrip().startswith("%%"):
            assert "{" not in line
        else:
            assert line.count('"') in (0, 2), line
            assert "<b>" not in line and "script>" not in line


def _xml(text: str) -> None:
    root = _tree(
        text.replace('version="1.1"', 'version="1.0"', 1).replace("&#27;", "").replace("&#7;", "")
    )
    assert f"//:{NAMES[3]}" in {rule.get("name") for rule in root}


def _text_proto(text: str) -> None:
    for line in text.splitlines():
        assert re.fullmatch(r'\s*(\w+( \{|: ("([^"\\]|\\.)*"|-?\w+))|\})', line), line


def _build(text: str) -> None:
    assert _CONTROL.findall(text) == []
    assert "\\x1b]0;owned\\x07\\n" in text


def _bazels_lines(text: str) -> None:
    """One target each, whatever its name."""
    assert all("//" in line for line in text.splitlines()), text


def _bazels_own(text: str) -> None:
    assert text


def _png(text: str) -> None:
    assert text.startswith("\udc89PNG")


def _pdf(text: str) -> None:
    assert text.startswith("%PDF")
    assert "/JavaScript" not in text and "/URI" not in text


def _patch(text: str) -> None:
    """A diff holds lines of files as they are, and names that need no quotes."""
    for line in text.splitlines():
        assert re.match(r"(--- a/|\+\+\+ b/|@@ | |\+|-|\\\\ No newline)", line), line
        assert not line.startswith(("---", "+++")) or _CONTROL.findall(line) == []


_READERS: dict[str, Callable[[str], None]] = {
    "build": _build,
    "compile_commands": _json,
    "csv": _csv,
    "dot": _dot,
    "files": _bazels_own,
    "github": _annotations,
    "graph": _bazels_own,
    "graphml": lambda text: assert_named(_tree(text)),
    "html": _html,
    "json": _json,
    "jsonl": _json_lines,
    "jsonproto": _json,
    "label": _bazels_lines,
    "label_kind": _bazels_lines,
    "lines": _terminal,
    "location": _bazels_lines,
    "maxrank": _bazels_lines,
    "minrank": _bazels_lines,
    "mmd": _mermaid,
    "package": _bazels_own,
    "patch": _patch,
    "pdf": _pdf,
    "png": _png,
    "proto": _bazels_own,
    "sarif": _sarif,
    "starlark": _bazels_lines,
    "streamed_jsonproto": _json_lines,
    "streamed_proto": _bazels_own,
    "svg": _svg,
    "text": _terminal,
    "textproto": _text_proto,
    "transitions": _bazels_own,
    "xml": _xml,
}


_RELEASE = "6.5.0"
_BAZELS_OWN = {("canonicalize-flags", "text"), ("query", "text"), ("cquery", "text")}


def assert_named(root: ElementTree.Element) -> None:
    """Whether a document has the names as they are."""
    assert any(name in str(data.text) for data in root.iter() for name in NAMES)


def _asked() -> Iterator[tuple[str, str, str]]:
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        for option in command.params:
            if isinstance(option.type, click.Choice) and option.opts[-1] in ("--format", "--as"):
                yield from ((name, option.opts[-1], str(way)) for way in option.type.choices)
    for command_of_query in Command:
        for way in format_names(command_of_query, Release.of(_RELEASE)):
            yield command_of_query.value, "--output", way
    yield from (("mod", "--output", way) for way in FORMATS_OF_MOD)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("injection") / "w"
    write_files(root, FILES)
    for words in (("init", "-q"), ("add", "."), (*AS_SOMEBODY, "commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=root, check=True)
    (root / "last<i>.txt").write_text("changed\n")
    return root


@pytest.mark.parametrize(("command", "option", "way"), sorted({*_asked()}))
def test_names_are_data(
    command: str,
    option: str,
    way: str,
    root: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if way == "pdf":
        need_dot()
    monkeypatch.chdir(root)
    words = [*WORDS[command]]
    at = words.index("--") if "--" in words else len(words)
    release = () if "--bazel-version" in words else ("--bazel-version", _RELEASE)
    own = [option, way] if option != "--output" else [f"--output={way}"]
    cache = ["--cache-dir", str(root.parent / "cache")]
    if way == "transitions":
        own.append("--transitions=lite")
    code = main([command, *words[:at], *own, *release, *cache, *words[at:]])
    out, err = (text.decode("utf-8", "surrogateescape") for text in capfdbinary.readouterr())
    assert code in (0, 1, 3), err
    assert _CONTROL.findall(err) == []
    (_bazels_own if (command, way) in _BAZELS_OWN else _READERS[way])(out)
    if command == "page":
        (root / "page.html").unlink()


def test_a_trace_is_data(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    file = root.parent / "trace.json"
    assert main(["deps", "//p&'(x):x", "--no-cache", "--trace", str(file)]) in (0, 1, 3)
    assert json.loads(file.read_text())["traceEvents"]
