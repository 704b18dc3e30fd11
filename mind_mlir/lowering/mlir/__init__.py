"""MLIR by its Python bindings: contexts, passes, errors, and ways to read and copy operations.

context           a context
linalg_names      operations of linalg by name
walk              the operations of a module, found
copies            operations, copied
bare_operations   operations without the classes of their dialects
failure           how a pass says that it failed
reproducer        files that show a fault again
rewriter          what passes of ours are written with
pass_driver       a pass, run; a module, read; MLIR's messages as errors of ours
"""
