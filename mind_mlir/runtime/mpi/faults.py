"""The errors that ranks find in each other, as sentences."""

from __future__ import annotations

from ...ir import MindError


def disagreement(a: int, of_a: str, b: int, of_b: str, n: int) -> MindError:
    """E8008 of two ranks and what they call."""
    if of_a == of_b:
        message = f"rank {a} and rank {b} come to different functions, or did before: {of_a}"
    else:
        message = f"rank {a} comes to {of_a}, rank {b} to {of_b}"
    help = "every rank calls the same functions, in the same order"
    return MindError.of("E8008", message, note=_which(n), help=help)


def missing(rank: int, how: str, waiting: int, text: str, n: int) -> MindError:
    """E8009 for a rank that does not come to a call."""
    message = f"rank {rank} {how}, and rank {waiting} waits for it in {text}"
    help = "every rank makes every call; one that leaves earlier raises an error, which ends all"
    return MindError.of("E8009", message, note=_which(n), help=help)


def _which(n: int) -> str:
    return f"it is call {n} of all that ranks make together, compilations among them"
