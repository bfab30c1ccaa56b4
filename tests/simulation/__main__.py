"""`python -m tests.simulation --help`."""

from tests.simulation.run import main

main()
