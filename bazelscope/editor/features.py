"""The requests and notifications that the server takes, each with what answers it."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from bazelscope.base.source import SourceFile
from bazelscope.editor.definitions import definitions
from bazelscope.editor.hover import hover
from bazelscope.editor.protocol import Places, path_of, plain
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
            server.look_again()


def _register_questions(server: EditorServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:
        return await server.ask_at(params.text_document.uri, params.position, _hover)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def defined(params: types.DefinitionParams) -> list[types.Location]:
        return await server.ask_at(params.text_document.uri, params.position, _definitions)


def _hover(
    state: EditorState, places: Places, source: SourceFile, offset: int
) -> types.Hover | None:
    told = hover(state, source, offset)
    if told is None:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, to_markdown(told.facts))
    return types.Hover(content, places.range(told.span, source))


def _definitions(
    state: EditorState, places: Places, source: SourceFile, offset: int
) -> list[types.Location]:
    found = (places.location(place) for place in definitions(state, source, offset))
    return [place for place in found if place is not None]
