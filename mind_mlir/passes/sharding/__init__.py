"""From one module in global view to the module that each rank of a mesh runs.  docs/sharding.md.

propagate-sharding   every value gets a sharding, from those of the Inputs and of Reshard
partition            local shapes, and operations between ranks where a value must move
"""
