"""`python -m tests.simulation.rig --help`."""

from tests.simulation.rig.run import main

main()
