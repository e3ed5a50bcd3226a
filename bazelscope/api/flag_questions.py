"""Questions about the flags of a command line: none needs a target."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bazelscope.api.line_in_force import LineInForce
from bazelscope.api.within_limits import within_limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bazelscope.analysis.compile.option_effects import OptionEffect
    from bazelscope.flags.flag_values import ResolvedFlags
    from bazelscope.questions.canonicalize.answer import CanonicalAnswer
    from bazelscope.questions.configs.answer import ConfigsAnswer
    from bazelscope.questions.flag.answer import FlagAnswer

_OF_COMPILERS = frozenset({"compilation_mode", "conlyopt", "copt", "cxxopt", "linkopt", "strip"})
"""The options that the answers about command lines follow to the compiler and the linker."""

_THAT_CHOOSE_PLATFORMS = frozenset({"host_platform", "platform_mappings", "platforms"})
_PLATFORM_MAPPINGS = "platform_mappings"


class FlagQuestions(LineInForce):
    """Who set a flag, what that beat, and what it comes to."""

    @within_limits
    def flag(self, name: str) -> FlagAnswer:
        """Who set the flag `name`, and what that beat. One of the project's own is named by
        its label, in any spelling."""
        from bazelscope.questions.flag.find import why_flag

        name = self._aliases.get(name.lstrip("-").partition("=")[0], name)
        if name.lstrip("-").removeprefix("no").startswith(("//", "@")):
            from bazelscope.questions.flag.find_setting import why_setting

            return why_setting(self.envelope_of_all, name, self.world)
        flags = self._flags_of_platform
        answer = why_flag(self.envelope_of_flags, name, flags, self.workspace.catalog)
        if answer.facts is None or (answer.define and not answer.is_set):
            from bazelscope.questions.flag.rc_names import meant_in_rc_files

            near = meant_in_rc_files(answer, self.rc_files)
            return replace(answer, suggestions=(*near, *answer.suggestions))
        own = answer.facts.name
        if not answer.is_set:
            return self._with_stripping(answer) if own == "strip" else answer
        return replace(
            answer,
            compiler=tuple(one for one in self.compiler_effects(flags) if one.setting.name == own),
        )

    @property
    def _flags_of_platform(self) -> ResolvedFlags:
        """The flags of the line with what the platform that it builds for sets. Where neither the
        line nor a file says which, nothing has to be loaded."""
        flags = self.flags
        if _THAT_CHOOSE_PLATFORMS.isdisjoint(flags.values) and not self.workspace.files.is_file(
            _PLATFORM_MAPPINGS
        ):
            return flags
        changes = self.world.configuration.changes
        return replace(flags, values={**flags.values, **changes}) if changes else flags

    @property
    def _aliases(self) -> Mapping[str, str]:
        """Short names of Starlark flags: of MODULE.bazel, and of `--flag_alias`. Bazel:
        `StarlarkOptionsParser`, which takes them before options of its own."""
        given = self.flags.values.get("flag_alias")
        told = (text.partition("=") for text in (given.values if given is not None else ()))
        return {**self.workspace.flag_aliases, **{name: label for name, _, label in told}}

    def _with_stripping(self, answer: FlagAnswer) -> FlagAnswer:
        from bazelscope.analysis.compile.option_effects import stripping
        from bazelscope.analysis.configuration.configuration import Configuration

        configuration = Configuration.of(self.flags, self.workspace.catalog)
        mode = configuration.value("compilation_mode").value or ""
        return replace(answer, strips=stripping(configuration), mode=mode)

    def compiler_effects(self, flags: ResolvedFlags | None = None) -> tuple[OptionEffect, ...]:
        """What `--copt`, `--linkopt`, `--strip` and their like of `flags` (None: of the line) come
        to for the compiler and the linker, whatever is built. No package is looked at."""
        flags = flags or self.flags
        if _OF_COMPILERS.isdisjoint(flags.values):
            return ()  # Nothing has to be imported.
        from bazelscope.analysis.compile.option_effects import option_effects
        from bazelscope.analysis.configuration.configuration import Configuration

        configuration = Configuration.of(flags, self.workspace.catalog)
        seen = {**self.environment, **self.loading_options.repo_env}
        return option_effects(configuration, seen)

    def _effects_of_own_toolchain(self) -> tuple[OptionEffect, ...]:
        """What options do to compilers, beside the flags of a toolchain that the workspace has."""
        from bazelscope.analysis.compile.option_effects import option_effects
        from bazelscope.analysis.compile.own_toolchain import OwnToolchains
        from bazelscope.analysis.compile.setting import directory_of
        from bazelscope.analysis.rules.implementations import Implementations

        graph = self.world.configured
        own = OwnToolchains(graph, Implementations(graph, directory_of))
        configuration = self.world.configuration
        seen = {**self.environment, **self.loading_options.repo_env}
        return option_effects(configuration, seen, own.of(configuration)[0])

    @within_limits
    def canonicalize_flags(self, *, places: bool = False) -> CanonicalAnswer:
        """The options of the line in Bazel's canonical form, as `bazel canonicalize-flags`
        prints them, without rc files; with `places`, those of the rc files as well. `instances`
        are all options, beaten ones too, in order."""
        from bazelscope.questions.canonicalize.find import canonical_line, canonical_words

        envelope, catalog = self.envelope_of_flags, self.workspace.catalog
        if places:
            return canonical_line(envelope, self.flags, catalog)
        return canonical_words(envelope, self.line.words, self.line.command, catalog)

    @within_limits
    def configs(self, name: str | None = None) -> ConfigsAnswer:
        """Every named config of the rc files, or the one named and those it names."""
        from bazelscope.questions.configs.find import describe_configs

        workspace, envelope = self.workspace, self.envelope_of_flags
        return describe_configs(
            envelope, name, self.rc_files, workspace.catalog, self.flags, workspace.root_files
        )
