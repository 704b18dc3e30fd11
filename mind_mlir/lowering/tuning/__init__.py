"""Records of kernels, searched by measuring.

trial   the kernels of a module one at a time: compiled with any record, checked and timed
tuner   which records are tried, in child processes
"""
