"""Calls MLIR by its Python bindings: contexts, passes, errors, and ways to read and copy operations.

context           makes a context
linalg_names      the operations of linalg by name
walk              finds the operations of a module
copies            copies operations
retyping          gives values other types
bare_operations   keeps the bindings from importing the classes of dialects
failure           the exception of a pass that failed
reproducer        writes files that show a fault again
rewriter          finds and writes operations, for our passes over MLIR
pass_driver       runs passes and reads modules; MLIR's messages become errors of ours
"""
