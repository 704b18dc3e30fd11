"""Compiles long modules in segments, which are lowered one by one and called one after the other.

segments     cuts a module
parts        cuts a segment of small operations into parts of one each
callees      what a caller has to know of a function
call_lists   functions that only call others, and the memory between the calls
assembly     joins all of it into one MLIR module
"""
