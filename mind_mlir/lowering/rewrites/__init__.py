"""Passes of ours over MLIR modules, one a file; each changes the module that it is given.

They stand here in the order in which pipelines have them; files with an underscore hold what several share.

fold_transposes            products that read and write tensors as they lie in memory
generalize_elementwise     chains of element-wise operations, for fusion
group_kernels              operations that will share a kernel, marked
lower_collectives          operations between ranks, to calls
cpu_abi                    the calling convention
coalesce_buffers           copies dropped, results computed in place
free_buffers               memory given back after its last use
strided_copies_to_linalg   copies that memref.copy would do slowly
form_kernels               operations that a strategy takes, to functions that name it
pack_constants             constants as kernels read them
expand_kernels             kernels, written by their strategies
sums_to_kernels            sums that no kernel has taken
order_loops                loops of contractions, the contiguous one innermost
hoist_scratch              memory of private functions, from their callers
outline_linalg             operations, to functions that equal ones share
poison_buffers             memory filled with NaN, for tests
plan_arena                 one allocation for all
expand_math                exp and log, to arithmetic
share_loops                loops that threads share
fast_math                  what LLVM may fuse
keep_arena                 a large arena, kept from call to call
call_mpi                   calls between ranks, to calls of MPI
check_lowered              nothing is left that LLVM cannot take
"""
