"""Searches for the best partition: makes several drafts, each with the outlook that an earlier one gives."""

from __future__ import annotations

from ...ir import Module
from .draft import Draft
from .machine import Machine
from .moves import Prices
from .partitioner import Partitioner
from .ways import Ways

ROUNDS = ((False, True), (False,))
"""For each outlook, the drafts that use it: whether they move at once what two users would move alike."""

LEAST_GAIN = 0.99
"""Another outlook is taken if a draft costs at most so much of the one before."""


def decided(m: Module, machine: Machine) -> Partitioner:
    """A partitioner of a module that `global_view` gives, which writes the cheapest draft.

    Drafts that send or compute more than the first are not taken; that one decides for one operation after the other.
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
