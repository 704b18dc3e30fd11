"""Writes folders of files as a whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Mapping

from ...ir import MindError


def write_folder(path: str, files: Mapping[str, bytes], mark: str) -> None:
    """Write a folder with these files at `path`; it may replace an empty folder, or one that holds the file `mark`.

    E7005 otherwise, and if writing fails; what was there is unchanged then.
    """
    target = os.path.realpath(path)
    made = None
    try:
        if os.path.lexists(target) and not _may_go(target, mark):
            raise FileExistsError(errno.EEXIST, f"it exists, and is no folder with {mark}")
        made = tempfile.mkdtemp(prefix=".mind-", dir=os.path.dirname(target))
        for name, data in files.items():
            with open(os.path.join(made, name), "wb") as f:
                f.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(made, 0o777 & ~mask)
        _put(made, target)
    except (OSError, ValueError) as why:
        reason = getattr(why, "strerror", None) or str(why)
        raise MindError.of("E7005", f"cannot write {path}: {reason}") from None
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)


def _may_go(path: str, mark: str) -> bool:
    return os.path.isdir(path) and (mark in (there := os.listdir(path)) or not there)


def _put(made: str, target: str) -> None:
    """Rename `made` to `target`, which is moved aside first if it exists, and back if that fails."""
    if not os.path.isdir(target):
        os.rename(made, target)
        return
    aside = f"{made}-before"
    os.rename(target, aside)
    try:
        os.rename(made, target)
    except OSError:
        with contextlib.suppress(OSError):
            os.rename(aside, target)
        raise
    shutil.rmtree(aside, ignore_errors=True)
