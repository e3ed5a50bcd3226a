"""A command line as Bazel writes it: one word for each option that counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bazelscope.base.errors import Diagnostic
from bazelscope.bazel import flag_conversion
from bazelscope.bazel.flag_catalog import STARTUP, Catalog, FlagKind
from bazelscope.flags import outcome
from bazelscope.flags.flag_values import FlagInstance, FromCommandLine, ResolvedFlags
from bazelscope.flags.option_parsing import COMMAND_LINE, OptionParser
from bazelscope.flags.words import Word
from bazelscope.questions.canonicalize.answer import CanonicalAnswer
from bazelscope.questions.shared.envelope import Envelope

_NO_RC_FILES = "ignore_all_rc_files"
_NO_RC_FILE_EACH = ("--nosystem_rc", "--noworkspace_rc", "--nohome_rc")


def canonical_words(
    envelope: Envelope, words: Sequence[str], command: str, catalog: Catalog
) -> CanonicalAnswer:
    """What `bazel canonicalize-flags --for_command=COMMAND -- WORDS` prints: rc files take no
    part in it, so a `--config` stays. Bazel: `CanonicalizeCommand`."""
    parser = OptionParser(catalog, command)
    parser.parse(COMMAND_LINE, [Word(w, FromCommandLine(i)) for i, w in enumerate(words)])
    problems = list(parser.diagnostics)
    if parser.residue:
        message = "unrecognized arguments: " + " ".join(word.text for word in parser.residue)
        problems.append(Diagnostic("unexpected-argument", message))
    envelope = Envelope(envelope.setup, (), tuple(problems))
    everything = [option.instance for option in outcome.in_order(parser.options)]
    settings = [outcome.starlark_instance(option) for option in parser.starlark]
    counting = outcome.effective(parser.options)
    return _answer(envelope, (), counting, everything, settings, catalog)


def canonical_line(envelope: Envelope, flags: ResolvedFlags, catalog: Catalog) -> CanonicalAnswer:
    """The line that amounts to a command line and its rc files together."""
    settings = [value.instances[-1] for _, value in sorted(flags.starlark_flags.items())]
    counting = [instance for instance in flags.instances if instance.name != "config"]
    known = catalog.find(_NO_RC_FILES, STARTUP) is not None
    startup = (f"--{_NO_RC_FILES}",) if known else _NO_RC_FILE_EACH
    startup = (*startup, *flags.startup_options)
    return _answer(envelope, startup, counting, flags.parsed, settings, catalog)


def _answer(
    envelope: Envelope,
    startup: tuple[str, ...],
    counting: Iterable[FlagInstance],
    everything: Iterable[FlagInstance],
    settings: Iterable[FlagInstance],
    catalog: Catalog,
) -> CanonicalAnswer:
    ordered = (*counting, *settings)
    return CanonicalAnswer(
        envelope,
        startup,
        tuple(_word(instance, catalog) for instance in ordered),
        ordered,
        tuple(everything),
    )


def _word(instance: FlagInstance, catalog: Catalog) -> str:
    definition = catalog.find(instance.name)
    value = instance.value
    if definition is not None and definition.kind is FlagKind.BOOLEAN:
        enabled = flag_conversion.boolean(value or "")
        value = value if enabled is None else str(int(enabled))
    return f"--{instance.name}" if value is None else f"--{instance.name}={value}"
