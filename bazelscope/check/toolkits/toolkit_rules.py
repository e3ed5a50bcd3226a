"""Findings about toolkits: each names two versions that do not go together, and both lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Span
from bazelscope.bazel.hosts import Host
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.flags.flag_values import FlagInstance, ResolvedFlags
from bazelscope.questions.shared import toolkit_facts as known
from bazelscope.questions.shared.toolkit_facts import shown, version_of
from bazelscope.questions.shared.wanted_versions import wanted_versions

_OPTIONS = ("action_env", "repo_env")
"""Later ones beat earlier ones, as repository rules see them."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, its value, and the option that sets it (None: the user's environment)."""

    name: str
    value: str
    instance: FlagInstance | None

    @property
    def span(self) -> Span | None:
        """Where an rc file sets it."""
        return self.instance.span if self.instance is not None else None


@dataclass(frozen=True, slots=True)
class Line:
    """A line that people run: the flags, how it is called, and the variables that it sets."""

    name: str
    flags: ResolvedFlags
    variables: Mapping[str, Variable]

    def first(self, *names: str) -> Variable | None:
        """The first of some variables that is set to something."""
        variables = (self.variables.get(name) for name in names)
        return next((one for one in variables if one is not None and one.value), None)


def lines(facts: WorkspaceFacts) -> Iterator[Line]:
    """The line itself, and each other config of the tree alone: nobody asked for both."""
    own = facts.world.flags
    yield Line("", own, _variables(facts, own))
    for config in facts.rc.by_config:
        if config in {expansion.name for expansion in own.configs}:
            continue
        word = f"--config={config}"
        flags = facts.world.resolve_words((word,))
        if not flags.undefined_configs:
            yield Line(word, flags, _variables(facts, flags))


def _variables(facts: WorkspaceFacts, flags: ResolvedFlags) -> Mapping[str, Variable]:
    environment = facts.rc.request.environment
    variables = {name: Variable(name, value, None) for name, value in environment.items()}
    for option in _OPTIONS:
        value = flags.values.get(option)
        for instance in value.instances if value is not None else ():
            name, equals, text = (instance.value or "").partition("=")
            if equals:
                variables[name] = Variable(name, text, instance)
    return variables


_CUDA = ("HERMETIC_CUDA_VERSION", "TF_CUDA_VERSION")
_CUDNN = ("HERMETIC_CUDNN_VERSION", "TF_CUDNN_VERSION")
_CAPABILITIES = ("HERMETIC_CUDA_COMPUTE_CAPABILITIES", "TF_CUDA_COMPUTE_CAPABILITIES")
_CLANG = ("CLANG_CUDA_COMPILER_PATH", "CLANG_COMPILER_PATH")
_PYTHON = ("HERMETIC_PYTHON_VERSION", "TF_PYTHON_VERSION", "PYTHON_BIN_PATH")
_TABLES = {
    "HERMETIC_CUDA_VERSION": "CUDA_REDIST_JSON_DICT",
    "HERMETIC_CUDNN_VERSION": "CUDNN_REDIST_JSON_DICT",
}
_DEBUG = lazy_pattern(r"-g(gdb)?[1-3]?")
_STRIPPED = ("copt", "cxxopt", "conlyopt")
_VERSION = lazy_pattern(r'^VERSION = "(\d+)\.(\d+)', re.MULTILINE)


def toolkit_findings(facts: WorkspaceFacts) -> Iterator[Finding]:
    """All findings about toolkits, of the line and of each config with it; each once."""
    told: set[tuple[object, ...]] = set()
    for line in lines(facts):
        for rule in _RULES:
            for finding in rule(facts, line):
                key = (finding.code, finding.subject, finding.span)
                if key not in told:
                    told.add(key)
                    yield finding
    yield from _bazel(facts)


def _set_by(variable: Variable, line: Line) -> FindingCause:
    where = "" if variable.instance is not None else " in the environment"
    under = f" with `{line.name}`" if line.name else ""
    return FindingCause(f"`{variable.name}={variable.value}`{where}{under}", variable.span)


def _from(source: str) -> FindingCause:
    return FindingCause(f"source: {source}")


