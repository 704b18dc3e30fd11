"""What others call: the passes by name, MLIR modules, libraries, artifacts.

register   our passes over MLIR and the named pipelines, registered
api        `to_mlir` and `write_artifact`
codegen    LLVM IR, assembly, object files, shared libraries
remarks    what became of a module, and why, for people
doctor     what is installed, and what is missing
"""
