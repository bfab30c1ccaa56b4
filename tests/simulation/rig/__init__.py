"""Real processes under a fault every few seconds, people who play meanwhile, and what came of it.

`python -m tests.simulation.rig --help`; `tests/acceptance/test_under_faults.py` runs it with `--long`.
"""
