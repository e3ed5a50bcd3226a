"""What a name that is no flag may be in rc files: a named config, the name of a `--define`, or a
flag of the project's own without its label."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.nearest import nearest
from bazelscope.flags.rc_search import RcFiles
from bazelscope.questions.flag.answer import FlagAnswer
from bazelscope.questions.flag.find import LAST_OF_A_NAME


def meant_in_rc_files(answer: FlagAnswer, rc_files: RcFiles) -> tuple[str, ...]:
    """Returns the config (`config=opt`), the assignments (`define=x`, `repo_env=X`) and the flags
    of the project's own (`//a:x`) of rc files that a name which is no flag is, or nearly is where
    a name within an option was asked for."""
    named = dict.fromkeys(_assignments(rc_files))
    if answer.define is not None and answer.facts is not None:
        option = answer.facts.name
        near = nearest(answer.define, [name for of, name in named if of == option])
        return tuple(f"{option}={name}" for name in near if name != answer.define)
    is_config = any(section.endswith(f":{answer.asked}") for section in rc_files.sections)
    configs = (f"config={answer.asked}",) if is_config else ()
    given = (f"{option}={name}" for option, name in named if name == answer.asked)
    own = (label for label in _own_flags(rc_files) if label.endswith(f":{answer.asked}"))
    return (*configs, *given, *dict.fromkeys(own))


def _own_flags(rc_files: RcFiles) -> Iterator[str]:
    """The labels of the flags of the project's own that rc files set."""
    for chunks in rc_files.sections.values():
        for word in (word.text for chunk in chunks for word in chunk.words):
            label = word.removeprefix("--").removeprefix("no").partition("=")[0]
            if word.startswith("--") and label.startswith(("//", "@")):
                yield label


def _assignments(rc_files: RcFiles) -> Iterator[tuple[str, str]]:
    """The options with the names that rc files give a value: `--define=x=1`, `--define x=1`."""
    for chunks in rc_files.sections.values():
        for chunk in chunks:
            words = [word.text for word in chunk.words]
            for word, following in zip(words, (*words[1:], ""), strict=True):
                option, equals, rest = word.removeprefix("--").partition("=")
                name = (rest if equals else following).partition("=")[0]
                if option in LAST_OF_A_NAME and name:
                    yield option, name
