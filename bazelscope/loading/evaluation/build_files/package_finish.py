"""What Bazel does once a BUILD file has been executed: source files, suites' tests, and refusals.

Bazel: `Package.Builder.beforeBuild`, `TargetRecorder.checkRuleAndOutputs`.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.source import Span
from bazelscope.bazel.encoded_values import Encoded, texts_of
from bazelscope.loading.evaluation.build_files.package_builder import PackageBuilder
from bazelscope.loading.evaluation.bzl_files.module_files import crosses
from bazelscope.loading.packages.encoded_targets import (
    RULE,
    TargetData,
    class_number,
    encoded_input,
    explicit_values,
    shape_of,
    stack_of,
    with_computed,
)
from bazelscope.loading.packages.tags import tag_filter
from bazelscope.loading.tree.globs import GlobError, PackageFiles

_PRIVATE = ("//visibility:private",)


def finish_package(builder: PackageBuilder, loads_unknown: bool) -> None:
    """What Bazel does once a BUILD file has been executed."""
    targets = builder.targets
    # What nobody can tell may have declared what a rule names: a source file is then only
    # what lies there.
    unsure = loads_unknown or builder.may_declare is not None
    unsure = unsure or not all(rule_class.is_known for rule_class in builder.classes)
    # What a model's rules name by default may well be a rule that the model leaves out.
    written = None if builder.may_lack is None else _written(builder)
    seen_by = (_PRIVATE,) if builder.release.implicit_files_are_private else ()
    for name, stack in builder.conversion.references.items():
        if name in builder.macro_names:
            continue
        if written is not None and f"{builder.id}:{name}" not in written:
            continue
        if name not in targets and not (unsure and _is_absent(builder.files, name)):
            targets[name] = encoded_input(stack, False, *seen_by)
    _refuse_crossing(builder)
    is_third_party = builder.id.repository == "" and builder.id.package.startswith("third_party/")
    release = builder.release
    needs_licenses = is_third_party and release.third_party_needs_licenses
    needs_licenses = needs_licenses and release.options_check_licenses
    for name, target in targets.items():
        if shape_of(target) == RULE:
            if needs_licenses:
                _require_license(builder, name, target)
            if builder.classes[class_number(target)].name == "test_suite":
                targets[name] = _with_implicit_tests(builder, target)


def _written(builder: PackageBuilder) -> frozenset[str]:
    """The labels that rules of a package are given."""
    rules = [target for target in builder.targets.values() if shape_of(target) == RULE]
    values = (value for rule in rules for _, value in explicit_values(rule))
    return frozenset(text for value in values for text in texts_of(value))


def _require_license(builder: PackageBuilder, name: str, target: TargetData) -> None:
    """Bazel: `RuleClass.checkThirdPartyRuleHasLicense`."""
    if builder.defaults.get("licenses") or dict(explicit_values(target)).get("licenses"):
        return
    builder.diagnostics.append(
        Diagnostic(
            "no-license",
            f"third-party rule '{builder.shown(name)}' lacks a license declaration with one of the"
            " following types: notice, reciprocal, permissive, restricted, unencumbered,"
            " by_exception_only",
            _span_of(builder, stack_of(target)),
        )
    )


def _is_absent(files: PackageFiles | None, name: str) -> bool:
    """Whether a package has no file or folder of this name, where that can be told."""
    if files is None or "*" in name or "?" in name:
        return False
    try:
        return not files.glob([name], False)
    except GlobError:
        return False


def _refuse_crossing(builder: PackageBuilder) -> None:
    """Takes out the targets whose names reach into a subpackage."""
    files = builder.files
    if files is None:
        return
    for name in [name for name in builder.targets if "/" in name]:
        border = files.border_above(name)
        if border is None:
            continue
        target = builder.targets.pop(name)
        inner = f"{builder.id.package}/{border}" if builder.id.package else border
        rest = name[len(border) + 1 :]
        crossing = crosses(Label(*builder.id, name), inner, rest, builder.release)
        builder.diagnostics.append(
            Diagnostic("label-crosses-package", crossing, _span_of(builder, stack_of(target)))
        )


def _span_of(builder: PackageBuilder, stack: int) -> Span | None:
    call_stack = starlark.decode_stack(builder.stacks[stack]) if stack >= 0 else ()
    return call_stack[0].location.span if call_stack else None


def _with_implicit_tests(builder: PackageBuilder, suite: TargetData) -> TargetData:
    """A test_suite without `tests` has all tests of its package that its tags let in.

    Bazel: `Package.Builder.beforeBuild`, `TestTargetUtils`.
    """
    attributes = dict(explicit_values(suite))
    if attributes.get("tests") or attributes.get("suites"):
        return suite
    of_suite = tag_filter(_tags(attributes))
    tests = []
    for name, target in builder.targets.items():
        if shape_of(target) != RULE or not builder.classes[class_number(target)].is_test:
            continue
        own = dict(explicit_values(target))
        tags = _tags(own)
        if "manual" not in tags and of_suite.takes(tags | {str(own.get("size", "medium"))}):
            tests.append(f"{builder.id}:{name}")
    return with_computed(suite, ("$implicit_tests", tuple(sorted(tests))))


def _tags(attributes: Mapping[str, Encoded]) -> set[str]:
    """The tags of a rule; none where a `select` decides on them."""
    tags = attributes.get("tags")
    return set(texts_of(tags)) if type(tags) is tuple else set()
