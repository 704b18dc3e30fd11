"""What `--simulate` assumes of a cluster unless it is told; nothing is imported, for `--help`."""

LATENCY, BANDWIDTH = 2.0, 12.5
"""µs a message and GB/s of a link: a network of 100 Gb/s."""
RATE = 2000.0
"""GFLOP/s of a rank: a processor of about twenty of the cores that docs/scaling.md measures."""
ALGORITHM = "best"
RANKS = "ranks=8..4096"
