"""Code for NVIDIA GPUs: kernels, their launches, and what they become: NVVM, PTX, cubin.

precision        how exact the factors of products are
gpu_strategies   every strategy, in the order in which they are asked
mapped_views     memory as tensor maps show it
thread_code      what one thread does, written
groups           loops taken together
elements         element-wise operations, gathers, slices
transposes       those that read across what they write
thread_sums      sums by one thread each
reductions       sums by several threads
partial_sums     sums by several blocks
windows          adjoints of convolutions
scatters         rows added by index
mbarriers        copies of tiles, awaited
products/        products, in tiles
rewrites/        the passes
artifacts/       what is made of a module, written and kept
"""
