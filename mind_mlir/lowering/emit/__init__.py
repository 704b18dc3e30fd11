"""Core IR -> linalg on tensors: what the operations' rules `lower` are written with.

modes                how a function is to be computed, as attributes
scalars              arithmetic on elements, or on vectors of them
tensors              types and constants
emission             what one operation becomes
tensor_ops           tensors made, cut and reshaped
linalg_ops           fills, formulas over elements, named operations, contractions, transposes, padding
convolutions         convolutions and their adjoints
block_sums           sums over axes
rows                 rows picked and added by indices
collectives          operations between ranks
inlined              the body of a function, in place of an operation that holds it
emitter              all of these in groups: what `Op.lower` speaks to
operation_lowering   one operation, lowered or cloned
to_linalg            a module
to_shard             a module in global view, with shardings as MLIR has them
"""
