"""What ranks compare while they run: the environment variable MIND_CHECK_RANKS.  docs/sharding.md, When ranks fail."""

from __future__ import annotations

import os
from enum import Enum

from ...ir import MindError

VARIABLE = "MIND_CHECK_RANKS"


class Checks(Enum):
    """What is compared."""

    OFF = "off"
    """Modules when they are compiled, and nothing after."""
    CALLS = "calls"
    """Also, at every call, what is called."""
    FULL = "full"
    """Also, at every call, the arguments that several ranks hold alike."""


def chosen_checks() -> Checks:
    """What the environment asks for; `calls` if nothing.  E7007 for another value."""
    text = os.environ.get(VARIABLE, "").strip() or Checks.CALLS.value
    try:
        return Checks(text)
    except ValueError:
        allowed = ", ".join(c.value for c in Checks)
        help = f"{VARIABLE} is one of {allowed}; without it, {Checks.CALLS.value}"
        raise MindError.of("E7007", f"{VARIABLE} is {text!r}, which is none of {allowed}", help=help) from None
