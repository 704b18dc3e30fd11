"""The job of MPI that this process belongs to: what its ranks set up together when the first mesh is made."""

from __future__ import annotations

import functools
import sys
import time
from typing import Any

from ...ir import MindError
from .between import Between
from .board import shared_board
from .checks import Checks, chosen_checks
from .ending import say_once
from .numbered_calls import Calls
from .roll import sign_on
from .watch import SAY, watch


@functools.cache
def calls_of(MPI: Any) -> Calls:
    """The calls of this rank. Every rank asks for them when its first mesh is made.

    E7007 for a bad MIND_CHECK_RANKS, E8008 if it differs between ranks, E8010 if they can share no memory.
    """
    world = MPI.COMM_WORLD
    checks = chosen_checks()
    _wait_for_all(world)
    _agree(world, checks)
    here = world.Split_type(MPI.COMM_TYPE_SHARED)
    board = shared_board(world, here)
    if board is None:
        message = "ranks of a machine share a file of some kB, and no folder was found in which all can open one"
        raise MindError.of("E8010", message, help="let /dev/shm, or the folder that TMPDIR names, have room for it")
    calls = Calls(board, Between(MPI, world) if here.size < world.size else None, checks)
    say_once(board.speak)
    sign_on()
    watch(MPI, calls)
    return calls


def _wait_for_all(world: Any) -> None:
    """Wait until all ranks have come here; a line every ten seconds says so."""
    there, start = world.Ibarrier(), time.monotonic()
    said = start
    while not there.Test():
        time.sleep(0.001)
        now = time.monotonic()
        if world.rank == 0 and now - said >= SAY:
            said = now
            what = "for all other ranks to make their first mesh"
            print(f"note: rank 0 waits since {now - start:.0f} s {what}", file=sys.stderr, flush=True)


def _agree(world: Any, checks: Checks) -> None:
    found = world.allgather(checks.value)
    other = next((r for r, c in enumerate(found) if c != found[0]), None)
    if other is not None:
        message = f"MIND_CHECK_RANKS is {found[0]} on rank 0, {found[other]} on rank {other}"
        raise MindError.of("E8008", message, help="set it alike on every rank: mpirun passes it on, or takes an option")
