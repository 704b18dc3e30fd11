"""The CPU baseline: linalg on tensors -> loops -> LLVM, on one thread, in the order in which interpret evaluates."""

_BUFFERIZE = (
    "bools-as-bytes",
    "halves-as-bits",
    "cpu-abi",
    "one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map"
    " buffer-alignment=64}",
    "drop-equivalent-buffer-results",
    "canonicalize",
    "cse",
    "func.func(buffer-hoisting,buffer-loop-hoisting)",  # all on the heap: a long module would overflow the stack
    "coalesce-buffers",
    "free-buffers",
)

_RANKS = "lower-collectives"

_AS_STORED = f"{_RANKS},canonicalize,cse,fold-transposes"

_FUSE = "generalize-elementwise,linalg-fuse-elementwise-ops,canonicalize,cse,group-kernels"

_KERNELS = (
    "strided-copies-to-linalg",
    "form-kernels",
    "pack-constants",
    "expand-kernels",
    "cse",  # to read, canonicalize makes them shorter; LLVM gets the same in less time from the later one alone
)

_LOOPS = (
    "strided-copies-to-linalg",
    "sums-to-kernels",
    "linalg-generalize-named-ops",
    "order-loops",
    "hoist-scratch",
    "outline-linalg{allocations=2}",
    "plan-arena",
)

_LOWER = (
    "func.func(convert-linalg-to-loops)",
    "expand-math",
    "fold-memref-alias-ops",
    "expand-strided-metadata",
    "canonicalize",
    "cse",
    "lower-affine",
    "loop-invariant-code-motion",
    "share-loops",
    "fast-math",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "finalize-memref-to-llvm{use-aligned-alloc=true}",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "convert-index-to-llvm",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "convert-func-to-llvm{use-bare-ptr-memref-call-conv=true}",
    "convert-openmp-to-llvm",
    "call-mpi",
    "reconcile-unrealized-casts",
    "canonicalize",
    "cse",
    "keep-arena",
    "check-lowered",
)

# Kernels are loops, vectors and arithmetic on memory that their callers allocate: less can occur in them.
_KERNEL_TO_LLVM = (
    "canonicalize",
    "cse",
    "share-loops",
    "fast-math",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "convert-func-to-llvm{use-bare-ptr-memref-call-conv=true}",
    "convert-openmp-to-llvm",
    "convert-to-llvm",
    "reconcile-unrealized-casts",
)

FUSE = f"{_AS_STORED},{_FUSE}"
"""What is for every target; a CPU copies some operands before."""

CPU_PIPELINES = {
    "cpu-fuse": f"join-arg-extremes,{_AS_STORED},copy-colliding-rows,{_FUSE}",
    "cpu-bufferize": ",".join(_BUFFERIZE),
    "cpu-kernels": ",".join((*_KERNELS[:-1], "canonicalize", "cse")),
    "kernel-to-llvm": ",".join(_KERNEL_TO_LLVM),
    "cpu-to-llvm": ",".join((*_LOOPS, *_LOWER)),
    "cpu": ",".join(("cpu-fuse", "cpu-bufferize", *_KERNELS, "cpu-to-llvm")),
}
