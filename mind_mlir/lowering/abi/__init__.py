"""What compiled code and those who call it agree on.

entry        `mind_main`, the function that is called
rank_table   the table from which code between ranks reads whom to call
c_header     the same for C: prototype, extents, status
"""
