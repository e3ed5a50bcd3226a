"""What the compiler and the linker get for a target, and who put each word there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bazelscope.analysis.compile.action_lines import CcActions, Compilation
from bazelscope.analysis.compile.cc_context import COMPILING
from bazelscope.analysis.compile.environment import action_environment
from bazelscope.analysis.compile.flag_expansion import variables_of
from bazelscope.analysis.compile.gaps import further_actions, links_of_shared_libraries
from bazelscope.analysis.compile.link_lines import CcLinks, Link
from bazelscope.analysis.compile.proto_libraries import PROTO_LIBRARY, is_native
from bazelscope.analysis.compile.setting import Setting
from bazelscope.analysis.compile.source_files import compile_action
from bazelscope.analysis.compile.starlark_actions import line_of
from bazelscope.analysis.compile.toolchain import CPP_COMPILE
from bazelscope.analysis.compile.word_effects import Effect, EffectKind, effects_of
from bazelscope.analysis.compile.words import FromToolchain, Word
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.base.label import Label
from bazelscope.base.nearest import nearest
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import InputFile, Rule, UnknownResult
from bazelscope.questions.compile.answer import (
    ActionLine,
    ActionVariable,
    CompileAnswer,
    LineEffect,
    LineWord,
    ToolchainAnswer,
)
from bazelscope.questions.shared.completeness import how_complete
from bazelscope.questions.shared.described_targets import describe_node
from bazelscope.questions.shared.endpoints import unnamed, which_target
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.missing_dependencies import absent_files_among
from bazelscope.questions.shared.world import World


def what_is_compiled(
    world: World,
    envelope: Envelope,
    asked: str,
    environment: Mapping[str, str],
    source: str | None,
    word: str | None,
) -> CompileAnswer:
    """The actions of the target that `asked` names, of its `source` alone if one is named, and
    only those words that are `word`, if one is asked for. A source file stands for the first rule
    of its package that compiles it.

    `environment` is the client's, in which Bazel looks for the machine's compiler.
    """
    target = which_target(world, asked)
    if target.label is None:
        closed = unnamed(world, envelope, asked)
        return CompileAnswer(closed, target, source, word)
    seen = {**environment, **world.loader.options.repo_env}
    actions = CcActions(world.configured, world.loader, seen)
    node = behind_aliases(world.configured, world.configured.top(target.label))
    compilers: tuple[ConfiguredNode, ...] = ()
    if source is None and isinstance(world.configured.target(node), InputFile):
        compilers = _compilers_of(world, actions, node.label)
        if compilers:
            node, source = compilers[0], node.label.source_path
    described = describe_node(world, node.label)
    rule = world.configured.target(node)
    others = tuple(other.label for other in compilers[1:])
    problem = ""
    unknowns: tuple[Unknown, ...] = ()
    if isinstance(rule, UnknownResult):
        problem, unknowns = f"what {node.label} is cannot be told", (rule.unknown,)
    elif (compiled := actions.compiled(node)) is not None:
        node = compiled
    elif isinstance(rule, Rule) and rule.rule_class.defined_at:
        head = CompileAnswer(envelope, target, source, word, described)
        return _of_starlark(world, envelope, actions, node, head)
    else:
        problem, unknowns = _not_compiled(node.label, rule, described.shown_kind)
    completeness = how_complete(world.loader, [node.label])
    built = compilers[0].label if compilers else target.label
    files = [one.label for one in actions.sources(node)[0] if one.path == one.label.path]
    absent = absent_files_among(world, files, dict.fromkeys(files, node.label))
    closed = envelope.closed(completeness, absent, world.refusals_below((built,)))
    if problem:
        return CompileAnswer(
            closed, target, source, word, described, unknowns=unknowns, problem=problem
        )
    head = CompileAnswer(closed, target, source, word, described, other_compilers=others)
    return _answer(closed, actions, node, head)


def _compilers_of(world: World, actions: CcActions, file: Label) -> tuple[ConfiguredNode, ...]:
    """Returns the rules of a source file's package that compile it, in written order; the first is
    the one that `--compile_one_dependency` takes. Bazel: `CompileOneDependencyTransformer`."""
    package = world.loader.package(file.package_id)
    rules = package.targets.rules_of(COMPILING) if isinstance(package, Package) else ()
    tops = (world.configured.top(rule.label) for rule in rules)
    return tuple(
        top for top in tops if any(one.path == file.source_path for one in actions.sources(top)[0])
    )


def _not_compiled(label: Label, rule: object, kind: str) -> tuple[str, tuple[Unknown, ...]]:
    """Why there is nothing to show of a target, and what of that cannot be told."""
    if is_native(rule, "cc_shared_library"):
        unknown = links_of_shared_libraries(label)
        return f"what {label}, a {kind}, links cannot be told", (unknown,)
    if is_native(rule, PROTO_LIBRARY):
        return f"{label} is a {kind}: a cc_proto_library of it compiles C++", ()
    if isinstance(rule, Rule) and not rule.rule_class.is_known:
        detail = "the file that defines the rule is not known"
        unknown = Unknown(Reason.NOT_MODELLED, kind, detail, rule.location)
        return f"what {label}, a {kind}, compiles cannot be told", (unknown,)
    if isinstance(rule, InputFile) and compile_action(label.name) is not None:
        return f"{label} is a {kind}, and no rule of its package compiles it", ()
    return f"{label} is a {kind}: it compiles nothing", ()


def _of_starlark(
    world: World, envelope: Envelope, actions: CcActions, node: ConfiguredNode, head: CompileAnswer
) -> CompileAnswer:
    """The actions that the implementation of a Starlark rule registers."""
    result = actions.implementations.run(node)
    closed = envelope.closed(
        how_complete(world.loader, [node.label]), refusals=world.refusals_of([node])
    )
    head = replace(head, envelope=closed)
    if isinstance(result, Unknown):
        what = "the actions of its implementation cannot be told"
        return replace(head, problem=f"{node.label}: {what}", unknowns=(result,))
    if result.failure is not None:
        return replace(head, problem=f"Bazel refuses this: {result.failure.message}")
    lines = [
        ActionLine(one.mnemonic, None, ", ".join(one.outputs), _line_words(one.words))
        for one in map(line_of, result.actions)
    ]
    if head.word is not None:
        lines = [shown for line in lines if (shown := _only(line, head.word)) is not None]
    problem = "" if lines else f"{node.label} registers no action"
    if not lines and head.word is not None:
        problem = f"no action of {node.label} gets `{head.word}`"
    return replace(head, actions=tuple(lines), problem=problem)


def _answer(
    envelope: Envelope, actions: CcActions, node: ConfiguredNode, head: CompileAnswer
) -> CompileAnswer:
    sources, unknowns = actions.sources(node)
    paths = tuple(source.path for source in sources)
    wanted, problem, near = _wanted(paths, head.source, node.label)
    setting = actions.setting(node)
    if setting.refusal is not None:
        problem = f"Bazel refuses this: {setting.refusal}"
    made = actions.compilations(node, wanted) if not problem else ()
    lines = list(_grouped(made))
    links: tuple[Link, ...] = ()
    if wanted is None and not problem:
        all_links = CcLinks(actions)
        links = all_links.of(node)
        lines += _grouped(all_links.linkstamps(node), "CppLinkstampCompile")
        lines += [ActionLine("CppLink", None, one.output, _line_words(one.words)) for one in links]
    if not lines and not problem:
        problem = f"{node.label} has no sources to compile"
    if head.word is not None:
        lines = [shown for line in lines if (shown := _only(line, head.word)) is not None]
        if not lines and not problem:
            problem = f"no action of {node.label} gets `{head.word}`"
            near = _near_words(
                [*(one.words for one in made), *(one.words for one in links)], head.word
            )
    if not problem:
        unknowns += tuple(further_actions(setting.configuration, setting.enabled))
    toolchain = setting.toolchain
    return CompileAnswer(
        envelope,
        head.target,
        head.source,
        head.word,
        head.node,
        ToolchainAnswer(
            toolchain.name,
            toolchain.compiler,
            toolchain.assumed,
            toolchain.unknown,
            toolchain.location,
        ),
        tuple(sorted(setting.enabled - {one.feature.name for one in toolchain.actions})),
        paths,
        tuple(lines),
        tuple(_variables(setting)),
        unknowns,
        problem,
        near,
        head.other_compilers,
    )


def _variables(setting: Setting) -> Iterator[ActionVariable]:
    """The environment of its actions; later ones of a name count."""
    variables = {
        name: ActionVariable(name, value, origin)
        for name, value, origin in action_environment(setting.configuration)
    }
    for name, word in variables_of(setting.toolchain, setting.enabled, CPP_COMPILE, {}):
        value = None if word.unknown is not None else word.text
        variables[name] = ActionVariable(name, value, word.origin, word.unknown)
    yield from variables.values()


def _wanted(
    paths: tuple[str, ...], source: str | None, label: Label
) -> tuple[frozenset[str] | None, str, tuple[str, ...]]:
    """The sources that are asked for (None: all), or why there are none, and near names."""
    if source is None:
        return None, "", ()
    name = source.removeprefix("//").replace(":", "/").removeprefix("./").lstrip("/")
    meant = [path for path in paths if path == name or path.endswith(f"/{name}")]
    if meant:
        return frozenset(meant), "", ()
    last = {_stem(path): path for path in paths}
    near = tuple(last[one] for one in nearest(_stem(name), list(last), 3))
    problem = f"{label} has no source `{source}`{'' if paths else ', nor any other'}"
    if paths and not near:
        more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        problem += f"; it compiles {', '.join(paths[:3])}{more}"
    return frozenset(), problem, near


def _stem(path: str) -> str:
    """The name of a file without folder and extension, which say little of what was meant."""
    return path.rpartition("/")[2].partition(".")[0]


def _near_words(lines: Iterable[Iterable[Word]], word: str) -> tuple[str, ...]:
    texts = {one.text for words in lines for one in words}
    return tuple(nearest(word, sorted(texts), 3))


def _grouped(made: Iterable[Compilation], mnemonic: str = "CppCompile") -> Iterator[ActionLine]:
    """Each line once: sources whose lines differ in names of files alone share one."""
    alike: dict[tuple[str, ...], list[Compilation]] = {}
    twins: dict[str, str] = {}
    firsts: dict[str, Compilation] = {}
    for one in made:
        if one.source.path in firsts:
            twins[one.source.path] = one.output
            continue
        firsts[one.source.path] = one
        alike.setdefault(tuple(_without_names(one)), []).append(one)
    for first, *others in alike.values():
        yield ActionLine(
            mnemonic,
            first.source.path,
            first.output,
            _line_words(first.words),
            tuple(other.source.path for other in others),
            twins.get(first.source.path),
        )


def _without_names(one: Compilation) -> Iterator[str]:
    stem = one.output.removesuffix(".o")
    for word in one.words:
        yield word.text.replace(stem, "%").replace(one.source.path, "%")


def _line_words(words: Iterable[Word]) -> tuple[LineWord, ...]:
    listed = tuple(words)
    texts = [word.text for word in listed]
    effects = effects_of(texts)
    does: dict[int, list[Effect]] = {}
    suffers: dict[int, Effect] = {}
    for effect in effects:
        does.setdefault(effect.later, []).append(effect)
        suffers[effect.earlier] = effect
    return tuple(
        LineWord(
            index + 1,
            word.text,
            word.origin,
            tuple(_line_effect(one.kind, listed, one.earlier) for one in does.get(index, ())),
            _beaten(suffers.get(index), listed),
            word.unknown,
        )
        for index, word in enumerate(listed)
    )


def _beaten(effect: Effect | None, words: tuple[Word, ...]) -> LineEffect | None:
    return None if effect is None else _line_effect(effect.kind, words, effect.later)


def _line_effect(kind: EffectKind, words: tuple[Word, ...], index: int) -> LineEffect:
    word = words[index]
    return LineEffect(kind, word.text, index + 1, isinstance(word.origin, FromToolchain))


def _only(line: ActionLine, word: str) -> ActionLine | None:
    """A line with nothing but the word that is asked for; `-isystem` and its like with what
    stands behind them."""
    kept = tuple(one for one in line.words if _is_asked(one.text, word))
    if not kept:
        return None
    return ActionLine(line.mnemonic, line.source, line.output, kept, line.also, line.twin)


def _is_asked(text: str, word: str) -> bool:
    return text == word or (word.startswith("-D") and text.partition("=")[0] == word)