def _capabilities(facts: WorkspaceFacts, line: Line) -> Iterator[Finding]:
    cuda, wanted = line.first(*_CUDA), line.first(*_CAPABILITIES)
    version = version_of(cuda.value) if cuda is not None else None
    if cuda is None or version is None or wanted is None:
        return
    limits = known.capabilities(version)
    for text in wanted.value.split(",") if limits is not None else ():
        asked = known.capability_of(text)
        if asked is None or limits is None:
            continue
        least, most = limits
        if least <= asked <= most:
            continue
        message = (
            f"CUDA {cuda.value} does not know compute capability {_named(asked, text)}: "
            f"it knows {shown(least)} to {shown(most)}"
        )
        other = known.releases_with(asked)
        take = f", or take CUDA {other}" if other else ""
        remedy = f"take `{text.strip()}` out of {wanted.name}{take}"
        causes = [_set_by(cuda, line), _from(known.RELEASE_NOTES)]
        clang = line.first(*_CLANG)
        number = _number_of_clang(clang)
        if number is not None and asked < least:
            why = f"clang {number} refuses sm_{asked[0]}{asked[1]} with it ({known.CLANG_CUDA})"
            causes.insert(1, FindingCause(why, clang.span if clang is not None else None))
        yield CODES["BZS401"].at(
            wanted.span, f"{wanted.name} {text.strip()}", message, remedy, tuple(causes)
        )


def _named(capability: known.Version, text: str) -> str:
    """A capability, and how it is written where that looks otherwise."""
    written = text.strip()
    return (
        shown(capability) if written == shown(capability) else f"{shown(capability)} (`{written}`)"
    )


def _number_of_clang(clang: Variable | None) -> int | None:
    """The release of clang that a path names."""
    match = re.search(r"(?:llvm|clang)-(\d+)", clang.value) if clang is not None else None
    return int(match[1]) if match is not None else None


def _clang_for_cuda(facts: WorkspaceFacts, line: Line) -> Iterator[Finding]:
    """Capabilities that clang does not know, where it compiles CUDA's code itself."""
    clang, wanted = line.first(*_CLANG), line.first(*_CAPABILITIES)
    number = _number_of_clang(clang)
    most = known.newest_capability_of_clang(number) if number is not None else None
    if clang is None or wanted is None or most is None or not _compiles_with_clang(line):
        return
    for text in wanted.value.split(","):
        asked = known.capability_of(text)
        if asked is None or asked <= most:
            continue
        message = (
            f"clang {number} does not know compute capability {_named(asked, text)}: "
            f"it compiles for up to {shown(most)}"
        )
        other = known.clang_with(asked)
        take = f", or take clang {other} or newer" if other else ""
        remedy = f"take `{text.strip()}` out of {wanted.name}{take}"
        subject = f"{clang.name} {text.strip()}"
        causes = (_set_by(clang, line), _from(known.CLANG_CUDA))
        yield CODES["BZS410"].at(wanted.span, subject, message, remedy, causes)


def _compiles_with_clang(line: Line) -> bool:
    chosen = line.flags.starlark_flags.get("@local_config_cuda//:cuda_compiler")
    if chosen is not None:
        return chosen.value == "clang"
    variable = line.first("TF_CUDA_CLANG")
    return variable is not None and variable.value == "1"


def _hermetic(facts: WorkspaceFacts, line: Line) -> Iterator[Finding]:
    for name, table in _TABLES.items():
        variable = line.variables.get(name)
        if variable is None or not variable.value:
            continue
        known_here = _versions_in_tree(facts, table)
        if not known_here or variable.value in known_here:
            continue
        near = [one for one in known_here if one.startswith(f"{variable.value}.")]
        what = "CUDA" if "CUDA_V" in name else "cuDNN"
        message = f"this tree knows no hermetic {what} {variable.value}"
        remedy = f"write {name}={' or '.join(near or known_here[-3:])}"
        causes = (FindingCause(f"{table} has {', '.join(known_here)}", _place_of(facts, table)),)
        yield CODES["BZS403"].at(variable.span, f"{name}={variable.value}", message, remedy, causes)


