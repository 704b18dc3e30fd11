"""Compiled code kept on disk: a folder of shared objects and of code for GPUs, each named by what decides its code.

Several processes may use one folder at once: a file appears as a whole, under its final name, or not at all.  A file
that is damaged is not used, and is written again.  What goes wrong here costs a compilation, and never a result.
docs/adr/0014-compiled-code-on-disk.md has the reasons.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import time
import warnings
from collections.abc import Callable, Iterator, Sequence

from ...ir import MindError
from .library import Library
from .owned import NotOwned, own_file, own_folder, read_all, working_folder, write_all

OFF = ("off", "0", "no", "none")
"""Values of MIND_CACHE that turn the cache off."""

DEFAULT_SIZE = 256 << 20
"""Bytes that the folder may hold where MIND_CACHE_SIZE is not set."""

CODE, DATA, KERNEL, FIGURES = ".so", ".gpu", ".kernel", ".figures"
"""How names end: of shared objects, and of what is only read: code for GPUs, that of kernels, what was measured."""

_ENTRY = rf"[0-9a-f]{{64}}(?:\{CODE}|\{DATA}|\{KERNEL}|\{FIGURES})"
_WRITING = "mind-writing-"
_DIGEST = 32  # bytes of a sha256
_ABANDONED = 3600  # seconds after which something half-written counts as left behind


class CacheWarning(UserWarning):
    """Compiled code cannot be kept or loaded; everything else goes on."""


def cache_folder() -> str | None:
    """Where compiled code is kept: MIND_CACHE, else mind-mlir in XDG_CACHE_HOME or ~/.cache; None if that is off.

    None as well where the system is not Linux: only there can an object be linked that lies in memory.
    """
    given = os.environ.get("MIND_CACHE", "")
    if given.lower() in OFF or not hasattr(os, "memfd_create"):
        return None
    if given:
        return os.path.abspath(os.path.expanduser(given))
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        return None  # no home, as in some containers
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # XDG: a relative one counts as unset
        base = os.path.join(home, ".cache")
    return os.path.join(base, "mind-mlir")


def cache_limit() -> int:
    """Bytes that the folder may hold: MIND_CACHE_SIZE, as 500000000, 500MB or 2 GB.  E7007 for anything else."""
    text = os.environ.get("MIND_CACHE_SIZE", "").strip()
    if not text:
        return DEFAULT_SIZE
    found = re.fullmatch(r"([0-9]{1,18})\s*([kmgt]?)i?b?", text, re.IGNORECASE)
    if found is None:
        help = "a number of bytes, or one with KB, MB or GB: MIND_CACHE_SIZE=500MB"
        raise MindError.of("E7007", f"MIND_CACHE_SIZE is a size, found {text!r}", help=help)
    return int(found[1]) << 10 * " kmgt".index(found[2].lower() or " ")


def load(folder: str, key: str, functions: Sequence[str] = ()) -> Library | None:
    """The code that is kept under `key`, ready to be called; None if there is none, or none that is whole.

    None as well where it lacks one of `functions`.
    """
    with _kept(folder, key + CODE) as file:
        if file is None or _whole(key, read_all(file)) is None:
            return None
        try:
            library = Library.of_file(file)
        except OSError as why:
            _remark(folder, str(why))  # a folder that code may not be loaded from
            return None
        _used(file)
    return library if all(map(library.has, functions)) else None


def load_data(folder: str, key: str, ending: str = DATA) -> bytes | None:
    """The data that is kept under `key`; None if there is none, or none that is whole."""
    with _kept(folder, key + ending) as file:
        data = None if file is None else _whole(key, read_all(file))
        if file is not None and data is not None:
            _used(file)
        return data


def store_data(folder: str, key: str, data: bytes, ending: str = DATA) -> None:
    """Keep data under `key`, as `store` keeps code."""
    store(folder, key, lambda path: _append(path, data), ending)


def store(folder: str, key: str, link: Callable[[str], None], ending: str = CODE) -> None:
    """Keep what `link` writes, a shared object at the path that it is given, under `key`.

    If that is not possible, a CacheWarning says why, once in a process.  What was used least recently goes if the
    folder holds more than `cache_limit`.
    """
    limit = cache_limit()
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        with own_folder(folder) as kept, working_folder(folder, kept, _WRITING) as (path, work):
            link(os.path.join(path, "code.so"))
            os.chmod("code.so", 0o600, dir_fd=work)  # the umask may let others write
            with own_file("code.so", work, os.O_RDWR | os.O_APPEND) as made:
                data = read_all(made)
                if len(data) > limit // 4:
                    return  # it would push out too much else
                write_all(
                    made, _digest(key, data)
                )  # loaders read what the file's header names, and nothing behind that
            os.replace("code.so", key + ending, src_dir_fd=work, dst_dir_fd=kept)
        if int(key[:8], 16) * limit <= (len(data) << 32) * 256:  # by chance, about once in limit / 256 bytes: to look
            sweep(folder, limit)  # at every file each time would cost as much as linking
    except OSError as why:
        limited = "the size of files is limited (ulimit -f)" if why.errno == errno.EFBIG else None
        _remark(folder, limited or why.strerror or str(why))


def sweep(folder: str, limit: int) -> None:
    """Remove what was used least recently until the folder holds at most `limit` bytes, and what was left half-written.

    Files of other names stay.
    """
    import shutil

    entries = []
    for e in os.scandir(folder):
        with contextlib.suppress(OSError):  # another process removes it
            found = e.stat(follow_symlinks=False)
            if re.fullmatch(_ENTRY, e.name):
                entries.append((found.st_mtime_ns, found.st_size, e.path))
            elif e.name.startswith(_WRITING) and time.time() - found.st_mtime > _ABANDONED:
                shutil.rmtree(e.path, ignore_errors=True)
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= limit:
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
        total -= size


def usage(folder: str) -> tuple[int, int]:
    """How many files of compiled code a folder holds, and their bytes."""
    try:
        entries = [e for e in os.scandir(folder) if re.fullmatch(_ENTRY, e.name)]
        sizes = [e.stat(follow_symlinks=False).st_size for e in entries]
    except OSError:
        return 0, 0
    return len(sizes), sum(sizes)


def refusal(folder: str) -> str | None:
    """Why a folder is not used, in a few words; None for one that is, or that can be made."""
    try:
        with own_folder(folder):
            return None if os.access(folder, os.W_OK | os.X_OK) else "it cannot be written"
    except FileNotFoundError:
        while not os.path.exists(folder) and folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
        can_be_made = os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)
        return None if can_be_made else "it cannot be made"
    except OSError as why:
        return why.strerror or str(why)


@contextlib.contextmanager
def _kept(folder: str, name: str) -> Iterator[int | None]:
    """A descriptor of a file that is kept; None if there is none, or if others may have written it."""
    with contextlib.ExitStack() as opened:
        file, place = None, folder
        try:
            kept = opened.enter_context(own_folder(folder))
            place = os.path.join(folder, name)
            file = opened.enter_context(own_file(name, kept))
        except NotOwned as why:
            _remark(place, str(why))
        except OSError:
            pass
        yield file


def _append(path: str, data: bytes) -> None:
    with open(path, "ab") as f:
        f.write(data)


def _digest(key: str, data: bytes | memoryview) -> bytes:
    """What stands at the end of a file that is whole.  The key is in it: a file under another name is none."""
    h = hashlib.sha256(key.encode())
    h.update(data)
    return h.digest()


def _whole(key: str, data: bytes) -> bytes | None:
    """What a file holds before its digest; None if it is not whole."""
    if len(data) <= _DIGEST or data[-_DIGEST:] != _digest(key, memoryview(data)[:-_DIGEST]):
        return None
    return data[:-_DIGEST]


def _used(file: int) -> None:
    """Note that a file was used last."""
    with contextlib.suppress(OSError):  # a folder that is only read
        os.utime(file)


_told: set[str] = set()


def _remark(place: str, why: str) -> None:
    """A CacheWarning about the folder or a file in it, the first time."""
    if place not in _told:
        _told.add(place)
        text = f"the cache of compiled code in {place} is not used: {why}; MIND_CACHE names another folder, or is off"
        warnings.warn(text, CacheWarning, stacklevel=2)
