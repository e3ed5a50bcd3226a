"""A page of a workspace with script in every name runs nothing, and loads nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

pytestmark = pytest.mark.browser

_SCRIPT = "<script>window.ran=1</script><img src=x onerror=window.ran=1>"
_NAME = "x</script><script>window.ran=1</script>"
"""As far as names of targets may go; quotes are no part of them."""
_FILE = "f</script><script>window.ran=1<"
_PACKAGE = "p<script>window.ran=1<"
"""A folder: without the slash that would end the script."""
_CONFIG = "c</script><script>alert(1)</script>"

_FILES = {
    "WORKSPACE": (
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        'load("//:r.bzl", "fetched")\n'
        'local_repository(name = "other", path = "other")\n'
        f'http_archive(name = "archive", urls = ["https://x.invalid/{_SCRIPT}.zip",'
        f' "javascript:window.ran=1"], sha256 = "{_SCRIPT}", strip_prefix = "{_SCRIPT}",'
        f' build_file = "//:{_FILE}.BUILD", patches = ["//:{_FILE}.patch"])\n'
        f'fetched(name = "made", url = "https://x.invalid/{_SCRIPT}", doc = "{_SCRIPT}")\n'
    ),
    "r.bzl": (
        "def _made(ctx):\n"
        f'    fail("{_SCRIPT}" + ctx.attr.url)\n\n'
        f'fetched = repository_rule(implementation = _made, doc = "{_SCRIPT}",'
        f' attrs = {{"url": attr.string(doc = "{_SCRIPT}"), "doc": attr.string()}})\n'
    ),
    f"{_FILE}.BUILD": f'filegroup(name = "{_NAME}", visibility = ["//visibility:public"])\n',
    f"{_FILE}.patch": "",
    "other/WORKSPACE": "",
    "other/BUILD": f'filegroup(name = "{_NAME}", visibility = ["//visibility:public"])\n',
    ".bazelrc": (
        f"build:{_CONFIG} --define=a={_NAME} --copt='{_SCRIPT}'\n"
        f"build --define=b='{_SCRIPT}' --copt=\"{_SCRIPT}\"\n"
        f"build --repo_env='R={_SCRIPT}' --action_env='A={_SCRIPT}' --//:setting='{_SCRIPT}'\n"
    ),
    "refused.bzl": (
        "def _refused(ctx):\n"
        f'    fail("{_SCRIPT}")\n\n'
        'refused = rule(implementation = _refused, attrs = {"word": attr.string()})\n'
        "flag = rule(implementation = lambda ctx: [], build_setting = config.string(flag = True))\n"
    ),
    f"{_PACKAGE}/BUILD": f'filegroup(name = "{_NAME}", visibility = ["//visibility:public"])\n',
    "BUILD": (
        f'load("//:{_FILE}.bzl", "m")\n'
        'load("//:refused.bzl", "flag", "refused")\n'
        f'refused(name = "{_NAME}-refused", word = "{_SCRIPT}")\n'
        f'flag(name = "setting", build_setting_default = "{_SCRIPT}")\n'
        f'config_setting(name = "by-flag", flag_values = {{":setting": "{_SCRIPT}"}})\n'
        f'config_setting(name = "{_NAME}-set", values = {{"define": "a={_NAME}"}})\n'
        f'm(name = "top", texts = [\'{_SCRIPT}\', "javascript:window.ran=1", "@SCRIPT@", "@DATA@"],'
        f' srcs = ["{_NAME}.txt", "@archive//:{_NAME}", "@made//:{_NAME}"]'
        f' + ["//{_PACKAGE}:{_NAME}", ":{_NAME}-refused"]'
        f' + select({{":by-flag": [":{_NAME}-2.txt"], "//conditions:default": []}})'
        f' + select({{":{_NAME}-set": ["@other//:{_NAME}"],'
        f' "//conditions:default": []}}))\n'
    ),
    f"{_FILE}.bzl": (
        f'"""{_SCRIPT}"""\n\n'
        "def m(name, texts, srcs):\n"
        f'    """{_SCRIPT}"""\n'
        '    native.genrule(name = name, srcs = srcs, outs = ["o"], cmd = texts[0], tags = texts)\n'
    ),
}


def test_script_in_every_name_runs_nothing(chromium: Any, tmp_path: Path) -> None:
    from tests.support.pages import OpenPage, write

    root = tmp_path / "<script>window.ran=1<" / "script>"
    write_files(root, _FILES)
    line = Workspace.open(root).configure(("//:top", f"--config={_CONFIG}"))
    page = OpenPage(chromium, write(line, tmp_path / "page.html", against=()))
    for view in ("map", "path", "changes", "repositories", "configs", "flags"):
        page.js("bazelscope.change({view: arguments[0]})", view)
        for label in page.js("return bazelscope.model.labels"):
            page.js("bazelscope.select(arguments[0])", label)
    page.js("bazelscope.change({view: 'map', open: new Set(['//', '@other'])})")
    # Each kind of name is there to be shown, else nothing was tried.
    data = page.js("return JSON.stringify(bazelscope.model.data)")
    labels = "\n".join(page.js("return bazelscope.model.labels"))
    assert {f"//{_PACKAGE}:{_NAME}", f"//:{_NAME}-refused"} <= set(labels.split("\n"))
    for text in (f"R={_SCRIPT}", f"A={_SCRIPT}", f"setting={_SCRIPT}", f"{_SCRIPT}.zip", _FILE):
        assert text in data, text
    assert _SCRIPT in page.text("#notices")
    page.press("/")
    page.press(_SCRIPT)
    page.open()
    page.search(f"@other//:{_NAME}")
    assert _NAME in page.text("#right")
    assert page.js("return window.ran") is None
    assert page.js("return document.querySelectorAll('img, iframe, object, embed').length") == 0
    scripts = page.js("return [...document.scripts].map(s => s.type || 'code')")
    assert scripts == ["text/plain", "text/plain", "code"]
    assert page.complaints() == []


def test_a_hostile_link_runs_nothing(chromium: Any, tmp_path: Path) -> None:
    from tests.support.pages import OpenPage, write

    write_files(tmp_path / "w", _FILES)
    file = write(Workspace.open(tmp_path / "w").configure(("//:top",)), tmp_path / "page.html")
    page = OpenPage(chromium, file)
    evil = "%3Cimg%20src%3Dx%20onerror%3Dwindow.ran%3D1%3E"
    for name in ("view", "host", "at", "from", "to", "open", "show", "hide", "only", "flags"):
        page.open(f"#{name}={evil}")
        assert page.js("return window.ran") is None
    page.open(f"#flags=%5B%22{evil}%22%5D")
    assert page.js("return window.ran") is None
    assert page.complaints() == []


def test_the_policy_stops_what_a_page_must_not_do(chromium: Any, tmp_path: Path) -> None:
    """The last defence: even code that got in could make no markup, run no text, load nothing."""
    from tests.support.pages import OpenPage, write

    write_files(tmp_path / "w", _FILES)
    file = write(Workspace.open(tmp_path / "w").configure(("//:top",)), tmp_path / "page.html")
    page = OpenPage(chromium, file)
    stopped = page.js(
        "const stopped = [];"
        "try { document.body.innerHTML += '<b>x</b>'; } catch { stopped.push('markup'); }"
        "try { document.body.append(Object.assign(document.createElement('script'),"
        " {text: 'window.ran = 1'})); } catch { stopped.push('script'); }"
        "return stopped"
    )
    assert stopped == ["markup", "script"]
    assert page.js("return window.ran") is None
    refused = page.browser.execute_async_script(
        "const done = arguments[0];"
        "fetch('https://example.invalid/').then(() => done('loaded'), () => done('refused'))"
    )
    assert refused == "refused"
    page.complaints()
