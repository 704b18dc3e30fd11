"""What is installed and used from outside: MLIR, LLVM, a linker, OpenMP.

packages    where an installed package is, found without importing it
installed   MLIR's bindings and the tools of MLIR and LLVM
finding     one line of what `mind-opt --doctor` says
openmp      the runtime of OpenMP
linker      the system's linker
"""
