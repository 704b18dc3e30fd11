"""A process that has loaded MLIR and NumPy once, and forks for every command that command_client.py sends it.

Most of the time of a short command goes into loading those two.  Of the package, only what `mind-opt` always imports is
loaded before a command: operations, passes and lowering are imported by each anew, as far as it needs them.  Scripts
of the tests, which are in processes of their own because they may end them, have those too.

A client sends the arguments, folder, environment and limit of CPU time of a command, by `marshal` behind their length,
with its three streams and, for a rank of MPICH, the file by which it talks with mpirun.  It gets back how the command
ended, as `os.waitpid` says it.  A command ends with its client.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import marshal
import os
import resource
import runpy
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

import checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)

LIBRARIES = ("mlir.ir", "mlir.passmanager", "mlir.dialects.linalg", "mlir.dialects.arith", "numpy", "typer")
COMMANDS = ("mind_mlir.cli._opt_run",)
"""What every command may find loaded: what `mind-opt` always imports."""

HERE = os.fspath(Path(__file__).resolve().parent)
CLIENT = os.path.join(HERE, "command_client.py")

SUPPORTED = hasattr(os, "pidfd_open") and hasattr(socket, "recv_fds")
"""True where a process that has ended is a file to wait for: on Linux."""

LENGTH = 4
"""Bytes of the number in front of a message."""

MOST_FILES = 4
"""Open files of a client: three streams, and the one of MPICH."""


@contextlib.contextmanager
def serving(
    folder: Path,
    loaded: Iterable[str] = COMMANDS,
    options: Iterable[str] = (),
    python: str = sys.executable,
    environment: dict[str, str] | None = None,
) -> Iterator[str]:
    """Within: a server runs; gives its address, or "" where there is none and commands are processes of their own.

    It has loaded these modules of ours; `options` of Python are those that the commands are to have.
    """
    if not SUPPORTED:
        yield ""
        return
    address = os.path.join(folder, "commands")
    start = [python, *options, __file__, address, *loaded]
    with subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdout is not None
        try:
            yield address if server.stdout.readline() == b"ready\n" else ""
        finally:
            server.kill()


def main() -> None:
    """Serve as long as the standard input is open; in a forked child, be the command."""
    for name in (*LIBRARIES, *sys.argv[2:]):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # else the end of every child looks through, and copies, all that is loaded
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen(64)
    print("ready", flush=True)
    command = Server(listener).wanted()
    if command is not None:
        become(*command)
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


class Server:
    """The clients that wait, each for a child."""

    def __init__(self, listener: socket.socket) -> None:
        self.listener = listener
        self.files = selectors.DefaultSelector()
        self.files.register(listener, selectors.EVENT_READ)
        self.files.register(0, selectors.EVENT_READ)
        self.clients: dict[int, tuple[int, socket.socket]] = {}
        """By the file that says that a child has ended: the child, and who waits for it."""

    def wanted(self) -> tuple[dict[str, object], list[int]] | None:
        """In a child, the command that it is; in the server None, at the end of its standard input."""
        while True:
            for file in [key.fileobj for key, _ in self.files.select()]:
                if file == 0:
                    return None
                if file is self.listener:
                    if (command := self._accept()) is not None:
                        return command
                elif isinstance(file, int):
                    self._ended(file)
                else:
                    self._left(file)

    def _accept(self) -> tuple[dict[str, object], list[int]] | None:
        client, _ = self.listener.accept()
        message, files = received(client)
        if (child := os.fork()) == 0:
            self._close()
            client.close()
            return message, files
        for file in files:
            os.close(file)
        handle = os.pidfd_open(child)
        self.clients[handle] = child, client
        self.files.register(handle, selectors.EVENT_READ)
        self.files.register(client, selectors.EVENT_READ)
        return None

    def _close(self) -> None:
        """Close in a child what belongs to the server."""
        self.files.close()
        self.listener.close()
        for handle, (_, client) in self.clients.items():
            os.close(handle)
            client.close()

    def _ended(self, handle: int) -> None:
        """Tell the client how its command has ended."""
        child, client = self.clients.pop(handle)
        self.files.unregister(handle)
        os.close(handle)
        status = os.waitpid(child, 0)[1]
        with contextlib.suppress(KeyError):  # a client that has left
            self.files.unregister(client)
            client.sendall(marshal.dumps(status))
        client.close()

    def _left(self, file: object) -> None:
        """End the command of a client that is no more."""
        for child, client in self.clients.values():
            if client is file:
                self.files.unregister(client)
                os.kill(child, signal.SIGKILL)


def received(client: socket.socket) -> tuple[dict[str, object], list[int]]:
    """What a client wants: the message, and its open files."""
    head, files, _, _ = socket.recv_fds(client, LENGTH, MOST_FILES)
    with client.makefile("rb") as rest:
        return marshal.loads(rest.read(int.from_bytes(head, "little"))), files


def become(message: dict, files: list[int]) -> None:
    """Take the files, by the client's numbers, and its folder, environment, limit and arguments."""
    numbers = message["files"]
    apart = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, max(numbers) + 1) for file in files]
    for number, file in zip(numbers, apart):
        os.dup2(file, number)
    for file in {*files, *apart} - {*numbers}:
        os.close(file)
    os.chdir(message["folder"])
    os.environb.clear()
    os.environb.update(message["environment"])
    sys.stdin, sys.stdout, sys.stderr = (opened(n, s) for n, s in enumerate((sys.stdin, sys.stdout, sys.stderr)))
    resource.setrlimit(resource.RLIMIT_CPU, message["limit"])
    sys.argv[:] = [os.fsdecode(word) for word in message["arguments"]]
    sys.path.insert(0, os.getcwd())


def opened(n: int, like: TextIO) -> TextIO:
    """A standard stream anew, with the encoding that Python gave the server's, and written as Python writes it."""
    by_lines = n == 2 or (n == 1 and os.environ.get("PYTHONUNBUFFERED"))
    mode, buffering = "w" if n else "r", 1 if by_lines else -1
    return open(n, mode, buffering, encoding=like.encoding, errors=like.errors, closefd=False)


if __name__ == "__main__":
    main()
