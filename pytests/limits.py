"""How long tests wait."""

HUNG = 3600
"""Seconds after which something counts as hung: longer than anything takes on a machine with much else to do."""
