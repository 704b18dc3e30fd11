"""Counts the bytes that partitioned programs send, beside XLA's: `python -m benchmarks communication`.

layout      a program's arguments and results, with their shardings, from a line of text
programs    the programs: each written once, for us and for jax.numpy
ours        a program as a module on a mesh: what it sends, and whether its results are those of one process
xla         the same program compiled by JAX for devices that are threads, and what its collectives send
command     runs all of it, and writes the table in docs/sharding.md
"""
