"""Writes the scanner of rc files: Lark's of `grammars/bazelrc.lark`, so that no run needs Lark to
read one. To import Lark and to make the scanner takes longer than to read most rc files.

    python scripts/make_rc_tables.py

`tests/unit/flags/test_rc_tables.py` fails where the grammar says something else by now.
"""

from __future__ import annotations

import json

from bazelscope.base import grammars
from bazelscope.flags.rcfile import TABLES


def made() -> dict[str, str]:
    """Returns the pattern that one token after the other matches, its kind being its group."""
    lexer = grammars.build("bazelrc", start="file", lexer="basic").parser.lexer
    (pattern,) = [one.pattern for one in lexer.scanner._mres]
    return {"scanner": pattern}


if __name__ == "__main__":
    TABLES.write_text(json.dumps(made(), indent=0) + "\n", "utf-8")
