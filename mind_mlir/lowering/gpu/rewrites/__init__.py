"""Passes of ours over MLIR modules for GPUs, one a file, in the order of the pipeline.

turn_operands           operands that cannot be copied by tiles, transposed
form_gpu_kernels        operations, to calls of functions that name a strategy
split_gpu_sums          sums in parts, to two kernels
expand_gpu_kernels      such functions, written
outline_gpu_kernels     such functions, to launches of kernels
attach_gpu_targets      the kind of chip
extern_shared_memory    shared memory that launches ask for
tensor_maps_by_value    tensor maps, as parameters of kernels
"""
