"""From one module in global view to the module that each rank of a mesh runs. docs/sharding.md.

propagate-sharding   gives every value a sharding, from those of the Inputs and of Reshard
partition            makes shapes local, and adds operations between ranks where a value changes its sharding
merge-reductions     makes one AllReduce of small ones that do not depend on each other

dimensions, moves    which dimensions are the same; how a value gets from one sharding to another, and what it sends
ways                 the ways to cut one operation
machine              how fast ranks compute and send, by which ways are compared
draft, outlook       a partition that is decided and not written; what each sharding of a value costs its users
search               several drafts, of which partitioner writes the cheapest
communication, bound what one run sends, and the least that any run would send
"""
