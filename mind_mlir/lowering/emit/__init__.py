"""Core IR -> linalg on tensors: what the operations' rules `lower` are written with.

modes                how a function is to be computed, as attributes
scalars              arithmetic on elements, or on vectors of them
tensors              tensors made, cut and reshaped
structured           fills, formulas over elements, linalg's named operations
rows                 rows picked and added by indices
collectives          operations between ranks
emitter              all of these, with contractions, convolutions and sums: what `Op.lower` speaks to
inlined              the body of a function, in place of an operation that holds it
operation_lowering   one operation, lowered or cloned
to_linalg            a module
to_shard             a module in global view, with shardings as MLIR has them
"""
