"""Makes the index of a registry's facts that ships with bazelscope.

    make_registry_index.py REGISTRY DATE

REGISTRY is a folder as a `file://` registry has it: `modules/NAME/VERSION/MODULE.bazel`,
`source.json` beside it, `metadata.json` above. DATE is the day of that state.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bazelscope import starlark
from bazelscope.base.source import SourceFile
from bazelscope.loading.modules.module_file import ModuleSettings
from bazelscope.loading.modules.module_file_evaluation import evaluate_module_file

TARGET = Path(__file__).parents[1] / "bazelscope/loading/modules/central_registry.bin"


def main() -> None:
    registry, date = Path(sys.argv[1]), sys.argv[2]
    modules: dict[str, dict[str, list[Any]]] = {}
    for folder in sorted((registry / "modules").iterdir()):
        metadata = folder / "metadata.json"
        told = json.loads(metadata.read_text()) if metadata.is_file() else {}
        yanked = told.get("yanked_versions", {})
        rows = {}
        for version in sorted(folder.iterdir()):
            if (version / "MODULE.bazel").is_file():
                rows[version.name] = row(version, yanked.get(version.name, ""))
        modules[folder.name] = rows
    content = encode_index(date, modules)
    TARGET.write_bytes(content)
    print(
        f"{len(modules)} modules, {sum(map(len, modules.values()))} versions, {len(content)} bytes"
    )


def encode_index(date: str, modules: Mapping[str, Mapping[str, list[Any]]]) -> bytes:
    """The bytes of an index. A row has the compatibility level, the `bazel_compatibility`, the
    reason of a yanked version (or ""), the dependencies (name, version, repository name with 0
    for the module's own and None for none, line, highest compatibility level), and the archive.
    """
    places: dict[str, tuple[int, int]] = {}
    body = bytearray()
    for name in sorted(modules):
        packed = zlib.compress(_json(modules[name]), 9)
        places[name] = (len(body), len(packed))
        body += packed
    head = zlib.compress(_json({"date": date, "modules": places}), 9)
    return len(head).to_bytes(4, "big") + head + bytes(body)


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def row(folder: Path, yanked: str) -> list[Any]:
    """The facts of one version."""
    path = folder / "MODULE.bazel"
    settings = ModuleSettings(
        read=lambda _: SourceFile("", ""),
        ignore_dev=True,
        program_cache=None,
        limits=starlark.Limits(),
        bazel_version=(9, 9, 9),
    )
    file = evaluate_module_file(SourceFile(str(path), path.read_text()), settings)
    for diagnostic in file.diagnostics:
        print(f"{folder.parent.name}@{folder.name}: {diagnostic.message}")
    dependencies = [
        [
            needed.name,
            needed.version,
            0 if needed.repository == needed.name else needed.repository,
            needed.location.line,
            needed.max_compatibility_level,
        ]
        for needed in file.dependencies
    ]
    source = folder / "source.json"
    told = json.loads(source.read_text()) if source.is_file() else {}
    archive = [
        told.get("url") or told.get("remote", ""),
        told.get("integrity") or told.get("commit", ""),
        told.get("strip_prefix", ""),
    ]
    return [
        file.compatibility_level,
        list(file.bazel_compatibility),
        yanked,
        dependencies,
        archive,
    ]


if __name__ == "__main__":
    main()
