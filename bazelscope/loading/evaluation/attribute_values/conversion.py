"""What converting the attribute values of a package needs: its labels, its select()s, its errors.

`converters` has the converter of each type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.bazel.encoded_values import SELECT, SELECTS, Encoded, decode_label, encode_unknown
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.label_value import LabelValue
from bazelscope.loading.evaluation.values.refused_syntax import label_problem
from bazelscope.loading.evaluation.values.symbolic_values import (
    SelectCall,
    SelectValue,
    UnknownValue,
)


class ConversionError(ValueError):
    """A value that does not fit.

    A message that Bazel breaks to name the attribute comes in two pieces: the first, then
    ` for attribute ...` (or another `joint`), then `after`. `value` is a label-like value at fault,
    `label_reason` is there where it would have to be a label, and `is_output` where that is an
    output's. `path` is how to come from the attribute to the value, the outermost step first.
    """

    def __init__(
        self,
        message: str,
        value: object = None,
        label_reason: str = "",
        *,
        after: str | None = None,
        joint: str = "for",
    ) -> None:
        super().__init__(message if after is None else f"{message}, {after}")
        self.message = message
        self.value = value
        self.label_reason = label_reason
        self.after = after
        self.joint = joint
        self.is_output = False
        self.path: list[str] = []

    @property
    def is_of_type(self) -> bool:
        """Whether the value would fit an attribute of another type."""
        return self.after is not None and not self.label_reason

    def at(self, step: str) -> ConversionError:
        """Moves the error one step further out; `{}` in the step is what is around it."""
        self.path.insert(0, step)
        return self


class LabelMemo(dict[object, Encoded]):
    """Label-like Starlark value to canonical text, as one package understands it.

    `references` collects the names of the package's own that were met, for the source files
    that Bazel makes of them; None for attributes that are no dependencies.
    """

    def __init__(
        self,
        context: PackageId,
        repo_mapping: Mapping[str, str],
        references: dict[str, int] | None = None,
        release: Release | None = None,
    ) -> None:
        super().__init__()
        self._release = release
        self._context = context
        self._repo_mapping = repo_mapping
        self._references = references
        self.current_stack = 0
        """Where a name that is met for the first time is met."""

    def __missing__(self, key: object) -> Encoded:
        if type(key) is str:
            if self._release is not None and key.startswith("@"):
                why = label_problem(key, self._release)
                if why is not None:
                    raise ConversionError(f"invalid label '{key}': {why}", key, why)
            try:
                label = parse_label(key, self._context, self._repo_mapping)
            except LabelError as error:
                raise ConversionError(error.diagnostic.message, key, error.reason) from error
        elif isinstance(key, LabelValue):
            label = key.label
        elif isinstance(key, UnknownValue):
            return encode_unknown(key.as_unknown())
        else:
            raise unexpected("string", key)
        text = self[key] = str(label)
        self.refer(label)
        return text

    def refer(self, label: Label) -> None:
        """Notes a label of the package itself."""
        if (
            self._references is not None
            and label.package == self._context.package
            and label.repository == self._context.repository
        ):
            self._references.setdefault(label.name, self.current_stack)


class Conversion:
    """What converting the values of one package needs."""

    def __init__(
        self,
        context: PackageId,
        repo_mapping: Mapping[str, str],
        stack_number: Callable[[starlark.RawStack], int],
        release: Release | None = None,
    ) -> None:
        self.context = context
        self.takes_dicts = release is None or release.dicts_are_lists
        """Whether an attribute takes a dictionary for a list."""
        self.references: dict[str, int] = {}
        """Names of the package that its rules depend on, with the first such rule's stack."""
        self.dependencies = LabelMemo(context, repo_mapping, self.references, release)
        self.labels = LabelMemo(context, repo_mapping, None, release)
        self._stack_number = stack_number

    def mention(self, labels: Iterable[str], stack: int) -> None:
        """Notes labels that a symbolic macro was given."""
        self.dependencies.current_stack = stack
        for text in labels:
            if text[:1] in "/@":
                self.dependencies.refer(decode_label(text))

    def retract(self, stack: int) -> None:
        """Forgets the names that a rule, which came to nothing, was the first to mention."""
        names = [name for name, first in self.references.items() if first == stack]
        own = {str(Label(*self.context, name)) for name in names}
        for name in names:
            del self.references[name]
        for key in [key for key, text in self.dependencies.items() if str(text) in own]:
            del self.dependencies[key]

    def selects(self, value: SelectValue, convert: Converter) -> Encoded:
        """A select expression whose branches `convert` converts."""
        parts: list[Encoded] = []
        dependencies = self.dependencies
        for part in value.parts:
            if isinstance(part, SelectCall):
                unknown = None
                for key, _ in part.entries:
                    if type(key) is not str and isinstance(key, UnknownValue):
                        unknown = key
                        break
                if unknown is not None:
                    parts.append(encode_unknown(unknown.as_unknown()))
                    continue
                branches: dict[Encoded, Encoded] = {}
                for key, branch in part.entries:
                    condition = dependencies[key]
                    # Two spellings of one label are one key; the last one wins.
                    try:
                        if branch is None or type(branch) is SelectValue:
                            branches[condition] = self._unusual_branch(branch, convert)
                        else:
                            branches[condition] = convert(self, branch)
                    except ConversionError as error:
                        shown = str(condition).replace("{", "{{").replace("}", "}}")
                        raise error.at(
                            f"each branch in select expression of {{}} (including '{shown}')"
                        ) from error
                raw = part.stack
                stack = raw if isinstance(raw, int) else self._stack_number(raw)
                parts.append([SELECT, tuple(branches.items()), part.no_match_error, stack])
            elif isinstance(part, UnknownValue):
                parts.append(encode_unknown(part.as_unknown()))
            else:
                parts.append(convert(self, part))
        return [SELECTS, tuple(parts)]

    def _unusual_branch(self, value: SelectValue | None, convert: Converter) -> Encoded:
        if value is None:
            return None
        unknown = value.unknown_part
        return convert(self, value) if unknown is None else encode_unknown(unknown.as_unknown())


Converter = Callable[[Conversion, object], Encoded]


def unexpected(wanted: str, value: object) -> ConversionError:
    """The error of a value of another type than `wanted`."""
    shown = starlark.repr_of(value)
    if len(shown) > 200:
        shown = shown[:200] + "..."
    after = f"but got {shown} ({starlark.type_of(value)})"
    return ConversionError(f"expected value of type '{wanted}'", after=after)
