"""The option --profile: which operations a command allows, and verification by it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..ir import Module, Source


class Profile(str, Enum):
    """Which operations are allowed."""

    core_v1 = "core-v1"
    extended = "extended"


def verified(source: Source, profile: Profile, **strict: bool) -> Module:
    """Parse and verify a module, with the options of verify."""
    from ..ir import parse_source
    from ..passes import verify

    return verify(parse_source(source), profile=profile.value, **strict)
