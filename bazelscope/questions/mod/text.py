"""The answer to `mod` as text, in Bazel's shape, with places beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bazelscope.base.label import at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.questions.mod.answer import (
    ModuleExplanation,
    ModuleNode,
    ModuleRequest,
    ModulesAnswer,
    ShownExtension,
    ShownRepository,
)
from bazelscope.questions.shared.phrases import location_text
from bazelscope.questions.shared.text_endpoints import LISTS_ALL, more_rows, problem_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.render.counting import plural
from bazelscope.render.document import (
    Document,
    Piece,
    Row,
    name,
    quiet,
    row,
    strong,
    verbatim,
    warning,
)

_CHARSETS = {
    "utf8": ("├───", "└───", "│   ", "    ", "├╌╌╌", "└╌╌╌"),
    "ascii": ("|___", "|___", "|   ", "    ", "|...", "|..."),
}


def modules_document(
    answer: ModulesAnswer, full: bool, charset: str, is_verbose: bool, extension_info: str
) -> Document:
    """What was asked for; with `is_verbose`, the version that each `bazel_dep` asks for."""
    document = Document()
    add_head(document, answer.envelope)
    if answer.problem:
        document.add(problem_rows(answer.problem, answer.suggestions))
    for explanation in answer.explanations:
        document.add(_explanation_rows(explanation, full), f"Why {explanation.key}")
    tree = _tree_rows(answer.tree, charset, is_verbose, extension_info)
    document.add(tree, "How it is reached" if answer.explanations else ())
    for extension in answer.extensions:
        document.add(_extension_rows(extension))
    for repository in answer.repositories:
        document.add(_repository_rows(repository))
    document.add(_mapping_rows(answer))
    if answer.subcommand == "tidy" and not answer.problem:
        document.add(_tidy_rows(answer))
    document.add(_unknown_rows(answer, full))
    add_foot(document, answer.envelope, full)
    return document


@dataclass(frozen=True, slots=True)
class _Line:
    depth: int
    parts: tuple[Piece, ...]
    is_indirect: bool = False
    place: str = ""


def _tree_rows(
    tree: Sequence[ModuleNode], charset: str, is_verbose: bool, extension_info: str
) -> Iterator[Row]:
    middle, last, through, blank, middle_dotted, last_dotted = _CHARSETS.get(
        charset, _CHARSETS["utf8"]
    )
    lines = [line for node in tree for line in _lines_of(node, is_verbose, extension_info)]
    open_levels: list[bool] = []
    for position, line in enumerate(lines):
        del open_levels[max(line.depth - 1, 0) :]
        lead = ""
        if line.depth:
            has_more = _has_sibling(lines, position)
            lead = "".join(through if more else blank for more in open_levels)
            if line.is_indirect:
                lead += middle_dotted if has_more else last_dotted
            else:
                lead += middle if has_more else last
            open_levels.append(has_more)
        yield verbatim(quiet(lead), *line.parts, quiet(f"  {line.place}" if line.place else ""))


def _lines_of(node: ModuleNode, is_verbose: bool, extension_info: str) -> Iterator[_Line]:
    """A module, then the extensions that it imports of. Bazel: `TextOutputFormatter`."""
    parts = [name(_title(node))]
    if node.is_cycle:
        parts.append(warning(" (cycle)"))
    elif not node.is_expanded:
        parts.append(quiet(" (*)"))
    elif node.is_target:
        parts.append(quiet(" #"))
    if node.is_unused and not is_verbose:
        parts.append(quiet(" (unused)"))
    if node.may_be_newer:
        parts.append(warning(" or newer"))
    if is_verbose and node.was is not None:
        verb, cause = "to" if node.is_unused else "was", ", ".join(node.causes) or node.reason
        parts.append(quiet(f" ({verb} {node.was or '_'}, cause {cause})"))
    place = location_text(node.location) if node.location is not None else ""
    yield _Line(node.depth, tuple(parts), node.is_indirect, place)
    for usage in node.extension_usages:
        again = "" if usage.is_expanded or extension_info != "all" else " ..."
        yield _Line(node.depth + 1, (quiet(f"${usage.key}{again}"),))
        for repository in usage.used:
            yield _Line(node.depth + 2, (name(repository),))
        for repository in usage.unused:
            yield _Line(node.depth + 2, (quiet(repository),), is_indirect=True)


def _title(node: ModuleNode) -> str:
    if node.key == "<root>":
        return f"<root> ({node.name}@{node.version or '_'})"
    return node.key


def _has_sibling(lines: Sequence[_Line], position: int) -> bool:
    depth = lines[position].depth
    for line in lines[position + 1 :]:
        if line.depth <= depth:
            return line.depth == depth
    return False


def _explanation_rows(explanation: ModuleExplanation, full: bool) -> Iterator[Row]:
    deciding = [request for request in explanation.requests if request.is_deciding]
    pinned = next(
        (request.pinned_by for request in explanation.requests if request.pinned_by), None
    )
    override = explanation.override
    if override is not None:
        verb = "decides" if override.decides else "leaves the version as it is"
        yield row(name(override.kind), quiet(f" {verb}"), aside=override.location.short)
        yield from (row(quiet(text), indent=1) for text in override.arguments)
    if explanation.requests and not deciding and pinned is None:
        yield row(quiet("the lock file decides: a module that is not on this machine asks for it"))
    requests = [
        request
        for request in explanation.requests
        if full or request.is_used or request.is_deciding
    ]
    for request in requests:
        mark = "decides" if request in deciding and pinned is None else "asks for"
        parts = [name(request.module), quiet(f" {mark} "), strong(request.version or "any version")]
        yield row(*parts, aside=location_text(request.location))
        if request.module == "<root>" and pinned is None:
            yield row(quiet(_without(explanation, request, full)), indent=1)
    left_out = len(explanation.requests) - len(requests)
    if left_out:
        others = plural(left_out, "version")
        yield row(quiet(f"{others} of modules that are not used ask for it, too (--full)"))
    if explanation.unknown is not None:
        yield row(quiet(f"unknown: {explanation.unknown}"))


def _without(explanation: ModuleExplanation, request: ModuleRequest, full: bool) -> str:
    """What would change if the root module did not say this."""
    version = explanation.key.partition("@")[2]
    if request.changes is None:
        return "what would be without this line is not known: the lock file decides"
    if request.without is None:
        said = "without this line it would not be there"
    elif request.without != version:
        said = f"without this line it would be {request.without}"
    else:
        said = f"without this line it would still be {version}, not visible to <root>"
    shown = request.changes if full else request.changes[:3]
    more = len(request.changes) - len(shown)
    rest = f", and {plural(more, 'change')} more (--full)" if more else ""
    return said + (f"; besides: {', '.join(shown)}{rest}" if shown else "")


def _extension_rows(extension: ShownExtension) -> Iterator[Row]:
    yield row(strong(f"## {extension.extension}:"))
    yield row("")
    yield row("Fetched repositories:")
    for made in extension.repositories:
        by = f" (imported by {', '.join(made.imported_by)})" if made.imported_by else ""
        yield row("- ", name(made.name), quiet(by), aside=at_sign(made.canonical), indent=1)
    if not extension.repositories:
        yield row(quiet("none that is known"), indent=1)
    if extension.unknown is not None:
        yield row(quiet(f"it may make more: {extension.unknown}"), indent=1)
    for usage in extension.usages:
        yield row("")
        yield row(f"## Usage in {usage.module} from {location_text(usage.location)}")
        if usage.repository_rule:
            yield row(usage.repository_rule)
        for tag in usage.tags:
            yield row(tag.text, aside=location_text(tag.location))
        if not usage.repository_rule:
            variable = extension.extension.partition("%")[2]
            yield row("use_repo(")
            for imported in (variable, *usage.imports):
                yield row(f"{imported},", indent=1)
            yield row(")")


def _repository_rows(repository: ShownRepository) -> Iterator[Row]:
    place = location_text(repository.location) if repository.location is not None else ""
    yield row(strong(f"## {repository.asked}:"), aside=place)
    if not repository.attributes:
        shown = repository.rule
        yield row(shown if " " in shown else f"{at_sign(repository.canonical) or '@@'}: {shown}")
        return
    if not repository.is_loaded:
        yield row(quiet("# <builtin>"))
    elif repository.file:
        yield row(f'load("{repository.file}", "{repository.rule}")')
    yield row(f"{repository.rule}(")
    for attribute in repository.attributes:
        yield row(f"{attribute.name} = {attribute.value},", indent=1)
    yield row(")")
    if not repository.is_loaded:
        yield row(quiet(f"# Rule {repository.canonical} instantiated at (most recent call last):"))
        yield row(quiet("#   <builtin> in <toplevel>"))
        if repository.rule_location is not None:
            yield row(quiet(f"# Rule {repository.rule} defined at (most recent call last):"))
            yield row(quiet(f"#   {repository.rule_location} in <toplevel>"))
    if repository.note:
        yield row(quiet(f"# {repository.note}"))


def _mapping_rows(answer: ModulesAnswer) -> Iterator[Row]:
    if answer.mappings:
        from bazelscope.questions.mod.formats import mapping_json

        for mapping in answer.mappings:
            yield verbatim(mapping_json(mapping))


def _tidy_rows(answer: ModulesAnswer) -> Iterator[Row]:
    """Each use of an extension that `bazel mod tidy` changes, and the commands of buildozer that do
    the same."""
    if not answer.fixups:
        known = "of what can be told, " if answer.unknowns else ""
        yield row(f"{known}no use_repo() of MODULE.bazel differs from what its extension reports")
    for shown in answer.fixups:
        fixup = shown.fixup
        by = "  as it ran last, by the lock file" if shown.is_of_lock_file else ""
        title = strong(f"{fixup.file}%{fixup.extension}")
        yield row(title, quiet(by), aside=location_text(fixup.location))
        for verb, names, why in (
            ("add", fixup.add, "a direct dependency"),
            ("add", fixup.add_dev, "a direct dependency for development"),
            ("take out", fixup.remove, "no direct dependency"),
            ("take out", fixup.remove_dev, "no direct dependency for development"),
        ):
            for repository in names:
                is_made = repository not in fixup.not_made
                reason = why if is_made else "the extension makes no such repository"
                yield row(f"{verb} ", name(f'"{repository}"'), quiet(f": {reason}"), indent=1)
    if answer.fixups:
        commands = (f"'{command}'" for one in answer.fixups for command in one.fixup.commands)
        yield row("")
        yield row(quiet(f"by hand: buildozer {' '.join(commands)} //MODULE.bazel:all"))


def _unknown_rows(answer: ModulesAnswer, full: bool) -> Iterator[Row]:
    lead = "more may change" if answer.subcommand == "tidy" else "versions may be higher"
    shown = answer.unknowns if full else answer.unknowns[:3]
    for unknown in shown:
        yield row(quiet(f"{lead}: {unknown}"), aside=location_text(unknown.location))
    yield from more_rows(len(answer.unknowns) - len(shown), LISTS_ALL)
