"""Several drafts of a partition, each with the outlook that one before gives, and the best of them written."""

from __future__ import annotations

from ...ir import Module
from .draft import Draft
from .machine import Machine
from .moves import Prices
from .partitioner import Partitioner
from .ways import Ways

ROUNDS = ((False, True), (False,))
"""Drafts that look ahead, for each outlook: whether they move at once what two users would move alike."""

LEAST_GAIN = 0.99
"""Of what the draft before costs, so that another look back is taken."""


def decided(m: Module, machine: Machine) -> Partitioner:
    """A partitioner of a module that `global_view` gives, which writes the cheapest draft.

    None is taken that sends or computes more than the first, which decides for one operation after the other.
    """
    assert m.mesh is not None, "global_view checks for it"
    ways, prices = Ways(m, m.mesh), Prices(m.mesh, machine.bytes_per_operation)
    best = first = Draft(m, ways, Prices(m.mesh), machine).decided()
    cheapest = first
    for kinds in ROUNDS if first.sent else ():
        before, outlook = cheapest.total, cheapest.look_back(prices)
        for eager in kinds:
            draft = Draft(m, ways, prices, machine, outlook, eager).decided()
            cheapest = min(cheapest, draft, key=lambda d: d.total)
            if draft.sent <= first.sent and draft.work <= first.work:
                best = min(best, draft, key=lambda d: d.total)
        if cheapest.total > LEAST_GAIN * before:
            break
    return Partitioner(m, ways, prices, best.decisions)
