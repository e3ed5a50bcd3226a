"""What a build with `--compile_one_dependency` builds for a file: a rule that compiles it.

Bazel: `CompileOneDependencyTransformer`; 2.1.0 and 4.2.3 measured, later ones by their source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.analysis.graph.dependency_edges import labels_and_branches, unknowns_in
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType, labels_in
from bazelscope.bazel.native_rules import is_preferred, names_inputs
from bazelscope.bazel.release import Release
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import InputFile, OutputFile, Rule

_HEADERS_ARE_PARSED = "parse_headers"


class Compiled(NamedTuple):
    """The rule that is built for a file; where there is none, why, or what keeps from telling."""

    rule: Label | None
    problem: str = ""
    unknown: Unknown | None = None


def rule_for(loader: Loader, release: Release, label: Label) -> Compiled:
    """The rule that Bazel builds for a file, of the file's own package."""
    target = loader.target(label)
    package = loader.package(label.package_id)
    if not isinstance(target, InputFile | OutputFile) or not isinstance(package, Package):
        if isinstance(getattr(target, "unknown", None), Unknown):
            return Compiled(label)
        return Compiled(None, f"--compile_one_dependency target '{label}' must be a file")
    rules = _in_order(package)
    result: Rule | None = None
    for rule in rules:
        inputs = list(_inputs(rule))
        unknown = next((one for value in inputs for one in unknowns_in(value)), None)
        if _has(loader, (one for value in inputs for one in _merged(value)), label):
            if is_preferred(rule.rule_class.name, label.name, release):
                result = rule
                break
            result = result or rule
        elif unknown is not None and result is None:
            subject = f"the rule that compiles {label}"
            return Compiled(None, "", Unknown(Reason.DEPENDS_ON_UNKNOWN, subject, str(unknown)))
    if result is None:
        return Compiled(None, f"Couldn't find dependency on target '{label}'")
    if release.header_may_be_compiled and _parses_headers(package, result):
        return Compiled(result.label)
    return Compiled((result if _sources(result) else _user(rules, result)).label)


def _in_order(package: Package) -> list[Rule]:
    """The rules of a package as their calls stand in the BUILD file, then by name."""
    targets = package.targets
    rules = (targets[name] for name in sorted(targets) if targets.is_rule(name))
    found = [rule for rule in rules if isinstance(rule, Rule)]
    return sorted(found, key=lambda rule: (rule.location.line, rule.location.column))


def _inputs(rule: Rule) -> Iterator[object]:
    for name, definition in rule.rule_class.attributes.items():
        is_list = definition.type is AttributeType.LABEL_LIST
        if is_list and names_inputs(rule.rule_class.name, name):
            yield rule.value(name, ())


def _merged(value: object) -> Iterator[Label]:
    """The labels of an attribute, of all branches."""
    return (label for label, _ in labels_and_branches(value))


def _has(loader: Loader, sources: Iterable[Label], file: Label) -> bool:
    """Whether a file is among sources, or in a filegroup or made by a genrule among them."""

    def within(label: Label) -> Iterable[Label]:
        target = loader.target(label) if label != file else None
        if not isinstance(target, Rule):
            return ()
        if target.rule_class.name == "filegroup":
            return _merged(target.value("srcs", ()))
        return (file,) if target.rule_class.name == "genrule" and file in target.outputs else ()

    return file in distances(sources, within)


def _sources(rule: Rule) -> bool:
    return next(_merged(rule.value("srcs", ())), None) is not None


def _user(rules: Iterable[Rule], used: Rule) -> Rule:
    """The first rule with sources that depends on a rule; that itself if there is none."""
    for rule in rules:
        deps, sources = rule.value("deps"), rule.value("srcs")
        is_plain = isinstance(deps, tuple) and isinstance(sources, tuple)
        if is_plain and sources and used.label in labels_in(deps):
            return rule
    return used


def _parses_headers(package: Package, rule: Rule) -> bool:
    """Whether a rule is taken to compile headers by themselves: it does, unless a feature is
    switched off in sight."""
    for features in (rule.texts("features"), package.features):
        if _HEADERS_ARE_PARSED in features or f"-{_HEADERS_ARE_PARSED}" in features:
            return f"-{_HEADERS_ARE_PARSED}" not in features
    return True
