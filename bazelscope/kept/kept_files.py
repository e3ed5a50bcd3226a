"""Files that one run keeps for the next, by name, in a directory that is the user's alone.

Some hold code objects, and loading a forged one would run it. So the directory must belong to
the user and be writable by nobody else, as must every file; what fails this is not read. A
file carries a checksum: a damaged or truncated one is as good as none, and rewritten. Files
are written under another name and renamed, so processes may share a directory.

A large file has a head, which the checksum is about, and a rest, of which a run reads what it
needs: it has checksums of its own in the head.
"""

from __future__ import annotations

import mmap
import os
import stat
import sys
import time

from bazelscope.base.hashes import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:  # A run whose answer is kept imports neither of these.
    from collections.abc import Iterable
    from typing import BinaryIO

_MAGIC = b"bazelscope-5\n"
_LENGTH = 8
_START = len(_MAGIC) + 32 + _LENGTH
_TEMPORARY = ".tmp"
_LOCK_TRIES, _LOCK_SECONDS = 100, 0.02
_WRITING_SECONDS = 3600
"""No file takes as long to be written."""


def default_cache_dir() -> str:
    """Where parsed files are kept, unless `--cache-dir` says otherwise."""
    if sys.platform == "linux":  # What `platformdirs` says there, without importing it.
        base = os.environ.get("XDG_CACHE_HOME", "")
        return os.path.join(base if base.strip() else os.path.expanduser("~/.cache"), "bazelscope")
    import platformdirs

    return platformdirs.user_cache_dir("bazelscope", appauthor=False)


class KeptFiles:
    """The files in one directory, which is created if need be, for the user alone.

    Only `most` files are kept, and of no more than `largest` bytes together: those that were
    written last, and the last one in any case. `problem` says why the directory cannot be used;
    nothing is found or kept then.
    """

    def __init__(
        self, directory: str | os.PathLike[str], most: int = 24, largest: int = sys.maxsize
    ) -> None:
        self.directory = os.fspath(directory)
        self._most = most
        self._largest = largest
        self.problem = unusable(self.directory)

    def map(self, name: str) -> tuple[bytes, mmap.mmap, int] | None:
        """The head of what was kept under a name, the whole file, and where in it the rest
        begins; None where it is not here or not to be trusted."""
        if self.problem is not None:
            return None
        try:
            with self._open(name) as file:
                content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):  # an empty file cannot be mapped
            return None
        head = self._head(name, content)
        if head is None:
            content.close()
            return None
        return head, content, _START + len(head)

    @staticmethod
    def checksum_of(content: mmap.mmap) -> bytes:
        """The checksum of the head of a file that `map` gave."""
        return content[len(_MAGIC) : len(_MAGIC) + 32]

    def _open(self, name: str) -> BinaryIO:
        """The file, if nobody else could have written it. Raises `OSError`."""
        path = os.path.join(self.directory, name)
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        descriptor = os.open(path, flags)
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or _foreign(status):
            os.close(descriptor)
            raise PermissionError(path)
        return os.fdopen(descriptor, "rb")

    def _head(self, name: str, content: mmap.mmap) -> bytes | None:
        digest, start = len(_MAGIC), _START
        if content[:digest] != _MAGIC:
            return None
        length = int.from_bytes(content[start - _LENGTH : start], "little")
        head = content[start : start + length]
        is_sound = head_checksum(name, head) == content[digest : digest + 32]
        return head if is_sound else None

    def write(self, name: str, head: bytes, rest: Iterable[bytes] = ()) -> bool:
        """Keeps a file whole or not at all, and returns whether it did; a full or read-only disk
        is no error."""
        if self.problem is not None:
            return False
        path = os.path.join(self.directory, name)
        temporary = f"{path}.{os.getpid()}{_TEMPORARY}"
        try:
            os.makedirs(self.directory, 0o700, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(temporary, flags, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(_MAGIC + head_checksum(name, head))
                file.write(len(head).to_bytes(_LENGTH, "little") + head)
                file.writelines(rest)
            os.replace(temporary, path)
            self._prune()
        except OSError:
            _remove(temporary)
            return False
        return True

    def writing(self) -> _Writing:
        """Keeps other processes from writing meanwhile, where the system can; who is killed
        lets go."""
        return _Writing(self.directory)

    def _prune(self) -> None:
        """Removes the files that were written longest ago, and what a process that was killed
        while it wrote has left."""
        with os.scandir(self.directory) as entries:
            files = [
                (status.st_mtime, entry.path, status.st_size)
                for entry in entries
                if entry.is_file(follow_symlinks=False) and (status := entry.stat())
            ]
        given_up = time.time() - _WRITING_SECONDS
        count = total = 0
        for written, path, size in sorted(files, reverse=True):
            if path.endswith(_TEMPORARY):
                is_surplus = written < given_up
            else:
                count, total = count + 1, total + size
                is_surplus = count > self._most or (count > 1 and total > self._largest)
            if is_surplus:
                _remove(path)


class _Writing:
    """A lock of a directory, as a context."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._descriptor = -1

    def __enter__(self) -> None:
        try:
            import fcntl

            self._descriptor = os.open(self._directory, os.O_RDONLY)
        except (ImportError, OSError):
            return
        for _ in range(_LOCK_TRIES):  # whoever has it may be stopped, and that for hours
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                time.sleep(_LOCK_SECONDS)

    def __exit__(self, *raised: object) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def name_of(parts: Iterable[object]) -> str:
    """A name for a file whose entries depend on all of `parts`."""
    text = repr(tuple(parts)).encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=20).hexdigest()


def head_checksum(name: str, head: bytes) -> bytes:
    """Of the name too: a file under the name of another one tells of something else."""
    return blake2b(name.encode("utf-8") + b"\0" + head, digest_size=32).digest()


def unusable(directory: str) -> str | None:
    """Creates the directory if need be; says why it must not be used, if so."""
    try:
        os.makedirs(directory, 0o700, exist_ok=True)
        status = os.lstat(directory)
    except OSError as error:
        return f"cannot create {directory}: {error.strerror}"
    if not stat.S_ISDIR(status.st_mode):
        return f"{directory} is not a directory"
    return f"{directory} {_foreign(status)}" if _foreign(status) else None


def _foreign(status: os.stat_result) -> str | None:
    """Why a file or directory is not the user's alone to write, on systems that can tell."""
    if not hasattr(os, "geteuid"):
        return None
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "is writable by others"
    return None
