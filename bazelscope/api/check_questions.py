"""Questions about what is wrong: what Bazel refuses, and what it does not but should."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bazelscope.api.flag_questions import FlagQuestions
from bazelscope.api.within_limits import within_limits

if TYPE_CHECKING:
    from collections import Counter

    from bazelscope.analysis.refusals.refusal import Refusal
    from bazelscope.base.label import Label, PackageId
    from bazelscope.check.answer import CheckAnswer
    from bazelscope.check.finding import Finding
    from bazelscope.check.workspace_facts import WorkspaceFacts


class CheckQuestions(FlagQuestions):
    """Refusals and findings of the command line's targets, or of one text."""

    @within_limits
    def refusals(self, *targets: str) -> tuple[Refusal, ...]:
        """What Bazel refuses of `targets` (by default: those of the command line) and of all
        that they come to under the flags, deepest first. Raises `UsageError` for a name that
        is no target."""
        labels = [self._label(text) for text in targets or self.target_patterns or ()]
        return self.world.refusals_below(labels)

    @within_limits
    def check(
        self,
        *,
        codes: Sequence[str] = (),
        ignore: Sequence[str] = (),
        baseline: Counter[tuple[str, str, str]] | None = None,
        target: str | None = None,
    ) -> CheckAnswer:
        """What is wrong or in vain: everything that Bazel would refuse of the targets of the
        command line (without any: of the workspace), and what it would not but should. `codes`
        and `ignore` choose by code or its beginning; `baseline` counts what is known already.
        With `target`, a release of Bazel, only what breaks or changes under that one. Raises
        `UsageError` for a word that begins no code, names no target or no Bazel."""
        from collections import Counter

        from bazelscope.bazel.release import Release
        from bazelscope.check.find import CheckQuestion, check
        from bazelscope.check.selection import Selection

        selection = Selection.of(codes, ignore)
        release = Release.read(target) if target is not None else None
        if target is not None and release is None:
            from bazelscope.api.opened_workspace import no_version

            raise no_version(target)
        known = baseline if baseline is not None else Counter()
        question = CheckQuestion(selection, known, release)
        return check(self._check_facts(), self.envelope, question)

    def _check_facts(self) -> WorkspaceFacts:
        from bazelscope.check.rc_files.rc_facts import RcFacts
        from bazelscope.check.workspace_facts import WorkspaceFacts

        world = self.world
        rc = RcFacts(
            self._request, self._rc_disk, self.rc_files, world.flags, self.workspace.catalog
        )
        return WorkspaceFacts(world, rc, *self._asked())

    def _asked(
        self,
    ) -> tuple[tuple[Label, ...] | None, tuple[Label, ...], frozenset[PackageId] | None]:
        """All targets that the line stands for, those that it names, and the packages that its
        patterns look into; None without any. Raises `UsageError` for what names none."""
        from bazelscope.base.errors import Diagnostic, LabelError, UsageError
        from bazelscope.base.label import PatternKind, parse_pattern
        from bazelscope.questions.shared.built_targets import (
            compiles_one,
            names_to_build,
            packages_looked_into,
        )

        named: dict[Label, None] = {}
        asked: dict[Label, None] = {}
        packages: set[PackageId] = set()
        for text in self.target_patterns or ():
            try:
                names = self.loader.table.pattern_names
                pattern = parse_pattern(text, self.directory_package, names)
                is_one = pattern.kind is PatternKind.TARGET and not pattern.excluded
                is_label = pattern.is_label or not self.loader.expand(pattern).labels
            except LabelError:
                is_one = is_label = True
            if is_one:
                label = self._label(text)
                asked[label] = None
                named.update({label: None} if is_label else {})
                continue
            expansion = self.loader.expand(pattern)
            labels = names_to_build(self.world, pattern, expansion.labels)
            packages.update(packages_looked_into(self.world, pattern, expansion))
            if pattern.excluded:
                for label in expansion.labels:
                    named.pop(label, None)
                    asked.pop(label, None)
            else:
                asked.update(dict.fromkeys(labels))
            if not (expansion.labels or any(map(self._is_there, expansion.packages))):
                why = expansion.diagnostics[0].message if expansion.diagnostics else "nothing there"
                raise UsageError(Diagnostic("no-such-name", f"`{text}` names no target: {why}"))
        if not self.target_patterns:
            return None, (), None
        if compiles_one(self.world):
            return self._compiled(asked), (), frozenset(packages)
        return tuple(asked), tuple(named), frozenset(packages)

    def _is_there(self, id: PackageId) -> bool:
        """Whether a package that a pattern looks into is there, or in error."""
        from bazelscope.loading.packages.targets import NoSuchPackage

        package = self.loader.package(id)
        return not isinstance(package, NoSuchPackage) or bool(package.diagnostics)

    def _compiled(self, files: Iterable[Label]) -> tuple[Label, ...]:
        """The rules that are built for files (`--compile_one_dependency`). Raises `UsageError` for
        a file of which there is none."""
        from bazelscope.base.errors import Diagnostic, UsageError
        from bazelscope.questions.shared.built_targets import compiled_rule

        rules: dict[Label, None] = {}
        for file in files:
            found = compiled_rule(self.world, file)
            if found.rule is None:
                why = found.problem or str(found.unknown)
                raise UsageError(Diagnostic("no-such-name", why))
            rules[found.rule] = None
        return tuple(rules)

    @within_limits
    def check_text(self, path: str, text: str) -> tuple[Finding, ...]:
        """The findings in a text that is to become the file `path` (relative to the workspace): an
        rc file, a BUILD, `.bzl`, WORKSPACE or MODULE.bazel file. Other files are as they are on
        disk; nothing is loaded but what the text loads."""
        from bazelscope.base.source import SourceFile
        from bazelscope.check.text_findings import (
            is_starlark,
            rc_text_findings,
            starlark_text_findings,
        )

        source = SourceFile(path, text)
        if is_starlark(path):
            return starlark_text_findings(source, self.loader)
        return rc_text_findings(source, self._request, self._rc_disk)

    def _label(self, text: str) -> Label:
        """The one target that `text` means. Raises `UsageError`."""
        from bazelscope.base.errors import Diagnostic, UsageError
        from bazelscope.questions.shared.endpoints import which_target

        answer = which_target(self.world, text)
        if answer.label is None:
            near = answer.suggestions or tuple(map(str, answer.candidates))
            hint = f"did you mean {', '.join(near)}?" if near else None
            raise UsageError(Diagnostic("no-such-name", answer.why, hint=hint))
        return answer.label
