"""What is kept on disk, and opened from there.

cache          the folder of compiled code: files that appear as a whole, and go when there are too many
cache_key      what decides the code of a module
owned          folders and files that are the user's own
library        a shared object in this process
unloading      code that goes when its owner does
kernel_store   the code of kernels, in this process and in the cache
tuning_file    tuning files: records that were found by measuring
folders        a folder of files, written as a whole or not at all
"""
