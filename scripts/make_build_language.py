"""Makes the shipped tables of native rules from the answers of real Bazels.

    python scripts/make_build_language.py --source FOLDER --measured FOLDER

`--source` holds one `VERSION.json` per Bazel version (`bazel info build-language`, as JSON):
`{"rules": {RULE: {ATTRIBUTE: {"type": ..., "default": ..., flags...}}}}`. `--measured` holds the
`VERSION.json` that `measure_native_rules.py` made: the order of the attributes, the defaults
that Bazel computes, the lists that it sorts, the inputs that aspects add, and what a rule of
Starlark has besides its own attributes (`@plain`, `@executable`, `@example_test`).
Equal attributes of different rules are written once, so that a table loads in a few
milliseconds.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

FLAGS = ("mandatory", "fixed", "host", "nodep", "executable", "sorted")
TRISTATES = {"AUTO": -1, "NO": 0, "YES": 1}
Facts = dict[str, object]
Rules = dict[str, dict[str, Facts]]
TARGET = Path(__file__).parent.parent / "bazelscope" / "bazel" / "build_language"


def flag_bits(facts: dict[str, object]) -> int:
    values = {
        "mandatory": bool(facts.get("mandatory")),
        "fixed": facts.get("configurable") is False,
        "host": bool(facts.get("cfg_is_host")),
        "nodep": bool(facts.get("nodep")),
        "executable": bool(facts.get("executable")),
        "sorted": bool(facts.get("sorted")),
    }
    return sum(1 << bit for bit, name in enumerate(FLAGS) if values[name])


def merge(rules: Rules, measured: dict[str, Any]) -> Rules:
    """The rules with what was measured: in its order, with its defaults."""
    # What `@` rules have from Bazel's base rules, these have unchanged.
    anywhere = {**rules["sh_binary"], **rules["sh_test"], **rules["genrule"]}
    found: Rules = {}
    for rule, attributes in measured["rules"].items():
        known = rules.get(rule, anywhere)
        if rule in rules and set(known) != {name for name, *_ in attributes}:
            raise SystemExit(f"{rule}: the two sources tell of different attributes")
        found[rule] = {}
        for name, *shown in attributes:
            facts = dict(known.get(name, {"type": "string"}))
            if rule.startswith("@"):
                facts.pop("default", None)
            if shown:
                facts.update(default_facts(str(facts["type"]), shown[0]))
            if name in measured["sorted"].get(rule, ()):
                facts["sorted"] = True
            found[rule][name] = facts
    return found


def default_facts(kind: str, shown: Any) -> Facts:
    """What a measured default adds; nothing for a type's zero, which needs no telling."""
    value = shown
    if kind == "license":
        return {}  # of which `info build-language` says nothing, and all is NONE
    if kind == "boolean":
        value = shown == "true"
    elif kind == "integer":
        value = int(shown)
    elif kind == "tristate":
        value = TRISTATES[shown]
    elif kind.endswith("dict") or kind == "label_dict_unary":
        if shown:
            raise SystemExit(f"a default of type {kind}: {shown}")
        return {}
    zeros: dict[str, object] = {"boolean": False, "integer": 0, "string": "", "tristate": -1}
    zero = zeros.get(kind, [] if kind.endswith(("list", "_set")) else None)
    return {} if value == zero and type(value) is type(zero) else {"default": value}


def compact(rules: Rules) -> dict[str, object]:
    definitions: dict[str, int] = {}
    table: dict[str, list[int]] = {}
    for rule, attributes in sorted(rules.items()):
        table[rule] = []
        for name, facts in attributes.items():
            entry: list[object] = [name, facts["type"], flag_bits(facts)]
            if "default" in facts:
                entry.append(facts["default"])
            key = json.dumps(entry)
            table[rule].append(definitions.setdefault(key, len(definitions)))
    return {"definitions": [json.loads(key) for key in definitions], "rules": table}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--measured", type=Path, required=True)
    folders = parser.parse_args()
    for path in sorted(folders.source.glob("*.json")):
        facts = json.loads(path.read_text(encoding="utf-8"))
        measured = json.loads((folders.measured / path.name).read_text(encoding="utf-8"))
        table = compact(merge(facts["rules"], measured))
        lines = ",\n".join(json.dumps(entry) for entry in table["definitions"])  # type: ignore
        rules = ",\n".join(
            f"{json.dumps(rule)}: {json.dumps(indices, separators=(',', ':'))}"
            for rule, indices in table["rules"].items()  # type: ignore
        )
        text = (
            f'{{"bazel": {json.dumps(facts["bazel"])},\n"flags": {json.dumps(FLAGS)},\n'
            f'"aspect_inputs": {json.dumps(measured["aspect_inputs"])},\n'
            f'"definitions": [\n{lines}\n],\n"rules": {{\n{rules}\n}}}}\n'
        )
        (TARGET / path.name).write_text(text, encoding="utf-8")
        print(f"{path.name}: {len(table['rules'])} rules")  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
