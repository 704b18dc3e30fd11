"""Core IR -> native code in this process.

kept_code         from the cache on disk, or compiled and kept there: where it begins
guard             compilations tried in a child process first
compiler          the whole way: pipeline, kernels, LLVM, linking
workplace         contexts and pass managers that are used again
packed_entry      `main` becomes `mind_main`
workers           threads that compile side by side
kernel            a kernel on its way to code
kernel_code       kernels compiled alone, each once
kernel_lowering   kernels as modules of LLVM IR
open_kernels      kernels with numbers left open, compiled once for all that differ in them
fixed_code        code that no module decides
"""
