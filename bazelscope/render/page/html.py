"""Puts a page's data, style and code into one HTML file that loads nothing.

Data are deflated JSON in base64, so that no name or text of a workspace is ever part of the
markup; a content security policy allows the page's own code and style by their hashes, and
nothing else. Where a page would be too large, its last document goes first.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Mapping
from importlib import resources

SCRIPTS = (
    "data.js",
    "engine.js",
    "changes.js",
    "groups.js",
    "layout.js",
    "dom.js",
    "state.js",
    "drawing.js",
    "words.js",
    "details.js",
    "flags_panel.js",
    "views.js",
    "main.js",
)
"""The parts of the code, in the order in which they stand in the page."""


def page(title: str, documents: Mapping[str, object]) -> str:
    """One HTML file with these documents, by name."""
    style = _text("page.css")
    script = '"use strict";\n(() => {\n' + "\n".join(map(_text, SCRIPTS)) + "\n})();\n"
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )
    data = "\n".join(
        f'<script type="text/plain" id="{name}">{_packed(document)}</script>'
        for name, document in documents.items()
    )
    parts = {
        "@TITLE@": html.escape(title),
        "@POLICY@": html.escape(policy, quote=True),
        "@DATA@": data,
        "@STYLE@": style,
        "@SCRIPT@": script,
    }
    return re.sub("@[A-Z]+@", lambda match: parts[match[0]], _text("page.html"))


def size(document: object) -> int:
    """How many bytes a document takes in the file."""
    return len(_packed(document))


def _packed(document: object) -> str:
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(packer.compress(text.encode()) + packer.flush()).decode("ascii")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")
