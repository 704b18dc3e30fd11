"""Fast CPU code: one emitter a strategy, which fills a function with loops and vector operations.

A strategy is chosen for a group of linalg operations by rules (`rules.py`), described by a record of parameters, and
written out by its emitter.  docs/adr/0013-kernels-at-vector-level.md.
"""
