"""Searches records of kernels by measuring.

trial   compiles one kernel with any record, checks it and times it
tuner   chooses which records are tried, in child processes
"""
