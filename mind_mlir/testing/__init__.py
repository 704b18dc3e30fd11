"""For tests of programs that use derivatives: `check_grads` compares them with finite differences."""

from .derivatives import Finding, check_grads, findings

__all__ = ["Finding", "check_grads", "findings"]
