"""Deadlines by the thousand, under faults, on an accelerated clock: `python -m tests.simulation` (G-11)."""
