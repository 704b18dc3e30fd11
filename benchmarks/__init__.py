"""Measurements.  Every figure in docs/performance.md comes from a command in this package."""
