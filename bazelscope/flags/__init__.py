"""rc files and a command line become the flags in force, each with its cause."""

from bazelscope.bazel.flag_catalog import Catalog, FlagDefinition, FlagKind
from bazelscope.flags.commandline import CommandLine
from bazelscope.flags.flag_values import (
    ConfigExpansion,
    ConfigSection,
    Define,
    FlagInstance,
    FlagValue,
    FromCommandLine,
    FromDefault,
    FromRc,
    RcFile,
    RcStatus,
    ResolvedFlags,
    TargetArgument,
)
from bazelscope.flags.rc_file_reading import DiskFiles, Files, MemoryFiles
from bazelscope.flags.rc_search import RcFiles
from bazelscope.flags.request import FlagRequest
from bazelscope.flags.resolve import resolve

__all__ = [
    "Catalog",
    "CommandLine",
    "ConfigExpansion",
    "ConfigSection",
    "Define",
    "DiskFiles",
    "Files",
    "FlagDefinition",
    "FlagInstance",
    "FlagKind",
    "FlagRequest",
    "FlagValue",
    "FromCommandLine",
    "FromDefault",
    "FromRc",
    "MemoryFiles",
    "RcFile",
    "RcFiles",
    "RcStatus",
    "ResolvedFlags",
    "TargetArgument",
    "resolve",
]
