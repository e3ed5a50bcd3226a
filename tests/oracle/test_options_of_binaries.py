"""What the table of options says of a release, beside what its binary says of itself: names,
commands, letters, what repeats and what is negated, types and defaults; and which of them a
config_setting may name, with the defaults of switches that help hides."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bazelscope.bazel import flag_catalog
from bazelscope.bazel.flag_catalog import FlagKind
from bazelscope.bazel.native_options import hidden_default, is_configuration_option
from tests.oracle.select_oracle import values_of_textproto
from tests.support.bazel import Bazel
from tests.support.parts import CHECKOUT, parts_folder

pytestmark = pytest.mark.oracle

_FOLDER = parts_folder() / "bazel"
_MORE = sorted(one.name for one in _FOLDER.iterdir()) if _FOLDER.is_dir() else []
_VERSIONS = sorted({"0.24.1", "0.26.1", "2.1.0", *_MORE})
"""Those that the oracle tier asks for, and whatever others lie beside them."""


def _measuring() -> Any:
    spec = importlib.util.spec_from_file_location(
        "measure_options", CHECKOUT / "scripts" / "measure_options.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("version", _VERSIONS)
def test_the_table_is_what_the_binary_says(
    version: str, bazel: Callable[[str], Bazel], warm_root: Path
) -> None:
    (warm_root / "WORKSPACE").touch()
    real, measuring = bazel(version), _measuring()
    theirs = measuring.options_as_proto(real.run(warm_root, "help", "flags-as-proto").stdout)
    told: dict[str, dict[str, Any]] = {}
    table = flag_catalog.load(version)
    for command in ("startup_options", *sorted(table.commands)):
        told |= measuring.options_of_help(real.run(warm_root, "help", command, "--long").stdout)
    assert table.table_version == version
    differing = []
    assert len(theirs) > 700
    for name, fact in theirs.items():
        ours = table.find(name)
        if ours is None or ours.name != name or not ours.is_certain:
            differing.append(f"{name}: not in the table")
            continue
        about = told.get(name, {})
        commands = [c for c in ("startup", *sorted(table.commands)) if table.applies(ours, c)]
        compared = {
            "commands": (sorted(fact["commands"]), sorted(commands)),
            "letter": (fact["abbreviation"], ours.abbreviation),
            "repeats": (fact["multiple"], ours.repeats),
            "negatable": (about.get("negatable", fact["negatable"]), ours.negatable),
            "void": (about.get("type") == "void", ours.kind is FlagKind.VOID),
        }
        if about and about["type"] != "void" and name != "output":  # By command: see `query`.
            compared["default"] = (about["default"], ours.default)
        differing += [f"{name}: {what} {a} {b}" for what, (a, b) in compared.items() if a != b]
    differing += [
        f"{name}: not in the binary"
        for name in table.names()
        if name not in theirs and not name.startswith("internal_")
    ]
    assert not differing, "\n".join(differing)


@pytest.mark.parametrize("version", (*_VERSIONS, "4.2.3"))
def test_which_options_a_condition_may_name(
    version: str, bazel: Callable[[str], Bazel], warm_root: Path
) -> None:
    (warm_root / "WORKSPACE").touch()
    table = flag_catalog.load(version)
    found = (table.find(name) for name in table.names())
    options = sorted({d.name: d for d in found if d is not None and d.is_certain}.items())
    lines = []
    for index, (name, option) in enumerate(options):
        value = "true" if option.negatable else "no value"
        lines.append(f'config_setting(name = "n{index}", values = {{"{name}": "{value}"}})')
        branches = f'{{":n{index}": ["yes"], "//conditions:default": ["no"]}}'
        lines.append(f'filegroup(name = "f{index}", srcs = select({branches}))')
    (warm_root / "BUILD").write_text("\n".join(lines))
    said = bazel(version).cquery(warm_root, "deps(//:all)", "--output=textproto")
    unknown = re.findall(r"config_setting rule //:n(\d+): .*unknown option", said.stderr)
    theirs = {options[int(index)][0] for index in unknown}
    ours = {name for name, d in options if not is_configuration_option(d, table.release)}
    assert theirs and theirs == ours, sorted(theirs ^ ours)
    chosen = values_of_textproto(said.lines)
    hidden = [i for i, (_, d) in enumerate(options) if d.negatable and d.default is None]
    defaults = {
        options[i][0]: "true" if chosen[f"//:f{i}"] == ("//:yes",) else "false"
        for i in hidden
        if f"//:f{i}" in chosen
    }
    assert len(defaults) > 40
    differing = {
        name: value
        for name, value in defaults.items()
        if hidden_default(dict(options)[name], table.release) != value
    }
    assert not differing
