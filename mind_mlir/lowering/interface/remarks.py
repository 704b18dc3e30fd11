"""Remarks on the kernels that `form-kernels` made: the record of each and why, and the operations left to loops."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mlir import ir

from ..emit.modes import numerics_of
from ..kernels.nest import read_nest
from ..kernels.record import ATTRIBUTE, to_attribute
from ..kernels.strategies import STRATEGIES, chosen
from ..kernels.tuned import TUNED
from ..mlir.walk import children, functions
from ..rewrites.form_kernels import nests_of
from ..targets.cpus import Cpu, find_cpu

_LOOPS = ("scf.for", "scf.parallel", "scf.while", "affine.for")


def kernel_remarks(module: Any, cpu: str = "native", tuning: str = "") -> list[str]:
    """A remark for each operation outside of kernels, with why no strategy takes it, and one for each kernel.

    The remark of a kernel has another line for each reason of its record, if the rules have chosen that.
    With `tuning`, the path of a tuning file, the last line counts the kernels whose records come from it.
    """
    target = find_cpu(cpu)
    kernels = [f for f in functions(module) if ATTRIBUTE in f.attributes]
    left = [line for f in functions(module) if ATTRIBUTE not in f.attributes for line in _left(f, target)]
    with module.context:
        lines = [*left, *["\n  ".join([_kernel(f), *_reasons(f, target)]) for f in kernels]]
    if tuning:
        changed = sum(TUNED in f.attributes for f in kernels)
        lines.append(f"{tuning}: records of {changed} of {len(kernels)} kernels")
    return lines


def _left(f: Any, cpu: Cpu) -> Iterator[str]:
    for op in children(f):
        if op.name in _LOOPS:
            yield f"{_place(op)}left to plain loops: {op.name}: it is no linalg operation"
        elif op.name.startswith("linalg."):
            types = ", ".join(str(v.type) for v in op.operands)
            yield f"{_place(op)}left to plain loops: {op.name} on {types}: {_why(op, cpu, numerics_of(f))}"


def _why(op: Any, cpu: Cpu, numerics: str) -> str:
    nest = read_nest(op)
    if nest is None:
        return "strategies do not read its dtypes, its shapes or how it is indexed"
    for s in STRATEGIES.values():
        problem = s.match([nest])
        if problem is not None and (choice := s.choose(problem, cpu, numerics)).record is None:
            return f"{s.kind} would take it, and its rules decline it: {'; '.join(choice.why)}"
    return "no strategy takes it"


def _reasons(f: Any, cpu: Cpu) -> tuple[str, ...]:
    """Why the rules choose the record that a kernel has; none if they do not.

    A kernel does not note which of its results the module's caller gets, so both cases are tried.
    """
    parameters = list(f.regions[0].blocks[0].arguments)
    for results in ((), parameters):
        nests = nests_of(f, results)
        found = chosen(nests, cpu, numerics_of(f)) if nests else None
        if found is not None and to_attribute(found.strategy.kind, found.record) == f.attributes[ATTRIBUTE]:
            return found.why
    return ()


def _kernel(f: Any) -> str:
    attribute, name = f.attributes[ATTRIBUTE], f.attributes["sym_name"].value
    if not isinstance(attribute, ir.DictAttr):  # written by hand, and refused by expand-kernels
        return f"{name}: {attribute}"
    record = {e.name: str(e.attr).partition(" : ")[0] for e in attribute}
    kind = record.pop("kind", "").strip('"')
    shown = ", ".join(f"{field} = {value}" for field, value in record.items())
    places = [_place(op) for op in children(f) if op.name.startswith("linalg.")]
    tuned = ", tuned" if TUNED in f.attributes else ""
    return f"{places[-1] if places else ''}{name}: {kind} {{{shown}}}{tuned}"


def _place(op: Any) -> str:
    """`file:line:column: `, the first one in an operation's location; empty without one."""
    found = re.search(r'"([^"]*)":(\d+):(\d+)', str(op.location))
    return f"{found[1]}:{found[2]}:{found[3]}: " if found else ""
