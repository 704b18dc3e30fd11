"""The interface of compiled code and its callers.

entry        `mind_main`, the function that Python calls
rank_table   the table from which code with operations between ranks reads the functions and handles of MPI
c_header     the interface for C: prototype, extents, status
"""
