"""Running compiled GPU code: NVIDIA's driver by ctypes, and nothing of MLIR or CUDA's toolkit."""
