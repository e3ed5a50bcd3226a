"""Makes the shipped tables of native rules from the answers of real Bazels.

    python scripts/make_build_language.py --source FOLDER

`FOLDER` holds one `VERSION.json` per Bazel version (`bazel info build-language`, as JSON):
`{"rules": {RULE: {ATTRIBUTE: {"type": ..., "default": ..., flags...}}}}`. Equal attributes of
different rules are written once, so that a table loads in a few milliseconds.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

FLAGS = ("mandatory", "fixed", "host", "nodep", "executable")
TARGET = Path(__file__).parent.parent / "bazelscope" / "loading" / "build_language"


def flag_bits(facts: dict[str, object]) -> int:
    values = {
        "mandatory": bool(facts.get("mandatory")),
        "fixed": facts.get("configurable") is False,
        "host": bool(facts.get("cfg_is_host")),
        "nodep": bool(facts.get("nodep")),
        "executable": bool(facts.get("executable")),
    }
    return sum(1 << bit for bit, name in enumerate(FLAGS) if values[name])


def compact(rules: dict[str, dict[str, dict[str, object]]]) -> dict[str, object]:
    definitions: dict[str, int] = {}
    table: dict[str, list[int]] = {}
    for rule, attributes in sorted(rules.items()):
        table[rule] = []
        for name, facts in sorted(attributes.items()):
            entry: list[object] = [name, facts["type"], flag_bits(facts)]
            if "default" in facts:
                entry.append(facts["default"])
            key = json.dumps(entry)
            table[rule].append(definitions.setdefault(key, len(definitions)))
    return {"definitions": [json.loads(key) for key in definitions], "rules": table}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    source: Path = parser.parse_args().source
    for path in sorted(source.glob("*.json")):
        facts = json.loads(path.read_text(encoding="utf-8"))
        table = compact(facts["rules"])
        lines = ",\n".join(json.dumps(entry) for entry in table["definitions"])  # type: ignore
        rules = ",\n".join(
            f"{json.dumps(rule)}: {json.dumps(indices, separators=(',', ':'))}"
            for rule, indices in table["rules"].items()  # type: ignore
        )
        text = (
            f'{{"bazel": {json.dumps(facts["bazel"])},\n"flags": {json.dumps(FLAGS)},\n'
            f'"definitions": [\n{lines}\n],\n"rules": {{\n{rules}\n}}}}\n'
        )
        (TARGET / path.name).write_text(text, encoding="utf-8")
        print(f"{path.name}: {len(table['rules'])} rules")  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
