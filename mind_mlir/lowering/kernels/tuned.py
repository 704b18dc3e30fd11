"""The use of records of a tuning file instead of those of the rules."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, fields, replace
from typing import Any

from mlir import ir

from ...ir.version import VERSION
from ..emit.modes import NUMERICS, THREADS, numerics_of, threads_of
from ..store.tuning_file import TuningFile
from ..targets.cpus import Cpu
from .record import ATTRIBUTE
from .strategies import Chosen

TUNED = "mind.tuned"
"""Marks functions whose record a tuning file changed."""

_APART = ("sym_name", ATTRIBUTE, NUMERICS, THREADS, TUNED)
"""Attributes that are left out of a kernel's text, since the key has them by themselves, or not at all."""


def kernel_key(kernel: Any, kind: str, rule: Any, cpu: Cpu) -> str:
    """A sha256 of all that decides which record is best for a kernel: its operations, and how it is compiled.

    The record that the rules choose is part of it: where they have learnt something, what was measured against the old
    one does not count.
    """
    given = (kind, sorted(asdict(rule).items()), cpu.name, numerics_of(kernel), threads_of(kernel), VERSION)
    return hashlib.sha256(f"{given!r}\n{_text(kernel)}".encode()).hexdigest()


def _text(kernel: Any) -> str:
    kept = {name: kernel.attributes[name] for name in _APART if name in kernel.attributes}
    for name in kept:
        del kernel.attributes[name]
    kernel.attributes["sym_name"] = ir.StringAttr.get("kernel")
    text = str(kernel.get_asm(use_local_scope=True))
    for name, value in kept.items():
        kernel.attributes[name] = value
    return text


def tuned_record(file: TuningFile, kernel: Any, choice: Chosen, cpu: Cpu) -> Any:
    """The record that a file has for a kernel, else that of the rules. E7013 for one that does not fit the kernel."""
    strategy, rule = choice.strategy, choice.record
    if strategy.fault is None:
        return rule
    key = kernel_key(kernel, strategy.kind, rule, cpu)
    entry = file.entries.get(key)
    if entry is None:
        return rule
    types = {f.name: type(getattr(rule, f.name)) for f in fields(rule)}
    found = entry.record
    if set(found) != set(types):
        raise file.fault(key, f"a record of a {strategy.kind} has the fields {', '.join(types)}")
    for name, expected in types.items():
        if type(found[name]) is not expected:
            kind = {bool: "true or false", int: "an integer", str: "text"}[expected]
            raise file.fault(key, f"{name} of a {strategy.kind} is {kind}", field=name)
    record = replace(rule, **found)
    if (fault := strategy.fault(choice.problem, record, rule, cpu)) is not None:
        name, why = fault
        raise file.fault(key, why, field=name)
    return record
