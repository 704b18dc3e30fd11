"""Long modules in segments, which are lowered one by one and call each other's code.

segments     where a module is cut
parts        a segment of small operations, in parts of one each
callees      what there is to know of a function to call it
call_lists   functions that only call others, and the memory between the calls
assembly     one MLIR module of all of it
"""
