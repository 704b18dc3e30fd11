"""The environment variable MIND_CHECK_RANKS: what ranks compare while they run. docs/sharding.md, When ranks fail."""

from __future__ import annotations

import os
from enum import Enum

from ...ir import MindError

VARIABLE = "MIND_CHECK_RANKS"


class Checks(Enum):
    """What is compared, from least to most."""

    OFF = "off"
    """Modules when they are compiled, and nothing later."""
    CALLS = "calls"
    """Also at every call which function is called."""
    FULL = "full"
    """Also at every call the arguments of which several ranks hold the same part."""


def chosen_checks() -> Checks:
    """What the environment variable asks for; `calls` if it is not set. E7007 for another value."""
    text = os.environ.get(VARIABLE, "").strip() or Checks.CALLS.value
    try:
        return Checks(text)
    except ValueError:
        allowed = ", ".join(c.value for c in Checks)
        help = f"{VARIABLE} is one of {allowed}; without it, {Checks.CALLS.value}"
        raise MindError.of("E7007", f"{VARIABLE} is {text!r}, which is none of {allowed}", help=help) from None
