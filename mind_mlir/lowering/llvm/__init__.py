"""Calls LLVM by its C API: MLIR in the LLVM dialect -> object files -> code in this process.

capi             the functions of the C API
target_machine   what code is generated for
objects          from MLIR or LLVM IR to an object file
open_numbers     object files whose numbers are written later
session          object files, linked into this process
"""
