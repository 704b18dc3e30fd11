"""What code is made for.

system   this system and its CPU, as LLVM calls them
cpus     kinds of CPUs: registers, lanes, caches
chips    kinds of NVIDIA GPUs
"""
