"""Finds the tools and libraries that are used: MLIR, LLVM, a linker, OpenMP.

packages    finds an installed package without importing it
installed   finds MLIR's bindings and the tools of MLIR and LLVM
finding     one line of what `mind-opt --doctor` prints
openmp      finds and opens the runtime of OpenMP
linker      finds and calls the system's linker
"""
