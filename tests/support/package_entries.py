"""What 2.1.0 and 4.2.3 say of an entry of a package_group, behind "invalid package name"."""

from __future__ import annotations

_CHARACTERS = (
    "package names may contain A-Z, a-z, 0-9, or any of ' !\"#$%&'()*+,-./;<=>?[]^_`{|}~' (most"
    " 7-bit ascii characters except 0-31, 127, ':', or '\\')"
)

MEASURED = {
    "//a:__pkg__": f"'//a:__pkg__': {_CHARACTERS}",
    "//:x": f"'//:x': {_CHARACTERS}",
    "@r//a": "'@r//a': must start with '//'",
    "//a/": "'//a/': package names may not end with '/'",
    "//a/..": "'//a/..': package name component contains only '.' characters",
    "//a//b": "'//a//b': package names may not contain '//' path separators",
    "-public": "'public': must start with '//'",
    "-": "'': must start with '//'",
    "": "'': must start with '//'",
    "//a...": "",
    "//*": "",
    "//": "",
    "-//...": "",
}
