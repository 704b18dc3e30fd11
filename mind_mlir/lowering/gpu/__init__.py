"""Code for NVIDIA GPUs: kernels, their launches, and what they become: NVVM, PTX, cubin.

precision        the precision of the factors of products
gpu_strategies   every strategy, in the order in which they are tried
mapped_views     memory as tensor maps describe it
thread_code      the writer of the code of one thread
groups           several loops taken as one
elements         element-wise operations, gathers, slices
transposes       element-wise operations with transposed operands
thread_sums      sums by one thread each
reductions       sums by several threads
partial_sums     sums by several blocks
windows          adjoints of convolutions
scatters         rows added by index
mbarriers        barriers that wait for copies of tiles
products/        matrix products, in tiles
rewrites/        the passes
artifacts/       compiled modules: files, and how they are kept
"""
