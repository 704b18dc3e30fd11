"""Runs compiled GPU code through NVIDIA's driver, by ctypes or cuda.core, without MLIR and CUDA's toolkit."""
