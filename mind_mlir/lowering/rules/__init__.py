"""Which tiles, lanes, orders and strategies are chosen, and why: pure functions of shape, element type and CPU.

A rule takes a problem as plain numbers, extents and strides, and a record of the CPU or GPU, and gives a `Choice`: the
record of parameters, and the reasons as sentences. Nothing here imports mlir; kernels read the problem from MLIR, and
ask. `python -m mind_mlir.lowering.rules matmul 512x512x512 f32 --cpu avx2` shows one.

choice             a record, and why
loop_nest          loops by extents and strides
tile_cost          what a tile of sums costs
product_loops      products: the roles of loops
product_rules      products: tiles, panels, blocks; dot products
sum_rules          sums along axes
position_rules     positions of extremes
element_rules      element-wise operations
transpose_rules    those that read across what they write
gpu_product_rules  tiles of products on GPUs
gpu_tma_rules      those that tensor maps feed
gpu_sum_rules      sums on GPUs
sharing            which loops threads share, and how many
problems           problems from shapes, for a REPL
"""
