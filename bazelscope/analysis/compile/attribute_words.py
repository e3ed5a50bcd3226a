"""The words that attributes of one configured rule come to: selects resolved, make variables
filled in, strings cut into words; each with the piece of the attribute that holds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.conditions.select_choice import (
    Ambiguous,
    Chosen,
    NoBranch,
    SelectResult,
    resolve_value,
)
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.memoized import memoized
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.attribute_types import Selector
from bazelscope.bazel.native_texts import TemplateError, expand, tokenize
from bazelscope.loading.packages.targets import Rule

FilesOf = Callable[[Label], "tuple[str, ...] | Unknown"]
"""The paths of the files of a target that a rule depends on."""

_LOCATIONS = frozenset(
    {*("location", "locations", "execpath", "execpaths"), *("rootpath", "rootpaths")}
)


_DEEPEST = 10
_MOST_REFERENCES = 100_000
"""So many references are followed for one rule: variables that name others may double ten times."""


@dataclass(frozen=True, slots=True)
class AttributeWord:
    """One word, the string that it was written as, and the branch that holds it."""

    text: str
    written: str
    condition: Label | None = None
    selector: Selector | None = None
    unknown: Unknown | None = None


class AttributeWords:
    """Reads the attributes of one rule under one configuration."""

    def __init__(
        self,
        rule: Rule,
        conditions: Conditions,
        directory: str,
        files_of: FilesOf,
        mapping: Mapping[str, str],
        toolchains: Callable[[], Mapping[str, str | Unknown]] = dict,
    ) -> None:
        """`toolchains` gives the make variables of a toolchain of the workspace's own, and of what
        `toolchains` of the rule name."""
        self.rule = rule
        self._conditions = conditions
        self._configuration: Configuration = conditions.configuration
        self._directory = directory
        self._files_of = files_of
        self._mapping = mapping
        self._toolchains = toolchains
        self._references = 0

    def strings(self, attribute: str) -> tuple[AttributeWord, ...]:
        """The strings of a list, under the flags, as written."""
        return tuple(self._strings(attribute))

    @memoized
    def words(self, attribute: str, cut: bool = True) -> tuple[AttributeWord, ...]:
        """The words of a list of strings; `cut` says whether a string may be several words."""
        return tuple(self._words(attribute, cut))

    def flag(self, attribute: str, default: bool = False) -> bool:
        """A boolean attribute; `default` where it is not set or cannot be told."""
        value = self.value(attribute)
        return bool(value) if isinstance(value, bool | int) else default

    def value(self, attribute: str) -> object:
        """The value of an attribute with its selects resolved; None for one that is not set."""
        return resolve_value(self.rule.given(attribute), self._conditions).value

    def is_set(self, attribute: str) -> bool:
        """Whether the BUILD file sets an attribute."""
        return attribute in self.rule.attributes

    def expanded(self, texts: tuple[str, ...], cut: bool) -> tuple[str, ...]:
        """The words of strings that stand in no attribute of the rule."""
        words: list[str] = []
        for one in texts:
            try:
                text = expand(one, self._variable)
                words += tokenize(text) if cut else (text,)
            except TemplateError:
                words.append(one)
        return tuple(words)

    def _words(self, attribute: str, cut: bool) -> Iterator[AttributeWord]:
        for one in self._strings(attribute):
            if one.unknown is not None:
                yield one
                continue
            try:
                text = expand(one.text, self._variable)
                texts = tokenize(text) if cut else (text,) if text else ()
            except TemplateError as error:
                failed = Unknown(Reason.FAILED, f"`{one.text}`", str(error), self.rule.location)
                yield AttributeWord(one.text, one.written, one.condition, one.selector, failed)
                continue
            for text in texts:
                yield AttributeWord(text, one.written, one.condition, one.selector)

    def _strings(self, attribute: str) -> Iterator[AttributeWord]:
        given = self.rule.attributes.get(attribute)
        if given is None:
            return
        for value, choice in resolve_value(given.value, self._conditions).parts:
            condition = choice.branch.condition if isinstance(choice, Chosen) else None
            selector = choice.selector if choice is not None else None
            if isinstance(value, Unknown):
                subject, why = value.subject, _why(value, choice)
                yield AttributeWord(subject, subject, None, selector, why)
                continue
            for text in value if isinstance(value, tuple) else ():
                if isinstance(text, Unknown):
                    yield AttributeWord(text.subject, text.subject, condition, selector, text)
                elif isinstance(text, str):
                    yield AttributeWord(text, text, condition, selector)

    # ---- Make variables

    def _variable(self, name: str, argument: str | None, depth: int = 0) -> str | None:
        """What a reference stands for, which may have others in it. Bazel: `TemplateExpander`."""
        self._references += 1
        if self._references > _MOST_REFERENCES:
            raise TemplateError("it refers to too many variables")
        if name in _LOCATIONS:
            return self._location(name, argument or "")
        if argument:
            return None
        define = self._configuration.define(name)
        text: str | Unknown | None = None
        if define is not None:
            text = define.value
        else:
            text = {**self._built_in(), **self._toolchains()}.get(name)
        if isinstance(text, Unknown):
            raise TemplateError(str(text))
        if text is None or "$" not in text:
            return text
        if depth > _DEEPEST:
            raise TemplateError(f"potentially unbounded recursion during expansion of '{text}'")
        return expand(text, lambda name, argument: self._variable(name, argument, depth + 1))

    def _built_in(self) -> Mapping[str, str]:
        """The make variables that the configuration and the toolchain define. Measured."""
        configuration = self._configuration
        outputs = f"{self._directory}/bin"
        generated = outputs
        if configuration.release.cc_has_genfiles:
            generated = f"{self._directory}/genfiles"
        return {
            "TARGET_CPU": configuration.value("cpu").value or "",
            "COMPILATION_MODE": configuration.value("compilation_mode").value or "",
            "BINDIR": outputs,
            "GENDIR": generated,
            "ABI": "local",
            "C_COMPILER": "compiler",
            "CROSSTOOLTOP": "external/local_config_cc",
            "GLIBC_VERSION": "local",
            "CC_FLAGS": "",
            "STACK_FRAME_UNLIMITED": "",
            "CC": "/usr/bin/gcc",
            "AR": "/usr/bin/ar",
        }

    def _location(self, name: str, argument: str) -> str:
        try:
            label = parse_label(argument, self.rule.label.package_id, self._mapping)
        except LabelError as error:
            raise TemplateError(f"$({name} {argument}): {error}") from error
        files = self._files_of(label)
        if isinstance(files, Unknown):
            raise TemplateError(f"$({name} {argument}): {files}")
        if name.startswith("rootpath"):
            files = tuple(file.removeprefix(f"{self._directory}/bin/") for file in files)
        files = tuple(file if "/" in file else f"./{file}" for file in files)
        if not name.endswith("s") and len(files) != 1:
            raise TemplateError(f"$({name} {argument}) is {len(files)} files")
        return " ".join(sorted(files))


def _why(value: Unknown, choice: SelectResult | None) -> Unknown:
    """A select() that Bazel refuses is an error of the target."""
    if isinstance(choice, Ambiguous | NoBranch):
        return Unknown(Reason.FAILED, value.subject, choice.diagnostic.message)
    return value
