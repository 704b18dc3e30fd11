"""Calls of compiled code that run no Python code in between, where the interpreter and NumPy allow it."""
