"""Passes of ours over MLIR modules, one a file; each changes the module that it is given."""
