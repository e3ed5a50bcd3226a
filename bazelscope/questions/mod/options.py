"""The options of `bazel mod` that shape its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import FlagValue
from bazelscope.questions.mod.module_names import (
    NoSuchModuleError,
    check_extension_word,
    check_module_word,
)

SUBCOMMANDS = (
    *("graph", "deps", "path", "all_paths", "explain"),
    *("show_repo", "show_extension", "dump_repo_mapping", "tidy"),
)
_ENDLESS = 1_000_000
FORMATS = ("text", "json", "graph")
_EXTENSION_INFO = ("hidden", "usages", "repos", "all")


@dataclass(frozen=True, slots=True)
class ModOptions:
    """Bazel: `ModOptions`. `depth` is None where the subcommand decides."""

    output: str = "text"
    base_module: str = "<root>"
    start: tuple[str, ...] = ("<root>",)
    depth: int = _ENDLESS
    is_verbose: bool = False
    includes_unused: bool = False
    includes_builtin: bool = False
    shows_cycles: bool = True
    charset: str = "utf8"
    extension_info: str = "hidden"
    extension_filter: tuple[str, ...] | None = None
    extension_usages: tuple[str, ...] = ()
    shows_all: bool = False
    """Every repository (`--all_repos`)."""
    shows_visible: bool = False
    """Every repository that `base_module` sees (`--all_visible_repos`)."""

    @staticmethod
    def of(subcommand: str, values: Mapping[str, FlagValue], release: Release) -> ModOptions:
        """The options among resolved flags. Raises `UsageError`.

        Bazel: `ModOptions`, `ModCommand` for the depth."""

        def text(name: str, default: str) -> str:
            given = values.get(name)
            return given.value if given is not None and given.value else default

        def is_on(name: str, default: bool = False) -> bool:
            return text(name, "1" if default else "0").lower() in ("1", "true", "yes")

        def words(
            name: str, default: str, check: Callable[[str, Release], None] = check_module_word
        ) -> tuple[str, ...]:
            chosen = tuple(word for word in text(name, default).split(",") if word)
            try:
                for word in chosen:
                    check(word, release)
            except NoSuchModuleError as error:
                raise _refused(name, text(name, default), error.problem) from None
            return chosen

        def check_filter(word: str, release: Release) -> None:
            if "/" in word or "@" in word or "%" in word:  # An extension's name alone will do.
                check_extension_word(word, release)

        def one_of(name: str, kind: str, *allowed: str) -> str:
            value = text(name, allowed[0])
            if value.lower() not in allowed:
                words = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
                message = f"Not a valid {kind}: '{value}' (should be {words})"
                raise _refused(name, value, message)
            return value.lower()

        if base := text("base_module", ""):
            words("base_module", base)
        depth = text("depth", "-1")
        usual = {"explain": 1, "deps": 2}.get(subcommand, _ENDLESS)
        filters = "extension_filter" in values
        number = int(depth) if depth.lstrip("-").isdigit() else -1
        return ModOptions(
            output=one_of("output", "output format", *FORMATS),
            base_module=text("base_module", "<root>"),
            start=words("from", "<root>"),
            depth=number if number >= 1 else usual,
            is_verbose=is_on("verbose"),
            includes_unused=is_on("include_unused"),
            includes_builtin=is_on("include_builtin"),
            shows_cycles=is_on("cycles", True),
            charset=one_of("charset", "output charset", "utf8", "ascii"),
            extension_info=one_of("extension_info", "extension show", *_EXTENSION_INFO),
            extension_filter=words("extension_filter", "", check_filter) if filters else None,
            extension_usages=words("extension_usages", ""),
            shows_all=is_on("all_repos"),
            shows_visible=is_on("all_visible_repos"),
        )


def _refused(option: str, value: str, why: str) -> UsageError:
    return UsageError(
        Diagnostic("bad-option-value", f"While parsing option --{option}={value}: {why}")
    )
