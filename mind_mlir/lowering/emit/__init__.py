"""Lowers Core IR to linalg on tensors: the emitter, with which ops write their lowerings, and modules as a whole.

modes                attributes that say how a function is computed
scalars              arithmetic on elements, or on vectors of them
tensors              types and constants
emission             the operations of MLIR that one operation makes
tensor_ops           makes, cuts and reshapes tensors
linalg_ops           fills, formulas over elements, named operations, contractions, transposes, padding
convolutions         convolutions and their adjoints
block_sums           sums over axes
scans                cumulative sums, products and extremes
pooling              windows that move over a tensor
rows                 picks and adds rows by indices
element_loops        loops over single elements
sort_keys            the keys by which elements are sorted
radix                the passes of a sort
order                sorts, and finds the largest elements
slices               reads and writes slices at positions that are known when they run
collectives          operations between ranks
inlined              lowers the body of a function inline
emitter              all of these in groups, which `Op.lower` calls
operation_lowering   lowers or clones one operation
to_linalg            lowers a module
to_shard             lowers a module in global view, with shardings of MLIR's dialect `shard`
"""
