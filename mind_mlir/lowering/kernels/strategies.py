"""Every strategy, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..rules.choice import Choice
from ..rules.element_rules import ElementRecord
from ..rules.position_rules import PositionRecord
from ..rules.product_rules import ContractionRecord, DotsRecord
from ..rules.sharing import SHARE
from ..rules.sum_rules import SumRecord
from ..rules.transpose_rules import TransposeRecord
from ..targets.cpus import Cpu
from . import (
    candidates,
    candidates_elements as elements,
    contraction,
    dots,
    elementwise,
    positions,
    reduction,
    transposing,
)
from .nest import Nest
from .record import from_attribute, kind_of
from .vector_code import Code


@dataclass(frozen=True)
class Strategy:
    """One way to write a kind of computation.

    match   the linalg operations of a function, in order -> the problem, or None if this is no such computation
    choose  the rules: a problem on a CPU -> the record of parameters and why, no record where other loops are better
    emit    writes loops and vectors for a problem as the record says
    share   the least number of iterations of the whole nest from which threads pay: about 10 µs on one
    near    records to try instead of a given one, each with one thing changed and none with other bits; None if the
            rules' are the only ones
    fault   the field of a record that cannot be used instead of the rules', and why; or None
    """

    kind: str
    record: type
    match: Callable[[Sequence[Nest]], Any]
    choose: Callable[[Any, Any, str], Choice[Any]]
    emit: Callable[[Any, Any, Any], None]
    share: int
    near: Callable[[Any, Any, Cpu], Iterable[Any]] | None = None
    fault: Callable[[Any, Any, Any, Any], tuple[str, str] | None] | None = None


@dataclass(frozen=True)
class Chosen:
    """What the rules choose: a strategy, the problem as it sees it, the record of parameters, and why."""

    strategy: Strategy
    problem: Any
    record: Any
    why: tuple[str, ...] = ()


STRATEGIES = {
    s.kind: s
    for s in (
        Strategy(
            "dots",
            DotsRecord,
            dots.match,
            dots.choose,
            dots.emit,
            share=SHARE["dots"],
            near=candidates.dots_near,
            fault=candidates.dots_fault,
        ),
        Strategy(
            "contraction",
            ContractionRecord,
            contraction.match,
            contraction.choose,
            contraction.emit,
            share=SHARE["contraction"],
            near=candidates.contraction_near,
            fault=candidates.contraction_fault,
        ),
        Strategy(
            "reduction",
            SumRecord,
            reduction.match,
            reduction.choose,
            reduction.emit,
            share=SHARE["reduction"],
            near=elements.reduction_near,
            fault=elements.reduction_fault,
        ),
        Strategy(
            "positions",
            PositionRecord,
            positions.match,
            positions.choose,
            positions.emit,
            share=SHARE["positions"],
            near=elements.positions_near,
            fault=elements.positions_fault,
        ),
        Strategy(
            "transpose",
            TransposeRecord,
            transposing.match,
            transposing.choose,
            transposing.emit,
            share=SHARE["transpose"],
            near=elements.transpose_near,
            fault=elements.transpose_fault,
        ),
        Strategy(
            "elementwise",
            ElementRecord,
            elementwise.match,
            elementwise.choose,
            elementwise.emit,
            share=SHARE["elementwise"],
            near=elements.elementwise_near,
            fault=elements.elementwise_fault,
        ),
    )
}
"""Kind -> strategy."""


def chosen(
    nests: Sequence[Nest], machine: Any, numerics: str, strategies: Mapping[str, Strategy] = STRATEGIES
) -> Chosen | None:
    """The strategy that takes these operations, its problem and its record; None if none does.

    `machine` is the Cpu, or whatever else the strategies are for.
    """
    for s in strategies.values():
        problem = s.match(nests)
        if problem is not None:
            choice = s.choose(problem, machine, numerics)
            if choice.record is not None:
                return Chosen(s, problem, choice.record, choice.why)
    return None


def written(code: Code, nests: Sequence[Nest], attribute: Any, strategies: Mapping[str, Strategy] = STRATEGIES) -> None:
    """Write what a function's attribute says. ValueError if it fits neither the operations nor the strategy."""
    kind = kind_of(attribute)
    s = strategies.get(kind)
    if s is None:
        raise ValueError(f"no strategy is named {kind}; there are {', '.join(strategies)}")
    problem = s.match(nests)
    if problem is None:
        raise ValueError(f"the operations of the function are no {kind}")
    record: Any = from_attribute(attribute, s.record)
    if s.fault is not None and (fault := s.fault(problem, record, record, code.machine)) is not None:
        raise ValueError(fault[1])
    s.emit(code, problem, record)
