"""The models of ubiquitous repositories that ship with bazelscope, as content.

A model lies in `models/NAME/`; its files keep their names, with `BUILD.model` for BUILD files
(a checkout of bazelscope must not hold packages), `x.before-1.1.bzl` for what `x.bzl`
was before some release, and `x.before-bazel-8.bzl` for what it is to an older Bazel (an empty
file: nothing that is known; an empty line alone: there surely is none). What differs in a few words
asks `//:bazelscope.bzl` for the `RELEASE` and the `BAZEL`, which no model holds as a file. A model
says nothing about files that it lacks: the real repository may well have them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache
from pathlib import Path

from bazelscope.base.label import Label, at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.paths import is_file, is_folder
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.repository_access import FileFound, PartlyKnownFile
from bazelscope.loading.packages.repository_content import as_label
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.tree.workspace_files import is_clean

Version = tuple[int, ...]
"""Three numbers, and a fourth if a registry has changed the release: `1.17.0.bcr.2`."""

_MODELS = Path(__file__).parent / "models"
_RELEASES = "bazelscope.bzl"
_BUILD_FILES = ("BUILD", "BUILD.bazel")
_GONE = 1
"""How long the model of a file is that is surely not there."""

# Other names under which well-known workspaces define the same repositories.
_ALIASES = {
    "protobuf_archive": "com_google_protobuf",
    "com_google_protobuf_cc": "com_google_protobuf",
    "com_google_protobuf_java": "com_google_protobuf",
    "protobuf": "com_google_protobuf",
    "bazel_gazelle": "gazelle",
    "bazel_lib": "aspect_bazel_lib",
    "emboss": "com_google_emboss",
    "com_github_google_googletest": "googletest",
    "com_google_googletest": "googletest",
    "gtest": "googletest",
    "grpc": "com_github_grpc_grpc",
    "rules_apple": "build_bazel_rules_apple",
    "rules_swift": "build_bazel_rules_swift",
    "rules_android": "build_bazel_rules_android",
    "rules_go": "io_bazel_rules_go",
    "rules_docker": "io_bazel_rules_docker",
    "io_bazel_stardoc": "stardoc",
    "with_cfg.bzl": "with_cfg",
}


def is_of_models_alone(file: Label) -> bool:
    """Tells whether a file is the one by which models ask for the release."""
    return bool(file.repository) and not file.package and file.name == _RELEASES


@dataclass(frozen=True, slots=True)
class ModelContent:
    """The model of one repository; files that the model lacks are unknown."""

    repository: str
    root: Path
    release: Version
    """The release of the repository, or of Bazel for what Bazel brings along."""
    bazel: Version
    provenance: Provenance = Provenance.MODEL
    changed: Mapping[str, str] = field(default_factory=dict)
    """Files that the definition of the repository patches, and by what (`model_patches`)."""

    def find(self, path: str) -> FileFound | Unknown | None:
        if path == _RELEASES:
            text = f"RELEASE = {self.release}\nBAZEL = {self.bazel}\n"
            return FileFound(f"<builtin>/{self.repository}/{path}", self.provenance, text=text)
        if path and is_clean(path):
            real = self.root / path
            directory, _, name = path.rpartition("/")
            if name in _BUILD_FILES:
                real = self.root / directory / "BUILD.model"
            hidden = name.endswith(".model") or ".before-" in name
            if not hidden and is_file(real):
                real = self._variant(real)
                size = real.stat().st_size
                if size == _GONE:
                    return None
                if not size or name == "BUILD.bazel":
                    return self._lacking(path)
                shown = f"<builtin>/{self.repository}/{path}"
                change = self._change(path)
                if name != "BUILD":
                    if change is None:
                        return FileFound(shown, self.provenance, real_path=str(real))
                    lacks = change
                else:
                    lacks = change or Unknown(
                        Reason.NOT_MODELLED,
                        f"{at_sign(self.repository)}//{directory}",
                        "a model of the package: the real one may have more targets",
                    )
                return PartlyKnownFile(
                    shown,
                    self.provenance,
                    str(real),
                    unknowns=() if change is None else (change,),
                    may_lack=lacks,
                )
        return self._lacking(path)

    def _change(self, path: str) -> Unknown | None:
        """Why the file at `path` is not as the model has it, where the definition patches it."""
        if not self.changed:
            return None
        from bazelscope.loading.repositories.model_patches import what_changes

        change = what_changes(path, self.changed)
        if change is None:
            return None
        return Unknown(Reason.NOT_MODELLED, as_label(self.repository, path), change)

    def _variant(self, file: Path) -> Path:
        """The model of a file as of these releases: `x.before-1.1.bzl` goes before `x.bzl`."""
        older = []
        begin, end = f"{file.stem}.before-", file.suffix
        for name in _names_in(file.parent):
            if not (name.startswith(begin) and name.endswith(end)):
                continue
            text, path = name.removeprefix(begin).removesuffix(end), file.with_name(name)
            limit = _numbers(text.removeprefix("bazel-"))
            if (self.bazel if text.startswith("bazel-") else self.release) < limit:
                older.append((limit, path))
        return min(older)[1] if older else file

    def files_below(self, directory: str) -> tuple[str, ...] | Unknown:
        return self._lacking(directory)

    def _lacking(self, path: str) -> Unknown:
        why = "the repository is not on this machine"
        if self.repository == "bazel_tools":
            why = "Bazel brings the repository along"
        detail = f"{why}, and its model has no such file"
        return Unknown(Reason.NOT_FETCHED, as_label(self.repository, path), detail)


@cache
def _names_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(os.listdir(folder)))  # noqa: PTH208  (every run asks)


_RELEASE = lazy_pattern(
    r"(?<![0-9.])v?([0-9]+\.[0-9]+(?:\.[0-9]+)?(?:\.b(?:cr|zl)\.[0-9]+)?)(?![0-9])"
)
_LATEST: Version = (9999, 0, 0)


def _numbers(text: str) -> Version:
    """`1.12` as `(1, 12, 0)`: releases of repositories, which count like those of Bazel."""
    text, _, revision = text.replace(".bzl.", ".bcr.").partition(".bcr.")
    numbers = (*(int(part) for part in text.split(".")), 0, 0)[:3]
    return (*numbers, int(revision)) if revision else numbers


def release_of(texts: Iterable[str]) -> Version:
    """The release that URLs or the like name; the latest where they name none."""
    for text in texts:
        releases = _RELEASE.findall(text.rpartition("//")[2].partition("/")[2] or text)
        if releases:
            return _numbers(releases[-1])
    return _LATEST


@cache
def model_of(repository: str, bazel: Version, release: Version = _LATEST) -> ModelContent | None:
    """The model for a repository of that name, in that release, if there is one."""
    root = _MODELS / _ALIASES.get(repository, repository)
    if not is_clean(repository) or "/" in repository or not is_folder(root):
        return None
    model = ModelContent(repository, root, release, bazel)
    build = root / "BUILD.model"
    if is_file(build) and not build.stat().st_size and isinstance(model.find("BUILD"), Unknown):
        return None  # Only of some releases is anything known.
    return model
