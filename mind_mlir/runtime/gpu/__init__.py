"""Running compiled GPU code: NVIDIA's driver by ctypes or cuda.core, and nothing of MLIR or CUDA's toolkit."""
