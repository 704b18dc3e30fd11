"""Bytes that partitioned programs send, beside XLA's for the same shardings.  `python -m benchmarks communication`.

layout      a program's arguments and results, and how they lie on a mesh, from a line of text
programs    the programs: each written once, for us and for jax.numpy
ours        a program as a module on a mesh: what it sends, and whether its results are those of one process
xla         the same program compiled by JAX for devices that are threads, and what its collectives send
command     all of it in order, and the table in docs/sharding.md
"""
