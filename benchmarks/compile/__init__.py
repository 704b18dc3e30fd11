"""Measures compilation: the first result of fresh processes beside JAX's, and modules of many operations."""
