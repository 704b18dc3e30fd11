"""Calls of compiled code from Python without Python in between, where the interpreter and NumPy allow it."""