def _versions_in_tree(facts: WorkspaceFacts, table: str) -> tuple[str, ...]:
    """The versions that a table of the tree's own has."""
    for source in facts.texts.starlark:
        if source.path.endswith("cuda_redist_versions.bzl") and table in source.text:
            versions = facts.globals_of(source.path).get(table)
            if isinstance(versions, dict):
                return tuple(map(str, versions))
    return ()


def _place_of(facts: WorkspaceFacts, table: str) -> Span | None:
    for source in facts.texts.starlark:
        offset = source.text.find(f"\n{table} = ")
        if offset >= 0:
            return source.span(offset + 1, offset + 1 + len(table))
    return None


def _cudnn(facts: WorkspaceFacts, line: Line) -> Iterator[Finding]:
    cuda, cudnn = line.first(*_CUDA), line.first(*_CUDNN)
    if cuda is None or cudnn is None:
        return
    release, version = version_of(cuda.value), version_of(cudnn.value)
    limits = known.cuda_of_cudnn(version) if version is not None else None
    if release is None or limits is None or len(release) < 2:
        return
    if not limits[0] <= release[:2] <= limits[1]:
        newest = f"{limits[1][0]}.x" if limits[1][1] == 999 else shown(limits[1])
        message = (
            f"cuDNN {cudnn.value} is made for CUDA {shown(limits[0])} to {newest}, "
            f"not for {cuda.value}"
        )
        remedy = f"change {cudnn.name} or {cuda.name}"
        causes = (_set_by(cuda, line), _from(known.CUDNN_MATRIX))
        yield CODES["BZS404"].at(cudnn.span, cudnn.name, message, remedy, causes)


def _host_compiler(facts: WorkspaceFacts, line: Line) -> Iterator[Finding]:
    cuda = line.first(*_CUDA)
    version = version_of(cuda.value) if cuda is not None else None
    if cuda is None or version is None or len(version) < 2:
        return
    gcc, newest = line.first("GCC_HOST_COMPILER_PATH"), known.newest_gcc(version)
    match = re.search(r"gcc-(\d+)$", gcc.value) if gcc is not None else None
    if gcc is not None and match is not None and newest is not None and int(match[1]) > newest:
        message = f"the nvcc of CUDA {cuda.value} takes gcc up to {newest}, not gcc {match[1]}"
        remedy = f"write GCC_HOST_COMPILER_PATH=/usr/bin/gcc-{newest}, or take a newer CUDA"
        causes = (_set_by(cuda, line), _from(known.HOST_COMPILERS))
        yield CODES["BZS405"].at(gcc.span, gcc.name, message, remedy, causes)
    studio = line.first("BAZEL_VC", "BAZEL_VS")
    year = re.search(r"Visual Studio[/\\]+(20\d\d)", studio.value) if studio is not None else None
    first = known.FIRST_CUDA_OF_VISUAL_STUDIO.get(int(year[1])) if year is not None else None
    if studio is not None and year is not None and first is not None and version < first:
        message = f"CUDA {cuda.value} does not take Visual Studio {year[1]}: {shown(first)} does"
        remedy = f"set {studio.name} to an older Visual Studio, or take CUDA {shown(first)}"
        causes = (_set_by(cuda, line), _from(known.HOST_COMPILERS))
        yield CODES["BZS405"].at(studio.span, studio.name, message, remedy, causes)


def _bazel(facts: WorkspaceFacts) -> Iterator[Finding]:
    def read(path: str) -> str | None:
        source = facts.read(path)
        return source.text if source is not None else None

    wanted = wanted_versions(read)
    if wanted is not None and wanted.refuses(facts.release):
        newest = f" to {wanted.most}" if wanted.most else " or newer"
        asked = wanted.least if wanted.least == wanted.most else f"{wanted.least}{newest}"
        message = f"this tree asks for Bazel {asked}, not {facts.release.text}"
        span = Span(wanted.path, wanted.line, 1, wanted.line, 2)
        remedy = f"write `{wanted.best}` into .bazelversion"
        yield CODES["BZS406"].at(span, "bazel", message, remedy)


