"""tuning.py MODULE NAME=JSON …: print a tuning file for the kernels of a module, with these fields of records set."""

import dataclasses
import json
import sys

from mind_mlir import lowering  # noqa: F401  registers its passes
from mind_mlir.ir import parse_source, read_source
from mind_mlir.lowering.tuning.trial import kernels_of
from mind_mlir.lowering.tuning.tuner import State, entry_of

_, module, *settings = sys.argv
changed = {name: json.loads(value) for name, value in (s.split("=") for s in settings)}
kernels = {}
for kernel in kernels_of(parse_source(read_source(module)), "default", 1):
    state = State(kernel, rule_seconds=2e-6, seconds=1e-6)
    state.record = {**kernel.rule, **changed}
    kernels[kernel.key] = dataclasses.asdict(entry_of(state))
print(json.dumps({"format": 1, "kernels": kernels}, indent=1))
