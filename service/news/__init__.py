"""News for many open pages: a process that holds their streams, and nothing else."""