def _python(facts: WorkspaceFacts, line: Line) -> Iterator[Finding]:
    python = line.first(*_PYTHON)
    match = re.search(r"(?:python)?(3)\.(\d+)$", python.value) if python is not None else None
    source = facts.read("tensorflow/tensorflow.bzl")
    tensorflow = _VERSION.search(source.text) if source is not None else None
    if python is None or match is None or tensorflow is None or source is None:
        return
    version, release = (3, int(match[2])), (int(tensorflow[1]), int(tensorflow[2]))
    limits = known.pythons_of_tensorflow(release)
    if limits is not None and not limits[0] <= version <= limits[1]:
        message = (
            f"TensorFlow {shown(release)} is built for Python {shown(limits[0])} to "
            f"{shown(limits[1])}, not for {shown(version)}"
        )
        remedy = f"set {python.name} to one of these"
        place = source.span(tensorflow.start(), tensorflow.end())
        causes = (FindingCause(f"TensorFlow {shown(release)}", place), _from(known.TESTED_BUILDS))
        yield CODES["BZS407"].at(python.span, python.name, message, remedy, causes)


def _onednn(facts: WorkspaceFacts, line: Line) -> Iterator[Finding]:
    """The tree's own comment says which hosts its oneDNN is not for."""
    define = line.flags.defines.get("build_with_mkl")
    system = _target_system(line)
    if define is None or define.value != "true" or system not in ("windows", "macos"):
        return
    for source in facts.rc.rc_files.sources.values():
        for match in re.finditer(r"^#.*\bMKL\b.*not\s+supported.*$", source.text, re.M | re.I):
            if system not in match[0].lower():
                continue
            name = {"windows": "Windows", "macos": "macOS"}[system]
            chain = " ".join(step.text for step in define.instance.chain[:1])
            message = f"`{chain}` builds with oneDNN, which this tree does not support on {name}"
            cause = FindingCause(match[0].lstrip("# "), source.span(match.start(), match.end()))
            location = define.instance.location
            yield CODES["BZS408"].at(
                facts.span(location), "build_with_mkl", message, f"leave `{chain}` out", (cause,)
            )
            return


def _target_system(line: Line) -> str:
    """The operating system that is built for: by `--cpu`, else the host's."""
    cpu = line.flags.values.get("cpu")
    value = cpu.value if cpu is not None else None
    if value:
        return "macos" if "darwin" in value else "windows" if "windows" in value else value
    return Host.parse(line.flags.host).os


def _debug(facts: WorkspaceFacts, line: Line) -> Iterator[Finding]:
    """`-g` that the linker's `-Wl,-S` takes away again. Measured: `--strip=sometimes` strips in
    fastbuild, `always` in every mode."""
    if _target_system(line) in ("windows", "macos"):
        return
    values = line.flags.values
    strip, mode = (
        values[name].value if name in values else default
        for name, default in (("strip", "sometimes"), ("compilation_mode", "fastbuild"))
    )
    if strip != "always" and not (strip == "sometimes" and mode == "fastbuild"):
        return
    for option in _STRIPPED:
        flag = values.get(option)
        for instance in flag.instances if flag is not None else ():
            if _DEBUG.fullmatch(instance.value or "") is None:
                continue
            if strip == "always":
                beats, remedy = "`--strip=always`", "write `--strip=never`"
            else:
                beats = "`--strip=sometimes`, Bazel's default, in `-c fastbuild`"
                remedy = "add `-c dbg`, or `--strip=never`"
            under = f" (`{line.name}`)" if line.name else ""
            message = f"the debug information of `{instance.text}` is stripped{under}: {beats}"
            cause = values["strip"].instances if "strip" in values else ()
            causes = tuple(FindingCause(f"`{one.text}`", facts.span(one.location)) for one in cause)
            yield CODES["BZS409"].at(
                facts.span(instance.location), f"--{option} -g", message, remedy, causes
            )


_RULES: tuple[Callable[[WorkspaceFacts, Line], Iterator[Finding]], ...] = (
    _capabilities,
    _clang_for_cuda,
    _hermetic,
    _cudnn,
    _host_compiler,
    _python,
    _onednn,
    _debug,
)
