"""Command lines whose options Bazel looks at as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.bazel import flag_catalog

BUILD = 'filegroup(name = "x")\nfilegroup(name = "p")\n'
_LINES = """
--python_top=//:x
--python_top=//:x --incompatible_use_python_toolchains=false
--python2_path=/usr/bin/python
--python3_path=/usr/bin/python3
--python2_path=/usr/bin/python --incompatible_use_python_toolchains=false
--python_path=bin/python
--python_path=./python3
--python_path=C:/python
--python_path=
--python_path=python3
--python_path=/usr/bin/python
--fdo_optimize=x --fdo_profile=//:p
--fdo_optimize=//:x --fdo_profile=//:p
--fdo_instrument=/x --fdo_optimize=y
--fdo_instrument=/x --fdo_profile=//:p
--fdo_instrument=/x
--fdo_optimize=//:::
--fdo_optimize=a/..
--fdo_optimize=a/b
--cs_fdo_absolute_path=rel
--cs_fdo_absolute_path=/abs
--translations
--translations=auto
--translations --message_translations=//:x
--message_translations=:::
--message_translations=x
--j2objc_translation_flags=--prefixes
--j2objc_translation_flags=-prefix
--experimental_bytecode_optimizers=Other
--experimental_bytecode_optimizers=Other=//:x
--experimental_bytecode_optimizers=Proguard
--noincompatible_allow_python_version_transitions
--noincompatible_allow_python_version_transitions --noincompatible_py3_is_default
--force_python=PY2
--incompatible_remove_old_python_version_api --force_python=PY3
--incompatible_py3_is_default
--ios_minimum_os=9.x
--ios_minimum_os=x
--instrumentation_filter=(
--instrumentation_filter=-a,+b
--per_file_copt=(@x
--per_file_copt=a\\,b,-c@-O2
--output_filter=(
--output_filter=a+|b
--platform_mappings=nope
--platform_mappings=mapped
--platforms=@@x
--platforms=//:x,a:b:c
"""


def lines(version: str) -> Iterator[tuple[str, ...]]:
    """The lines whose options a release of Bazel has, each as its words."""
    catalog = flag_catalog.load(version)
    for line in _LINES.split("\n"):
        words = tuple(line.split())
        names = [word[2:].partition("=")[0] for word in words]
        if words and all(catalog.find(name, "build") is not None for name in names):
            yield words
