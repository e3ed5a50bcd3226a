"""Which releases of toolkits go together, each fact with its source.

Sources: NVIDIA's "CUDA Toolkit Release Notes" and "nvcc: GPU Feature List" (compute
capabilities); "CUDA Installation Guide for Linux: Host Compiler Support Policy" (gcc), and the
same for Windows (Visual Studio); "cuDNN Support Matrix"; LLVM's `clang/lib/Basic/Cuda.cpp`
(clang); tensorflow.org's "Build from source: Tested build configurations" and, of every release
from 1.13 on, the Pythons that its wheels on PyPI are for (Python).

Second sources. gcc: Spack's conflicts of CUDA and of cuda-samples (gcc 16 with none up to 13.3);
12.4 and 13.3 by what nvcc itself refuses ("later than 13", "later than 15"). Visual Studio: the
messages of `host_config.h` (9.0 and 9.2: "2012, 2013, 2015 and 2017"; 10.0: up to 2017; 10.1: up
to 2019; 11.1, 11.2: "between 2017 and 2019"), and the release notes of 11.6 as microsoft/STL's
issue 1301 quotes them ("officially supports the latest VS2022"). clang: asked itself, by
`--cuda-gpu-arch`, of 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 18.1, 19.1, 20.1 and 21.1:
each takes the highest capability of its row and refuses the next that NVIDIA has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from bazelscope.base.lazy_pattern import lazy_pattern

Version = tuple[int, ...]

RELEASE_NOTES = "CUDA Toolkit Release Notes"
HOST_COMPILERS = "CUDA Installation Guide, Host Compiler Support Policy"
CUDNN_MATRIX = "cuDNN Support Matrix"
TESTED_BUILDS = "tensorflow.org, Tested build configurations; wheels on PyPI"
CLANG_CUDA = "clang/lib/Basic/Cuda.cpp"

_CAPABILITIES: tuple[tuple[Version, Version, Version], ...] = (
    ((8, 0), (2, 0), (6, 2)),
    ((9, 0), (3, 0), (7, 2)),
    ((10, 0), (3, 0), (7, 5)),
    ((11, 0), (3, 5), (8, 0)),
    ((11, 1), (3, 5), (8, 6)),
    ((11, 4), (3, 5), (8, 7)),
    ((11, 8), (3, 5), (9, 0)),
    ((12, 0), (5, 0), (9, 0)),
    ((12, 8), (5, 0), (12, 0)),
    ((12, 9), (5, 0), (12, 1)),
    ((13, 0), (7, 5), (12, 1)),
)
"""From a CUDA release on: the lowest and the highest compute capability that it knows. Where
sources differ (7.2: CUDA 9.0, 9.1 or 9.2), the first that any of them names."""

_GCC: tuple[tuple[Version, int], ...] = (
    ((8, 0), 5),
    ((9, 0), 6),
    ((9, 2), 7),
    ((10, 1), 8),
    ((11, 0), 9),
    ((11, 1), 10),
    ((11, 4), 11),
    ((12, 0), 12),
    ((12, 4), 13),
    ((12, 8), 14),
    ((13, 0), 15),
)
"""From a CUDA release on: the newest gcc that its nvcc takes."""

FIRST_CUDA_OF_VISUAL_STUDIO: dict[int, Version] = {2017: (9, 0), 2019: (10, 1), 2022: (11, 6)}
"""The first CUDA release that takes a Visual Studio."""

_CUDNN: tuple[tuple[Version, Version, Version], ...] = (
    ((7, 0), (8, 0), (10, 2)),
    ((8, 0), (10, 1), (11, 999)),
    ((8, 8), (11, 0), (12, 999)),
    ((9, 0), (11, 0), (13, 999)),
)
"""From a cuDNN release on: the oldest and the newest CUDA release that it is made for."""

_CLANG: tuple[tuple[Version, Version], ...] = (
    ((9,), (7, 5)),
    ((11,), (8, 0)),
    ((13,), (8, 6)),
    ((16,), (9, 0)),
    ((20,), (12, 0)),
)
"""From a release of clang on: the highest compute capability that it compiles for."""

_PYTHON: tuple[tuple[Version, Version, Version], ...] = (
    ((1, 13), (3, 3), (3, 7)),
    ((2, 0), (3, 3), (3, 7)),
    ((2, 1), (3, 5), (3, 7)),
    ((2, 2), (3, 5), (3, 8)),
    ((2, 4), (3, 6), (3, 8)),
    ((2, 5), (3, 6), (3, 9)),
    ((2, 7), (3, 7), (3, 9)),
    ((2, 8), (3, 7), (3, 10)),
    ((2, 12), (3, 8), (3, 11)),
    ((2, 14), (3, 9), (3, 11)),
    ((2, 16), (3, 9), (3, 12)),
    ((2, 20), (3, 9), (3, 13)),
    ((2, 21), (3, 10), (3, 13)),
    ((2, 22), (3, 10), (3, 14)),
)
"""From a TensorFlow release on: the oldest and the newest Python that it is built for."""

_CAPABILITY = lazy_pattern(r"(?:sm_|compute_)?(\d{1,2})\.?(\d)[af]?")
_NUMBERS = lazy_pattern(r"v?(\d{1,3})(?:\.(\d{1,3}))?(?:\.(\d{1,3}))?")


def version_of(text: str) -> Version | None:
    """The numbers of a version such as `12.5.1`, as many as are written; None for another text."""
    match = _NUMBERS.fullmatch(text.strip())
    return tuple(int(part) for part in match.groups() if part) if match is not None else None


def shown(version: Version) -> str:
    """A version as people write it."""
    return ".".join(map(str, version))


def capabilities(cuda: Version) -> tuple[Version, Version] | None:
    """The lowest and the highest compute capability of a CUDA release (major and minor); None
    where that is not known."""
    return _row_between(_CAPABILITIES, cuda) if len(cuda) > 1 else None


def capability_of(text: str) -> Version | None:
    """The compute capability that a text such as `8.6`, `sm_86` or `compute_90a` is."""
    match = _CAPABILITY.fullmatch(text.strip())
    return (int(match[1]), int(match[2])) if match is not None else None


def releases_with(capability: Version) -> str:
    """The releases of CUDA that know a capability, as a clause; empty where none is known to."""
    knowing = [release for release, least, most in _CAPABILITIES if least <= capability <= most]
    if not knowing:
        return ""
    newest = _newest_of(knowing[-1])
    return f"{shown(knowing[0])} to {newest}" if newest else f"{shown(knowing[0])} or newer"


def _newest_of(release: Version) -> str:
    """The last release that a row of the capabilities is about, as `11.x`; empty for the newest
    row."""
    starts = [row[0] for row in _CAPABILITIES]
    number = starts.index(release) + 1
    if number == len(starts):
        return ""
    following = starts[number]
    return f"{following[0]}.{following[1] - 1}" if following[1] else f"{release[0]}.x"


def newest_gcc(cuda: Version) -> int | None:
    """The newest major version of gcc that the nvcc of a CUDA release takes."""
    row = _row(_GCC, cuda) if len(cuda) > 1 else None
    return row[1] if row is not None else None


def cuda_of_cudnn(cudnn: Version) -> tuple[Version, Version] | None:
    """The oldest and the newest CUDA release that a cuDNN (major and minor) is made for."""
    return _row_between(_CUDNN, cudnn, newest=(9, 999)) if len(cudnn) > 1 else None


def newest_capability_of_clang(clang: int) -> Version | None:
    """The highest compute capability that a release of clang compiles for."""
    row = _row(_CLANG, (clang,))
    return row[1] if row is not None else None


def clang_with(capability: Version) -> int | None:
    """The first release of clang that compiles for a compute capability."""
    return next((row[0][0] for row in _CLANG if capability <= row[1]), None)


def first_clang_with(capability: Version) -> int | None:
    """The first release of clang that compiles for a capability; None if the table is too short to
    tell."""
    return clang_with(capability) if capability > _CLANG[0][1] else None


def pythons_of_tensorflow(tensorflow: Version) -> tuple[Version, Version] | None:
    """The oldest and the newest Python 3 that a TensorFlow is built for."""
    return _row_between(_PYTHON, tensorflow)


def _row_between(
    table: Sequence[tuple[Version, Version, Version]],
    version: Version,
    newest: Version | None = None,
) -> tuple[Version, Version] | None:
    """The ends of the range that a table has for a version."""
    row = _row(table, version, newest)
    return row[1:] if row is not None else None


_Row = TypeVar("_Row", bound=tuple[Any, ...])


def _row(table: Sequence[_Row], version: Version, newest: Version | None = None) -> _Row | None:
    """The last row that begins at or before a version; None before the first and for what is
    newer than the table knows: what its last row begins with, if `newest` does not say."""
    last: Version = newest or table[-1][0]
    if version[: len(last)] > last:
        return None
    return next((row for row in reversed(table) if row[0] <= version), None)
