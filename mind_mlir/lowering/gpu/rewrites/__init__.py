"""Python passes over MLIR modules for GPUs, one per file, in the order of the pipeline.

turn_operands           transposes operands that cannot be copied by tiles
form_gpu_kernels        replaces operations by calls of functions that name a strategy
split_gpu_sums          makes two kernels of one with sums in parts
expand_gpu_kernels      writes the code of such functions
outline_gpu_kernels     replaces calls of such functions by launches of kernels
attach_gpu_targets      notes the kind of chip
extern_shared_memory    declares shared memory whose size launches give
tensor_maps_by_value    passes tensor maps by value
"""
