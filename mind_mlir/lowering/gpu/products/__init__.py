"""Contractions in tiles: four ways to bring operands to the cores of a GPU.

product_problem    what is computed: the roles of loops
product_operands   operands, copied to shared memory by threads
product_tiles      the code of a thread without tensor cores
product_parts      the second kernel of sums in parts
tensor_tiles       with tensor cores of a warp
pipelined_tiles    the same, with asynchronous copies
warpgroup_tiles    with tensor cores of four warps
tiled_products     which tiles, and what writes them
tensor_maps        memory as one instruction copies it by tiles
tma_tiles          the code of their threads
tma_products       which products they are
"""
