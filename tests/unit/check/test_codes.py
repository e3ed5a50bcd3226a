"""Every code has its section in the documentation, and one family of rules that finds it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from bazelscope.check.codes import CODES
from bazelscope.check.find import FAMILIES
from tests.support.parts import CHECKOUT

_PAGE = (CHECKOUT / "docs" / "findings.md").read_text()
_HOOKS = (CHECKOUT / ".pre-commit-hooks.yaml").read_text()


@pytest.mark.parametrize("code", CODES)
def test_the_documentation_explains(code: str) -> None:
    section = _PAGE.partition(f'<a id="{code.lower()}"></a>')[2].partition("<a id=")[0]
    assert section.strip().startswith(f"### {code}: {CODES[code].title}\n")
    assert f"*{CODES[code].severity.value}.*" in section
    assert "**Remedy:** " in section


def test_the_documentation_explains_no_code_that_is_none() -> None:
    assert set(re.findall(r"BZS\d{3}", _PAGE)) == set(CODES)


def test_each_code_is_found_by_one_family() -> None:
    found = [code for family in FAMILIES for code in family.codes]
    assert len(found) == len(set(found))
    of_editor = {"BZS002", "BZS003"}
    assert set(found) == {code for code in CODES if code[3] != "5"} - of_editor


def test_each_code_is_tested() -> None:
    folder = CHECKOUT / "tests" / "unit" / "check"
    texts = "".join(path.read_text() for path in folder.glob("test_*.py"))
    assert not [code for code in CODES if code not in texts]


def test_hooks_name_codes_that_there_are() -> None:
    for words in re.findall(r"--codes (\S+)", _HOOKS):
        assert all(any(code.startswith(word) for code in CODES) for word in words.split(","))


@pytest.mark.parametrize(
    "path", [".bazelrc", "tools/bazel.rc", "tools/bazel-build.rc", "a/ci.bazelrc", ".bazelrc.user"]
)
def test_hooks_run_for_rc_files(path: str) -> None:
    patterns = re.findall(r"files: '(.*)'", _HOOKS)
    assert len(patterns) == 2
    assert all(re.search(pattern, path) for pattern in patterns)
    assert not any(re.search(pattern, "docs/bazel.md") for pattern in patterns)


def test_other_commands_do_not_import_check() -> None:
    script = (
        "import sys\nfrom bazelscope.cli import main\nmain(['flag', '--help'])\n"
        "sys.exit(any(name.startswith('bazelscope.check') for name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=CHECKOUT, capture_output=True)
    assert done.returncode == 0, done.stderr
