"""What Bazel refuses of a workspace, all of it: where Bazel stops at the first, this goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from bazelscope.analysis.conditions.edges import Edge
from bazelscope.analysis.refusals.of_compatibility import refusals_of_platforms
from bazelscope.analysis.refusals.of_loading import refusals_of_files
from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.base.edits import Fix
from bazelscope.base.errors import Diagnostic, is_bazels_error, is_severe
from bazelscope.base.label import MAIN_ROOT, Label, PackageId, at_sign
from bazelscope.base.source import Span
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.label_edits import label_fixes, written_at
from bazelscope.check.of_diagnostics import of_diagnostic
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.loading.packages.invisible_names import invisible_name
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Absent, NoSuchPackage, Rule
from bazelscope.questions.shared.missing_dependencies import names_absent
from bazelscope.questions.shared.refused_commands import refused_by_command
from bazelscope.render.counting import plural

_UNDER_ANY_FLAGS = (
    RefusalKind.CYCLE,
    RefusalKind.LOAD_VISIBILITY,
    RefusalKind.MISSING_PACKAGE,
    RefusalKind.MISSING_TARGET,
    RefusalKind.TEST_ONLY,
    RefusalKind.VISIBILITY,
)
"""What is told of the whole workspace. Nobody builds all of a large tree for one platform: what
a target needs of flags and toolchains is told where somebody asks for the target."""


_REMEDIES = {
    RefusalKind.IMPLEMENTATION: "do what the rule says, or change what the target gives it",
    RefusalKind.REPOSITORY_RULE: "do what the repository says",
    RefusalKind.MISPLACED: "name another target, or another attribute",
    RefusalKind.MISSING_PROVIDER: "name a target that has the provider",
    RefusalKind.TRANSITION: "correct the transition, or what it is given",
    RefusalKind.EXPANSION: "correct what stands in `$(...)`, or add what it names to `data`",
    RefusalKind.MANDATORY: "give the attribute a value",
}
"""What would mend it where the refusal itself does not say."""

_NO_BUILD_FILE = "BUILD file not found"


def refused_findings(facts: WorkspaceFacts) -> Iterator[Finding]:
    """The errors of WORKSPACE and MODULE.bazel, of packages, and of the targets to be built with
    all that they come to."""
    world = facts.world
    yield from (
        _of_refusal(facts, one, "BZS004")
        for one in refusals_of_files(world.loader.table.diagnostics)
    )
    below = facts.refused
    yield from _of_packages(facts, below)
    users: dict[str, list[Refusal]] = {}
    named: dict[Label, list[Refusal]] = {}
    told: set[tuple[Span | None, str, tuple[FindingCause, ...]]] = set()
    by_label = facts.line.by_label if facts.line is not None else ()
    for refusal in below or refusals_of_platforms(world.configured, by_label):
        is_told = facts.line is not None or refusal.kind in _UNDER_ANY_FLAGS or _is_slip(refusal)
        if refusal.kind is RefusalKind.REPOSITORY_RULE and refusal.dependency is not None:
            users.setdefault(refusal.dependency.repository, []).append(refusal)
        elif is_told and refusal.dependency is not None and _is_named_by_option(refusal):
            named.setdefault(refusal.dependency, []).append(refusal)
        elif is_told and refusal.kind is not RefusalKind.PACKAGE:
            finding = _of_refusal(facts, refusal, "BZS006")
            said = (finding.span, finding.message, finding.causes)
            if said not in told:  # `deps` and `runtime_deps`, say.
                told.add(said)
                yield finding
    if facts.line is not None and not below:
        for refusal in refused_by_command(facts.line):
            yield _of_refusal(facts, refusal, "BZS006")
    for name, refusals in users.items():
        yield _of_repository(facts, name, refusals)
    for refusals in named.values():
        yield _of_option(facts, refusals)


def _of_packages(facts: WorkspaceFacts, below: Sequence[Refusal]) -> Iterator[Finding]:
    """The errors of packages: of all, or of those that the line looks into or its targets come to,
    as what is refused `below` them tells."""
    asked = set(facts.line.packages) if facts.line is not None else None
    if asked is not None:
        needed = (one.dependency or one.target for one in below)
        asked.update(label.package_id for label in needed if label is not None)
    in_error: set[PackageId] = set()
    for package in (*facts.packages, *facts.world.loader.loaded_packages().values()):
        if package.id in in_error or (asked is not None and package.id not in asked):
            continue
        for problem in package.diagnostics if isinstance(package, Package | NoSuchPackage) else ():
            if is_bazels_error(problem) and not _is_of_model(problem):
                in_error.add(package.id)
                yield of_diagnostic(problem, "BZS005", facts.read, str(package.id))
    yield from _unreadable(facts, asked)


def _unreadable(facts: WorkspaceFacts, asked: Set[PackageId] | None) -> Iterator[Finding]:
    """BUILD files and folders that are there and that nobody may read; of packages that are
    `asked`, None for all."""
    files = facts.world.loader.workspace
    remedy = "give yourself the right to read it"
    for package in facts.unreadable:
        if not package.diagnostics and (asked is None or package.id in asked):
            folder = package.id.package
            path = f"{folder}/{files.listing(folder).build_file}".lstrip("/")
            place = Span(path, 1, 1, 1, 2)
            yield CODES["BZS005"].at(place, str(package.id), package.message, remedy)
    if facts.line is not None and not facts.line.packages:
        return
    for folder, why in facts.world.loader.trees.unreadable_below(MAIN_ROOT):
        message = f"no package below `{folder}` can be loaded: {why}"
        yield CODES["BZS005"].at(Span(folder or ".", 1, 1, 1, 2), f"//{folder}", message, remedy)


def unresolved_labels(facts: WorkspaceFacts, package: Package) -> Iterator[Finding]:
    """The labels in attributes of a package's rules that name nothing, each where it is written if
    that is the BUILD file: what an editor tells of before anything is built."""
    told: set[Finding] = set()
    rules = (name for name in package.targets if package.targets.is_rule(name))
    for label in (Label(*package.id, name) for name in rules):
        for edge in facts.world.graph.edges(label):
            finding, rule = _unresolved(facts, edge), package.targets[label.name]
            if finding is not None and isinstance(rule, Rule):
                written = written_at(facts, rule, edge.attribute, edge.target)
                if written is not None and written[0].path == package.path:
                    finding = replace(finding, span=written[0])
                if finding not in told:
                    told.add(finding)
                    yield finding


def _unresolved(facts: WorkspaceFacts, edge: Edge) -> Finding | None:
    node = facts.world.graph.node(edge.target)
    if not isinstance(node, Absent) or edge.may_be_none:
        return _absent_file(facts, edge) if names_absent(facts.world, edge) else None
    if node.message.startswith("error loading package"):
        return None  # Told of that package.
    is_package = isinstance(node, NoSuchPackage)
    kind = RefusalKind.MISSING_PACKAGE if is_package else RefusalKind.MISSING_TARGET
    refusal = Refusal(kind, node.message, edge.source, edge.attribute)
    place, remedy = facts.world.graph.location(edge.source), node.remedy
    refusal = replace(refusal, location=place, remedy=remedy, dependency=edge.target)
    return _of_refusal(facts, refusal, "BZS006")


def absent_files(facts: WorkspaceFacts) -> Iterator[Finding]:
    """The source files that rules name and that are not there: of the targets to be built with all
    that they come to, or without any of the workspace. Bazel looks for them when an action is to
    read them. Bazel: `SkyframeActionExecutor`, *missing input file*."""
    told = {one.dependency for one in facts.refused if _is_slip(one)}
    for edge in _edges(facts):
        file = edge.target
        if file in told or not names_absent(facts.world, edge):
            continue
        told.add(file)
        yield _absent_file(facts, edge)


def _absent_file(facts: WorkspaceFacts, edge: Edge) -> Finding:
    file = str(edge.target)
    place = facts.span(facts.world.graph.location(edge.source))
    message = f"there is no file `{file}`: an action that reads it fails"
    near, proposed = label_fixes(facts, edge.source, edge.attribute, edge.target)
    remedy = f"write the file, or take it out of `{edge.attribute}`"
    remedy = f"did you mean `{near}`? Else {remedy}" if near else remedy
    cause = FindingCause(f"{edge.source} names it in `{edge.attribute}`")
    return CODES["BZS007"].at(place, file, message, remedy, (cause,), fixes=proposed)


def _edges(facts: WorkspaceFacts) -> Iterator[Edge]:
    """The edges of what is to be built, or of all rules of the workspace."""
    configured = facts.world.configured
    if facts.line is not None:
        for node in configured.deps(facts.built):
            yield from (one.edge for one in configured.shown(node))
        return
    for rule in facts.rules():
        yield from facts.world.graph.edges(rule.label)


def _is_named_by_option(refusal: Refusal) -> bool:
    """Whether an option such as `--crosstool_top` names what is missing, and not the target."""
    missing = refusal.kind in _MISSING
    return missing and bool(refusal.causes) and refusal.causes[0].text.startswith("--")


def _of_option(facts: WorkspaceFacts, users: Sequence[Refusal]) -> Finding:
    """What an option names and is not there, told once: `users` are refused for needing it."""
    first = _of_refusal(facts, users[0], "BZS006")
    option, *others = first.causes
    text = option.message.partition(",")[0]
    _, is_ours, why = first.message.partition(f"{users[0].dependency}, ")
    why = re.sub(r"^(?:which (.*) does not declare|but (.*))$", _without_clause, why)
    message = f"`{text}` names no target: {why}" if is_ours else first.message
    remedy = "do what the repository says" if others else "correct the option"
    targets = plural(len(users), "target needs it", "targets need it")
    needs = FindingCause(f"{targets}, {users[0].target} among them")
    causes = (option, *others, needs)
    return CODES["BZS006"].at(option.span or first.span, text, message, remedy, causes, len(users))


def _without_clause(match: re.Match[str]) -> str:
    return f"{match[1]} does not declare it" if match[1] else match[2]


def _of_repository(facts: WorkspaceFacts, name: str, users: Sequence[Refusal]) -> Finding:
    """What keeps a repository from being made, told once: `users` are refused for needing it."""
    failure = facts.world.loader.table.failure_of(name)
    assert failure is not None
    places = {str(user.target): user.location for user in users}
    causes = tuple(
        FindingCause(f"{label} needs it", facts.span(place)) for label, place in places.items()
    )
    message = f"{at_sign(name)} cannot be made: {failure.message}"
    remedy = failure.hint or _REMEDIES[RefusalKind.REPOSITORY_RULE]
    place = failure.span
    known = facts.world.loader.table.get(name)
    definition = known.definition if known is not None else None
    if _is_of_model(failure) and definition is not None:
        # What such a file says comes of what the definition gives it.
        place = facts.span(definition.location)
    return CODES["BZS006"].at(place, at_sign(name), message, remedy, causes)


def _is_of_model(problem: Diagnostic) -> bool:
    """Whether the place is a file of bazelscope's own, which may know less than the real one."""
    return problem.span is not None and problem.span.path.startswith("<")


