"""The requests and notifications that the server takes, each with what answers it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from bazelscope.base.source import SourceFile
from bazelscope.editor.actions import actions
from bazelscope.editor.apart import Tell
from bazelscope.editor.completion import MOST_CANDIDATES, CandidateKind, complete
from bazelscope.editor.custom import MAY_TAKE_LONG, REQUESTS, Answering
from bazelscope.editor.definitions import definitions
from bazelscope.editor.hover import hover
from bazelscope.editor.lenses import lenses
from bazelscope.editor.outline import SymbolKind, outline
from bazelscope.editor.protocol import INVALID_PARAMS, Places, RequestFailedError, path_of, plain
from bazelscope.editor.references import references
from bazelscope.editor.server import EditorServer
from bazelscope.editor.state import EditorState
from bazelscope.editor.wording import to_markdown


def register(server: EditorServer) -> None:
    """Has a server answer all that it can."""
    _register_life(server)
    _register_texts(server)
    _register_questions(server)


def _register_life(server: EditorServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        folders = params.workspace_folders or []
        uri = folders[0].uri if folders else params.root_uri
        path = path_of(uri) if uri else params.root_path
        if path:
            server.workspaces.folder = Path(path)
        server.given_at_start = plain(params.initialization_options)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        server.begin()
        if server.given_at_start is not None:
            server.configure(server.given_at_start)
        else:
            server.count_selects(None)
        _watch_files(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(params: types.DidChangeConfigurationParams) -> None:
        server.configure(plain(params.settings))

    @server.feature(types.SHUTDOWN)
    def shutdown(*params: object) -> None:
        server.worker.close()


def _register_texts(server: EditorServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.show(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.show(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.hide(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.saved(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched(params: types.DidChangeWatchedFilesParams) -> None:
        if any(change.uri not in server.workspace.text_documents for change in params.changes):
            server.files_changed()


def _register_questions(server: EditorServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:
        return await server.ask_at(params.text_document.uri, params.position, _hover)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def defined(params: types.DefinitionParams) -> list[types.Location]:
        return await server.ask_at(params.text_document.uri, params.position, _definitions)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def referred(params: types.ReferenceParams) -> list[types.Location]:
        with_definitions = params.context.include_declaration

        def referring(
            state: EditorState, places: Places, source: SourceFile, offset: int
        ) -> list[types.Location]:
            return places.locations(references(state, source, offset, with_definitions))

        return await server.ask_at(params.text_document.uri, params.position, referring)

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=["/", ":", "@", "=", "-", '"']),
    )
    async def completed(params: types.CompletionParams) -> types.CompletionList:
        return await server.ask_at(params.text_document.uri, params.position, _completion)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lensed(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        return await server.ask(uri, lambda state, places: _lenses(server, uri, state, places))

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions([types.CodeActionKind.QuickFix, _FIX_ALL]),
    )
    async def offered(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri, lines, only = params.text_document.uri, params.range, params.context.only
        return await server.ask(
            uri, lambda state, places: _actions(server, uri, lines, only, state, places)
        )

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def listed(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        uri = params.text_document.uri
        return await server.ask(uri, lambda state, places: _symbols(server, uri, state, places))

    for method, answer in REQUESTS.items():
        _register_custom(server, method, answer)


def _register_custom(server: EditorServer, method: str, answer: Answering) -> None:
    @server.feature(method)
    async def asked(params: Any) -> dict[str, Any]:
        given = plain(params)
        if not isinstance(given, dict):
            given = {}
        uri = given.get("uri")
        if uri is not None and not isinstance(uri, str):
            raise RequestFailedError("the parameter `uri` is not a string", INVALID_PARAMS)
        if method not in MAY_TAKE_LONG:
            return await server.ask(uri, lambda state, _: answer(state, given), at_once=False)
        with progress(server, method, given.get("workDoneToken")) as tell:
            return await server.ask_apart(uri, lambda state: answer(state, given), tell)


def _watch_files(server: EditorServer) -> None:
    """Asks a client that can to tell of files that come, go or change."""
    client = server.client_capabilities.workspace
    watched = client.did_change_watched_files if client is not None else None
    if watched is None or not watched.dynamic_registration:
        return
    kinds = types.WatchKind
    watchers = [
        types.FileSystemWatcher("**/*", kinds.Create | kinds.Delete),
        *(types.FileSystemWatcher(pattern, kinds.Change) for pattern in _READ_BY_BAZEL),
    ]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    registration = types.Registration("bazelscope-files", method, options)
    server.client_register_capability(types.RegistrationParams([registration]))


_READ_BY_BAZEL = (
    "**/{BUILD,BUILD.bazel,WORKSPACE,WORKSPACE.bazel,MODULE.bazel,MODULE.bazel.lock}",
    "**/*.{bzl,scl,BUILD,bazelrc,tpl}",
    "**/{.bazelrc,.bazelversion,.bazelignore,REPO.bazel,platform_mappings}",
)


def _hover(
    state: EditorState, places: Places, source: SourceFile, offset: int
) -> types.Hover | None:
    answer = hover(state, source, offset)
    if answer is None:
        return None
    text = to_markdown(answer.facts)
    if state.behind:
        edited = ", ".join(f"`{path}`" for path in state.behind)
        text += f"\n\n*As it was before the last edits of {edited}, which are being evaluated.*"
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, places.range(answer.span, source))


def _definitions(
    state: EditorState, places: Places, source: SourceFile, offset: int
) -> list[types.Location]:
    return places.locations(definitions(state, source, offset))


def _completion(
    state: EditorState, places: Places, source: SourceFile, offset: int
) -> types.CompletionList:
    candidates = complete(state, source, offset)
    items = [
        types.CompletionItem(
            one.text.removesuffix(" = "),
            kind=_CANDIDATES[one.kind],
            detail=one.detail or None,
            documentation=one.says or None,
            sort_text=f"{number:05}",
            filter_text=one.text,
            text_edit=types.TextEdit(places.range(one.span, source), one.text),
        )
        for number, one in enumerate(candidates)
    ]
    return types.CompletionList(is_incomplete=len(candidates) >= MOST_CANDIDATES, items=items)


def _lenses(
    server: EditorServer, uri: str, state: EditorState, places: Places
) -> list[types.CodeLens]:
    source = server.source(state, uri)
    shown = []
    for lens in lenses(state, source):
        start = places.position(source, lens.place.line, lens.place.column)
        shown.append(types.CodeLens(types.Range(start, start), types.Command(lens.text, "")))
    return shown


_FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.bazelscope"


def _actions(
    server: EditorServer,
    uri: str,
    lines: types.Range,
    only: Sequence[types.CodeActionKind | str] | None,
    state: EditorState,
    places: Places,
) -> list[types.CodeAction]:
    source = server.source(state, uri)
    shown = []
    for action in actions(state, source, lines.start.line + 1, lines.end.line + 1):
        kind = _FIX_ALL if action.problem is None else types.CodeActionKind.QuickFix
        if only is not None and not any(_is_of_kind(kind, one) for one in only):
            continue
        changes: dict[str, list[types.TextEdit]] = {}
        for edit in action.edits:
            place = places.location(edit.span)
            if place is not None:
                changes.setdefault(place.uri, []).append(types.TextEdit(place.range, edit.text))
        problem = action.problem
        about = [places.diagnostic(problem, source)] if problem is not None else None
        shown.append(
            types.CodeAction(
                action.title,
                kind,
                diagnostics=about,
                is_preferred=action.is_preferred or None,
                edit=types.WorkspaceEdit(changes),
            )
        )
    return shown


def _is_of_kind(kind: types.CodeActionKind | str, asked: types.CodeActionKind | str) -> bool:
    """Whether a kind is the one asked for, or below it: `source.fixAll` of `source`."""
    name, wanted = (str(getattr(one, "value", one)) for one in (kind, asked))
    return not wanted or name == wanted or name.startswith(f"{wanted}.")


def _symbols(
    server: EditorServer, uri: str, state: EditorState, places: Places
) -> list[types.DocumentSymbol]:
    source = server.source(state, uri)
    return [
        types.DocumentSymbol(
            symbol.name or " ",
            _SYMBOLS[symbol.kind],
            places.range(symbol.span, source),
            places.range(symbol.name_span, source),
            detail=symbol.detail,
        )
        for symbol in outline(state, source)
    ]


_CANDIDATES = {
    CandidateKind.ATTRIBUTE: types.CompletionItemKind.Property,
    CandidateKind.CONDITION: types.CompletionItemKind.EnumMember,
    CandidateKind.CONFIG: types.CompletionItemKind.Module,
    CandidateKind.FILE: types.CompletionItemKind.File,
    CandidateKind.LABEL: types.CompletionItemKind.Reference,
    CandidateKind.MODULE: types.CompletionItemKind.Module,
    CandidateKind.OPTION: types.CompletionItemKind.Property,
    CandidateKind.PACKAGE: types.CompletionItemKind.Folder,
    CandidateKind.RULE: types.CompletionItemKind.Class,
    CandidateKind.SYMBOL: types.CompletionItemKind.Function,
    CandidateKind.VALUE: types.CompletionItemKind.Value,
}
_SYMBOLS = {
    SymbolKind.FUNCTION: types.SymbolKind.Function,
    SymbolKind.LOAD: types.SymbolKind.Module,
    SymbolKind.SECTION: types.SymbolKind.Namespace,
    SymbolKind.TARGET: types.SymbolKind.Object,
    SymbolKind.VARIABLE: types.SymbolKind.Variable,
}


@contextmanager
def progress(server: LanguageServer, title: str, token: object) -> Iterator[Tell]:
    """Reports under the `workDoneToken` of a request until what is done inside ends; without one,
    nobody is told. The client may cancel under this token, too."""
    if not isinstance(token, int | str) or isinstance(token, bool):
        yield lambda doing, percent: None
        return
    own = server.work_done_progress
    own.begin(token, types.WorkDoneProgressBegin(title, cancellable=True))
    asking = asyncio.current_task()
    if asking is not None:
        own.tokens[token].add_done_callback(lambda _: asking.cancel())

    def tell(doing: str, percent: int | None) -> None:
        own.report(token, types.WorkDoneProgressReport(message=doing, percentage=percent))

    try:
        yield tell
    finally:
        own.tokens.pop(token, None)
        own.end(token, types.WorkDoneProgressEnd())
