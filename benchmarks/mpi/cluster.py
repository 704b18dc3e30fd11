"""The defaults of `--simulate`; nothing is imported here, so that `--help` is fast."""

LATENCY, BANDWIDTH = 2.0, 12.5
"""µs for each message and GB/s of a link: a network of 100 Gb/s."""
RATE = 2000.0
"""GFLOP/s of a rank: a processor of about twenty of the cores that docs/scaling.md measures."""
ALGORITHM = "best"
RANKS = "ranks=8..4096"