def _of_refusal(facts: WorkspaceFacts, refusal: Refusal, code: str) -> Finding:
    label = str(refusal.target) if refusal.target is not None else refusal.kind.value
    if refusal.attribute:
        label = f"{label}.{refusal.attribute}"
    causes = tuple(FindingCause(one.text, facts.span(one.location)) for one in refusal.causes)
    stack = tuple(
        FindingCause(f"called from {frame.function}", facts.span(frame.location))
        for frame in refusal.call_stack
        if frame.location != refusal.location
    )
    span = facts.span(refusal.location)
    remedy = refusal.remedy or _REMEDIES.get(refusal.kind, "")
    message, remedy = _said_of_missing(facts, refusal) or (refusal.message, remedy)
    if refusal.dependency is not None and " depends on " in message:
        wanted = _as_written(refusal.dependency)
        if str(wanted) not in message:
            causes = (FindingCause(f"it names {wanted}"), *causes)
    proposed = _fixes(facts, refusal)
    return CODES[code].at(span, label, message, remedy, (*causes, *stack), fixes=proposed)


def _fixes(facts: WorkspaceFacts, refusal: Refusal) -> tuple[Fix, ...]:
    """The fix of a label that may be a slip of the pen."""
    target, absent = refusal.target, refusal.dependency
    if target is None or absent is None or not refusal.attribute or not _is_slip(refusal):
        return ()
    return label_fixes(facts, target, refusal.attribute, absent)[1]


