"""Reads and writes files and the standard streams for the commands."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import IO

from ..ir import MindError, Source, read_source


def read(path: str) -> Source:
    """The text of a file, or of standard input for `-`, with a note if that is a terminal. E7004, E1001."""
    if path == "-" and sys.stdin.isatty():
        print("reading standard input; Ctrl-D ends it", file=sys.stderr)
    return read_source(path)


_FIRST_WORD = re.compile(r"^[ \t]*(?!//|[#!\s])(\S+)", re.MULTILINE)  # after comments and MLIR's aliases


def is_mlir(source: Source) -> bool:
    """True for MLIR text, by the name of the file, or else by the first word."""
    if source.name.endswith((".mlir", ".mindir")):
        return source.name.endswith(".mlir")
    first = _FIRST_WORD.search(source.text)
    return first is not None and first[1].startswith(("module", "func.func", "builtin.module", '"builtin.module"'))


def read_core(path: str, command: str) -> Source:
    """The text of a file of Core IR; E7007 for MLIR."""
    source = read(path)
    if is_mlir(source):
        raise MindError.of("E7007", f"{command} takes Core IR, {source.name} is MLIR", help="mind-opt reads MLIR")
    return source


def write_output(path: str, pieces: Iterable[str] | bytes) -> None:
    """Write to a file as a whole or not at all, or to standard output. E7005."""
    if path == "-":
        try:
            if isinstance(pieces, bytes):
                sys.stdout.buffer.write(pieces)
            else:
                _utf8_stdout()
                for piece in pieces:
                    sys.stdout.write(piece)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as why:
            drop_stdout()
            raise MindError.of("E7005", f"cannot write to standard output: {why.strerror}") from None
        return
    with replaced_file(path) as f:
        if isinstance(pieces, bytes):
            f.write(pieces)
        else:
            for piece in pieces:
                f.write(piece.encode())


@contextlib.contextmanager
def replaced_file(path: str) -> Iterator[IO[bytes]]:
    """A binary file that replaces the one at `path` once it is written completely. E7005."""
    temporary = None
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            if os.path.isdir(path):
                raise IsADirectoryError(errno.EISDIR, "it is a directory")
            with open(path, "wb") as f:  # a device or a pipe
                yield f
            return
        folder = os.path.dirname(os.path.realpath(path))
        import tempfile

        handle, temporary = tempfile.mkstemp(prefix=".mind-", dir=folder)
        with os.fdopen(handle, "wb") as f:
            yield f
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, os.path.realpath(path))
        temporary = None
    except (OSError, ValueError) as why:
        reason = getattr(why, "strerror", None) or str(why)
        raise MindError.of("E7005", f"cannot write {path}: {reason}") from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _utf8_stdout() -> None:
    """Let standard output be UTF-8, as Core IR and MLIR are, whatever the locale says."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None and (sys.stdout.encoding or "").lower() != "utf-8":
        reconfigure(encoding="utf-8")


def drop_stdout() -> None:
    """Discard what is left in the buffer of standard output, so that writing it does not fail again at exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
