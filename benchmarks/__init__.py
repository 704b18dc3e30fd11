"""Benchmarks. Every figure in docs/results.md comes from a command in this package."""
