"""Opens folders and files that nobody but this user can have written, such that what is checked is what is read.

Whoever can write code that a process loads can run it as that process's user. So a folder and its files count as the
user's own if they belong to the effective user, or to root, and neither group nor others may write them. (With access
lists, the group's bits show the most that one of them grants.)

The path to a folder may have links, and folders of others: the folder at its end is checked by its descriptor, and
files are opened relative to that. A file itself is never opened through a link.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator


class NotOwned(OSError):
    """A folder or file may have been written by others; the text says why."""


@contextlib.contextmanager
def own_folder(path: str) -> Iterator[int]:
    """A descriptor of a folder that is the user's own. NotOwned if others may write it; OSError if it is no folder."""
    with _closed_after(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)) as folder:
        _check(os.fstat(folder))
        yield folder


@contextlib.contextmanager
def own_file(name: str, folder: int, flags: int = os.O_RDONLY) -> Iterator[int]:
    """A descriptor of a plain file that is the user's own, in an open folder.

    NotOwned for a link, for anything but a plain file, and if others may write it; OSError if there is none.
    """
    flags |= os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK  # nonblocking, because opening a pipe would wait for a writer
    try:
        opened = os.open(name, flags, dir_fd=folder)
    except OSError as why:
        if why.errno == errno.ELOOP:
            raise NotOwned("it is a link") from None
        raise
    with _closed_after(opened) as file:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise NotOwned("it is no plain file")
        _check(found)
        yield file


@contextlib.contextmanager
def working_folder(path: str, folder: int, prefix: str) -> Iterator[tuple[str, int]]:
    """The path and a descriptor of a new folder within an open one, which is removed with its contents. OSError."""
    import shutil
    import tempfile

    made = tempfile.mkdtemp(prefix=prefix, dir=path)
    try:
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        with _closed_after(os.open(os.path.basename(made), flags, dir_fd=folder)) as work:
            yield made, work
    finally:
        shutil.rmtree(made, ignore_errors=True)


def read_all(file: int) -> bytes:
    """The bytes of an open file. OSError."""
    with open(file, "rb", buffering=0, closefd=False) as f:
        return f.readall()


def write_all(file: int, data: bytes) -> None:
    """Write to an open file. OSError, as on a full disk."""
    with open(file, "wb", closefd=False) as f:
        f.write(data)


@contextlib.contextmanager
def _closed_after(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _check(found: os.stat_result) -> None:
    if found.st_uid not in (os.geteuid(), 0):
        raise NotOwned(f"it belongs to {_name(found.st_uid)}")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise NotOwned("others may write to it (chmod go-w)")


def _name(user: int) -> str:
    """The name of a user."""
    import pwd

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"
