"""What answers say first: what the question was about, and configs that nobody defines."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.questions.shared.config_trees import DefinerKind, PossibleDefiner, UndefinedConfig
from bazelscope.questions.shared.phrases import location_text, place_text
from bazelscope.questions.shared.setup import Setup
from bazelscope.render.document import Row, bad, row, strong


def setup_text(setup: Setup) -> str:
    """`bazel build as Bazel 3.1.0 (.bazelversion) on linux, with the flags of 2.1.0`."""
    text = f"bazel {setup.command} as Bazel {setup.bazel_version}"
    text += f" ({setup.version_source}) on {setup.host}"
    if setup.table_version != setup.bazel_version:
        text += f", with the flag table of {setup.table_version}"
    if setup.hint:
        text += f"; {setup.hint}"
    return text


def hint_rows(setup: Setup) -> Iterator[Row]:
    """For answers that do not begin with the set-up: which Bazel was assumed, where the tree
    asks for another."""
    if setup.hint:
        assumed = f"taken for Bazel {setup.bazel_version} ({setup.version_source})"
        yield row(strong("hint:"), f" {assumed}; {setup.hint}")


def undefined_config_rows(config: UndefinedConfig, command: str) -> Iterator[Row]:
    """A `--config` without a definition, and who would define it."""
    yield row(
        bad(config.written),
        f" is not defined for `{command}`: Bazel stops here",
        aside=place_text(config.place),
    )
    for definer in config.definers:
        yield row(_definer_text(definer), indent=1)
    if config.similar:
        names = ", ".join(f"--config={similar}" for similar in config.similar)
        yield row(f"defined, with a similar name: {names}", indent=1)


def _definer_text(definer: PossibleDefiner) -> str:
    place = location_text(definer.location)
    if definer.kind is DefinerKind.MISSING_RC_FILE:
        return f"{definer.text} may define it: {place} imports that file, which does not exist"
    if definer.kind is DefinerKind.OTHER_COMMAND:
        return f"`{definer.text}` defines it, for another command: {place}"
    target = f" to {definer.writes}, which does not exist" if definer.writes else ""
    return f"{place} writes `{definer.text}`{target}: run that first"
