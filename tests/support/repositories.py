"""git repositories made in a test, by pygit2: no program runs and nobody's settings count."""

from __future__ import annotations

from pathlib import Path

import pygit2

_AUTHOR = pygit2.Signature("n", "n@example.org", 1_600_000_000, 0)


class Repository:
    """The work tree at `root` in a repository of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git = pygit2.init_repository(str(root), initial_head="main")

    def commit(self) -> str:
        """Commits all that is there. Returns the commit's id."""
        self.stage()
        tree = self.git.index.write_tree()
        parents = [] if self.git.head_is_unborn else [self.git.head.target]
        return str(self.git.create_commit("HEAD", _AUTHOR, _AUTHOR, "x", tree, parents))

    def stage(self) -> None:
        """Puts all that is there into the index."""
        self.git.index.add_all()
        for entry in list(self.git.index):
            if not (self.root / entry.path).exists() and not (self.root / entry.path).is_symlink():
                self.git.index.remove(entry.path)
        self.git.index.write()

    def undo(self) -> None:
        """Makes the work tree what was committed last."""
        self._reset()
        for path in self.git.status(untracked_files="all"):
            (self.root / path).unlink(missing_ok=True)
        self._reset()  # Files of a folder that a link stood for come back once the link is gone.

    def _reset(self) -> None:
        self.git.reset(self.git.head.target, pygit2.enums.ResetMode.HARD)
