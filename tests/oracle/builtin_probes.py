"""Expressions that ask of each builtin function and method what it takes: by position, by keyword,
None, another type, too little, too much. Then odd literals, operators and formats.

Calls are made from one table: a receiver or a function, and its parameters with a value for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_STRING = '"a-b-a"'
_METHODS: dict[str, dict[str, str]] = {
    _STRING: {
        "capitalize": "",
        "count": "sub='a'|start=1|end=3",
        "elems": "",
        "endswith": "sub='a'|start=1|end=5",
        "find": "sub='b'|start=1|end=4",
        "format": "*'x'|k='y'",
        "index": "sub='b'|start=1|end=4",
        "isalnum": "",
        "isalpha": "",
        "isdigit": "",
        "islower": "",
        "isspace": "",
        "istitle": "",
        "isupper": "",
        "join": "elements=['x', 'y']",
        "lower": "",
        "lstrip": "chars='a'",
        "partition": "sep='-'",
        "removeprefix": "prefix='a'",
        "removesuffix": "suffix='a'",
        "replace": "old='a'|new='x'|count=1",
        "rfind": "sub='b'|start=1|end=4",
        "rindex": "sub='b'|start=1|end=4",
        "rpartition": "sep='-'",
        "rsplit": "sep='-'|maxsplit=1",
        "rstrip": "chars='a'",
        "split": "sep='-'|maxsplit=1",
        "splitlines": "keepends=True",
        "startswith": "sub='a'|start=0|end=2",
        "strip": "chars='a'",
        "title": "",
        "upper": "",
    },
    "[3, 1]": {
        "append": "item=1",
        "clear": "",
        "extend": "items=[1]",
        "index": "x=1|start=0|end=2",
        "insert": "index=1|item=4",
        "pop": "i=0",
        "remove": "x=1",
    },
    "dict(a = 1)": {
        "clear": "",
        "get": "key='b'|default=2",
        "items": "",
        "keys": "",
        "pop": "key='a'|default=2",
        "popitem": "",
        "setdefault": "key='b'|default=2",
        "update": "args={'c': 1}",
        "values": "",
    },
    "depset([1, 2])": {"to_list": "", "union": "new_elements=[3]"},
    '"\\U00000061"[:1].elems()': {},
}
_FUNCTIONS = {
    "abs": "x=1",
    "all": "elements=[1]",
    "any": "elements=[1]",
    "bool": "x=1",
    "bytes": "x='a'",
    "chr": "i=1",
    "depset": "items=[1]|order='default'",
    "dict": "args=[('a', 1)]",
    "dir": "x=[]",
    "enumerate": "list=['a']|start=1",
    "float": "x=1",
    "getattr": "x=''|name='join'|default=1",
    "hasattr": "x=''|name='join'",
    "hash": "value='a'",
    "int": "x='11'|base=8",
    "len": "x=[1]",
    "list": "x=[1]",
    "max": "*[1, 2]",
    "min": "*[1, 2]",
    "ord": "c='a'",
    "print": "*1",
    "range": "start_or_stop=1|stop_or_none=5|step=2",
    "repr": "x=1",
    "reversed": "sequence=[1, 2]",
    "select": "x={'//conditions:default': []}|no_match_error='no'",
    "sorted": "iterable=[2, 1]|key=len|reverse=True",
    "str": "x=1",
    "tuple": "x=[1]",
    "type": "x=1",
    "zip": "*[1]",
}
_WRONG = ("None", "1", "'s'", "[]", "{}", "()", "True", "depset()")

_ODD = (
    *(Path(__file__).parent / "data" / "odd_expressions.txt").read_text().splitlines(),
    "'a\\\nb'",
    "'''a\nb'''",
)
"""Literals, operators and formats, one in each line; and those that have more than one line."""


def probes() -> Iterator[str]:
    """All expressions, each once."""
    made: dict[str, None] = {}
    for receiver, methods in _METHODS.items():
        for name, parameters in methods.items():
            made.update(dict.fromkeys(_of_call(f"{receiver}.{name}", parameters)))
    for name, parameters in _FUNCTIONS.items():
        made.update(dict.fromkeys(_of_call(name, parameters)))
    made.update(dict.fromkeys(_ODD))
    return iter(made)


def _of_call(function: str, parameters: str) -> Iterator[str]:
    given = [part.split("=", 1) for part in parameters.split("|") if part]
    given = [["*", part[0][1:]] if part[0].startswith("*") else part for part in given]
    names = [name for name, _ in given]
    values = [value for _, value in given]
    # Each number of arguments, and behind each number by position the rest by keyword.
    for count in range(len(given) + 1):
        yield f"{function}({', '.join(values[:count])})"
        for upto in range(count + 1, len(given) + 1):
            words = [
                value if name == "*" else f"{name} = {value}" for name, value in given[count:upto]
            ]
            yield f"{function}({', '.join([*values[:count], *words])})"
        for one in range(count, len(given)):
            if names[one] != "*":
                yield f"{function}({', '.join([*values[:count], f'{names[one]} = {values[one]}'])})"
    yield f"{function}({', '.join([*values, '1'])})"
    yield f"{function}({', '.join([*values, 'other = 1'])})"
    for at in range(len(values)):
        for wrong in _WRONG:
            yield f"{function}({', '.join([*values[:at], wrong])})"
