"""From one module in global view to the module that each rank of a mesh runs.  docs/sharding.md.

propagate-sharding   every value gets a sharding, from those of the Inputs and of Reshard
partition            local shapes, and operations between ranks where a value must move
merge-reductions     small AllReduces that do not need each other become one

dimensions, moves    which dimensions are the same; how a value gets from one sharding to another, and what it sends
ways                 the ways to cut one operation
machine              what ranks compute and send in the same time, by which ways are compared
draft, outlook       a partition that is decided and not written; what users of a value pay, by how it lies
search               several drafts, of which partitioner writes the cheapest
communication, bound what one run sends, and the least that any would
"""
