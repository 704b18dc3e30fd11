"""Which memory values need, and where it lies.

views     operations whose result is the memory of their operand
buffers   what a block allocates, reads and frees
offsets   where buffers lie in one piece of memory
"""
