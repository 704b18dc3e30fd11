"""What `form-kernels` made of a module, for people: each kernel with its record, and what it left to plain loops."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mlir import ir

from ..emit.modes import numerics_of
from ..mlir.walk import children, functions
from ..targets.cpus import Cpu, find_cpu
from .nest import read_nest
from .record import ATTRIBUTE
from .strategies import STRATEGIES
from .tuned import TUNED

_LOOPS = ("scf.for", "scf.parallel", "scf.while", "affine.for")


def kernel_remarks(module: Any, cpu: str = "native", tuning: str = "") -> list[str]:
    """A line for each operation of functions that are no kernels, with why no strategy takes it, and for each kernel.

    With `tuning`, the path of a tuning file, the last line counts the kernels whose records come from it.
    """
    target = find_cpu(cpu)
    kernels = [f for f in functions(module) if ATTRIBUTE in f.attributes]
    left = [line for f in functions(module) if ATTRIBUTE not in f.attributes for line in _left(f, target)]
    lines = [*left, *map(_kernel, kernels)]
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
        if problem is not None and s.choose(problem, cpu, numerics).record is None:
            return f"{s.kind} would take it, and its rules decline it here"
    return "no strategy takes it"


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
    """`file:line:column: `, of the first such place in an operation's location; empty without one."""
    found = re.search(r'"([^"]*)":(\d+):(\d+)', str(op.location))
    return f"{found[1]}:{found[2]}:{found[3]}: " if found else ""
