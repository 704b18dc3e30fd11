"""A module with one kernel, and entries of tuning files for it: what the tests of tuning share."""

import numpy as np

import mind_mlir as mind
from mind_mlir.lowering.interface import register
from mind_mlir.lowering.store.tuning_file import Entry
from mind_mlir.lowering.tuning.trial import kernels_of
from mind_mlir.lowering.tuning.tuner import State, entry_of

del register  # its import registers passes

TEXT = """\
%0 = Input {name = "x"} : tensor<f32[37, 40]>
%1 = Input {name = "w"} : tensor<f32[40, 50]>
%2 = MatMul (%0, %1) : tensor<f32[37, 50]>
%3 = Relu (%2) : tensor<f32[37, 50]>
outputs: %3
"""
M = mind.parse(TEXT)
X, W = (np.random.default_rng(0).standard_normal(s).astype(np.float32) for s in ((37, 40), (40, 50)))
(Y,) = mind.compile(M)(X, W)


def kernel_of(m, numerics="default", threads=1):
    """The one kernel of a module."""
    (kernel,) = kernels_of(m, numerics, threads)
    return kernel


def entry(kernel, rule_seconds=2e-6, seconds=1e-6, **changed) -> Entry:
    """What a tuning file says of a kernel that is faster with a changed record."""
    state = State(kernel, rule_seconds, seconds)
    state.record = {**kernel.rule, **changed}
    return entry_of(state)
