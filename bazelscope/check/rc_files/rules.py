"""The rules about rc files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bazelscope.check.finding import Finding
from bazelscope.check.of_diagnostics import of_flags
from bazelscope.check.rc_files import config_rules, option_rules
from bazelscope.check.rc_files.rc_facts import RcFacts
from bazelscope.check.rc_files.secret_rules import secrets
from bazelscope.check.tree_texts import TreeTexts


def _diagnosed(facts: RcFacts) -> Iterator[Finding]:
    return of_flags(facts.flags.diagnostics, facts.rc_files.sources.get)


_RULES: tuple[Callable[[RcFacts], Iterable[Finding]], ...] = (
    _diagnosed,
    config_rules.undefined_in_sections,
    config_rules.without_effect,
    config_rules.missing_files,
    option_rules.refused_in_sections,
    option_rules.common_options,
    option_rules.repositories_of_build_alone,
    option_rules.former_names,
    option_rules.beaten_and_repeated,
    secrets,
)


def rc_findings(facts: RcFacts) -> tuple[Finding, ...]:
    """What the rules say of the rc files by themselves, each once."""
    findings = {(one.code, one.span, one.subject): one for rule in _RULES for one in rule(facts)}
    return tuple(findings.values())


def rc_findings_in_tree(facts: RcFacts, texts: TreeTexts) -> tuple[Finding, ...]:
    """What the rules say of the rc files with the rest of the tree at hand: also configs that no
    script or document names, and scripts that speak of an rc file that is not there."""
    own = (config_rules.with_writer(finding, facts, texts) for finding in rc_findings(facts))
    return (*own, *config_rules.never_named(facts, texts.names_config))
