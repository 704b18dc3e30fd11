"""Which memory values need, and its layout.

views     operations whose result is in the memory of their operand
buffers   what a block allocates, reads and frees
offsets   the offsets of buffers in one piece of memory
"""
