"""`python -I -S command_client.py ADDRESS MODULE ARGUMENT …` has a command run by command_server.py.

Streams, folder, environment and limit of CPU time are those of this process, and it ends as the command does.  It
imports what takes no time: a start of it is all that a command costs.
"""

import _signal
import _socket
import marshal
import os
import resource
import sys

LENGTH = 4
"""Bytes of the number in front of a message."""

FILES = ("PMI_FD",)
"""Variables that name an open file: MPICH's, by which a rank talks with mpirun."""


def main() -> None:
    status = ended()
    if os.WIFSIGNALED(status):
        end_by(os.WTERMSIG(status))
    sys.exit(os.WEXITSTATUS(status))


def ended() -> int:
    """Have the command run; how it ended, as `os.waitpid` says it."""
    more = [int(os.environ[name]) for name in FILES if name in os.environ]
    message = marshal.dumps(
        {
            "files": [0, 1, 2, *more],
            "arguments": [os.fsencode(word) for word in sys.argv[2:]],
            "folder": os.getcwdb(),
            "environment": dict(os.environb),
            "limit": resource.getrlimit(resource.RLIMIT_CPU),
        }
    )
    server = _socket.socket(_socket.AF_UNIX)
    server.connect(sys.argv[1])
    handles = b"".join(n.to_bytes(4, sys.byteorder) for n in (0, 1, 2, *more))
    server.sendmsg([len(message).to_bytes(LENGTH, "little")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, handles)])
    server.sendall(message)
    answer = server.recv(64)
    return marshal.loads(answer) if answer else sys.exit("the server of commands has ended")


def end_by(number: int) -> None:
    if number != _signal.SIGKILL:
        _signal.signal(number, _signal.SIG_DFL)
    os.kill(os.getpid(), number)


if __name__ == "__main__":
    main()
