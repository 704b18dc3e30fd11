"""Compares native CPU code with what users would choose instead: `python -m benchmarks cpu`.

problems    what is computed: arrays, numbers of operations, bytes that must be moved
cases       the table of cases
peers/      the libraries that compute it, one in each file
worker      the child process in which a peer runs
timing      interleaved rounds over the peers of a case
costs       compile time, start-up, memory
bars        what the figures have to reach
report      the tables in docs/results.md
plot        the picture beside them
command     runs all of it
"""
