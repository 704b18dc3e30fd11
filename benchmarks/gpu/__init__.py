"""Checks and measures GPU artifacts on a machine with a GPU: `scripts/gpu-check` makes them here and runs them there.

That machine needs no MLIR, only Python, NumPy, this package and a driver. PyTorch and JAX are compared if installed.
"""
