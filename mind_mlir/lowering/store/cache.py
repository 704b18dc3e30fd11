"""Keeps compiled code on disk, in a folder of shared objects and of code for GPUs, each named by the key of its code.

Several processes may use one folder at once: a file appears as a whole, under its final name, or not at all. A damaged
file is not used, and is written again. A failure here costs a compilation, and never a result.
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
"""The bytes that the folder may hold if MIND_CACHE_SIZE is not set."""

CODE, DATA, KERNEL, FIGURES = ".so", ".gpu", ".kernel", ".figures"
"""The endings of files: of shared objects, and of data: code for GPUs, code of kernels, and measured figures."""

_ENTRY = rf"[0-9a-f]{{64}}(?:\{CODE}|\{DATA}|\{KERNEL}|\{FIGURES})"
_WRITING = "mind-writing-"
_DIGEST = 32  # bytes of a sha256
_ABANDONED = 3600  # seconds after which a half-written file counts as abandoned


class CacheWarning(UserWarning):
    """A warning that compiled code cannot be kept or loaded; everything else goes on."""


def cache_folder() -> str | None:
    """The folder of compiled code: MIND_CACHE, else mind-mlir in XDG_CACHE_HOME or ~/.cache; None if it is off.

    It is also None on other systems than Linux, where an object in memory cannot be linked.
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
    if not os.path.isabs(base):  # by XDG, a relative path counts as unset
        base = os.path.join(home, ".cache")
    return os.path.join(base, "mind-mlir")


def cache_limit() -> int:
    """The bytes that the folder may hold: MIND_CACHE_SIZE, as 500000000, 500MB or 2 GB. E7007 for anything else."""
    text = os.environ.get("MIND_CACHE_SIZE", "").strip()
    if not text:
        return DEFAULT_SIZE
    found = re.fullmatch(r"([0-9]{1,18})\s*([kmgt]?)i?b?", text, re.IGNORECASE)
    if found is None:
        help = "a number of bytes, or one with KB, MB or GB: MIND_CACHE_SIZE=500MB"
        raise MindError.of("E7007", f"MIND_CACHE_SIZE is a size, found {text!r}", help=help)
    return int(found[1]) << 10 * " kmgt".index(found[2].lower() or " ")


def load(folder: str, key: str, functions: Sequence[str] = ()) -> Library | None:
    """The code that is kept under `key`, ready to be called; None if there is none, or it is damaged.

    Code that lacks one of `functions` counts as damaged.
    """
    with _kept(folder, key + CODE) as file:
        if file is None or _whole(key, read_all(file)) is None:
            return None
        try:
            library = Library.of_file(file)
        except OSError as why:
            _remark(folder, str(why))  # for example a folder from which code may not be loaded
            return None
        _used(file)
    return library if all(map(library.has, functions)) else None


def load_data(folder: str, key: str, ending: str = DATA) -> bytes | None:
    """The data that is kept under `key`; None if there is none, or it is damaged."""
    with _kept(folder, key + ending) as file:
        data = None if file is None else _whole(key, read_all(file))
        if file is not None and data is not None:
            _used(file)
        return data


def store_data(folder: str, key: str, data: bytes, ending: str = DATA) -> None:
    """Keep data under `key`, as `store` keeps code."""
    store(folder, key, lambda path: _append(path, data), ending)


def store(folder: str, key: str, link: Callable[[str], None], ending: str = CODE) -> None:
    """Keep under `key` the shared object that `link` writes to the path that it is given.

    If that is not possible, a CacheWarning says why, once in a process. If the folder holds more than `cache_limit`,
    the least recently used files are removed.
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
                    return  # too many other files would have to be removed
                write_all(made, _digest(key, data))  # loaders read what the file's header names, and nothing after it
            os.replace("code.so", key + ending, src_dir_fd=work, dst_dir_fd=kept)
        if int(key[:8], 16) * limit <= (len(data) << 32) * 256:  # at random, about once in limit / 256 bytes
            sweep(folder, limit)  # to look at every file each time would take as long as linking
    except OSError as why:
        limited = "the size of files is limited (ulimit -f)" if why.errno == errno.EFBIG else None
        _remark(folder, limited or why.strerror or str(why))


def sweep(folder: str, limit: int) -> None:
    """Remove the least recently used files until the folder holds at most `limit` bytes, and all abandoned ones.

    Files with other names stay.
    """
    import shutil

    entries = []
    for e in os.scandir(folder):
        with contextlib.suppress(OSError):  # another process may have removed it
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
    """The number of files of compiled code in a folder, and their bytes."""
    try:
        entries = [e for e in os.scandir(folder) if re.fullmatch(_ENTRY, e.name)]
        sizes = [e.stat(follow_symlinks=False).st_size for e in entries]
    except OSError:
        return 0, 0
    return len(sizes), sum(sizes)


def refusal(folder: str) -> str | None:
    """Why a folder cannot be used, as text; None if it can be, or can be made."""
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
    """A descriptor of a kept file; None if there is none, or if others may have written it."""
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
    """The digest at the end of a file. It depends on the key too, so a file under another name counts as damaged."""
    h = hashlib.sha256(key.encode())
    h.update(data)
    return h.digest()


def _whole(key: str, data: bytes) -> bytes | None:
    """The data of a file, before its digest; None if it is damaged."""
    if len(data) <= _DIGEST or data[-_DIGEST:] != _digest(key, memoryview(data)[:-_DIGEST]):
        return None
    return data[:-_DIGEST]


def _used(file: int) -> None:
    """Note that a file was used now."""
    with contextlib.suppress(OSError):  # the folder may be read-only
        os.utime(file)


_told: set[str] = set()


def _remark(path: str, why: str) -> None:
    """A CacheWarning about the folder or a file in it, the first time."""
    if path not in _told:
        _told.add(path)
        text = f"the cache of compiled code in {path} is not used: {why}; MIND_CACHE names another folder, or is off"
        warnings.warn(text, CacheWarning, stacklevel=2)
