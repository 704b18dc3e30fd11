"""Modules on a mesh, measured on this machine and simulated for larger ones: `python -m benchmarks mpi`.

steps       a gradient step, its layouts on a mesh, and what the compiler makes of them: operations, bytes, messages
cluster     the defaults of a simulation
model       what a collective costs: latency and bandwidth, rings and trees
scaling     strong and weak scaling of a step under the model
job         what every rank of a measured job runs
launch      starts a job with mpirun, and reads what it reports
results     the figures
report      the tables in docs/scaling.md
plot        the picture beside them
command     runs all of it
"""
