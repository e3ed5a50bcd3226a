"""The options of `query` and `cquery` that the answer depends on, from the resolved flags."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bazelscope.analysis.conditions.condition_visibility import ENFORCE, conditions_have_visibility
from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.label import PackageId
from bazelscope.base.source import SourceFile
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import FlagValue
from bazelscope.flags.named_files import read_named_file
from bazelscope.query.language.environment import QuerySettings
from bazelscope.query.language.query_parser import QueryError
from bazelscope.query.language.signatures import Command
from bazelscope.query.query_answer import Order

NULL = "line_terminator_null"
_SORTED = "incompatible_lexicographical_output"


class QueryOptions:
    """Reads options by name; a Bazel that lacks one has its usual default."""

    def __init__(self, values: Mapping[str, FlagValue]) -> None:
        self._values = values

    def text(self, name: str, default: str) -> str:
        value = self._values.get(name)
        return default if value is None or value.value is None else value.value

    def is_on(self, name: str, default: bool = False) -> bool:
        return self.text(name, "1" if default else "0") in ("1", "true", "yes")

    def number(self, name: str, default: int) -> int:
        """A number. Raises `QueryError` for what is none."""
        text = self.text(name, str(default))
        try:
            return int(text)
        except ValueError:
            message = f"`--{name}` is a number, not `{text}`"
            raise QueryError(Diagnostic("query-output", message)) from None

    def line_end(self, command: Command, release: Release) -> str:
        """What ends a line of a list."""
        is_heard = command is Command.QUERY or release.cquery_ends_lines_with_null
        return "\0" if is_heard and self.is_on(NULL) else "\n"

    def words(self, name: str) -> tuple[str, ...]:
        return tuple(word for word in self.text(name, "").split(",") if word)

    def each_word(self, name: str) -> tuple[str, ...]:
        """The words of all values of an option that accumulates."""
        value = self._values.get(name)
        texts = () if value is None else value.values
        return tuple(word for text in texts for word in text.split(",") if word)

    def file(self, name: str, directory: Path, root: Path) -> SourceFile | None:
        """The text that the file which an option names holds; None if it names none. Relative
        paths begin at `directory`.

        Raises `QueryError` for what cannot be read, or may not be.
        """
        flag = self._values.get(name)
        try:
            return None if flag is None else read_named_file(flag, directory, root)
        except UsageError as error:
            raise QueryError(error.diagnostic) from error

    def order(self) -> Order:
        """`--order_output`. Raises `QueryError` for a word that is none."""
        text = self.text("order_output", "auto").lower()
        try:
            return Order(text)
        except ValueError:
            message = f"`--order_output` is one of no, deps, auto, full, not `{text}`"
            raise QueryError(Diagnostic("query-order", message)) from None

    def settings(self, bazel_version: str, directory: PackageId) -> QuerySettings:
        """Those that change which targets there are."""
        old_tools = self.is_on("host_deps", True)
        with_aspects = Release.of(bazel_version).cquery_includes_aspects
        return QuerySettings(
            bazel_version=bazel_version,
            directory=directory,
            implicit_deps=self.is_on("implicit_deps", True),
            tool_deps=self.is_on("tool_deps", old_tools),
            nodep_deps=self.is_on("nodep_deps", True),
            condition_visibility=conditions_have_visibility(
                Release.of(bazel_version), self.text(ENFORCE, "") or None
            ),
            keep_going=self.is_on("keep_going"),
            strict_test_suite=self.is_on("strict_test_suite"),
            takes_manual=self.is_on("build_manual_tests"),
            universe=self.words("universe_scope"),
            infers_universe=self.is_on("infer_universe_scope"),
            include_aspects=self.is_on("include_aspects", with_aspects),
            sorts_output=self.is_on(_SORTED) if self.text(_SORTED, "") else None,
        )
