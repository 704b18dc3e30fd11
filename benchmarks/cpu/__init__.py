"""Native CPU code beside what users would pick instead: `python -m benchmarks cpu`.

problems    what is computed: arrays, operation counts, bytes that must move
cases       the table of cases
peers/      who computes it, one a file
worker      the child process that a peer runs in
timing      interleaved rounds over the peers of a case
costs       compile time, start-up, memory
bars        what is asked of the figures
report      tables, and their place in docs/results.md
plot        the picture beside them
command     all of it in order
"""
