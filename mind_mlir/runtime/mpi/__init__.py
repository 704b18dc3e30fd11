"""Modules on the ranks of MPI: the ranks of a mesh, values sharded over them, and how a job starts and ends."""
