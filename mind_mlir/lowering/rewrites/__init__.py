"""Passes of ours over MLIR modules, one in each file; each changes the module that it is given.

They are listed in the order of the pipelines; files with an underscore have what several share.

join_arg_extremes          finds extremes and their positions in one pass
fold_transposes            lets products read and write tensors as they are stored
copy_colliding_rows        copies operands of products whose terms share few sets of a cache
generalize_elementwise     prepares chains of element-wise operations for fusion
group_kernels              marks operations that will share a kernel
lower_collectives          makes calls of operations between ranks
bools_as_bytes             stores truth values as bytes
halves_as_bits             stores floats of 16 bits as integers, and converts them by arithmetic
cpu_abi                    gives functions their calling convention
coalesce_buffers           drops copies, and computes in place
free_buffers               frees memory after its last use
strided_copies_to_linalg   replaces copies that memref.copy would do slowly
form_kernels               moves operations that have a strategy into functions that name it
pack_constants             stores constants as kernels read them
expand_kernels             lets strategies write kernels
sums_to_kernels            makes kernels of sums that have none
order_loops                makes the contiguous loop of a contraction the innermost
hoist_scratch              lets callers of private functions pass their memory
outline_linalg             moves operations into functions, which equal ones share
poison_buffers             fills memory with NaN, for tests
plan_arena                 makes one allocation of all
expand_math                writes exp and log as arithmetic
share_loops                lets threads share loops
fast_math                  lets LLVM fuse multiplications and additions
keep_arena                 keeps a large arena from call to call
call_mpi                   makes calls of MPI of calls between ranks
check_lowered              checks that LLVM can take what is left
"""
