"""The messages of errors that ranks find in each other's calls."""

from __future__ import annotations

from ...ir import MindError


def disagreement(a: int, of_a: str, b: int, of_b: str, n: int) -> MindError:
    """E8008 for two ranks that make different calls."""
    if of_a == of_b:
        message = f"rank {a} and rank {b} call different functions, or did before: {of_a}"
    else:
        message = f"rank {a} calls {of_a}, rank {b} calls {of_b}"
    help = "every rank calls the same functions, in the same order"
    return MindError.of("E8008", message, note=_which(n), help=help)


def missing(rank: int, how: str, waiting: int, text: str, n: int) -> MindError:
    """E8009 for a rank that does not make a call for which another one waits."""
    message = f"rank {rank} {how}, and rank {waiting} waits for it in {text}"
    help = "every rank makes every call; one that leaves earlier raises an error, which ends all"
    return MindError.of("E8009", message, note=_which(n), help=help)


def _which(n: int) -> str:
    return f"it is call {n} of all that ranks make together, compilations among them"
