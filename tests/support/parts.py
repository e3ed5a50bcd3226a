"""The parts from outside that some tests need, where they are, and what their absence means.

A part is a real Bazel, a source tree, a compiler, a shell, Graphviz, or a browser. The first two
lie in the folder that `BAZELSCOPE_PARTS` names (default: `.parts` in the checkout), laid out by
`.ci/parts`:

    bazel/VERSION/bazel      a Bazel binary
    trees/NAME/              an unpacked source tree
    repositories/NAME/       an external repository, for `--override_repository`

A test whose part is missing is skipped, with a line that nobody can overlook, unless
`BAZELSCOPE_REQUIRE_TIERS` names its tier: then the parts were installed, and it fails.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
FIXTURES = CHECKOUT / "fixtures"

TIERS = ("oracle", "compilers", "corpus", "shells", "drawings", "editors", "browser")

_TENSORFLOW = {
    "1.14": ("BAZELSCOPE_TF114", "trees/tf1.14"),
    "2.4": ("BAZELSCOPE_TF24", "trees/tf2.4"),
    "2.19": ("BAZELSCOPE_TF219", "trees/tf2.19"),
}

_BESIDE = "oracle, data beside the checkout"

missing: dict[str, set[str]] = {}
"""What this run could not do: tier -> the parts that were not there."""


def parts_folder() -> Path:
    """Where installed parts lie."""
    return Path(os.environ.get("BAZELSCOPE_PARTS") or CHECKOUT / ".parts")


def required_tiers() -> frozenset[str]:
    """The tiers of which no test may be skipped."""
    words = os.environ.get("BAZELSCOPE_REQUIRE_TIERS", "").split(",")
    tiers = frozenset(word.strip() for word in words if word.strip())
    unknown = sorted(tiers - set(TIERS))
    if unknown:
        raise pytest.UsageError(f"BAZELSCOPE_REQUIRE_TIERS: no such tier: {', '.join(unknown)}")
    return tiers


def bazel_binary(version: str) -> Path | None:
    """The binary of that Bazel: an installed part, or for Debian's version the system's."""
    installed = parts_folder() / "bazel" / version / "bazel"
    if installed.exists():
        return installed
    if version == "4.2.3" and (found := shutil.which("bazel-4")):
        return Path(found)
    return None


def need_tree(name: str) -> Path:
    """The source tree of that name, for a test of the corpus tier."""
    tree = parts_folder() / "trees" / name
    if not tree.is_dir():
        give_up("corpus", f"source tree {name}")
    return tree


def need_repository(name: str) -> Path:
    """The external repository of that name, for a test of the oracle tier."""
    repository = parts_folder() / "repositories" / name
    if not repository.is_dir():
        give_up("oracle", f"repository {name}")
    return repository


def need_compilers() -> None:
    """gcc and clang, which a real Bazel asks about themselves; a test of the compilers tier."""
    for name in ("gcc", "clang"):
        if shutil.which(name) is None:
            give_up("compilers", name)


def need_browser() -> tuple[Path, Path]:
    """Chromium and its driver, for a test of the browser tier."""
    found = (shutil.which("chromium"), shutil.which("chromedriver"))
    if found[0] is None or found[1] is None:
        give_up("browser", "Chromium and its driver")
    return Path(found[0]), Path(found[1])


def need_typescript() -> tuple[Path, Path]:
    """Node.js and the compiler of TypeScript, for a test of the browser tier."""
    node = shutil.which("node")
    compiler = parts_folder() / "typescript" / "bin" / "tsc"
    if node is None or not compiler.is_file():
        give_up("browser", "TypeScript")
    return Path(node), compiler


def need_neovim() -> Path:
    """The editor that the server is tried with, for a test of the editors tier."""
    found = shutil.which("nvim")
    if found is None:
        give_up("editors", "Neovim")
    return Path(found)


def need_dot() -> Path:
    """The `dot` program of Graphviz, for a test of the drawings tier."""
    found = shutil.which("dot")
    if found is None:
        give_up("drawings", "Graphviz")
    return Path(found)


def need_sibling(variable: str, *paths: str) -> Path:
    """A folder beside the checkout, or where an environment variable says that it is.

    These hold what cannot be installed from a registry (a real tree, the answers that a
    real Bazel gave about it), so that no tier requires them; without them the test is
    skipped, loudly.
    """
    given = os.environ.get(variable)
    for folder in [Path(given)] if given else [CHECKOUT.parent / path for path in paths]:
        if folder.is_dir():
            return folder
    # No tier can require it: no registry holds it, so the loud line is all that there is.
    missing.setdefault(_BESIDE, set()).add(f"{' or '.join(f'../{p}' for p in paths)} ({variable})")
    pytest.skip(f"needs ../{paths[0]}, or its place in {variable}")


def need_tensorflow(release: str) -> Path:
    """A whole tree of TensorFlow 1.14, 2.4 or 2.19, which no registry holds (`need_sibling`)."""
    return need_sibling(*_TENSORFLOW[release])


def need_within(sibling: Path, path: str) -> Path:
    """A folder inside one that `need_sibling` found; without it the test is skipped, loudly."""
    folder = sibling / path
    if not folder.is_dir():
        # As above: which trees somebody laid out is theirs to say.
        missing.setdefault(_BESIDE, set()).add(f"{path} in ../{sibling.name}")
        pytest.skip(f"needs {path} in ../{sibling.name}")
    return folder


def give_up(tier: str, part: str) -> NoReturn:
    """Skips the test for want of a part, or fails it where the tier is required."""
    if tier in required_tiers():
        pytest.fail(f"{part} is missing, although the tier `{tier}` is required", pytrace=False)
    # The tier could not be installed here: said loudly at the end of the run.
    missing.setdefault(tier, set()).add(part)
    pytest.skip(f"{part} is not installed (.ci/parts installs it)")
