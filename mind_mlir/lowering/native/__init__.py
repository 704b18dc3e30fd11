"""Compiles Core IR to native code in this process. Begin with kept_code.

kept_code         code from the cache on disk, or compiled and kept there
guard             tries compilations in a child process first
compiler          compiles a module: pipeline, kernels, LLVM, linking
workplace         contexts and pass managers that are used again
packed_entry      makes `mind_main` of `main`
workers           threads that compile side by side
kernel            a kernel while it is compiled
kernel_code       compiles each kernel alone, once
kernel_lowering   kernels as modules of LLVM IR
open_kernels      kernels with numbers left open, compiled once for all that differ in these
fixed_code        code that depends on no module
"""
