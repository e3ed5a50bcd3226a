"""The codes of findings: the one table that names each, and what `docs/findings.md` explains.

A code is never used again for something else. The first digit says what it is about: 0 what
Bazel refuses, 1 rc files, 2 settings and select()s, 3 repositories and modules, 4 toolkits,
5 another release of Bazel.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.base.edits import Fix
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Span
from bazelscope.check.finding import Finding, FindingCause, FindingSeverity

DOCUMENTATION = "docs/findings.md"
UNFOLLOWED_LOAD = "BZS003"
RAISED_VERSION = "BZS306"


@dataclass(frozen=True, slots=True)
class FindingCode:
    """A kind of finding: its code, its usual severity, and what it says, as a title."""

    code: str
    severity: FindingSeverity
    title: str

    @property
    def page(self) -> str:
        """Where the documentation explains it."""
        return f"{DOCUMENTATION}#{self.code.lower()}"

    def at(
        self,
        span: Span | None,
        subject: str,
        message: str,
        remedy: str = "",
        causes: tuple[FindingCause, ...] = (),
        dependents: int = 0,
        fixes: tuple[Fix, ...] = (),
    ) -> Finding:
        """A finding of this kind."""
        todo = remedy or _REMEDIES.get(self.code, "")
        return Finding(
            self.code, self.severity, message, subject, span, causes, todo, dependents, fixes
        )


_ERROR, _WARNING, _NOTE = FindingSeverity.ERROR, FindingSeverity.WARNING, FindingSeverity.NOTE

_REMEDIES = {
    "BZS001": "correct the word, or delete it",
    "BZS002": "correct the text at this place",
    "BZS004": "correct the call",
    "BZS005": "correct the statement, or what it loads",
    "BZS006": "change the attribute, or what it names",
    "BZS101": "define it, or leave `--config` out",
    "BZS106": "correct it, or delete it",
    "BZS110": "correct the line that imports it",
    "BZS111": "correct the line, or delete it",
    "BZS113": "name it once",
    "BZS309": "have Bazel write it anew: `bazel mod deps`",
}
"""What to do where nothing better is known: a rule that makes a finding says it mostly."""

_TABLE = (
    FindingCode("BZS001", _ERROR, "Bazel refuses the command line or an rc file"),
    FindingCode("BZS002", _ERROR, "Bazel cannot read a Starlark file"),
    FindingCode(UNFOLLOWED_LOAD, _ERROR, "a load() cannot be followed"),
    FindingCode("BZS004", _ERROR, "Bazel refuses WORKSPACE or MODULE.bazel"),
    FindingCode("BZS005", _ERROR, "Bazel refuses a package"),
    FindingCode("BZS006", _ERROR, "Bazel refuses a target"),
    FindingCode("BZS007", _WARNING, "a source file is not there"),
    FindingCode("BZS101", _ERROR, "a config is named that no rc file defines"),
    FindingCode("BZS102", _NOTE, "nothing in the tree names a config"),
    FindingCode("BZS103", _WARNING, "a word of an rc file never counts"),
    FindingCode("BZS104", _NOTE, "an option is set twice to the same value"),
    FindingCode("BZS105", _WARNING, "an option is deprecated"),
    FindingCode("BZS106", _ERROR, "Bazel refuses an option of an rc file"),
    FindingCode("BZS107", _NOTE, "an option is written under a former name"),
    FindingCode("BZS108", _NOTE, "a config changes nothing"),
    FindingCode("BZS109", _WARNING, "a secret stands in an rc file"),
    FindingCode("BZS110", _WARNING, "an rc file is not read, or is read twice"),
    FindingCode("BZS111", _WARNING, "a line of an rc file does not do what it looks like"),
    FindingCode("BZS112", _WARNING, "a platform's config does not count on that platform"),
    FindingCode("BZS113", _WARNING, "a config is expanded more than once"),
    FindingCode("BZS114", _WARNING, "query sees other repositories than build"),
    FindingCode("BZS201", _NOTE, "no select() turns on a config_setting"),
    FindingCode("BZS202", _WARNING, "nothing looks at a define"),
    FindingCode("BZS203", _WARNING, "no flags take a branch of a select()"),
    FindingCode("BZS204", _WARNING, "configs of this tree make a select() ambiguous"),
    FindingCode("BZS205", _WARNING, "a select() has no branch on another host"),
    FindingCode("BZS206", _WARNING, "a setting looks at --cpu where platforms are in force"),
    FindingCode("BZS301", _WARNING, "a definition of a repository does not count"),
    FindingCode("BZS302", _WARNING, "the order of calls decides which repository counts"),
    FindingCode("BZS303", _WARNING, "an archive is downloaded without a checksum"),
    FindingCode("BZS304", _WARNING, "an archive is downloaded without encryption"),
    FindingCode("BZS305", _NOTE, "all URLs of an archive are on one host"),
    FindingCode(RAISED_VERSION, _NOTE, "a module has a higher version than is written"),
    FindingCode("BZS307", _NOTE, "nothing uses a module"),
    FindingCode("BZS308", _NOTE, "nothing uses a repository that use_repo() takes"),
    FindingCode("BZS309", _WARNING, "a file about modules is left aside, or out of date"),
    FindingCode("BZS310", _WARNING, "no rule reads a variable, and a near one is read"),
    FindingCode("BZS311", _WARNING, "only rules that nobody calls read a variable"),
    FindingCode("BZS312", _WARNING, "use_repo() differs from what an extension reports"),
    FindingCode("BZS401", _ERROR, "a CUDA release does not know a compute capability"),
    FindingCode("BZS403", _ERROR, "a hermetic CUDA or cuDNN version is not known to the tree"),
    FindingCode("BZS404", _WARNING, "cuDNN and CUDA do not go together"),
    FindingCode("BZS405", _ERROR, "CUDA does not take the host's compiler"),
    FindingCode("BZS406", _WARNING, "the tree asks for another Bazel"),
    FindingCode("BZS407", _WARNING, "TensorFlow is not built for a Python"),
    FindingCode("BZS408", _WARNING, "oneDNN is not supported on this system"),
    FindingCode("BZS409", _WARNING, "debug information is stripped again"),
    FindingCode("BZS410", _ERROR, "clang does not know a compute capability"),
    FindingCode("BZS501", _ERROR, "another Bazel refuses an option"),
    FindingCode(
        "BZS502", _NOTE, "another Bazel calls an option otherwise, deprecates or ignores it"
    ),
    FindingCode("BZS503", _NOTE, "another Bazel has another default"),
    FindingCode("BZS510", _ERROR, "another Bazel lacks a native rule or provider"),
    FindingCode("BZS511", _ERROR, "another Bazel lacks a function"),
    FindingCode("BZS520", _ERROR, "another Bazel does not read WORKSPACE"),
    FindingCode("BZS521", _WARNING, "another Bazel chooses C++ toolchains by platforms"),
    FindingCode("BZS522", _WARNING, "another Bazel has modules by default"),
    FindingCode("BZS523", _ERROR, "a rule set is too old for another Bazel"),
)

CODES: Mapping[str, FindingCode] = {one.code: one for one in _TABLE}
"""Every code, in order."""
