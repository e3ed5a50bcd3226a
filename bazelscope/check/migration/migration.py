"""What of a workspace breaks or changes under another Bazel, what most depends on first."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.source import Span
from bazelscope.bazel import flag_catalog
from bazelscope.bazel.release import Release
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause, FindingSeverity
from bazelscope.check.migration.option_rules import default_findings, option_findings
from bazelscope.check.migration.rule_set_rules import rule_set_findings
from bazelscope.check.migration.starlark_rules import starlark_findings
from bazelscope.check.settings.setting_rules import settings_of_toolchains
from bazelscope.check.workspace_facts import WorkspaceFacts


def migration_findings(facts: WorkspaceFacts, target: Release) -> list[Finding]:
    """Everything that `target` refuses or does otherwise, by how much depends on it."""
    catalog = flag_catalog.load(target.text)
    findings = [
        *_workspace(facts, target),
        *_modules(facts, target),
        *starlark_findings(facts, target),
        *option_findings(facts.rc, catalog),
        *_toolchains(facts, target),
        *rule_set_findings(facts, target),
        *default_findings(facts.rc, catalog),
    ]
    severities = tuple(FindingSeverity)
    return sorted(
        findings,
        key=lambda one: (-one.dependents, severities.index(one.severity), one.path, one.subject),
    )


def _workspace(facts: WorkspaceFacts, target: Release) -> Iterator[Finding]:
    table, files = facts.world.loader.table, facts.world.loader.workspace
    names = [name for name in ("WORKSPACE.bazel", "WORKSPACE") if files.is_file(name)]
    if not names or not facts.release.workspace_by_default or target.workspace_by_default:
        return
    defined = [
        definition
        for definition in table.definitions.values()
        if not definition.location.path.startswith(("<", "external/"))
        and not definition.location.path.endswith(("MODULE.bazel", ".lock"))
    ]
    is_set = "enable_workspace" in facts.rc.flags.values and not target.workspace_is_gone
    if is_set or (not defined and files.is_file("MODULE.bazel")) or _is_blank(facts, names[0]):
        return
    never = "never reads" if target.workspace_is_gone else "does not read"
    message = f"Bazel {target.text} {never} {names[0]}: {len(defined)} repositories of it are gone"
    remedy = "write MODULE.bazel: `bazel_dep` for modules, `use_repo_rule` for archives"
    if not target.workspace_is_gone:
        remedy += ", or for now `common --enable_workspace`"
    causes = tuple(FindingCause(f"`@{one.name}`", facts.span(one.location)) for one in defined[:8])
    span = Span(names[0], 1, 1, 1, 2)
    yield CODES["BZS520"].at(span, names[0], message, remedy, causes, max(1, len(defined)))


def _is_blank(facts: WorkspaceFacts, path: str) -> bool:
    """Whether a file only marks the root, and says nothing."""
    source = facts.read(path)
    lines = source.text.split("\n") if source is not None else ("?",)
    return all(not line.strip() or line.lstrip().startswith("#") for line in lines)


def _modules(facts: WorkspaceFacts, target: Release) -> Iterator[Finding]:
    """Modules are on by default: their repositories take the place of WORKSPACE's."""
    files = facts.world.loader.workspace
    is_set = any(name in facts.rc.flags.values for name in ("enable_bzlmod", "enable_workspace"))
    if facts.release.modules_by_default or not target.modules_by_default or is_set:
        return
    if files.is_file("MODULE.bazel") or target.workspace_is_gone:
        return
    message = f"Bazel {target.text} reads MODULE.bazel, and makes an empty one where there is none"
    remedy = "write MODULE.bazel, or for now `common --noenable_bzlmod`"
    span = Span("WORKSPACE", 1, 1, 1, 2) if files.is_file("WORKSPACE") else None
    yield CODES["BZS522"].at(span, "MODULE.bazel", message, remedy, dependents=1)


def _toolchains(facts: WorkspaceFacts, target: Release) -> Iterator[Finding]:
    """C++ toolchains are chosen by platforms: `--cpu` and `--crosstool_top` choose none."""
    if facts.release.resolves_cc_toolchains or not target.resolves_cc_toolchains:
        return
    options = [
        option.instance
        for section in facts.rc.sections
        for option in section.options
        if option.definition.name in ("cpu", "crosstool_top", "compiler", "host_crosstool_top")
    ]
    settings = settings_of_toolchains(facts)
    if not options and not settings:
        return
    dependents = sum(len(facts.uses.get(label, ())) for label, _ in settings) + len(options)
    places = [
        *(FindingCause(f"`{one.text}`", one.span) for one in options),
        *(FindingCause(f"{label} looks at one of them", span) for label, span in settings),
    ]
    message = (
        f"Bazel {target.text} chooses C++ toolchains by `--platforms`: "
        f"`--cpu`, `--crosstool_top` and `--compiler` choose none"
    )
    remedy = "define platforms and register toolchains, or map them in platform_mappings"
    yield CODES["BZS521"].at(
        places[0].span, "toolchains", message, remedy, tuple(places[1:10]), dependents
    )
