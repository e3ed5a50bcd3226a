"""What may stand at the cursor: a command, an option, its value, a target, a config."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.cli.completion.candidate import Candidate, Found
from bazelscope.cli.completion.typed_line import TypedLine

if TYPE_CHECKING:
    from bazelscope.cli.completion.bazel_options import OptionCandidates
    from bazelscope.cli.completion.labels import LabelCandidates

_QUERIES = ("query", "cquery")
_DIRECTORIES = frozenset({"workspace", "cache_dir"})
_FILES = frozenset({"output"})
_NAMES_OF_TARGETS = frozenset({"avoid", "via"})
_SECTIONS = frozenset({"sections", "skip"})
_VERSIONS = frozenset({"bazel_version", "target"})
_TAKES_SHORT_NAMES = frozenset(
    {
        *("compile", "deps", "effects", "explain", "graph", "page", "path", "rdeps", "repos"),
        *("select", "when"),
    }
)
"""The commands whose targets may be said as people say them."""
_TOKEN = lazy_pattern(r"[\w@/.:\-~$%*]*\Z")
_LABEL_START = ("/", "@", ":")
_STARTS = ("//", "@", ":")


def find_candidates(group: click.Group, context: click.Context, typed: TypedLine) -> Found:
    """Everything that begins with the word at the cursor and makes sense there."""
    words = typed.before[1:]
    if not words:
        return _chosen(_commands(group, context), typed.current)
    if words[0] == "why":
        words = ("explain", "--why", *words[1:])
    command = group.get_command(context, words[0])
    if command is None:
        return Found()
    return _Search(command, words[0], words[1:], typed.current).found()


def _commands(group: click.Group, context: click.Context) -> Iterator[Candidate]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            yield Candidate(name, command.get_short_help_str(70))
    yield Candidate("--help", "Show what there is.")
    yield Candidate("--version", "Show the version.")


def _chosen(candidates: Iterable[Candidate], prefix: str) -> Found:
    fitting = {c.text: c for c in candidates if c.text.startswith(prefix)}
    return Found(tuple(fitting.values()))


class _Search:
    """The search below one command."""

    def __init__(
        self, command: click.Command, name: str, words: tuple[str, ...], current: str
    ) -> None:
        self.command = command
        self.name = name
        self.words = words
        self.current = current

    def found(self) -> Found:
        if not any(isinstance(p, click.Argument) and p.name == "words" for p in self._params):
            return self._plain()
        own = self._own_option(self.words[-1]) if self.words else None
        if own is not None and not own.is_flag:
            return self._own_values(own, "")
        name, equals, _ = self.current.partition("=")
        own = self._own_option(name) if equals else None
        if own is not None:
            return self._own_values(own, f"{name}=")
        if self.current.startswith(("--//", "--@", "--no//", "--no@")):
            dashes = self.current[: 4 if self.current.startswith("--no") else 2]
            return self._labels(self.current[len(dashes) :], dashes)
        if self.current.startswith("-"):
            return self._options(name, bool(equals))
        before = self._bazel.awaiting_value(self.words[-1]) if self.words else None
        if before is not None:
            return self._bazel_values(before, "")
        return self._positional()

    # ---- Options ----

    @property
    def _params(self) -> list[click.Parameter]:
        return self.command.params

    def _own_option(self, name: str) -> click.Option | None:
        for param in self._params:
            if isinstance(param, click.Option) and name in (*param.opts, *param.secondary_opts):
                return param
        return None

    def _own_values(self, option: click.Option, lead: str) -> Found:
        if option.name in _DIRECTORIES:
            return Found(kind="directories")
        if option.name in _FILES:
            return Found(kind="files")
        if option.name in _NAMES_OF_TARGETS:
            return self._targets(self.current[len(lead) :], lead)
        if option.name in _SECTIONS:
            return self._sections(lead)
        if option.name == "why":
            return self._facts(lead)
        if option.name == "over":
            return self._axes(lead)
        values: Iterable[str] = ()
        if isinstance(option.type, click.Choice):
            values = [str(choice) for choice in option.type.choices]
        elif option.name in _VERSIONS:
            from bazelscope.bazel.release import known_releases

            values = (release.text for release in known_releases())
        elif option.name == "host":
            values = ("linux", "linux-arm64", "macos", "macos-arm64", "windows")
        return _chosen((Candidate(f"{lead}{value}") for value in values), self.current)

    def _own_names(self) -> Iterator[Candidate]:
        for param in self._params:
            if isinstance(param, click.Option):
                for name in (*param.opts, *param.secondary_opts):
                    if name.startswith("--") or self.current == "-":
                        yield Candidate(name, param.help or "")
        yield Candidate("--help", "Show this command's options and examples.")

    def _options(self, name: str, has_value: bool) -> Found:
        if has_value:
            option = self._bazel.named(name)
            return Found() if option is None else self._bazel_values(option, f"{name}=")
        return _chosen([*self._own_names(), *self._bazel.names(self.current)], self.current)

    def _bazel_values(self, option: str, lead: str) -> Found:
        kind, values = self._bazel.values(option)
        if kind == "label":
            return self._labels(self.current[len(lead) :], lead)
        if kind != "words":
            return Found(kind=kind)
        return _chosen((Candidate(f"{lead}{v.text}", v.about) for v in values), self.current)

    @property
    def _bazel(self) -> OptionCandidates:
        from bazelscope.cli.completion.bazel_options import OptionCandidates

        return OptionCandidates(self._directory, self._bazel_version, self._bazel_command)

    @property
    def _bazel_command(self) -> str:
        if self.name in _QUERIES:
            return self.name
        words = list(self.words)
        if "bazel" in words:
            for word in words[words.index("bazel") + 1 :]:
                if not word.startswith("-"):
                    return word
        return "build"

    @property
    def _bazel_version(self) -> str | None:
        return self._value_of("bazel_version")

    @property
    def _directory(self) -> Path:
        given = self._value_of("workspace")
        return Path(given).expanduser() if given else Path.cwd()

    def _value_of(self, parameter: str) -> str | None:
        """The value that one of our own options has on the line."""
        for position, word in enumerate(self.words):
            name, equals, value = word.partition("=")
            option = self._own_option(name if name.startswith("--") else word)
            if option is not None and option.name == parameter:
                return value if equals else next(iter(self.words[position + 1 :]), None)
        return None

    # ---- Arguments ----

    def _plain(self) -> Found:
        """A command whose arguments have their own names."""
        values: list[Candidate] = []
        for param in self._params:
            if isinstance(param, click.Argument):
                if isinstance(param.type, click.Choice):
                    values += [Candidate(str(choice)) for choice in param.type.choices]
                elif self.name == "configs":
                    values += self._bazel.configs(of_every_command=True)
        if not self.current.startswith("-"):
            own = self._own_option(self.words[-1]) if self.words else None
            if own is not None and not own.is_flag:
                return self._own_values(own, "")
            return _chosen(values, self.current)
        name, equals, _ = self.current.partition("=")
        own = self._own_option(name) if equals else None
        return self._own_values(own, f"{name}=") if own else _chosen(self._own_names(), name)

    def _positional(self) -> Found:
        if self.name in _QUERIES:
            return self._expression()
        is_first = all(word.startswith("-") for word in self.words)
        if self.name == "flag" and is_first:
            return _chosen(self._bazel.bare_names(), self.current)
        if self.name == "mod":
            return self._modules_or_subcommands(is_first)
        if self.name == "effects" and is_first:
            return self._facts("")
        if self.name == "matrix":
            return self._of_matrix(is_first)
        if self.name == "repos" and is_first and not self.current.startswith(_LABEL_START):
            return _chosen(self._label_search.repositories(), self.current)
        if self.name == "select" and "." in self.current.rpartition("/")[2]:
            return self._attributes()
        if self.name == "settings" and self._is_short(self.current):
            return Found(tuple(self._label_search.short(self.current, "config_setting")))
        if self.name in _TAKES_SHORT_NAMES:
            return self._targets(self.current, "")
        return self._labels(self.current, "")

    @staticmethod
    def _is_short(text: str) -> bool:
        """Whether a short name is being typed, rather than a label or a folder."""
        return bool(text) and not text.startswith(_LABEL_START) and not set(text) & set("/:@")

    def _targets(self, text: str, lead: str) -> Found:
        """Labels, or the short names that begin so."""
        if not self._is_short(text):
            return self._labels(text, lead)
        short = self._label_search.short(text)
        folders = self._label_search.matching(text)
        return Found(tuple(Candidate(f"{lead}{c.text}", c.about) for c in (*short, *folders)))

    def _attributes(self) -> Found:
        """`TARGET.attribute`; a target may have dots in its own name, too."""
        attributes = self._attributes_of(self.current, "")
        return Found(tuple(attributes)) if attributes else self._targets(self.current, "")

    def _attributes_of(self, text: str, lead: str) -> list[Candidate]:
        target, dot, start = text.rpartition(".")
        names = self._label_search.attributes(target) if dot and target else []
        return [Candidate(f"{lead}{target}.{name}") for name in names if name.startswith(start)]

    def _sections(self, lead: str) -> Found:
        """The names of sections; several stand with commas between them."""
        from bazelscope.questions.shared.sections import Section

        chosen, comma, _ = self.current[len(lead) :].rpartition(",")
        taken = set(chosen.split(","))
        names = [section.value for section in Section if section.value not in taken]
        return _chosen((Candidate(f"{lead}{chosen}{comma}{n}") for n in names), self.current)

    def _facts(self, lead: str) -> Found:
        """What an explanation names: options, configs, settings, repositories, labels."""
        text = self.current[len(lead) :]
        attributes = self._attributes_of(text, lead)
        if attributes:
            return Found(tuple(attributes))
        if text.startswith(_LABEL_START):
            return self._labels(text, lead)
        bare = [*self._bazel.configs(), *self._bazel.bare_names()]
        names = [*bare, *(Candidate(f"--config={c.text}", c.about) for c in self._bazel.configs())]
        settings = self._label_search.short(text, "config_setting") if text else []
        facts = [Candidate(f"{lead}{c.text}", c.about) for c in (*settings, *names)]
        return _chosen(facts, self.current)

    def _modules_or_subcommands(self, is_first: bool) -> Found:
        """`mod`: its subcommands, then the names of modules."""
        from bazelscope.questions.mod.options import SUBCOMMANDS

        if is_first:
            return _chosen([Candidate(name) for name in SUBCOMMANDS], self.current)
        return _chosen(self._label_search.modules(), self.current)

    def _of_matrix(self, is_first: bool) -> Found:
        """`matrix`: its questions, then what the one that was chosen is about."""
        from bazelscope.questions.matrix.answer import MatrixQuestion

        if is_first:
            return _chosen([Candidate(one.value) for one in MatrixQuestion], self.current)
        if self.words[0] == "flag":
            return _chosen(self._bazel.bare_names(), self.current)
        return self._targets(self.current, "")

    def _axes(self, lead: str) -> Found:
        """`--over`: the axes, and the configs to go over, with `,` or `+` between them."""
        axis, equals, _ = self.current[len(lead) :].partition("=")
        if not equals:
            names = [f"{lead}{name}=" for name in ("configs", "hosts", "versions")]
            return _chosen(map(Candidate, names), self.current)
        if axis != "configs":
            return Found()
        before = self.current[: max(map(self.current.rfind, ("=", ",", "+"))) + 1]
        configs = (Candidate(f"{before}{one.text}", one.about) for one in self._bazel.configs())
        return _chosen(configs, self.current)

    def _labels(self, text: str, lead: str) -> Found:
        labels = self._label_search.matching(text)
        return Found(tuple(Candidate(f"{lead}{c.text}", c.about) for c in labels))

    @property
    def _label_search(self) -> LabelCandidates:
        from bazelscope.cli.completion.labels import LabelCandidates

        flags = tuple(word for word in self.words if word.startswith("--") and "=" in word)
        return LabelCandidates(self._directory, self._bazel_version, flags)

    def _expression(self) -> Found:
        """Inside of a query: a function, or a target."""
        match = _TOKEN.search(self.current)
        assert match is not None
        token, lead = match[0], self.current[: match.start()]
        if token.startswith(_LABEL_START):
            return _goes_on(self._labels(token, lead))
        from bazelscope.query.language.signatures import SIGNATURES, Command

        functions = [
            Candidate(f"{lead}{signature.name}(", signature.shape)
            for signature in SIGNATURES.values()
            if Command(self.name) in signature.commands
        ]
        if not token:
            functions += [Candidate(f"{lead}{start}") for start in _STARTS]
        return _goes_on(_chosen(functions, self.current))


def _goes_on(shown: Found) -> Found:
    """With only one candidate, what may stand behind it: a shell would take a single one for
    the end of the word, and close its quotation."""
    if len(shown.candidates) != 1:
        return shown
    text = shown.candidates[0].text
    following = _STARTS if text.endswith("(") else (")", ",", " ")
    return Found(tuple(Candidate(f"{text}{end}") for end in following))
