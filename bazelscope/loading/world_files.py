"""The files that decide which external repositories there are, on which all packages of the main
repository rest besides their own files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bazelscope.base.unknown import Unknown
from bazelscope.kept.pack import Input
from bazelscope.loading.cache.file_stamps import FileStamps, answer_digest, homes_of
from bazelscope.loading.cache.package_cache import WorldInputs
from bazelscope.loading.evaluation.build_files.repo_file import REPO_FILE
from bazelscope.loading.evaluation.bzl_files.loaded_module import LoadedModule
from bazelscope.loading.evaluation.bzl_files.module_files import PRELUDE_PACKAGE, prelude_label
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.loading.tree.contents import HOME

_WORKSPACE_NAMES = ("WORKSPACE", "WORKSPACE.bazel", "WORKSPACE.bzlmod")
_NAMES = (*_WORKSPACE_NAMES, ".bazelignore", REPO_FILE, prelude_label("").path)


class WorldFiles:
    """What the evaluation of WORKSPACE and MODULE.bazel below `root` has read."""

    def __init__(self, root: str, stamps: FileStamps) -> None:
        self._root = root
        self._stamps = stamps
        self._read: list[str] = []
        """Files besides WORKSPACE."""
        self._modules: tuple[LoadedModule, ...] = ()
        self._doubts: dict[str, Unknown] = {}
        self.is_whole = True
        """Whether no budget cut the evaluation short."""

    def note_file(self, path: str) -> None:
        """Notes a file that is about to be read."""
        self._stamps.take(path)
        self._read.append(path)

    def note_modules(self, loaded: Iterable[LoadedModule], doubts: Mapping[str, Unknown]) -> None:
        """Notes the `.bzl` files that were loaded, and what of files is in doubt."""
        self._modules, self._doubts = tuple(loaded), dict(doubts)

    def paths(self) -> tuple[str, ...]:
        """The files that decide which repositories and packages there are."""
        modules = (module.real_path for module in self._modules if module.real_path is not None)
        named = (f"{self._root}/{name}" for name in _NAMES)
        return tuple(dict.fromkeys((*named, *self._read, *modules)))

    def inputs(self, table: RepositoryTable, foreign: tuple[str, ...]) -> WorldInputs:
        """What the main repository's packages rest on besides their own files: of the repositories
        in the `table`, those in `foreign` directories."""
        inputs = [self._stamps.of(path) for path in self.paths()]
        own = (module for module in self._modules if not module.label.repository)
        homes = dict.fromkeys(home for module in own for home in homes_of(module, self._stamps))
        home = f"{self._root}/{PRELUDE_PACKAGE}"
        homes[HOME, home, self._stamps.has_build_file(home)] = None
        every = (*inputs, *homes)
        return WorldInputs(every, foreign, self._seen(table, every))

    def _seen(self, table: RepositoryTable, inputs: tuple[Input, ...]) -> bytes:
        """A hash of what packages may see of the evaluation of WORKSPACE besides what they ask of
        repositories: its name, which names the workspace has then, and what became of the modules
        that it loaded, which are not loaded again. Modules may define more: then of all texts."""
        if table.modules is not None:
            return answer_digest(inputs)
        from bazelscope.loading.evaluation.bzl_files.seen_values import said_of_modules

        run = {f"{self._root}/{name}" for name in _WORKSPACE_NAMES}
        run |= {module.real_path for module in self._modules if module.real_path}
        of_prelude = {f"{self._root}/{PRELUDE_PACKAGE}", f"{self._root}/{prelude_label('').path}"}
        others = tuple(
            input
            for input in inputs
            if input[1] in of_prelude or (input[0] != HOME and input[1] not in run)
        )
        names = sorted(table.repo_mapping("").items())
        said = said_of_modules(self._modules, self._doubts)
        return answer_digest((table.workspace_name, names, others, said))
