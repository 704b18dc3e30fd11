"""What code is made for.

system   this system and its CPU, by LLVM's names
cpus     kinds of CPUs: registers, lanes, caches
chips    kinds of NVIDIA GPUs
"""
