"""The entry of compiled code in this process, with the same prototype for any number of arrays.

    mind_main(pointers) -> status

It takes the address of an array of data pointers, those of the arguments and then those of the outputs. A caller needs
no prototype of its own for each module, and no limit on how many arguments one has. `main` becomes it in
packed_entry.py.
"""

PACKED = "mind_main"
"""The name of the entry."""
