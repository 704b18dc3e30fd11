"""LLVM by its C API: MLIR in the LLVM dialect -> object files -> code in this process."""
