"""Keeps compiled code and tuning files on disk, and opens them from there.

cache          the folder of compiled code: files that appear as a whole, and are removed when there are too many
cache_key      a digest of all that decides the code of a module
owned          opens folders and files that only the user can have written
library        opens a shared object in this process
unloading      unloads code when its owner is freed
kernel_store   keeps the code of kernels, in this process and in the cache
tuning_file    tuning files: records that were found by measuring
folders        writes a folder of files as a whole or not at all
"""
