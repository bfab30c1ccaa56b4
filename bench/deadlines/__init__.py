"""Deadlines by the thousand, under faults, on an accelerated clock: `python3 dev.py bench deadlines` (G-11)."""
