"""Modules for GPUs, compiled: what is written into an artifact, and kept in the cache.

nvvm              a module in the dialects nvvm and llvm, and its kernels as PTX
plan              the host's part: memory, launches and tensor maps, read from `@main`
ptxas             PTX to cubins
manifest          what an artifact's manifest says
manifest_reader   the same, read and checked
images            the files of an artifact, for several chips
kept_artifact     from the cache on disk, or compiled and kept there
"""
