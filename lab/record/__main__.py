"""`python -m lab.record`."""

import sys

from lab.record.run import main

if __name__ == "__main__":
    sys.exit(main())