def _is_slip(refusal: Refusal) -> bool:
    """Whether an attribute, or a key of a select(), names something that is not there."""
    return refusal.dependency is not None and refusal.kind in _OF_SLIPS


_MISSING = (RefusalKind.MISSING_TARGET, RefusalKind.MISSING_PACKAGE)
_OF_SLIPS = frozenset({*_MISSING, RefusalKind.MISPLACED, RefusalKind.CONDITION})
"""Where the dependency of a refusal may be a slip of the pen."""


def _as_written(label: Label) -> Label:
    apparent = invisible_name(label.repository)
    return label if apparent is None else Label(apparent, label.package, label.name)


def _said_of_missing(facts: WorkspaceFacts, refusal: Refusal) -> tuple[str, str] | None:
    """What a dependency that is not there is said to be, and what to do; Bazel's own words are
    made for one that is met while it builds."""
    wanted = refusal.dependency
    if wanted is None:
        return None
    depends = f"{refusal.target} depends on {wanted}"
    package = facts.world.loader.package(wanted.package_id)
    if refusal.kind is RefusalKind.MISSING_TARGET and isinstance(package, Package):
        if any(map(is_severe, package.diagnostics)):
            text = f"{depends}; {package.path} ends in an error before it declares that"
            return text, refusal.remedy or "mend that error first"
        remedy = refusal.remedy or "correct the label, or declare the target"
        return f"{depends}, which {package.path} does not declare", remedy
    invisible = invisible_name(wanted.repository)
    if invisible is not None:
        general = (
            f"correct the label, or name `{invisible}` in MODULE.bazel: `bazel_dep`, `use_repo`"
        )
        message = f"{refusal.target} depends on @{invisible}; nothing brings that repository in"
        return message, refusal.remedy or general
    if wanted.repository and facts.world.loader.table.get(wanted.repository) is None:
        message = f"{refusal.target} depends on @{wanted.repository}; nothing defines it"
        return message, refusal.remedy or "correct the label, or define the repository"
    if refusal.kind is RefusalKind.MISSING_PACKAGE and _NO_BUILD_FILE in refusal.message:
        folder = wanted.package or "the root"
        where = f"{folder} of @{wanted.repository}" if wanted.repository else folder
        remedy = refusal.remedy or "correct the label, or add the package"
        return f"{depends}, but {where} has no BUILD file", remedy
    return None
