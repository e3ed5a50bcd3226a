"""Questions about what is wrong: what Bazel refuses, and what it does not but should."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bazelscope.api.flag_questions import FlagQuestions
from bazelscope.api.within_limits import within_limits

if TYPE_CHECKING:
    from collections import Counter

    from bazelscope.analysis.refusals.refusal import Refusal
    from bazelscope.base.errors import UsageError
    from bazelscope.base.label import Label, PackageId
    from bazelscope.base.source import SourceFile
    from bazelscope.check.answer import CheckAnswer
    from bazelscope.check.finding import Finding
    from bazelscope.check.workspace_facts import WorkspaceFacts
    from bazelscope.questions.shared.built_targets import LineTargets


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

    def patch(self, answer: CheckAnswer, *, also_unsafe: bool = False) -> str:
        """The fixes of an answer of `check` to this line as a unified diff of the workspace's
        files, as `git apply` takes it; with `also_unsafe`, also those that change what is built.
        Of two that change the same characters, the first."""
        from bazelscope.base.edits import patch

        def read(path: str) -> SourceFile | None:
            return self.rc_files.sources.get(path) or self.loader.read_source(path)

        return patch(answer.fixes(also_unsafe), read)

    @within_limits
    def unresolved_labels(self, package: PackageId) -> tuple[Finding, ...]:
        """The labels in attributes of the rules of a package that name no target and no file, each
        where it is written; packages that they name are loaded."""
        from bazelscope.check.refused import unresolved_labels
        from bazelscope.loading.packages.package import Package

        loaded = self.loader.package(package)
        if not isinstance(loaded, Package):
            return ()
        return tuple(unresolved_labels(self._check_facts(), loaded))

    def _check_facts(self) -> WorkspaceFacts:
        from bazelscope.check.rc_files.rc_facts import RcFacts
        from bazelscope.check.workspace_facts import WorkspaceFacts

        world = self.world
        rc = RcFacts(
            self._request, self._rc_disk, self.rc_files, world.flags, self.workspace.catalog
        )
        return WorkspaceFacts(world, rc, self._line_targets() if self.target_patterns else None)

    def _line_targets(self) -> LineTargets:
        """The targets that the line stands for. Raises `UsageError` for a pattern that names none,
        and for a file of which no rule is built (`--compile_one_dependency`)."""
        from bazelscope.base.errors import LabelError
        from bazelscope.base.label import MAIN_ROOT, PatternKind, parse_pattern
        from bazelscope.questions.shared.built_targets import (
            LineTargets,
            Named,
            compiled_rule,
            compiles_one,
            named_by,
        )

        all_named: list[Named] = []
        for text in self.target_patterns or ():
            try:
                names = self.loader.table.pattern_names
                pattern = parse_pattern(text, self.directory_package, names)
            except LabelError:
                short = parse_pattern("//:short", MAIN_ROOT)
                all_named.append(Named(short, (self._label(text),), is_short=True))
                continue
            expansion = self.loader.expand(pattern)
            if pattern.kind is PatternKind.TARGET and not pattern.excluded:
                is_short = not expansion.labels
                all_named.append(Named(pattern, (self._label(text),), is_short))
                continue
            all_named.append(named_by(self.world, pattern, expansion))
            if not (expansion.labels or any(map(self._is_there, expansion.packages))):
                why = expansion.diagnostics[0].message if expansion.diagnostics else "nothing there"
                raise _no_such_name(f"`{text}` names no target: {why}")
        line = LineTargets(self.world, all_named)
        for file in line.whole if compiles_one(self.world) else ():
            found = compiled_rule(self.world, file)
            if found.rule is None:
                raise _no_such_name(found.problem or str(found.unknown))
        return line

    def _is_there(self, id: PackageId) -> bool:
        """Whether a package that a pattern looks into is there, or in error."""
        from bazelscope.loading.packages.targets import NoSuchPackage

        package = self.loader.package(id)
        return not isinstance(package, NoSuchPackage) or bool(package.diagnostics)

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
        from bazelscope.questions.shared.endpoints import which_target

        answer = which_target(self.world, text)
        if answer.label is None:
            near = answer.suggestions or tuple(map(str, answer.candidates))
            hint = f"did you mean {', '.join(near)}?" if near else None
            raise _no_such_name(answer.why, hint)
        return answer.label


def _no_such_name(message: str, hint: str | None = None) -> UsageError:
    from bazelscope.base.errors import Diagnostic, UsageError

    return UsageError(Diagnostic("no-such-name", message, hint=hint))
