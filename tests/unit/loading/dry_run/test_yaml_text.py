"""YAML that repository rules have `yq` print as JSON.

Compared with libyaml on the 247 pnpm-lock.yaml and pnpm-workspace.yaml of public trees.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.unknown import Unknown
from bazelscope.loading.dry_run import yaml_text
from bazelscope.loading.packages.repository_access import PartlyKnownFile
from tests.unit.loading.repositories.workspaces import evaluate, lay_out, rule, text_of

_LOCK = """\
lockfileVersion: '9.0'

settings:  # of pnpm
  autoInstallPeers: true
  none:
overrides: {a: 1, 'b c': [x64, "q\\"\\n"], d: {}, e: 'it''s'}
importers:

  .:
    dependencies:
      '@x/y':
        specifier: ^1.0.0
        version: 1.2.3(z@4.5.0)
packages:
  long@1.0.0:
    resolution:
      {
        integrity: sha512-a/b+c==,
      }
    cpu: [x64]
    engines: {node: '>=10', npm: '*'}
    deprecated: |-
      one
        two

      three
    folded: >-
      one
      two

      three
  ? very-long@2.0.0
  : resolution: {tarball: https://example.com/a.tgz}
    bundled:
    - a
    - b: 1
      c: 5.4
    - - d
"""
_VALUE = {
    "lockfileVersion": "9.0",
    "settings": {"autoInstallPeers": True, "none": None},
    "overrides": {"a": 1, "b c": ["x64", 'q"\n'], "d": {}, "e": "it's"},
    "importers": {
        ".": {"dependencies": {"@x/y": {"specifier": "^1.0.0", "version": "1.2.3(z@4.5.0)"}}}
    },
    "packages": {
        "long@1.0.0": {
            "resolution": {"integrity": "sha512-a/b+c=="},
            "cpu": ["x64"],
            "engines": {"node": ">=10", "npm": "*"},
            "deprecated": "one\n  two\n\nthree",
            "folded": "one two\nthree",
        },
        "very-long@2.0.0": {
            "resolution": {"tarball": "https://example.com/a.tgz"},
            "bundled": ["a", {"b": 1, "c": 5.4}, ["d"]],
        },
    },
}


def test_a_lock_file() -> None:
    assert yaml_text.documents(_LOCK) == [_VALUE]


def test_documents() -> None:
    assert yaml_text.documents("---\na: 1\n---\nb: 2\n") == [{"a": 1}, {"b": 2}]
    assert yaml_text.documents("# nothing\n") == [None]
    assert yaml_text.documents("- a\n- 'b'\n") == [["a", "b"]]
    folded = "a: one\n  two\nb: 'three\n  four'\nc: \"\\x41\"\nd: >-\n  e\n    f\n"
    told = {"a": "one two", "b": "three four", "c": "A", "d": "e\n  f"}
    assert yaml_text.documents(folded) == [told]


def test_what_is_nested_deeply_is_no_failure() -> None:
    text = "[" * 5_000 + "]" * 5_000
    assert yaml_text.printed_by_yq(["x.yaml", "-o=json"], text) is None


@pytest.mark.parametrize(
    "text",
    [
        "a: &x 1\nb: *x\n",
        "a: !!str 1\n",
        "<<: {a: 1}\n",
        "a: 2001-12-14\n",
        "a: 1_000\n",
        "a: 0o14\n",
        "a: 9.0\n",
        "a: 1e3\n",
        "a: .inf\n",
        "a: 1\na: 2\n",
        "a: {b: 1\n",
        "a: b: c\n",
        "a:\n\tb: 1\n",
        "1: a\n",
        "? [a]\n: b\n",
        "a: [x] y\n",
        "a: 1\n b: 2\n",
    ],
)
def test_what_is_not_read(text: str) -> None:
    assert yaml_text.documents(text) is None


_LAST = '"eval-all", ". as $d ireduce (null; $d)", '


@pytest.mark.parametrize(
    ("options", "text", "told"),
    [
        ("", "a: [1]\n", '{"a":[1]}'),
        (_LAST, "a: [1]\n---\nb: 2\n", '{"b":2}'),
        ("", "a: [1]\n---\nb: 2\n", None),
        ("", "a: *b\n", None),
        ('".a", ', "a: [1]\n", None),
    ],
)
def test_yq_is_known_to_write_json(
    tmp_path: Path, options: str, text: str, told: str | None
) -> None:
    body = f"""
arguments = [{options}ctx.path(Label("//:a.yaml")), "-o=json"]
result = ctx.execute(["/tools/yq"] + arguments)
ctx.file("BUILD", "# %s" % (json.encode(json.decode(result.stdout))))
"""
    table = evaluate(lay_out(tmp_path, {**rule(body), "a.yaml": text}))
    if told is None:
        assert isinstance(table.build_file("r", ""), Unknown)
    else:
        assert text_of(table, "r", "BUILD") == f"# {told}"


def test_the_hash_of_an_unknown_text_is_unknown(tmp_path: Path) -> None:
    body = 'ctx.file("BUILD", "# %d" % hash(ctx.execute(["date"]).stdout))'
    file = evaluate(lay_out(tmp_path, rule(body))).build_file("r", "")
    assert isinstance(file, PartlyKnownFile)
    assert "date" in file.unknowns[0].subject
