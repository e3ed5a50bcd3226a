"""`--output=build`: rules as a BUILD file would say them. Bazel: `BuildOutputFormatter`."""

from __future__ import annotations

from dataclasses import replace

from bazelscope.base.label import Label
from bazelscope.base.source import CallStack
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import AttributeType, DictValue, Selector, SelectorList
from bazelscope.loading.packages.targets import Rule
from bazelscope.query.formats.attribute_names import attribute_names
from bazelscope.query.formats.results import OutputOptions, Result, Row, frames_of, shown_place
from bazelscope.query.language.attribute_values import told_stack, zero_of_branch
from bazelscope.starlark.run.text_of_values import ESCAPES


def to_build(result: Result, options: OutputOptions) -> str:
    """Each rule with the attributes that were set; other targets are left out.

    Bazel prints a rule once, also if it is there in several configurations (`TargetOutputter`).
    Where its values differ among them, it is chance which one is printed: here each is.
    """
    options = replace(options, relative_locations=False)
    written: dict[tuple[Label, str], None] = {}
    for index, row in enumerate(result.rows):
        rule = result.rule(index)
        if rule is not None:
            written[rule.label, _rule(result, index, row, rule, options)] = None
    return "".join(text for _, text in written)


def _rule(result: Result, index: int, row: Row, rule: Rule, options: OutputOptions) -> str:
    stack = told_stack(rule, row.package, options.release)
    first = stack[0].location if stack else rule.location
    lines = [f"# {shown_place(first, row, options)}", f"{rule.rule_class.name}("]
    for name in sorted(attribute_names(rule), key=lambda name: name != "name"):
        attribute = result.attribute(index, name)
        if attribute is None or not attribute.is_explicit or attribute.value is None:
            continue
        shown = f"_{name[1:]}" if name.startswith("$") else name
        value = _value(options.shown(attribute).value, attribute.type)
        if name == "name":
            value = f'"{attribute.value}"'  # Bazel escapes nothing here.
        if attribute.type is AttributeType.DISTRIBUTION_SET:
            value = _distributions(attribute.value, options)
        lines.append(f"  {shown} = {value},")
    lines.append(")")
    if options.release.stacks_in_build_output:
        label = rule.label.name
        lines += _stack(f"Rule {label} instantiated at", stack, row, options)
        if rule.rule_class.defined_at:
            name = rule.rule_class.name
            lines += _stack(f"Rule {name} defined at", rule.rule_class.defined_at, row, options)
    end = "\0" if options.null_terminated else "\n"
    if not options.release.null_ends_rules:
        return end.join([*lines, ""])[:-1] + f"\n{end}"
    return "".join(f"{line}{end}" for line in [*lines, ""])


def _stack(title: str, stack: CallStack, row: Row, options: OutputOptions) -> list[str]:
    frames = frames_of(stack, row, options)
    width = max((len(where) for where, _ in frames), default=0)
    lines = [f"#   {where.ljust(width)} in {function}" for where, function in frames]
    return [f"# {title} (most recent call last):", *lines]


def _distributions(value: object, options: OutputOptions) -> str:
    """A set of Java's enumeration, of which Bazel made no text at first."""
    if not options.release.distributions_as_text:
        return "<unknown object java.util.Collections$UnmodifiableSet>"
    items = value if isinstance(value, tuple) else ()
    return f"[{', '.join(str(distribution).upper() for distribution in items)}]"


def _value(value: object, kind: AttributeType = AttributeType.UNKNOWN) -> str:
    """A value of an attribute of type `kind`: a branch that is None has the type's zero."""
    if isinstance(value, SelectorList):
        return " + ".join(_value(part, kind) for part in value.parts)
    if isinstance(value, Selector):
        zero = zero_of_branch(kind)
        branches = [
            (branch, _value(zero if branch.value is None else branch.value))
            for branch in value.branches
        ]
        if all(branch.is_default for branch in value.branches):
            return branches[0][1]
        entries = [f"{_literal(branch.condition)}: {text}" for branch, text in branches]
        return f"select({{{', '.join(entries)}}})"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Label):
        return _literal(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, DictValue):
        entries = [f"{_value(key)}: {_value(element)}" for key, element in value.items]
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, Unknown):
        return f"<unknown: {value.subject}>"
    return _literal(value)


def _literal(value: object) -> str:
    """A string or a label as Starlark writes it."""
    return f'"{str(value).translate(ESCAPES)}"'
