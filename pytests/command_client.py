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


def main() -> None:
    status = ended()
    if os.WIFSIGNALED(status):
        end_by(os.WTERMSIG(status))
    sys.exit(os.WEXITSTATUS(status))


def ended() -> int:
    """Have the command run; how it ended, as `os.waitpid` says it."""
    message = marshal.dumps(
        {
            "arguments": [os.fsencode(word) for word in sys.argv[2:]],
            "folder": os.getcwdb(),
            "environment": dict(os.environb),
            "limit": resource.getrlimit(resource.RLIMIT_CPU),
        }
    )
    server = _socket.socket(_socket.AF_UNIX)
    server.connect(sys.argv[1])
    streams = b"".join(n.to_bytes(4, sys.byteorder) for n in range(3))
    server.sendmsg([len(message).to_bytes(LENGTH, "little")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
    server.sendall(message)
    answer = server.recv(64)
    return marshal.loads(answer) if answer else sys.exit("the server of commands has ended")


def end_by(number: int) -> None:
    if number != _signal.SIGKILL:
        _signal.signal(number, _signal.SIG_DFL)
    os.kill(os.getpid(), number)


if __name__ == "__main__":
    main()
