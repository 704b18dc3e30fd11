"""Calls MLIR by its Python bindings: contexts, passes, errors, and ways to read and copy operations.

context           makes a context
walk              finds the operations of a module
copies            copies operations
bare_operations   keeps the bindings from importing the classes of dialects
failure           the exception of a pass that failed
reproducer        writes files that show a fault again
pass_driver       runs passes and reads modules; MLIR's messages become errors of ours
"""
