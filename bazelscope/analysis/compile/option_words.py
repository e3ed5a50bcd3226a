"""The words that options hand to the compiler and the linker, each with its instance."""

from __future__ import annotations

import re

from bazelscope.analysis.compile.words import FromOption, Word
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.bazel.value_forms import is_included

_EH_FRAME = "-Wl,--eh-frame-hdr"
_OMITFP = ("-fomit-frame-pointer", "-fasynchronous-unwind-tables", "-DNO_FRAME_POINTER")


def option_words(configuration: Configuration, name: str) -> list[Word]:
    """The values of a repeatable option, each one word as it is."""
    return [
        Word(text, FromOption(instance.name if instance is not None else name, instance))
        for text, instance in configuration.value(name).each
    ]


def copt_words(configuration: Configuration) -> list[Word]:
    """The words of `--copt`, behind those that `--experimental_omitfp` adds where releases have
    them there. Bazel: `CppConfiguration.getCopts`."""
    added = omitfp_words(configuration) if configuration.release.cc_late_omitfp else []
    return [*added, *option_words(configuration, "copt")]


def linkopt_words(configuration: Configuration) -> list[Word]:
    """The words of `--linkopt`, and the one that `--experimental_omitfp` adds."""
    words = option_words(configuration, "linkopt")
    return [*words, *(Word(_EH_FRAME, one.origin) for one in omitfp_words(configuration)[:1])]


def per_file_words(configuration: Configuration, path: str, label: str) -> list[Word]:
    """What `--per_file_copt` adds for a source, of that path or of that label in `srcs`.

    Bazel: `PerLabelOptions`.
    """
    words: list[Word] = []
    for text, instance in configuration.value("per_file_copt").each:
        expressions, at, options = text.partition("@")
        if at and (is_included(expressions, path) or is_included(expressions, label)):
            words += [
                Word(word.replace("\\,", ","), FromOption("per_file_copt", instance))
                for word in re.split(r"(?<!\\),", options)
                if word
            ]
    return words


def omitfp_words(configuration: Configuration) -> list[Word]:
    """What `--experimental_omitfp` adds."""
    name = "experimental_omitfp"
    if not configuration.is_on(name):
        return []
    origin = FromOption(name, configuration.value(name).set_by)
    return [Word(text, origin) for text in _OMITFP]


def omitfp_variable(configuration: Configuration) -> dict[str, object]:
    """The variable of toolchains that has these words, where they are not among those of `--copt`;
    nothing where the option is not on."""
    if configuration.release.cc_late_omitfp or not configuration.is_on("experimental_omitfp"):
        return {}
    return {"omitfp_flags": tuple(omitfp_words(configuration))}
