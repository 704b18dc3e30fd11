"""The functions of lowering/ that others call: passes by name, MLIR modules, libraries, artifacts.

register   registers our passes over MLIR, and the named pipelines
api        `to_mlir` and `write_artifact`
codegen    LLVM IR, assembly, object files, shared libraries
remarks    what became of a module, and why, for people
doctor     what is installed, and what is missing
"""
