"""Products that are added up, in tiles: four ways to feed the cores of a GPU.

product_problem    what is computed: the roles of loops
product_operands   how operands come into shared memory
product_tiles      what a thread does without tensor cores
product_parts      sums in parts, added
tensor_tiles       with tensor cores of a warp
pipelined_tiles    the same, with copies under way beside the products
warpgroup_tiles    with tensor cores of four warps
tiled_products     which tiles, and what writes them
tensor_maps        memory as one instruction copies it by tiles
tma_tiles          what their threads do
tma_products       which products they are
"""
