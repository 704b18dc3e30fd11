"""Modules on the ranks of MPI: the ranks of a mesh, values that lie on them, and how a job starts and ends."""
