"""Benchmarks: adapters that put this project into the rows of shared scripts, and a run of its own."""
