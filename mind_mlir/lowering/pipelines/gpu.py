"""For NVIDIA GPUs: linalg on tensors -> kernels -> gpu -> nvvm, with launches in the function that is left."""

from .cpu import CPU_PIPELINES, FUSE

_DEVICE = (
    "lower-affine",
    "gpu.module(convert-nvgpu-to-nvvm)",
    "convert-vector-to-scf",
    "convert-scf-to-cf",
    "convert-nvvm-to-llvm",
    "expand-strided-metadata",
    "lower-affine",
    "canonicalize",
    "cse",
    "attach-gpu-targets",
    "gpu.module(convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true index-bitwidth=64},canonicalize,cse)",
    "convert-cf-to-llvm",
    "gpu.module(convert-vector-to-llvm,convert-nvvm-to-llvm,canonicalize,cse,"
    "reconcile-unrealized-casts,canonicalize,cse)",
    "extern-shared-memory",
    "tensor-maps-by-value",
)

GPU_PIPELINES = {
    "gpu-fuse": FUSE,
    "gpu-bufferize": CPU_PIPELINES["cpu-bufferize"],
    "gpu-kernels": "form-gpu-kernels,split-gpu-sums,expand-gpu-kernels,expand-math,func.func(convert-linalg-to-loops),"
    "canonicalize,cse",
    "gpu-outline": "outline-gpu-kernels,canonicalize,cse",
    "gpu-to-nvvm": ",".join(_DEVICE),
    "gpu-nvvm": "gpu-fuse,turn-operands,cse,gpu-bufferize,gpu-kernels,gpu-outline,gpu-to-nvvm",
}
