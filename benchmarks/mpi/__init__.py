"""Modules on a mesh: measured on this machine, and simulated past it.  `python -m benchmarks mpi`.

steps       a gradient step, its layouts on a mesh, and what the compiler makes of them: operations, bytes, messages
cluster     what a simulation assumes of the machine unless it is told
model       what a collective costs: latency and bandwidth, rings and trees
scaling     strong and weak scaling of a step under the model
job         what every rank of a measured job runs
launch      a job, started with mpirun, and what it reports
results     what was measured
report      tables, and their place in docs/scaling.md
plot        the picture beside them
command     all of it in order
"""
