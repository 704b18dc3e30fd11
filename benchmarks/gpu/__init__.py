"""GPU artifacts checked and measured on a machine with a GPU: `scripts/gpu-check` makes them here and runs them there.

There, nothing of MLIR is needed: Python, NumPy, this package and a driver. PyTorch and JAX are peers where they are.
"""
