"""Processes that run all of it: the embedded server, and the ticker beside a worker."""
