"""What rules about rc files look at: the files as they are read, and what they amount to."""

from __future__ import annotations

from dataclasses import dataclass

from bazelscope.bazel import flag_catalog
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.flags import startup
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.flags.rc_file_reading import Files
from bazelscope.flags.rc_search import RcFiles, read_rc_files
from bazelscope.flags.request import FlagRequest
from bazelscope.flags.resolve import resolve


@dataclass(frozen=True, slots=True)
class RcFacts:
    """The rc files of a command line, and the flags that are in force with them."""

    request: FlagRequest
    rc_files: RcFiles
    flags: ResolvedFlags
    catalog: Catalog

    @staticmethod
    def of(request: FlagRequest, files: Files) -> RcFacts:
        """Reads the rc files of a command line, and works out its flags."""
        catalog = flag_catalog.load(request.bazel_version)
        given = startup.parse(request.startup, catalog)
        rc_files = read_rc_files(request, files, catalog, given)
        flags = resolve(request, files, catalog=catalog, rc_files=rc_files)
        return RcFacts(request, rc_files, flags, catalog)
